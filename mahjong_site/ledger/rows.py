"""A model's rows through plain SQL: its columns for a SELECT or INSERT, its values from and to them.

For the few statements that every posting makes; an ORM query costs several times as much to build.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Generic, TypeVar

from django.db import connection
from django.db.models import Model

M = TypeVar("M", bound=Model)


class Rows(Generic[M]):
    """The columns of one model, in one order."""

    def __init__(self, model: type[M]) -> None:
        self._model = model
        self._fields = list(model._meta.concrete_fields)
        self._names = [field.attname for field in self._fields]
        self.width = len(self._fields)

    def columns(self, table: str = "") -> str:
        """The columns as SQL, under the name the statement gives the table."""
        return ", ".join(f"{table}.{field.column}" if table else str(field.column) for field in self._fields)

    def placeholders(self) -> str:
        """``(%s, …)``, one for each column."""
        return f"({', '.join(['%s'] * self.width)})"

    def model(self, row: Sequence[Any]) -> M:
        """The model of a row with these columns."""
        values = [
            field.from_db_value(value, None, connection) if hasattr(field, "from_db_value") else value
            for field, value in zip(self._fields, row, strict=True)
        ]
        return self._model.from_db(connection.alias, self._names, values)

    def values(self, model: M) -> list[Any]:
        """The parameters that write a new row."""
        return [field.get_db_prep_save(field.pre_save(model, True), connection) for field in self._fields]

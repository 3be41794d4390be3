"""Plain SQL for the few statements that every posting makes: an ORM query costs several times as much to build.

`prepared` runs statements that PostgreSQL plans once a connection; `Rows` are a model's columns, to and from values.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Generic, TypeVar

import psycopg
from django.db import DEFAULT_DB_ALIAS, DatabaseError, connections
from django.db.models import Model

M = TypeVar("M", bound=Model)


@contextmanager
def prepared(statement: str, parameters: Sequence[Any] | Mapping[str, Any]) -> Iterator[psycopg.Cursor[Any]]:
    """Runs a statement that the connection prepares the first time it sees it. Gives the cursor with its rows.

    Raises: Django's database errors.
    """
    database = connections[DEFAULT_DB_ALIAS]
    database.ensure_connection()
    driver = database.connection
    driver.prepare_threshold = 0  # Django's own statements are never prepared; the driver remembers that as None
    with database.wrap_database_errors, psycopg.Cursor(driver) as cursor:
        yield cursor.execute(statement, parameters, prepare=True)


def refused_by(error: DatabaseError) -> str:
    """The constraint that refused; else PostgreSQL's own code."""
    cause = error.__cause__
    if not isinstance(cause, psycopg.Error):
        return type(error).__name__
    return cause.diag.constraint_name or cause.sqlstate or type(cause).__name__


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
        """``(%s::type, …)``, one for each column; without lengths, since a cast to one cuts off what is too long."""
        database = connections[DEFAULT_DB_ALIAS]
        types = [str(field.db_type(database)).partition("(")[0] for field in self._fields]
        return f"({', '.join(f'%s::{type}' for type in types)})"

    def model(self, row: Sequence[Any]) -> M:
        """The model of a row with these columns."""
        database = connections[DEFAULT_DB_ALIAS]
        values = [
            field.from_db_value(value, None, database) if hasattr(field, "from_db_value") else value
            for field, value in zip(self._fields, row, strict=True)
        ]
        return self._model.from_db(database.alias, self._names, values)

    def values(self, model: M) -> list[Any]:
        """The parameters that write a new row."""
        database = connections[DEFAULT_DB_ALIAS]
        return [field.get_db_prep_save(field.pre_save(model, True), database) for field in self._fields]

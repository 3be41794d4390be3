"""Bodies and parameters of the open endpoints that the engine has no model for."""

from __future__ import annotations

import re
from datetime import date
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from scoring.fields import HandLine, OneTile, Tiles
from scoring.record import MeldIn, Model


def _written(pattern: str) -> BeforeValidator:
    """It has to be text, written so; pydantic alone takes ``0`` for a day and ``yes`` for true."""
    form = re.compile(pattern, re.ASCII)

    def check(value: Any) -> Any:
        if not isinstance(value, str) or not form.fullmatch(value):
            raise ValueError(f"not of the form {pattern}")
        return value

    return BeforeValidator(check)


Day = Annotated[date, _written(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")]
Whole = Annotated[int, _written(r"-?[0-9]{1,18}")]
YesNo = Annotated[bool, _written("true|false")]


class NotationIn(Model):
    """A hand in any form people type."""

    text: HandLine


class NotationOut(Model):
    """The same hand part by part, and as its canonical line."""

    concealed: Tiles
    melds: tuple[MeldIn, ...]
    win_on: tuple[OneTile, ...]
    text: HandLine


class KongDiceIn(BaseModel):
    """What the dice of a 开杠 show, and what is left of the wall."""

    model_config = ConfigDict(extra="forbid")

    preset: str
    stacks: Annotated[Whole, Field(description="Stacks of two left in the wall.")]
    dice: Annotated[list[Whole], Field(description="The dice shown, one or two.", min_length=1, max_length=2)]
    top_gone: Annotated[YesNo, Field(description="The top tile of the last stack is gone.")] = False


class KongDiceOut(Model):
    """The tiles turned up: ``stack`` from the end, 1 = last."""

    stack: int
    tiles: list[Literal["top", "bottom"]]
    last_tile: bool
    one_die: Literal["no", "allowed", "required"]


class Fault(Model):
    """One thing that is wrong, in both languages."""

    code: str
    path: str
    message: str
    message_zh: str
    detail: dict[str, Any]


class Errors(Model):
    """The answer to a broken record of a batch."""

    errors: list[Fault]


class Problem(BaseModel):
    """RFC 9457: ``type`` names the kind of problem, ``errors`` every fault found."""

    model_config = ConfigDict(extra="allow")

    type: str
    title: str
    status: int
    errors: list[Fault] = []


class PresetOption(BaseModel):
    """An option: its type and bounds, names, default, and the sentence of the source; ``decision``: ours (定)."""

    model_config = ConfigDict(extra="allow")

    type: str
    zh: str
    en: str
    default: Any
    source: str
    decision: bool


class PresetOut(BaseModel):
    """A rule set: its options and the values that price it, each with the sentence of its source."""

    model_config = ConfigDict(extra="allow")

    preset: str
    family: Literal["changsha", "wuhan"]
    zh: str
    en: str
    sources: str
    options: dict[str, PresetOption]

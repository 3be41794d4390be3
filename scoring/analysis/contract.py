"""The contract of the analysis: the JSON of a request in, the JSON of an answer out (contract, "Analysis")."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import Field, ValidationError

from scoring.faults import RecordError
from scoring.fields import Bool, OneTile, RulesSpec, Seat, Tiles
from scoring.reading import faults_of, plain_values
from scoring.record import MeldIn, Model, Passed, PatternOut, PlayerIn, Settlement


class OpponentIn(Model):
    """What another player shows: his melds and what he has thrown, a tile just called included or not."""

    seat: Seat
    melds: Annotated[tuple[MeldIn, ...], Field(max_length=4)] = ()
    discards: Tiles = ()


class AnalysisIn(Model):
    """A hand of 13 − 3·melds tiles, or 14 − 3·melds with one to be thrown, and what else is known at the table."""

    rules: RulesSpec
    dealer: Seat
    seat: Seat
    concealed: Tiles
    melds: Annotated[tuple[MeldIn, ...], Field(max_length=8)] = ()
    laid_out: Tiles = ()
    indicator: OneTile | None = None
    seen: Tiles = ()
    players: Annotated[tuple[PlayerIn, ...], Field(max_length=4)] = ()
    from_: Seat | None = Field(default=None, alias="from")
    passed: Annotated[tuple[Passed, ...], Field(max_length=40)] = ()
    draws: Annotated[int, Field(strict=True, ge=1, le=20)] | None = None
    detours: Bool = False
    called: OneTile | None = None
    opponents: Annotated[tuple[OpponentIn, ...], Field(max_length=3)] = ()

    @property
    def throwing(self) -> bool:
        """Whether there is a tile to throw: 14 − 3·melds tiles, not 13."""
        return len(self.concealed) % 3 == 2


class FaultOut(Model):
    """Why a win is refused, in both languages."""

    code: str
    path: str
    message: str
    message_zh: str
    detail: Mapping[str, Any]


class Refused(Model):
    """A win that the rules refuse: all reasons."""

    errors: tuple[FaultOut, ...]

    @classmethod
    def of(cls, error: RecordError) -> Refused:
        """The answer for a refused record."""
        return cls.model_validate(error.to_json())


class Price(Model):
    """What a win brings: its patterns, what each seat gets or pays, and the winner's total."""

    patterns: tuple[PatternOut, ...]
    deltas: tuple[int, int, int, int]
    total: int


class Accept(Model):
    """A tile that lowers the shanten, and how many may still come."""

    tile: str
    left: int


class Wait(Accept):
    """A tile that wins, and what it brings drawn by oneself and thrown by another."""

    self_draw: Price | Refused
    discard: Price | Refused


def _unknown(value: float | None) -> bool:
    return value is None


OverTheDraws: TypeAlias = Annotated[float | None, Field(default=None, exclude_if=_unknown)]
"""Mean points, or the chance to win, over the own draws left (`scoring.analysis.expected`).

Left out where the request does not say how many, where the hand is too far from winning or has too many ways to be
looked into, and of a discard that raises the shanten where no detours are asked for.
"""


class DiscardOut(Model):
    """A tile thrown, or in Wuhan laid out, and the hand after it. ``left`` sums over its accepts."""

    tile: str
    shanten: int
    accepts: tuple[Accept, ...]
    left: int
    waits: tuple[Accept, ...]
    lay_out: bool = Field(default=False, exclude_if=lambda lay_out: not lay_out)
    expected: OverTheDraws
    win_probability: OverTheDraws


class CallOut(Model):
    """One thing to do with the called tile. ``tiles`` is the set it makes, ``discard`` the best tile to throw then, or
    in Wuhan to lay out.

    ``price`` is what winning on it brings, or why the rules refuse that. ``left`` sums over what lowers the shanten.
    """

    call: Literal["win", "exposed_kong", "pong", "chow", "pass"]
    tiles: str = Field(default="", exclude_if=lambda tiles: not tiles)
    discard: str | None = Field(default=None, exclude_if=lambda discard: discard is None)
    lay_out: bool = Field(default=False, exclude_if=lambda lay_out: not lay_out)
    price: Price | Refused | None = Field(default=None, exclude_if=lambda price: price is None)
    shanten: int
    left: int
    expected: OverTheDraws
    win_probability: OverTheDraws


class Drawing(Model):
    """The answer for a hand with a tile to come. ``calls``, best first, where another player has just thrown a tile."""

    shanten: int
    accepts: tuple[Accept, ...]
    waits: tuple[Wait, ...]
    expected: OverTheDraws
    win_probability: OverTheDraws
    calls: tuple[CallOut, ...] = Field(default=(), exclude_if=lambda calls: not calls)


class Throwing(Model):
    """The answer for a hand with a tile to throw: what it wins now, if complete, and every discard, best first."""

    win: Settlement | Refused | None
    shanten: int
    discards: tuple[DiscardOut, ...]


Analysis: TypeAlias = Drawing | Throwing


def read_request(data: bytes | str | Mapping[str, Any]) -> AnalysisIn:
    """A request from JSON text or from plain values.

    Raises:
        RecordError: it is malformed (``invalid``, ``bad_tile``) or names unknown rules or options; all faults at once.
    """
    value = plain_values(data)
    try:
        return AnalysisIn.model_validate(value, by_alias=True, by_name=False)
    except ValidationError as error:
        raise RecordError(faults_of(error)) from None

"""The contract: the JSON of a hand record in, the JSON of a settlement out.

These pydantic models are its one definition; the command line, the API and the ledger use them as they are.
They check shapes. What the rules say of a well-shaped record is checked by `scoring.settle`.
"""

from functools import cached_property
from typing import Annotated, Any, Final, Literal, Self

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    PlainSerializer,
    PlainValidator,
    TypeAdapter,
    WithJsonSchema,
    model_serializer,
    model_validator,
)
from pydantic_core import PydanticCustomError

from scoring import hand as hands
from scoring.fields import (
    Bool,
    By,
    Count,
    Event,
    HandLine,
    LaidOut,
    Money,
    OneTile,
    PatternId,
    Receiver,
    RulesSpec,
    Seat,
    Tiles,
)
from scoring.tiles import NAMES


class Model(BaseModel):
    """Frozen, refuses unknown fields; its checks are built on first use, those of `RECORD` for all models at once."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True, defer_build=True)


# --- The record in ---------------------------------------------------------------------------------------------------


class MeldIn(Model):
    """A called set: 吃, 碰, 明杠, 补杠, 暗杠; ``dice`` marks a 开杠."""

    kind: hands.MeldKind
    tiles: Tiles
    from_: Seat | None = Field(default=None, alias="from")
    dice: Bool = False

    def meld(self) -> hands.Meld:
        """The same as a value of the engine."""
        return hands.Meld(self.kind, self.tiles, self.from_, self.dice)


class PassedIn(Model):
    """A win let go (漏胡): the tile, and, in changsha-room, how big the win was (0 = small)."""

    tile: OneTile
    big: Annotated[int, Field(strict=True, ge=0, le=99)] | None = None


def _passed(value: Any) -> PassedIn:
    if isinstance(value, PassedIn):
        return value
    return PassedIn.model_validate({"tile": value} if isinstance(value, str) else value)


Passed = Annotated[
    PassedIn,
    PlainValidator(_passed),
    PlainSerializer(
        lambda passed: NAMES[passed.tile] if passed.big is None else {"tile": NAMES[passed.tile], "big": passed.big}
    ),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "string", "examples": ["5m"]},
                {
                    "type": "object",
                    "properties": {"tile": {"type": "string"}, "big": {"type": "integer", "minimum": 0}},
                    "required": ["tile"],
                    "additionalProperties": False,
                },
            ]
        }
    ),
]


class WinnerIn(Model):
    """Who won, with tiles (``concealed``, ``melds``, ``win_on``, or ``hand``), or as the table ``declared`` it."""

    seat: Seat
    concealed: Tiles | None = None
    melds: Annotated[tuple[MeldIn, ...], Field(max_length=8)] = ()
    win_on: Annotated[tuple[OneTile, ...], Field(max_length=8)] = ()
    hand: HandLine | None = None
    unready_kong: Bool = False
    laid_out: LaidOut | None = None
    passed: Annotated[tuple[Passed, ...], Field(max_length=40)] = ()
    declared: Annotated[tuple[PatternId, ...], Field(max_length=20)] | None = None
    win_tiles: Annotated[int, Field(strict=True, ge=1, le=2)] = 1
    hard: Bool | None = None
    opened: Count = 0
    exposed_kongs: Count = 0
    concealed_kongs: Count = 0
    laid_out_wilds: Count = 0
    third_open_from: Seat | None = None


class OpenerIn(Model):
    """Who shows an opening win (起手胡): the whole hand, only the tiles laid open, or as ``declared``."""

    seat: Seat
    concealed: Tiles | None = None
    shown: Tiles | None = None
    declared: Annotated[tuple[PatternId, ...], Field(max_length=20)] | None = None


class PlayerIn(Model):
    """Another seat in Wuhan: what it opened and laid out, as tiles or as counts."""

    seat: Seat
    melds: Annotated[tuple[MeldIn, ...], Field(max_length=8)] | None = None
    laid_out: LaidOut | None = None
    ready: Bool | None = None
    opened: Count | None = None
    exposed_kongs: Count | None = None
    concealed_kongs: Count | None = None
    laid_out_wilds: Count | None = None


class LastTileIn(Model):
    """What became of 海底 in an exhausted hand: exactly one of the three."""

    taken_by: Seat | None = None
    refused_from: Seat | None = None
    replaced_by: Seat | None = None

    @model_validator(mode="after")
    def _one_fate(self) -> Self:
        if len(self.model_dump(exclude_none=True)) != 1:
            raise PydanticCustomError("last_tile_twice", "the last tile has one fate")
        return self


class PenaltyIn(Model):
    """A penalty (2.7): who pays, why, how many points, to whom."""

    seat: Seat
    reason: Literal["left", "false_win", "other"]
    points: Annotated[int, Field(strict=True, ge=1, le=1_000_000)] | None = None
    to: Receiver | None = None


class HandRecord(Model):
    """What every kind of record says."""

    rules: RulesSpec
    dealer: Seat
    creator: Seat | None = None
    side_bets: Annotated[tuple[Money, ...], Field(min_length=4, max_length=4)] | None = None


class WinRecord(HandRecord):
    """A win: by whom, on what, from whom."""

    kind: Literal["win"]
    by: By
    from_: Seat | None = Field(default=None, alias="from")
    events: Annotated[tuple[Event, ...], Field(max_length=8)] = ()
    winners: Annotated[tuple[WinnerIn, ...], Field(min_length=1, max_length=4)]
    birds: Annotated[tuple[OneTile, ...], Field(max_length=20)] = ()
    bird_dice: Annotated[tuple[Annotated[int, Field(strict=True, ge=1, le=6)], ...], Field(max_length=20)] = ()
    last_wall_tile_only: Bool = False
    indicator: OneTile | None = None
    players: Annotated[tuple[PlayerIn, ...], Field(max_length=4)] = ()


class OpeningRecord(HandRecord):
    """Opening wins (起手胡) of one deal, all of them together."""

    kind: Literal["opening"]
    winners: Annotated[tuple[OpenerIn, ...], Field(min_length=1, max_length=4)]
    birds: Annotated[tuple[OneTile, ...], Field(max_length=20)] = ()
    bird_dice: Annotated[tuple[Annotated[int, Field(strict=True, ge=1, le=6)], ...], Field(max_length=20)] = ()


class ExhaustedRecord(HandRecord):
    """A hand nobody won (流局)."""

    kind: Literal["exhausted"]
    last_tile: LastTileIn | None = None


class PenaltyRecord(HandRecord):
    """A penalty."""

    kind: Literal["penalty"]
    penalty: PenaltyIn


AnyRecord = Annotated[WinRecord | OpeningRecord | ExhaustedRecord | PenaltyRecord, Field(discriminator="kind")]
RECORD: Final[TypeAdapter[HandRecord]] = TypeAdapter(AnyRecord, config=ConfigDict(defer_build=True))


# --- The settlement out ----------------------------------------------------------------------------------------------


class Step(Model):
    """One line of arithmetic: start with ``value``, then ``add``, ``times`` or ``set``, in order."""

    id: str
    value: str | None = None
    add: str | None = None
    times: str | None = None
    set: str | None = None

    @cached_property
    def line(self) -> dict[str, str]:
        """What is said, without what is not."""
        return {name: text for name, text in self if text is not None}

    @model_serializer
    def _plain(self) -> dict[str, str]:
        return self.line


class PatternOut(Model):
    """A pattern that holds, with its Chinese and English name; ``count`` 2 for a double kong tile."""

    id: str
    zh: str
    en: str
    count: int


class ReadingOut(Model):
    """How the hand reads. ``wild`` says what each 癞子 kind stands for; ``hard`` is null in Changsha."""

    shape: Literal["standard", "seven_pairs", "all_jiang", "all_winds"]
    sets: tuple[str, ...]
    pair: str | None
    wild: dict[str, str]
    hard: bool | None


class WinOut(Model):
    """One win: all patterns that hold, and how many of them are paid."""

    seat: int
    size: Literal["small", "big", "opening"]
    paid: int
    patterns: tuple[PatternOut, ...]
    reading: ReadingOut | None


class ShareOut(Model):
    """One loser's amount within a contract (承包)."""

    seat: int
    points: int
    steps: tuple[Step, ...]


class TransferOut(Model):
    """What one payer pays one receiver, with the arithmetic. ``shares`` only where one pays for all."""

    from_: int = Field(alias="from")
    to: int | Literal["house"]
    points: int
    why: Literal["win", "opening", "contract", "penalty"]
    steps: tuple[Step, ...]
    shares: tuple[ShareOut, ...] = Field(default=(), exclude_if=lambda shares: not shares)


class Settlement(Model):
    """Who pays whom and why. ``deltas`` by seat; with ``house`` they sum to zero, as does ``cash``."""

    rules: RulesSpec
    engine: str
    wins: tuple[WinOut, ...]
    overruled: tuple[int, ...]
    transfers: tuple[TransferOut, ...]
    deltas: tuple[int, int, int, int]
    house: int
    cash: tuple[str, str, str, str]
    hand_ends: bool
    next_dealer: int | None
    next_dealer_choices: tuple[int, ...]

    def to_json(self) -> bytes:
        """The contract's JSON text, UTF-8."""
        return self.__pydantic_serializer__.to_json(self, by_alias=True)


# --- Reading a record ------------------------------------------------------------------------------------------------


def validated(value: Any) -> HandRecord:
    """Plain values as a record.

    Raises:
        ValidationError: they are malformed or name unknown rules or options; `faults_of` and `places_of` read it.
    """
    return RECORD.validate_python(value, by_alias=True, by_name=False)  # JSON has no field `from_`

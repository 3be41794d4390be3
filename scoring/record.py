"""The contract: the JSON of a hand record in, the JSON of a settlement out.

These pydantic models are its one definition; the command line, the API and the ledger use them as they are.
They check shapes. What the rules say of a well-shaped record is checked by `scoring.settle`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Annotated, Any, Final, Literal, Self, TypeAlias, cast

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    PlainSerializer,
    PlainValidator,
    TypeAdapter,
    ValidationError,
    WithJsonSchema,
    model_serializer,
    model_validator,
)
from pydantic_core import PydanticCustomError

from scoring import hand as hands
from scoring import notation
from scoring.faults import Fault, RecordError, fault
from scoring.rules import PRESET_IDS, Rules, resolve_rules
from scoring.tiles import NAMES, Tile

MAX_BYTES: Final = 64 * 1024
MAX_DEPTH: Final = 16

# --- Values ----------------------------------------------------------------------------------------------------------


def _tiles(value: Any) -> tuple[Tile, ...]:
    if not isinstance(value, str):
        raise PydanticCustomError("not_text", "tiles are text")
    try:
        return notation.parse_tiles(value)
    except notation.NotationError as error:
        raise PydanticCustomError("notation", "no tiles", {"problems": error.problems}) from None


def _tile(value: Any) -> Tile:
    tiles = _tiles(value)
    if len(tiles) != 1:
        raise PydanticCustomError("one_tile", "one tile")
    return tiles[0]


def _hand(value: Any) -> hands.Hand:
    if not isinstance(value, str):
        raise PydanticCustomError("not_text", "a hand line is text")
    try:
        return notation.parse_hand(value)
    except notation.NotationError as error:
        raise PydanticCustomError("notation", "no hand", {"problems": error.problems}) from None


def _rules(value: Any) -> Rules:
    if isinstance(value, Rules):
        return value
    try:
        return resolve_rules(value)
    except RecordError as error:
        raise PydanticCustomError("faults", "rules", {"faults": error.faults}) from None


_MONEY: Final = re.compile(r"[0-9]{1,7}(\.[0-9]{1,2})?", re.ASCII)


def _money(value: Any) -> Decimal:
    if isinstance(value, Decimal):
        return value
    if not isinstance(value, str) or not _MONEY.fullmatch(value) or Decimal(value) > 1_000_000:
        raise PydanticCustomError("money", "an amount is text from 0 to 1000000 with at most two decimals")
    return Decimal(value)


def _text_schema(example: str, description: str) -> WithJsonSchema:
    return WithJsonSchema({"type": "string", "examples": [example], "description": description})


Seat = Annotated[int, Field(strict=True, ge=0, le=3)]
"""0–3 in playing order."""

Tiles = Annotated[
    tuple[Tile, ...],
    PlainValidator(_tiles),
    PlainSerializer(notation.format_tiles, return_type=str),
    _text_schema("22s345m678p", "Tiles as text, in any form people type."),
]
"""Tiles as text; in the order they were typed."""

OneTile = Annotated[
    Tile,
    PlainValidator(_tile),
    PlainSerializer(NAMES.__getitem__, return_type=str),
    _text_schema("5m", "One tile as text."),
]

HandLine = Annotated[
    hands.Hand,
    PlainValidator(_hand),
    PlainSerializer(notation.format_hand, return_type=str),
    _text_schema("22s 345m [123m] [555p@2] [9999s+] (8888p) +5p", "The whole hand in one line."),
]

RulesSpec = Annotated[
    Rules,
    PlainValidator(_rules),
    PlainSerializer(Rules.to_json),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "string", "enum": list(PRESET_IDS)},
                {
                    "type": "object",
                    "properties": {
                        "preset": {"type": "string", "enum": list(PRESET_IDS)},
                        "options": {"type": "object"},
                    },
                    "required": ["preset"],
                    "additionalProperties": False,
                },
            ],
            "examples": ["changsha-classic"],
        }
    ),
]

Money = Annotated[
    Decimal,
    PlainValidator(_money),
    PlainSerializer(str, return_type=str),
    WithJsonSchema({"type": "string", "pattern": r"^[0-9]{1,7}(\.[0-9]{1,2})?$", "examples": ["10.00"]}),
]

Bool = Annotated[bool, Field(strict=True)]
Event: TypeAlias = Literal["heaven", "earth", "last_tile", "kong_draw", "kong_discard"]
By: TypeAlias = Literal["self_draw", "discard", "rob_kong"]
PatternId: TypeAlias = Annotated[str, Field(max_length=40)]


Count = Annotated[int, Field(strict=True, ge=0, le=4)]
MOST_LAID_OUT: Final = 16


def _laid_out(value: Any) -> tuple[Tile, ...] | int:
    if isinstance(value, str):
        return _tiles(value)
    if type(value) is int and 0 <= value <= MOST_LAID_OUT:
        return value
    raise PydanticCustomError("laid_out", "laid-out tiles are text, or their number")


LaidOut = Annotated[
    tuple[Tile, ...] | int,
    PlainValidator(_laid_out),
    PlainSerializer(lambda value: value if isinstance(value, int) else notation.format_tiles(value)),
    WithJsonSchema(
        {"anyOf": [{"type": "string", "examples": ["7z7z"]}, {"type": "integer", "minimum": 0, "maximum": 16}]}
    ),
]
"""Wuhan: kong tiles and 癞子 laid out, as tiles or as a number."""


def _receiver(value: Any) -> str | int:
    if value in ("house", "others") or (type(value) is int and 0 <= value <= 3):
        return cast("str | int", value)
    raise PydanticCustomError("receiver", "house, others or a seat")


Receiver = Annotated[
    str | int,
    PlainValidator(_receiver),
    WithJsonSchema(
        {"anyOf": [{"type": "string", "enum": ["house", "others"]}, {"type": "integer", "minimum": 0, "maximum": 3}]}
    ),
]


class Model(BaseModel):
    """Frozen, refuses unknown fields."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)


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
RECORD: Final[TypeAdapter[HandRecord]] = TypeAdapter(AnyRecord)


# --- The settlement out ----------------------------------------------------------------------------------------------


class Step(Model):
    """One line of arithmetic: start with ``value``, then ``add``, ``times`` or ``set``, in order."""

    id: str
    value: str | None = None
    add: str | None = None
    times: str | None = None
    set: str | None = None

    @model_serializer
    def _plain(self) -> dict[str, str]:
        for name in ("value", "add", "times", "set"):
            number = getattr(self, name)
            if number is not None:
                return {"id": self.id, name: number}
        raise AssertionError("a step says exactly one thing")


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

_BRACKETS: Final = re.compile(rb'"(?:[^"\\]|\\.)*"|[\[\]{}]', re.DOTALL)


def _too_deep(data: bytes) -> bool:
    if data.count(b"{") + data.count(b"[") <= MAX_DEPTH:
        return False
    depth = 0
    for token in _BRACKETS.finditer(data):
        mark = data[token.start()]
        if mark in b"{[":
            depth += 1
            if depth > MAX_DEPTH:
                return True
        elif mark in b"]}":
            depth -= 1
    return False


def read_record(data: bytes | str | Mapping[str, Any]) -> HandRecord:
    """A record from JSON text or from plain values.

    Raises:
        RecordError: it is malformed (``invalid``, ``bad_tile``) or names unknown rules or options; all faults at once.
    """
    try:
        if isinstance(data, Mapping):
            return RECORD.validate_python(data)
        raw = data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data
        if len(raw) > MAX_BYTES:
            raise RecordError([fault("invalid", "too_large", limit=MAX_BYTES // 1024)])
        if _too_deep(raw):
            raise RecordError([fault("invalid", "too_deep", limit=MAX_DEPTH)])
        return RECORD.validate_json(raw)
    except ValidationError as error:
        raise RecordError(faults_of(error)) from None


def faults_of(error: ValidationError) -> list[Fault]:
    """The contract's faults of a pydantic error, in the order of the fields."""
    faults: list[Fault] = []
    items = error.errors(include_url=False, include_input=False)
    for item in items:
        location = item["loc"][1:] if item["loc"][:1] in _KINDS else item["loc"]
        # A list whose entries are at fault is then also too short, which says nothing new.
        if item["type"] != "too_short" or not any(_within(other["loc"], item["loc"]) for other in items):
            faults += _faults_of_item(item["type"], ".".join(map(str, location)), item.get("ctx", {}), item["msg"])
    return faults


def _within(location: tuple[int | str, ...], outer: tuple[int | str, ...]) -> bool:
    return len(location) > len(outer) and location[: len(outer)] == outer


_KINDS: Final = (("win",), ("opening",), ("exhausted",), ("penalty",))
"""The discriminator's value, which pydantic puts before the path."""


def _faults_of_item(kind: str, path: str, ctx: Mapping[str, Any], message: str) -> list[Fault]:
    match kind:
        case "notation":
            return [
                fault(
                    problem.reason,
                    "text",
                    path,
                    position=problem.position,
                    part=problem.part,
                    zh=problem.message_zh,
                    en=problem.message,
                )
                for problem in ctx["problems"]
            ]
        case "faults":
            return list(ctx["faults"])
        case "missing" | "union_tag_not_found":
            return [fault("invalid", "missing_field", path or "kind")]
        case "extra_forbidden":
            return [fault("invalid", "unknown_field", path)]
        case "json_invalid":
            return [fault("invalid", "json", path, en=message)]
        case "money" | "one_tile" | "laid_out" | "receiver" | "not_text" | "last_tile_twice":
            return [fault("invalid", kind, path)]
        case "union_tag_invalid":
            return [fault("invalid", "value", "kind", en=message)]
        case _:
            return [fault("invalid", "value", path, en=message)]

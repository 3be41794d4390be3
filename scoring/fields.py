"""The contract's values: how a seat, tiles, an amount or the rules are written, read and described to others.

Each is a type that `scoring.record` uses; what is malformed raises an error whose kind `scoring.reading` knows.
"""

import re
from decimal import Decimal
from typing import Annotated, Any, Final, Literal, TypeAlias, cast

from pydantic import Field, PlainSerializer, PlainValidator, WithJsonSchema
from pydantic_core import PydanticCustomError

from scoring import hand as hands
from scoring import notation
from scoring.faults import RecordError
from scoring.rules import PRESET_IDS, Rules, resolve_rules
from scoring.tiles import KIND_OF, NAMES, Tile


def _tiles(value: Any) -> tuple[Tile, ...]:
    if not isinstance(value, str):
        raise PydanticCustomError("not_text", "tiles are text")
    try:
        return notation.parse_tiles(value)
    except notation.NotationError as error:
        raise PydanticCustomError("notation", "no tiles", {"problems": error.problems}) from None


def _tile(value: Any) -> Tile:
    if isinstance(value, str) and value in KIND_OF:
        return KIND_OF[value]
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
    PlainSerializer(lambda rules: rules.for_serializer),  # what is dumped is a copy of it
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

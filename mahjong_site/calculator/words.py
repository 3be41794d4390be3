"""Small words and numbers as people read them, in the language of the request."""

from __future__ import annotations

import re
from typing import Any, Final

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from scoring.tiles import NAMES, Seat, Tile, rank, suit

MINUS: Final = "−"
_RANKS_ZH: Final = "一二三四五六七八九"
_SUITS_ZH: Final = "万筒索"
_HONOURS: Final = (
    ("东风", "east"),
    ("南风", "south"),
    ("西风", "west"),
    ("北风", "north"),
    ("白板", "white"),
    ("发财", "green"),
    ("红中", "red"),
)
_SUITS_EN: Final = ("characters", "dots", "bamboo")


def english() -> bool:
    """Whether the page is in English; else Chinese."""
    return (get_language() or "").startswith("en")


def own(texts: Any) -> str:
    """The text of something of the engine that carries ``zh`` and ``en`` (or ``name_zh`` and ``name_en``)."""
    suffix = "en" if english() else "zh"
    text = getattr(texts, suffix, None) or getattr(texts, f"name_{suffix}", None)
    if text is None:
        raise TypeError(f"{texts!r} has no text")
    return str(text)


_CODE: Final = re.compile(r"(?<![0-9a-z])[1-9][mps](?![0-9a-z])|(?<![0-9a-z])[1-7]z(?![0-9a-z])")


def fault_text(fault: Any) -> str:
    """What is wrong, of a fault or a notation problem of the engine; codes of tiles become their names."""
    words = str(fault.message if english() else fault.message_zh)
    return _CODE.sub(lambda code: short_tile_name(NAMES.index(code[0])), words)


def tile_name(tile: Tile) -> str:
    """二索, or 2 bamboo."""
    if suit(tile) == 3:
        return _HONOURS[rank(tile) - 1][english()]
    if english():
        return f"{rank(tile)} {_SUITS_EN[suit(tile)]}"
    return _RANKS_ZH[rank(tile) - 1] + _SUITS_ZH[suit(tile)]


def short_tile_name(tile: Tile) -> str:
    """2 索, as in running text; honours without 风."""
    if suit(tile) == 3 or english():
        return tile_name(tile)
    return f"{rank(tile)} {_SUITS_ZH[suit(tile)]}"


def signed(points: int) -> str:
    """+80, −20, 0.

    >>> signed(80), signed(-20), signed(0)
    ('+80', '−20', '0')
    """
    return f"+{points}" if points > 0 else f"{MINUS}{-points}" if points < 0 else "0"


def tone(points: int) -> str:
    """Class of an amount: gains, payments, nothing."""
    return "up" if points > 0 else "down" if points < 0 else "nil"


def listed(words: list[str] | tuple[str, ...]) -> str:
    """李四、王五, or Li, Wang."""
    return (", " if english() else "、").join(words)


def spaced(words: list[str] | tuple[str, ...]) -> str:
    """清一色 碰碰胡, or one suit, all pungs."""
    return (", " if english() else " ").join(words)


def seat_names(names: tuple[str, ...]) -> tuple[str, ...]:
    """Names at the table; who has none is called by where he sits, seen from seat 0."""
    places = (_("Me"), _("Right"), _("Across"), _("Left"))
    return tuple(name or place for name, place in zip(names, places, strict=True))


SIDES: Final = ("s", "e", "n", "w")


def side(seat: Seat) -> str:
    """Where a seat is drawn: play goes counter-clockwise, so 下家 sits on the right."""
    return SIDES[seat]

"""Tile kinds: what is on a tile, 将 tiles, and the successor rings of Wuhan.

A tile is a small whole number, its *kind*: 0–8 are 1–9 万 (``m``), 9–17 are 1–9 筒 (``p``), 18–26 are
1–9 索 (``s``), 27–33 are 东 南 西 北 白 发 中 (``1z``–``7z``). Four copies of each kind are in a set.

>>> NAMES[13], tile("5p"), tile("5p") in JIANG
('5p', 13, True)
"""

from __future__ import annotations

from typing import Final, TypeAlias

Tile: TypeAlias = int
"""A kind, 0–33."""

Seat: TypeAlias = int
"""A seat in playing order, 0–3; ``(seat + 1) % 4`` is its 下家."""

KINDS: Final = 34
SUIT_KINDS: Final = 27
COPIES: Final = 4

NAMES: Final[tuple[str, ...]] = tuple(f"{rank}{suit}" for suit in "mps" for rank in range(1, 10)) + tuple(
    f"{rank}z" for rank in range(1, 8)
)
"""Canonical two-character names, by kind."""

KIND_OF: Final = {name: kind for kind, name in enumerate(NAMES)}
"""Kinds by canonical name."""

EAST, SOUTH, WEST, NORTH, WHITE, GREEN, RED = range(27, 34)
"""东 南 西 北 白 发 中."""

HONOURS: Final = frozenset(range(SUIT_KINDS, KINDS))
JIANG: Final = frozenset(kind for kind in range(SUIT_KINDS) if kind % 9 in (1, 4, 7))
"""The 将 tiles: rank 2, 5 and 8 of each suit."""


def tile(text: str) -> Tile:
    """Kind of a canonical two-character name.

    Raises:
        KeyError: the text is no canonical name.
    """
    return KIND_OF[text]


def suit(kind: Tile) -> int:
    """0 万, 1 筒, 2 索, 3 honours.

    >>> [suit(k) for k in (0, 9, 26, 27)]
    [0, 1, 2, 3]
    """
    return kind // 9


def rank(kind: Tile) -> int:
    """1–9 in a suit, 1–7 of an honour.

    >>> rank(13), rank(33)
    (5, 7)
    """
    return kind % 9 + 1

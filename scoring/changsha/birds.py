"""扎鸟: which seats the birds point at, and what a hit does (rule book 2.5)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from scoring.changsha.rules import ChangshaRules
from scoring.tiles import Seat, Tile, rank

Hits: TypeAlias = tuple[int, int, int, int]
"""How many birds point at each seat."""

NO_BIRDS: Hits = (0, 0, 0, 0)


def seat_of(number: int, origin: Seat) -> Seat:
    """The seat a bird of that rank (or a die) points at: 1, 5, 9 the origin; 2, 6 its 下家; 3, 7; 4, 8.

    >>> seat_of(6, origin=0), seat_of(9, origin=2)
    (1, 2)
    """
    return (origin + number - 1) % 4


def hits(birds: Iterable[Tile], dice: Iterable[int], origin: Seat, weight: int = 1) -> Hits:
    """How many birds point at each seat; each bird counts ``weight`` times."""
    counts = [0, 0, 0, 0]
    for number in (*map(rank, birds), *dice):
        counts[seat_of(number, origin)] += weight
    return (counts[0], counts[1], counts[2], counts[3])


def effect(rules: ChangshaRules, payer: Seat, winner: Seat, counts: Hits) -> int:
    """What the amount between these two is multiplied by: birds on the winner or on that payer hit."""
    hit = counts[payer] + counts[winner]
    return 2**hit if rules.bird_effect == "double" else 1 + hit

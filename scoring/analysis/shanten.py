"""Shanten, accepts and discards by the rules of the table (contract, "Analysis"; rule book 2.1, 3.2).

The distance to a win is the least over the families of winning hands: sets and a pair (将, or any where four melds decide),
triplets and any pair (碰碰胡), one suit and any pair (清一色), seven pairs (七小对), all 将 tiles (将将胡), all honours (风一色).
A tile still to be drawn must exist; what a 癞子 stands for is not limited.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

from scoring.analysis.distances import Caps, Distances
from scoring.tables import POWERS
from scoring.tiles import Tile

Mask: TypeAlias = int
"""A set of kinds: bit ``kind`` is set."""

WILDS: Final = 4
WIDE: Final = Distances(WILDS + 1)
"""Profiles for hands in which several 癞子 may stand past what is in play."""


class Tiles(NamedTuple):
    """Concealed tiles that count: the codes of 万, 筒, 索 and the honours (`scoring.tables`), and the 癞子 beside them.

    Kong tiles of Wuhan can be part of no winning hand and are left out.
    """

    man: int
    pin: int
    sou: int
    honours: int = 0
    wilds: int = 0

    def without(self, kind: Tile) -> Tiles:
        """With one tile of that kind less."""
        suit, rank = divmod(kind, 9)
        codes = list(self)
        codes[suit] -= POWERS[rank]
        return Tiles(*codes)


@dataclass(frozen=True)
class Frame:
    """What the concealed tiles are to become: everything but those tiles themselves.

    ``sets`` still to be made (4 − melds); ``caps``: by suit and rank, the most tiles of each kind that a hand can hold
    concealed and as themselves (4 − melds − laid out − indicator; 癞子 and kong tiles 0); ``pair`` of a standard hand;
    ``seven_pairs``, ``pungs``, ``jiang``, ``winds``: whether the melds and the rules leave these families open;
    ``suits`` that all melds are of; ``wild`` kind, ``wilds`` that are not laid out, and how many a hand may hold that is
    nothing but standard (``small_wilds``).
    """

    sets: int
    caps: tuple[Caps, Caps, Caps, Caps]
    pair: int
    suits: tuple[int, ...]
    pungs: bool
    seven_pairs: bool
    jiang: bool
    winds: bool
    wild: Tile | None = None
    wilds: int = 0
    small_wilds: int = 0

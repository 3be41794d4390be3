"""Packed counts of a hand: what a family of winning hands can at best lack, without looking at its sets."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Final, TypeAlias

from scoring.tables import POWERS

Counts: TypeAlias = int
"""Packed counts of a hand, `BITS` each: what bounds a family from below without looking at its sets."""

BITS: Final = 8
FIELD: Final = (1 << BITS) - 1
TILES, PAIRS, JIANG_TILES, HONOUR_TILES, ONES, TWOS, THREES, MAN, PIN, SOU, BEYOND = (
    BITS * place for place in range(11)
)
"""Where the counts stand: tiles, pairs, 将, honours, triplets begun, kinds held twice, thrice, tiles of 万, 筒, 索.

What is beyond is free for others to use."""


TOP: Final[Counts] = sum(1 << BITS - 1 << BITS * place for place in range(10))
"""The top bit of every count, which no count reaches."""


def unusual(thresholds: Mapping[int, int]) -> Counts:
    """What added to counts sets a top bit where any of them reaches its threshold."""
    return sum((1 << BITS - 1) - max(threshold, 0) << place for place, threshold in thresholds.items())


@lru_cache(1 << 16)
def suit_counts(code: int, suit: int) -> Counts:
    """The packed counts of one suit; those of all suits add up."""
    held = [code // power % 5 for power in POWERS]
    packed = sum(held) << TILES | sum(held) << (MAN + BITS * suit if suit < 3 else HONOUR_TILES)
    packed |= sum(have // 2 for have in held) << PAIRS
    packed |= (sum(held[1::3]) if suit < 3 else 0) << JIANG_TILES
    packed |= sum((have > 0) + (have > 3) for have in held) << ONES  # a fourth tile begins another triplet, with 癞子
    packed |= sum(have > 1 for have in held) << TWOS
    packed |= sum(have > 2 for have in held) << THREES
    return packed

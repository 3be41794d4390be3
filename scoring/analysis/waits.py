"""Which tiles complete a hand, read from the table of `scoring.tables`: fast, whatever the number of 癞子.

The same question as `Situation.accepts` of a hand whose shanten is 0, without measuring any distance.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

from scoring.analysis.counts import Counts, suit_counts
from scoring.analysis.distances import Caps
from scoring.analysis.memory import Memory
from scoring.analysis.views import Mask
from scoring.tables import IMPOSSIBLE, POWERS, need

WILDS: Final = 4

ByWilds: TypeAlias = tuple[Mask, ...]
"""The kinds that do, by how many 癞子 there are for them."""


class SuitWaits(NamedTuple):
    """One suit: packed counts, fewest 癞子 for sets, how many more with the pair, and what one tile more completes.

    ``sets`` into sets only, ``paired`` into sets and the pair.
    """

    counts: Counts
    low: int
    gap: int
    sets: ByWilds
    paired: ByWilds


class Suit(Memory[SuitWaits]):
    """The waits of a suit by its code: 0 万, 1 筒, 2 索, 3 honours, whose pair is no 将."""

    def __init__(self, suit: int, caps: Caps, row: str) -> None:
        super().__init__(self._waits, limit=1 << 15)
        table = need()
        self._suit, self._caps = suit, caps
        self._row: bytes = table.pungs if suit == 3 else getattr(table, row)
        self._paired = suit < 3 or row != "jiang_pair"

    def _waits(self, code: int) -> SuitWaits:
        low, high = self._fewest(code)
        more = [
            (1 << 9 * self._suit + rank, self._fewest(code + POWERS[rank]))
            for rank, cap in enumerate(self._caps)
            if code // POWERS[rank] % 5 < cap
        ]
        sets, paired = (
            tuple(sum(kind for kind, fewest in more if fewest[with_pair] <= wilds) for wilds in range(WILDS + 1))
            for with_pair in (0, 1)
        )
        return SuitWaits(suit_counts(code, self._suit), low, high - low, sets, paired)

    def _fewest(self, code: int) -> tuple[int, int]:
        answer = self._row[code]
        return answer & 15, answer >> 4 if self._paired else IMPOSSIBLE


@lru_cache(512)
def suit_waits(suit: int, caps: Caps, row: str) -> Suit:
    """The one memory for these."""
    return Suit(suit, caps, row)


def completing(suits: Sequence[SuitWaits], wilds: int, wild: Mask) -> Mask:
    """What completes these suits together: natural kinds, and ``wild`` where one 癞子 more would do."""
    spare = wilds
    gaps = []
    for suit in suits:
        spare -= suit.low
        gaps.append(suit.gap)
    gaps.sort()
    least, second = gaps[0], gaps[1] if len(gaps) > 1 else IMPOSSIBLE
    if spare + 1 < least and wilds < WILDS:  # a suit that lacks five is not told apart from one that lacks more
        return 0
    mask = wild
    for _, low, gap, sets, paired in suits:
        here = spare + low  # 癞子 left for this suit when the others are sets only
        if here >= 0:
            mask |= paired[here]
        here -= second if gap == least else least  # and when another has the pair
        if here >= 0:
            mask |= sets[here]
    return mask

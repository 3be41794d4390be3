"""Which tiles complete a hand, read from the table of `scoring.tables`: fast, whatever the number of 癞子.

The same question as `Situation.accepts` of a hand whose shanten is 0, without measuring any distance.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

from scoring.analysis.counts import BEYOND, Counts, suit_counts
from scoring.analysis.distances import Caps
from scoring.analysis.memory import Memory
from scoring.analysis.views import Mask
from scoring.tables import POWERS, need

WILDS: Final = 4

ByWilds: TypeAlias = tuple[Mask, ...]
"""The kinds that do, by how many 癞子 there are for them."""

_BITS: Final = 3
_MOST: Final = (1 << _BITS) - 1


class SuitWaits(NamedTuple):
    """One suit: packed counts, and which kinds complete it ``AS_SETS`` only, or as sets and the pair (``AS_PAIRED``).

    Beyond the counts stands what the suit lacks now, in a place of its own (`Lack`).
    """

    counts: Counts
    completing: tuple[ByWilds, ByWilds]


class Lack(NamedTuple):
    """Fewest 癞子 that complete a suit as it is: into sets only, and with the pair. Five stands for more, too."""

    sets: int
    paired: int

    def packed(self, suit: int) -> int:
        """In the place of that suit."""
        return (self.sets | self.paired << _BITS) << 2 * _BITS * suit

    @classmethod
    def of(cls, packed: int, suit: int) -> Lack:
        """From the place of that suit."""
        both = packed >> 2 * _BITS * suit
        return cls(both & _MOST, both >> _BITS & _MOST)


class Way(NamedTuple):
    """One more tile may go into that suit, which is then whole sets or has the pair, with so many 癞子 to help."""

    place: int
    whole: int
    wilds: int


AS_SETS, AS_PAIRED = 0, 1


def ways(lacks: Sequence[Lack], wilds: int) -> tuple[Way, ...]:
    """Where one more tile could complete these suits together.

    >>> ways([Lack(0, 2), Lack(0, 2), Lack(2, 1)], 0)
    (Way(place=2, whole=1, wilds=0),)
    """
    found = []
    for place in range(len(lacks)):
        others = [lack for other, lack in enumerate(lacks) if other != place]
        left = wilds - sum(lack.sets for lack in others)
        found.append(Way(place, AS_PAIRED, left))
        if others:  # another suit has the pair, where it costs least
            found.append(Way(place, AS_SETS, left - min(lack.paired - lack.sets for lack in others)))
    return tuple(way for way in found if way.wilds >= 0)


def fewest(lacks: Sequence[Lack]) -> int:
    """Fewest 癞子 that complete these suits together."""
    return sum(lack.sets for lack in lacks) + min(lack.paired - lack.sets for lack in lacks)


class Suit(Memory[SuitWaits]):
    """The waits of a suit by its code: 0 万, 1 筒, 2 索, 3 honours, whose pair is no 将."""

    def __init__(self, suit: int, caps: Caps, row: str) -> None:
        super().__init__(self._waits, limit=1 << 15)
        table = need()
        self._suit, self._caps = suit, caps
        self._row: bytes = table.pungs if suit == 3 else getattr(table, row)
        self._paired = suit < 3 or row != "jiang_pair"

    def _waits(self, code: int) -> SuitWaits:
        more = [
            (1 << 9 * self._suit + rank, self._lack(code + POWERS[rank]))
            for rank, cap in enumerate(self._caps)
            if code // POWERS[rank] % 5 < cap
        ]
        by_wilds = range(WILDS + 1)
        return SuitWaits(
            suit_counts(code, self._suit) | self._lack(code).packed(self._suit) << BEYOND,
            (
                tuple(sum(kind for kind, lack in more if lack.sets <= wilds) for wilds in by_wilds),
                tuple(sum(kind for kind, lack in more if lack.paired <= wilds) for wilds in by_wilds),
            ),
        )

    def _lack(self, code: int) -> Lack:
        answer = self._row[code]
        return Lack(min(answer & 15, WILDS + 1), min(answer >> 4, WILDS + 1) if self._paired else WILDS + 1)


@lru_cache(512)
def suit_waits(suit: int, caps: Caps, row: str) -> Suit:
    """The one memory for these."""
    return Suit(suit, caps, row)

"""What is remembered of one suit: its profile, what a tile less or more makes of it, and a few counts.

A suit's view depends on its code, the caps of its kinds and whether chows count, and on nothing else of the hand; so it
is made once and met again in many hands. Memories are emptied when they grow past a limit.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import Final, NamedTuple, TypeAlias

from scoring.analysis.distances import ANY_PAIR, IN_PLAY, NO_PAIR, Caps, Distances, Lanes, Profile, Wanted, table
from scoring.analysis.memory import Memory
from scoring.tables import POWERS, RANKS

Mask: TypeAlias = int
"""A set of kinds, or of a suit's ranks: bit ``kind`` (``rank - 1``) is set."""


class Part(NamedTuple):
    """A suit's share of a nearest hand, as codes: the tiles it lacks that can be drawn, and those it has no use for."""

    lack: int
    waste: int


class View:
    """One suit of a hand."""

    def __init__(self, code: int, suit: SuitViews) -> None:
        self.code = code
        self._suit = suit
        self.profile: Profile = suit.profile(code)
        counts = [code // power % 5 for power in POWERS[: len(suit.caps)]]
        self.room: Mask = sum(
            (have < cap) << rank for rank, (have, cap) in enumerate(zip(counts, suit.caps, strict=True))
        )
        self._held = [rank for rank, have in enumerate(counts) if have]
        self.improving = Memory(self._improved)
        """By the number of marks: the ranks of which one tile more makes one less missing in any marked lane."""
        self.nearest = Memory(self._nearest)
        """By the lane: every way to become what the lane wants with the fewest tiles."""

    @cached_property
    def discards(self) -> list[tuple[int, View]]:
        """The ranks that are held, and the suit without one tile of them."""
        return [(rank, self._suit[self.code - POWERS[rank]]) for rank in self._held]

    @cached_property
    def _gains(self) -> list[tuple[Mask, Lanes]]:
        """Each rank of which another tile can be drawn, with the lanes in which it makes one less missing."""
        suit = self._suit
        return [
            (1 << rank, suit.distances.lowered(self.profile, suit.profile(self.code + POWERS[rank])))
            for rank in range(len(suit.caps))
            if self.room >> rank & 1
        ]

    def _improved(self, number: int) -> Mask:
        marks = self._suit.distances.marks[number]
        return sum(rank for rank, lanes in self._gains if lanes & marks)

    def as_below(self, lane: int) -> bool:
        """Whether that lane opens no other way than the one below, which lets one tile less go past what is in play.

        A suit of which every tile is in play has no tile to let past: both lanes want the same then.
        """
        below = self._suit.distances.below(lane)
        return below is not None and self.nearest[lane] == self.nearest[below]

    def _nearest(self, lane: int) -> tuple[Part, ...]:
        suit, value = self._suit, self._suit.distances.value
        wanted = suit.distances.wanted(lane)
        found: list[Part] = []
        reached, missing = {self.code}, value(self.profile, lane)
        while reached:
            if missing <= wanted.over:
                found += [
                    Part(code - self.code, code - used)
                    for code in reached
                    for used in _used(code, missing, wanted, suit)
                ]
            missing -= 1
            reached = {
                code + power
                for code in reached
                for power, cap in zip(POWERS, suit.caps, strict=False)
                if code // power % 5 < cap and value(suit.profile(code + power), lane) == missing
            }
        return tuple(found)


_CHOWS: Final = [(rank, rank + 1, rank + 2) for rank in range(RANKS - 2)]


def _used(code: int, missing: int, wanted: Wanted, suit: SuitViews) -> set[int]:
    """What of a suit is part of the wanted sets and pair, in every way to read them.

    For as many tiles as are still ``missing`` 癞子 stand, past what is in play: all there are of that kind are held.
    """
    counts = [code // power % 5 for power in POWERS[: len(suit.caps)]]
    ranks = range(len(counts))
    most = [have + missing if have == cap else have for have, cap in zip(counts, suit.caps, strict=True)]
    sets = [one for one in (*(_CHOWS if suit.chows else ()), *((rank,) * 3 for rank in ranks)) if _taken(most, one)]
    pairs: list[tuple[int, ...]] = [()]
    if wanted.pair != NO_PAIR:
        pairs = [(rank, rank) for rank in ranks if wanted.pair == ANY_PAIR or (suit.chows and rank % 3 == 1)]
    found: set[int] = set()

    def take(first: int, number: int, left: Sequence[int]) -> None:
        if not number:
            taken = [all_ - rest for all_, rest in zip(most, left, strict=True)]
            kept = [min(number, have) for number, have in zip(taken, counts, strict=True)]
            if sum(taken) - sum(kept) == missing:
                found.add(sum(number * power for number, power in zip(kept, POWERS, strict=False)))
            return
        for place in range(first, len(sets)):
            rest = _taken(left, sets[place])
            if rest:
                take(place, number - 1, rest)

    for pair in pairs:
        rest = _taken(most, pair)
        if rest:
            take(0, wanted.sets, rest)
    return found


def _taken(left: Sequence[int], tiles: tuple[int, ...]) -> Sequence[int]:
    """What is left after these tiles are taken; nothing if they are not there."""
    rest = list(left)
    for rank in tiles:
        rest[rank] -= 1
        if rest[rank] < 0:
            return ()
    return rest


class SuitViews(Memory[View]):
    """Views of a suit with these caps, by code."""

    def __init__(self, distances: Distances, caps: Caps, chows: bool) -> None:
        super().__init__(lambda code: View(code, self), limit=1 << 15)
        self.distances, self.caps, self.chows = distances, caps, chows
        self._built = chows and caps == IN_PLAY and distances is table().distances

    def profile(self, code: int) -> Profile:
        """The profile of that code: from the built table where it answers."""
        return table().of_code[code] if self._built else self.distances.profile(code, self.caps, self.chows)


@lru_cache(256)
def suit_views(distances: Distances, caps: Caps, chows: bool) -> SuitViews:
    """The one memory for these caps."""
    return SuitViews(distances, caps, chows)

"""What is remembered of one suit: its profile, what a tile less or more makes of it, and a few counts.

A suit's view depends on its code, the caps of its kinds and whether chows count, and on nothing else of the hand; so it
is made once and met again in many hands. Memories are emptied when they grow past a limit.
"""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import TypeAlias

from scoring.analysis.distances import IN_PLAY, Caps, Distances, Lanes, Profile, table
from scoring.analysis.memory import Memory
from scoring.tables import POWERS

Mask: TypeAlias = int
"""A set of kinds, or of a suit's ranks: bit ``kind`` (``rank - 1``) is set."""


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

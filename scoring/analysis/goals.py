"""What several suits miss together of a goal, and in which lanes of each it is decided."""

from __future__ import annotations

from functools import lru_cache

from scoring.analysis.distances import Distances, Profile
from scoring.analysis.memory import PAIR, Memory, split


class Goal:
    """``sets`` sets and that pair from ``parts`` suits, with at most ``over`` tiles past what is in play.

    ``together`` answers a key of the suits' profiles, `PAIR` bits each, the first lowest: how many tiles are missing,
    then for each suit the number of the marks in the lanes that decide it (`Distances.marks`).
    """

    def __init__(self, distances: Distances, parts: int, sets: int, pair: int, over: int) -> None:
        self._distances, self._parts, self._goal = distances, parts, (sets, pair, over)
        self._least = Memory(self._least_of)
        self.together = Memory(self._together)

    def _least_of(self, key: int) -> tuple[int, int]:
        part, rest = split(key)
        return self._distances.least_sum(part, self._distances.complement(rest, *self._goal))

    def _together(self, key: int) -> tuple[int, ...]:
        profiles = [key >> PAIR * place & (1 << PAIR) - 1 for place in range(self._parts)]
        least = [
            self._least[profile << PAIR | self._merged(profiles[:place] + profiles[place + 1 :])]
            for place, profile in enumerate(profiles)
        ]
        return (least[0][0], *(marks for _, marks in least))

    def _merged(self, profiles: list[Profile]) -> Profile:
        if not profiles:
            return self._distances.nothing
        merged = profiles[0]
        for profile in profiles[1:]:
            merged = self._distances.merged[merged << PAIR | profile]
        return merged


@lru_cache(256)
def goal(distances: Distances, parts: int, sets: int, pair: int, over: int) -> Goal:
    """The one memory for these."""
    return Goal(distances, parts, sets, pair, over)

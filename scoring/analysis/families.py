"""The families of winning hands, each with its own distance (rule book 2.1, 3.2).

A family answers how many tiles of its nearest hand are missing and which tiles bring it nearer. A hand's shanten is the
least over the families that its rules and melds leave open.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final, NamedTuple, Protocol, TypeAlias

from scoring.analysis.distances import FAR, IN_PLAY, Caps, Distances, Lanes, Profile, lane, table
from scoring.tables import POWERS

Mask: TypeAlias = int
"""A set of kinds: bit ``kind`` is set."""

RANKS_OF: Final = (9, 9, 9, 7)


class Tiles(NamedTuple):
    """Concealed tiles that count: the codes of 万, 筒, 索 and the honours (`scoring.tables`), and the 癞子 beside them.

    Kong tiles of Wuhan can be part of no winning hand and are left out.
    """

    man: int
    pin: int
    sou: int
    honours: int = 0
    wilds: int = 0


class Suits(NamedTuple):
    """By suit and rank, the most tiles of each kind that a hand can hold concealed and as themselves."""

    man: Caps = IN_PLAY
    pin: Caps = IN_PLAY
    sou: Caps = IN_PLAY
    honours: Caps = (0,) * 7

    def drawable(self, tiles: Tiles) -> Mask:
        """The kinds of which another can be drawn."""
        mask = 0
        for suit, caps in enumerate(self):
            mask |= below(tiles[suit], caps) << 9 * suit
        return mask


@lru_cache(1 << 16)
def below(code: int, caps: Caps) -> Mask:
    """The ranks of a suit held fewer times than their cap."""
    mask = 0
    for rank, cap in enumerate(caps):
        code, have = divmod(code, 5)
        mask |= (have < cap) << rank
    return mask


@lru_cache(1 << 16)
def held(code: int, ranks: Mask = 0x1FF) -> int:
    """How many tiles of these ranks a suit has."""
    total = 0
    while ranks:
        code, have = divmod(code, 5)
        total += have * (ranks & 1)
        ranks >>= 1
    return total


class Family(Protocol):
    """A family of winning hands."""

    def missing(self, tiles: Tiles) -> int:
        """How many tiles of the nearest hand are missing, `FAR` or more if there is none."""

    def accepts(self, tiles: Tiles) -> Mask:
        """The kinds (but for 癞子) that make one less missing. Only for hands with a tile to come."""

    def takes_wild(self, tiles: Tiles) -> bool:
        """Whether another 癞子 makes one less missing."""


@dataclass(frozen=True)
class Sets:
    """Sets and a pair over the given suits: standard hands, 碰碰胡 (no ``chows``) and 清一色 (one suit).

    ``over`` 癞子 may stand past what is in play, ``wilds`` may be used in all.
    """

    distances: Distances
    caps: Suits
    suits: tuple[int, ...]
    chows: bool
    sets: int
    pair: int
    wilds: int
    over: int

    @cached_property
    def _lane(self) -> int:
        return lane(self.sets, self.pair, self.over)

    @cached_property
    def _goal(self) -> tuple[int, int, int]:
        return self.sets, self.pair, self.over

    def _profiles(self, tiles: Tiles) -> list[Profile]:
        return [suit_profile(self.distances, tiles[s], self.caps[s], self.chows and s < 3) for s in self.suits]

    def missing(self, tiles: Tiles) -> int:
        first, *others = self._profiles(tiles)
        for other in others:
            first = self.distances.merge(first, other)
        return self.distances.value(first, self._lane) - min(tiles.wilds, self.wilds)

    def accepts(self, tiles: Tiles) -> Mask:
        profiles, mask = self._profiles(tiles), 0
        for place, (suit, profile) in enumerate(zip(self.suits, profiles, strict=True)):
            rest = self.distances.nothing
            for other in profiles[:place] + profiles[place + 1 :]:
                rest = self.distances.merge(rest, other)
            marks = self.distances.tight(profile, rest, self._goal)
            mask |= improving(self.distances, tiles[suit], self.caps[suit], self.chows and suit < 3, marks) << 9 * suit
        return mask

    def takes_wild(self, tiles: Tiles) -> bool:
        return tiles.wilds < self.wilds


def suit_profile(distances: Distances, code: int, caps: Caps, chows: bool) -> Profile:
    """The profile of one suit, from the table where it answers."""
    if chows and caps is IN_PLAY and distances is table().distances:
        return table().of_code[code]
    return distances.profile(code, caps, chows)


@lru_cache(1 << 17)
def improving(distances: Distances, code: int, caps: Caps, chows: bool, marks: Lanes) -> Mask:
    """The ranks of which one tile more makes one less missing in any of the marked lanes."""
    mask, before = 0, suit_profile(distances, code, caps, chows)
    room = below(code, caps)
    for rank in range(len(caps)):
        if room >> rank & 1:
            after = suit_profile(distances, code + POWERS[rank], caps, chows)
            if after != before and distances.lowered(before, after) & marks:
                mask |= 1 << rank
    return mask


@dataclass(frozen=True)
class SevenPairs:
    """七小对: a tile held once or three times makes a pair with one more, which there always is."""

    def missing(self, tiles: Tiles) -> int:
        return 7 - sum(held_pairs(code) for code in tiles[:3])

    def accepts(self, tiles: Tiles) -> Mask:
        man, pin, sou = map(odd_ranks, tiles[:3])
        return man | pin << 9 | sou << 18

    def takes_wild(self, tiles: Tiles) -> bool:
        return False


@lru_cache(1 << 16)
def held_pairs(code: int) -> int:
    """How many pairs a suit has; four of a kind are two."""
    pairs = 0
    while code:
        code, have = divmod(code, 5)
        pairs += have // 2
    return pairs


@lru_cache(1 << 16)
def odd_ranks(code: int) -> Mask:
    """The ranks of a suit held once or three times."""
    mask, rank = 0, 0
    while code:
        code, have = divmod(code, 5)
        mask |= (have & 1) << rank
        rank += 1
    return mask


@dataclass(frozen=True)
class AllOf:
    """Every tile one of ``kinds``: 将将胡 and 将一色, 风一色. No shape is needed; 癞子 stand for any of them."""

    caps: Suits
    kinds: tuple[Mask, Mask, Mask, Mask]
    sets: int
    wilds: int

    @cached_property
    def _in_play(self) -> int:
        return sum(
            cap
            for caps, kinds in zip(self.caps, self.kinds, strict=True)
            for rank, cap in enumerate(caps)
            if kinds >> rank & 1
        )

    def missing(self, tiles: Tiles) -> int:
        if self._in_play + self.wilds < 3 * self.sets + 2:
            return FAR
        return 3 * self.sets + 2 - tiles.wilds - sum(map(held, tiles, self.kinds))

    def accepts(self, tiles: Tiles) -> Mask:
        mask = 0
        for suit, kinds in enumerate(self.kinds):
            mask |= (below(tiles[suit], self.caps[suit]) & kinds) << 9 * suit
        return mask

    def takes_wild(self, tiles: Tiles) -> bool:
        return tiles.wilds < self.wilds

"""The families of winning hands, each with its own distance (rule book 2.1, 3.2).

A family answers how many tiles of its nearest hand are missing and which tiles bring it nearer. A hand's shanten is the
least over the families that its rules and melds leave open.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple, Protocol

from scoring.analysis.counts import (
    BEYOND,
    BITS,
    FIELD,
    HONOUR_TILES,
    JIANG_TILES,
    MAN,
    ONES,
    PAIRS,
    THREES,
    TWOS,
    Counts,
    suit_counts,
)
from scoring.analysis.distances import FAR, IN_PLAY, JIANG_PAIR, Caps, Distances, Profile
from scoring.analysis.memory import PAIR, Memory, split
from scoring.analysis.views import Mask, View, suit_views
from scoring.analysis.waits import Lack, SuitWaits, Way, fewest, suit_waits, ways
from scoring.tables import POWERS
from scoring.tiles import JIANG, Tile


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


def counts(tiles: Tiles) -> Counts:
    """The packed counts of a hand."""
    return suit_counts(tiles[0], 0) + suit_counts(tiles[1], 1) + suit_counts(tiles[2], 2) + suit_counts(tiles[3], 3)


class Discards(NamedTuple):
    """What is missing, and the kinds that make it less, after each tile thrown; ``other`` after any tile not listed."""

    after: dict[Tile, tuple[int, Mask]]
    other: tuple[int, Mask]


class Family(Protocol):
    """A family of winning hands. Masks hold natural tiles; 癞子 are asked for apart."""

    def bound(self, counts: Counts, wilds: int) -> int:
        """No hand of the family misses fewer tiles than this."""

    def missing(self, tiles: Tiles) -> int:
        """How many tiles of the nearest hand are missing; about `FAR` if there is none."""

    def accepts(self, tiles: Tiles) -> Mask:
        """The kinds that make one less missing, of a hand with a tile to come."""

    def discards(self, tiles: Tiles) -> Discards:
        """The same after each tile that can be thrown."""

    def takes_wild(self, wilds: int) -> bool:
        """Whether another 癞子 makes one less missing."""

    def waits(self, tiles: Tiles, wild: Mask) -> Mask:
        """What completes a hand with a tile to come; ``wild`` is the kind of 癞子, if another can be drawn."""


class Sets:
    """``sets`` sets and a pair over the given suits: standard hands, 碰碰胡 (no ``chows``) and 清一色 (one suit).

    ``over`` 癞子 may stand past what is in play, ``wilds`` may be used in all.
    """

    def __init__(
        self,
        distances: Distances,
        caps: Suits,
        suits: tuple[int, ...],
        *,
        chows: bool,
        sets: int,
        pair: int,
        wilds: int = 0,
        over: int = 0,
    ) -> None:
        self._distances, self._suits, self._chows = distances, suits, chows
        self._views = [suit_views(distances, caps[suit], chows and suit < 3) for suit in suits]
        self._sets, self._goal, self._wilds = sets, (sets, pair, over), wilds
        # what a part and the rest miss together, and the number of the marks in the lanes of the part that decide it
        self._least = Memory(self._least_of)
        places = range(len(suits))
        couples = list(combinations(places, 2))
        self._beside = [[place for place in places if place not in couple] for couple in couples]
        # for each suit: the other ones, with the number of what is beside both
        self._plan = [
            (
                suits[here],
                [
                    (there, 9 * suits[there], couples.index((min(here, there), max(here, there))))
                    for there in places
                    if there != here
                ],
            )
            for here in places
        ]
        row = "pungs" if not chows else "jiang_pair" if pair == JIANG_PAIR else "any_pair"
        self._ways = Memory(self._ways_of)
        self.suit_waits = [suit_waits(suit, caps[suit], row) for suit in suits]

    def bound(self, counts: Counts, wilds: int) -> int:
        slots = 3 * self._sets + 2
        if len(self._suits) == 1:
            return slots - (counts >> MAN + BITS * self._suits[0] & FIELD) - wilds
        if self._chows:
            return 0
        # each group saves as many tiles as it holds
        ones, twos, threes = counts >> ONES & FIELD, counts >> TWOS & FIELD, counts >> THREES & FIELD
        groups = self._sets + 1
        return slots - min(ones, groups) - min(twos, groups) - min(threes, self._sets) - wilds

    def _look(self, tiles: Tiles) -> list[View]:
        return [views[tiles[suit]] for views, suit in zip(self._views, self._suits, strict=True)]

    def _least_of(self, key: int) -> tuple[int, int]:
        part, rest = split(key)
        return self._distances.least_sum(part, self._distances.complement(rest, *self._goal))

    def missing(self, tiles: Tiles) -> int:
        first, *others = [view.profile for view in self._look(tiles)]
        rest = self._merged(others)
        return self._least[first << PAIR | rest][0] - min(tiles.wilds, self._wilds)

    def _merged(self, profiles: list[Profile]) -> Profile:
        if not profiles:
            return self._distances.nothing
        merged = profiles[0]
        for profile in profiles[1:]:
            merged = self._distances.merged[merged << PAIR | profile]
        return merged

    def accepts(self, tiles: Tiles) -> Mask:
        views = self._look(tiles)
        mask = 0
        for place, (suit, view) in enumerate(zip(self._suits, views, strict=True)):
            rest = self._merged([other.profile for other in views[:place] + views[place + 1 :]])
            mask |= view.improving[self._least[view.profile << PAIR | rest][1]] << 9 * suit
        return mask

    def discards(self, tiles: Tiles) -> Discards:
        views = self._look(tiles)
        profiles = [view.profile for view in views]
        pairs = [self._merged([profiles[place] for place in beside]) for beside in self._beside]
        wilds = min(tiles.wilds, self._wilds)
        merged, least = self._distances.merged, self._least
        after: dict[Tile, tuple[int, Mask]] = {}
        for view, (suit, others) in zip(views, self._plan, strict=True):
            rest = self._distances.nothing
            if others:
                place, _, pair = others[0]
                rest = merged[profiles[place] << PAIR | pairs[pair]]
            seen: dict[Profile, tuple[int, int, Mask]] = {}
            for rank, left in view.discards:
                profile = left.profile
                known = seen.get(profile)
                if known is None:
                    missing, marks = least[profile << PAIR | rest]
                    mask = 0
                    for place, shift, pair in others:
                        marked = least[profiles[place] << PAIR | merged[profile << PAIR | pairs[pair]]][1]
                        mask |= views[place].improving[marked] << shift
                    known = seen[profile] = (missing - wilds, marks, mask)
                after[9 * suit + rank] = (known[0], known[2] | left.improving[known[1]] << 9 * suit)
        whole = len(self._suits) == 1
        return Discards(after, (self.missing(tiles), self.accepts(tiles)) if whole else (FAR, 0))

    def takes_wild(self, wilds: int) -> bool:
        return wilds < self._wilds

    def waits(self, tiles: Tiles, wild: Mask) -> Mask:
        suits = [waits[tiles[suit]] for waits, suit in zip(self.suit_waits, self._suits, strict=True)]
        return self.completing(suits, sum(suit.counts for suit in suits), tiles.wilds, wild)

    def completing(self, suits: Sequence[SuitWaits], counts: Counts, wilds: int, wild: Mask) -> Mask:
        """`waits` where the suits have been looked up and their counts added."""
        takes_wild, ways = self._ways[counts >> BEYOND << PAIR | wilds]
        mask = wild if takes_wild else 0
        for place, whole, helping in ways:
            mask |= suits[place][1][whole][helping]
        return mask

    def _ways_of(self, key: int) -> tuple[bool, tuple[Way, ...]]:
        """What all suits lack decides into which of them a tile can go, and whether 癞子 would do."""
        packed, wilds = split(key)
        lacks = [Lack.of(packed, suit) for suit in self._suits]
        if wilds > self._wilds:
            return False, ()
        return wilds < self._wilds and fewest(lacks) <= wilds + 1, ways(lacks, wilds)


class SevenPairs:
    """七小对: a tile held once or three times makes a pair with one more, which there always is."""

    def bound(self, counts: Counts, wilds: int) -> int:
        return 7 - (counts >> PAIRS & FIELD)

    def missing(self, tiles: Tiles) -> int:
        return self.bound(counts(tiles), 0)

    def accepts(self, tiles: Tiles) -> Mask:
        return sum(_held(code)[1] << 9 * suit for suit, code in enumerate(tiles[:3]))

    def discards(self, tiles: Tiles) -> Discards:
        missing, mask = self.missing(tiles), self.accepts(tiles)
        after = {}
        for suit, code in enumerate(tiles[:3]):
            held, odd = _held(code)
            for rank in range(9):
                if held >> rank & 1:
                    kind = 9 * suit + rank
                    after[kind] = (missing + (not odd >> rank & 1), mask ^ 1 << kind)
        return Discards(after, (missing, mask))

    def takes_wild(self, wilds: int) -> bool:
        return False

    def waits(self, tiles: Tiles, wild: Mask) -> Mask:
        return self.accepts(tiles) if self.missing(tiles) == 1 else 0


@lru_cache(1 << 16)
def _held(code: int) -> tuple[Mask, Mask]:
    """The ranks a suit holds, and those it holds once or three times."""
    held = [(1 << rank, code // power % 5) for rank, power in enumerate(POWERS)]
    return sum(rank for rank, have in held if have), sum(rank for rank, have in held if have % 2)


class AllOf:
    """Every tile one of ``kinds``: 将将胡 and 将一色, 风一色. No shape is needed; 癞子 stand for any of them."""

    def __init__(self, caps: Suits, kinds: frozenset[Tile], *, sets: int, wilds: int = 0) -> None:
        self._field = JIANG_TILES if kinds == JIANG else HONOUR_TILES
        self._slots = 3 * sets + 2
        self._caps = {kind: caps[kind // 9][kind % 9] for kind in kinds}
        self._wilds = wilds
        self._reachable = sum(self._caps.values()) + wilds >= self._slots

    def bound(self, counts: Counts, wilds: int) -> int:
        return self._slots - (counts >> self._field & FIELD) - wilds if self._reachable else FAR

    def missing(self, tiles: Tiles) -> int:
        return self.bound(counts(tiles), tiles.wilds)

    def accepts(self, tiles: Tiles) -> Mask:
        return sum(1 << kind for kind, cap in self._caps.items() if tiles[kind // 9] // POWERS[kind % 9] % 5 < cap)

    def discards(self, tiles: Tiles) -> Discards:
        missing, mask = self.missing(tiles), self.accepts(tiles)
        after = {
            kind: (missing + 1, mask | 1 << kind) for kind in self._caps if tiles[kind // 9] // POWERS[kind % 9] % 5
        }
        return Discards(after, (missing, mask))

    def takes_wild(self, wilds: int) -> bool:
        return wilds < self._wilds

    def waits(self, tiles: Tiles, wild: Mask) -> Mask:
        return self.accepts(tiles) | wild if self.missing(tiles) == 1 else 0

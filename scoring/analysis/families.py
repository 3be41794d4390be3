"""The families of winning hands, each with its own distance (rule book 2.1, 3.2).

A family answers how many tiles of its nearest hand are missing and which tiles bring it nearer. A hand's shanten is the
least over the families that its rules and melds leave open.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, combinations_with_replacement, product
from typing import Final, NamedTuple, Protocol

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
    TILES,
    TWOS,
    Counts,
    suit_counts,
)
from scoring.analysis.distances import FAR, IN_PLAY, JIANG_PAIR, NO_PAIR, Caps, Distances, Profile, lane
from scoring.analysis.goals import goal
from scoring.analysis.memory import PAIR, Memory, split
from scoring.analysis.views import Mask, View, suit_views
from scoring.analysis.waits import Lack, SuitWaits, Way, fewest, suit_waits, ways
from scoring.tables import POWERS, suit_codes
from scoring.tiles import JIANG, SUIT_KINDS, Tile


class Tiles(NamedTuple):
    """Concealed tiles that count: the codes of 万, 筒, 索 and the honours (`scoring.tables`), and the 癞子 beside them.

    Kong tiles of Wuhan can be part of no winning hand and are left out.
    """

    man: int
    pin: int
    sou: int
    honours: int = 0
    wilds: int = 0


ranks = Memory(lambda code: [(rank, code // power % 5) for rank, power in enumerate(POWERS) if code // power % 5])
"""By the code of a suit, the ranks it holds (0–8) and how many tiles of each."""


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
    """What is missing, and the kinds that make it less, after each tile thrown; ``other`` after any tile not listed.

    Only one more than in ``other`` can be missing.
    """

    after: dict[Tile, tuple[int, Mask]]
    other: tuple[int, Mask]


class Sign(NamedTuple):
    """A count that reaches a threshold."""

    field: int
    threshold: int


class Nearest(NamedTuple):
    """One of the winning hands nearest to a hand: what it is made of beyond the hand, and what it has no use for.

    ``lack`` are tiles that can be drawn. It may be more than is missing: 癞子 stand for the rest, whichever that is.
    """

    lack: Tiles
    waste: Tiles


class Family(Protocol):
    """A family of winning hands. Masks hold natural tiles; 癞子 are asked for apart."""

    def bound(self, counts: Counts, wilds: int) -> int:
        """No hand of the family misses fewer tiles than this."""

    def sign(self, wilds: int) -> Sign:
        """Without this no hand with a tile to come is ready for the family."""

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

    def nearest(self, tiles: Tiles) -> Iterator[Nearest]:
        """Every hand of the family that misses no more tiles than `missing` says."""


def _wild_parts(held: int, most: int) -> tuple[int, int]:
    """How many 癞子 more a family that takes ``most`` can use, and how many it has no use for."""
    return max(most - held, 0), max(held - most, 0)


_REPEATS: Final = (1 << 3 * BITS) - 1
"""The counts `ONES`, `TWOS` and `THREES`, which stand side by side."""


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
        self._suits, self._chows, self._sets, self._pair = suits, chows, sets, pair
        self._wilds, self._over = wilds, over
        self._value = distances.value
        self._views = [suit_views(distances, caps[suit], chows and suit < 3) for suit in suits]
        self._together = goal(distances, len(suits), sets, pair, over).together
        self._shifts = [PAIR * place for place in range(len(suits))]
        # for each suit the other ones: where their marks stand, where their views, and where their kinds begin
        self._others = [
            [(1 + there, there, 9 * other) for there, other in enumerate(suits) if other != suit] for suit in suits
        ]
        row = "pungs" if not chows else "jiang_pair" if pair == JIANG_PAIR else "any_pair"
        self._ways = Memory(self._ways_of)
        self._bounds = Memory(self._bound)
        self.suit_waits = [suit_waits(suit, caps[suit], row) for suit in suits]

    def sign(self, wilds: int) -> Sign:
        if len(self._suits) == 1:
            return Sign(MAN + BITS * self._suits[0], 3 * self._sets + 1 - wilds)
        if self._chows:
            return Sign(TILES, 0)
        threes = self._sets - 1 - wilds
        # the tiles that are not 癞子 stand in at most sets + 1 groups, so that many of them are second or third ones
        return Sign(THREES, threes) if threes > 0 else Sign(TWOS, (2 * self._sets - wilds + 1) // 2)

    def bound(self, counts: Counts, wilds: int) -> int:
        slots = 3 * self._sets + 2
        if len(self._suits) == 1:
            return slots - (counts >> MAN + BITS * self._suits[0] & FIELD) - wilds
        if self._chows:
            return 0
        return self._bounds[counts >> ONES & _REPEATS] - wilds

    def _bound(self, repeats: int) -> int:
        """Tiles missing from pungs and a pair, by the triplets begun, the kinds held twice and thrice."""
        ones, twos, threes = (repeats >> BITS * place & FIELD for place in range(3))
        groups = self._sets + 1
        # each group saves as many tiles as it holds
        return 3 * self._sets + 2 - min(ones, groups) - min(twos, groups) - min(threes, self._sets)

    def _look(self, tiles: Tiles) -> tuple[list[View], int]:
        """The suits, and their profiles side by side: a key of what they miss together."""
        views = [views[tiles[suit]] for views, suit in zip(self._views, self._suits, strict=True)]
        return views, sum(view.profile << shift for view, shift in zip(views, self._shifts, strict=True))

    def missing(self, tiles: Tiles) -> int:
        return self._together[self._look(tiles)[1]][0] - min(tiles.wilds, self._wilds)

    def accepts(self, tiles: Tiles) -> Mask:
        views, key = self._look(tiles)
        _, *marks = self._together[key]
        mask = 0
        for view, suit, number in zip(views, self._suits, marks, strict=True):
            mask |= view.improving[number] << 9 * suit
        return mask

    def discards(self, tiles: Tiles) -> Discards:
        views, key = self._look(tiles)
        wilds, together = min(tiles.wilds, self._wilds), self._together
        after: dict[Tile, tuple[int, Mask]] = {}
        for place, view in enumerate(views):
            suit, shift, others = self._suits[place], self._shifts[place], self._others[place]
            beside = key - (view.profile << shift)
            seen: dict[Profile, tuple[int, int, Mask]] = {}
            for rank, left in view.discards:
                known = seen.get(left.profile)
                if known is None:
                    found = together[beside | left.profile << shift]
                    mask = 0
                    for mark, there, kinds in others:
                        mask |= views[there].improving[found[mark]] << kinds
                    known = seen[left.profile] = (found[0] - wilds, found[1 + place], mask)
                missing, number, mask = known
                after[9 * suit + rank] = (missing, mask | left.improving[number] << 9 * suit)
        # one suit alone: what is thrown may be of another
        return Discards(after, (together[key][0] - wilds, 0 if self._others[0] else self.accepts(tiles)))

    def takes_wild(self, wilds: int) -> bool:
        return wilds < self._wilds

    def waits(self, tiles: Tiles, wild: Mask) -> Mask:
        suits, packed = [], 0
        for waits, suit in zip(self.suit_waits, self._suits, strict=True):
            found = waits[tiles[suit]]
            suits.append(found)
            packed += found[0]
        return self.completing(suits, packed, tiles[4], wild)

    def completing(self, suits: Sequence[SuitWaits], counts: Counts, wilds: int, wild: Mask) -> Mask:
        """`waits` where the suits have been looked up and their counts added."""
        takes_wild, ways = self._ways[counts >> BEYOND << PAIR | wilds]
        mask = wild if takes_wild else 0
        for place, whole, helping in ways:
            mask |= suits[place][1][whole][helping]
        return mask

    def nearest(self, tiles: Tiles) -> Iterator[Nearest]:
        views, key = self._look(tiles)
        missing = self._together[key][0]
        more, idle = _wild_parts(tiles.wilds, self._wilds)
        others = [*(0 if suit in self._suits else tiles[suit] for suit in range(4)), idle]
        for shares in self._shares(views, self._sets, True, self._over, missing):
            for parts in product(*(view.nearest[share] for view, share in zip(views, shares, strict=True))):
                lack, waste = [0, 0, 0, 0, more], others[:]
                for suit, part in zip(self._suits, parts, strict=True):
                    lack[suit], waste[suit] = part
                yield Nearest(Tiles(*lack), Tiles(*waste))

    def _shares(
        self, views: Sequence[View], sets: int, pair: bool, over: int, missing: int
    ) -> Iterator[tuple[int, ...]]:
        """The suits' lanes, in every way to share the sets, the pair and what may go past what is in play.

        A lane that opens no other way than the one below it is left out at once: what follows from it comes twice.
        """
        if not views:
            if not (sets or pair or missing):
                yield ()
            return
        view, *rest = views
        for own in range(sets + 1) if rest else (sets,):
            for paired in (False, True) if pair else (False,):
                for past in range(over + 1):
                    place = lane(own, self._pair if paired else NO_PAIR, past)
                    left = missing - self._value(view.profile, place)
                    if left >= 0 and not view.as_below(place):
                        shares = self._shares(rest, sets - own, pair and not paired, over - past, left)
                        yield from ((place, *others) for others in shares)

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

    def sign(self, wilds: int) -> Sign:
        return Sign(PAIRS, 6)

    def missing(self, tiles: Tiles) -> int:
        return self.bound(counts(tiles), 0)

    def accepts(self, tiles: Tiles) -> Mask:
        return _held[tiles[0]][1] | _held[tiles[1]][1] << 9 | _held[tiles[2]][1] << 18

    def discards(self, tiles: Tiles) -> Discards:
        missing, mask = self.missing(tiles), self.accepts(tiles)
        after = {}
        for suit, code in enumerate(tiles[:3]):
            held, odd = _held[code]
            for rank in range(9):
                if held >> rank & 1:
                    kind = 9 * suit + rank
                    after[kind] = (missing + (not odd >> rank & 1), mask ^ 1 << kind)
        return Discards(after, (missing, mask))

    def takes_wild(self, wilds: int) -> bool:
        return False

    def waits(self, tiles: Tiles, wild: Mask) -> Mask:
        return self.accepts(tiles) if self.missing(tiles) == 1 else 0

    def nearest(self, tiles: Tiles) -> Iterator[Nearest]:
        odd = self.accepts(tiles)
        single = [kind for kind in range(SUIT_KINDS) if odd >> kind & 1]
        for paired in combinations(single, self.missing(tiles)):
            left = (kind for kind in single if kind not in paired)
            yield Nearest(Tiles(*suit_codes(paired)), Tiles(*suit_codes(left)))


def _held_of(code: int) -> tuple[Mask, Mask]:
    held = [(1 << rank, code // power % 5) for rank, power in enumerate(POWERS)]
    return sum(rank for rank, have in held if have), sum(rank for rank, have in held if have % 2)


_held = Memory(_held_of)
"""By its code, the ranks a suit holds, and those it holds once or three times."""


class AllOf:
    """Every tile one of ``kinds``: 将将胡 and 将一色, 风一色. No shape is needed; 癞子 stand for any of them."""

    def __init__(self, caps: Suits, kinds: frozenset[Tile], *, sets: int, wilds: int = 0) -> None:
        self._field = JIANG_TILES if kinds == JIANG else HONOUR_TILES
        self._slots = 3 * sets + 2
        self._kinds, self._caps = sorted(kinds), caps
        self._rooms = [Rooms(suit, caps[suit], kinds) for suit in range(4)]
        self._wilds = wilds
        self._reachable = sum(caps[kind // 9][kind % 9] for kind in kinds) + wilds >= self._slots

    def bound(self, counts: Counts, wilds: int) -> int:
        return self._slots - (counts >> self._field & FIELD) - wilds if self._reachable else FAR

    def sign(self, wilds: int) -> Sign:
        return Sign(self._field, self._slots - 1 - wilds)

    def missing(self, tiles: Tiles) -> int:
        return self.bound(counts(tiles), tiles.wilds)

    def accepts(self, tiles: Tiles) -> Mask:
        man, pin, sou, honours = self._rooms
        return man[tiles[0]] | pin[tiles[1]] | sou[tiles[2]] | honours[tiles[3]]

    def discards(self, tiles: Tiles) -> Discards:
        missing, mask = self.missing(tiles), self.accepts(tiles)
        held = (kind for kind in self._kinds if tiles[kind // 9] // POWERS[kind % 9] % 5)
        return Discards({kind: (missing + 1, mask | 1 << kind) for kind in held}, (missing, mask))

    def takes_wild(self, wilds: int) -> bool:
        return wilds < self._wilds

    def waits(self, tiles: Tiles, wild: Mask) -> Mask:
        return self.accepts(tiles) | wild if self.missing(tiles) == 1 else 0

    def nearest(self, tiles: Tiles) -> Iterator[Nearest]:
        more, idle = _wild_parts(tiles.wilds, self._wilds)
        held = {kind: tiles[kind // 9] // POWERS[kind % 9] % 5 for kind in self._kinds}
        used = suit_codes(kind for kind, have in held.items() for _ in range(have))
        waste = Tiles(*(code - own for code, own in zip(tiles, (*used, tiles.wilds - idle), strict=True)))
        room = {kind: self._caps[kind // 9][kind % 9] - have for kind, have in held.items()}
        missing = min(self.missing(tiles), sum(room.values()))
        for drawn in combinations_with_replacement(self._kinds, missing):
            if all(drawn.count(kind) <= room[kind] for kind in set(drawn)):
                yield Nearest(Tiles(*suit_codes(drawn), wilds=more), waste)


class Rooms(Memory[Mask]):
    """By its code, the kinds of a suit, among the given ones, of which another can be drawn."""

    def __init__(self, suit: int, caps: Caps, kinds: frozenset[Tile]) -> None:
        super().__init__(self._room, limit=1 << 12)
        self._caps = [(9 * suit + rank, POWERS[rank], cap) for rank, cap in enumerate(caps) if 9 * suit + rank in kinds]

    def _room(self, code: int) -> Mask:
        return sum(1 << kind for kind, power, cap in self._caps if code // power % 5 < cap)

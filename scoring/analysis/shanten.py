"""Shanten, accepts and discards by the rules of the table (contract, "Analysis").

Shanten is the number of tiles missing from the nearest winning hand, less one: 0 is ready, −1 complete. Opening,
minimum, 漏胡 and events do not count. A tile still to be drawn must exist; what a 癞子 stands for is not limited.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final, NamedTuple

from scoring.analysis.counts import FIELD, TOP, Counts, unusual
from scoring.analysis.distances import ANY_PAIR, IN_PLAY, JIANG_PAIR, Distances, table
from scoring.analysis.families import AllOf, Family, Nearest, Sets, SevenPairs, Suits, Tiles, counts
from scoring.analysis.views import Mask
from scoring.changsha.rules import changsha_rules
from scoring.hand import Meld
from scoring.rules import Rules
from scoring.tables import POWERS
from scoring.tiles import COPIES, HONOURS, JIANG, KINDS, SUIT_KINDS, Tile
from scoring.wuhan.rules import wuhan_rules
from scoring.wuhan.specials import specials

WILDS: Final = 4
SMALL_WILDS: Final = 1
"""A small hand (屁胡) may hold no more 癞子 than this (rule book 3.2)."""
_WIDE: Final = Distances(WILDS + 1)
_SUITS: Final = (0, 1, 2)
_ALL: Final = (0, 1, 2, 3)


class Discard(NamedTuple):
    """A tile thrown (in Wuhan: or laid out), the shanten of what is left, and the kinds that lower it."""

    tile: Tile
    shanten: int
    accepts: Mask


@dataclass(frozen=True)
class Situation:
    """What a hand can become: all that rules, melds, laid-out tiles and indicator say, beside the concealed tiles.

    ``standard`` are sets and a pair, ``others`` the other families that are open; ``sets`` are still to be made.
    ``wilds`` are the 癞子 that are not laid out: in the hand or still to be drawn.
    """

    standard: Sets
    others: tuple[Family, ...]
    sets: int
    wild: Tile | None = None
    wilds: int = 0
    kong_tiles: frozenset[Tile] = frozenset()

    def tiles(self, concealed: Sequence[Tile]) -> Tiles:
        """The concealed tiles that count, as codes."""
        codes = [0, 0, 0, 0, 0]
        for tile in concealed:
            if tile == self.wild:
                codes[4] += 1
            elif tile not in self.kong_tiles:
                codes[tile // 9] += POWERS[tile % 9]
        return Tiles(*codes)

    @property
    def special(self) -> frozenset[Tile]:
        """癞子 and kong tiles: laid out rather than thrown, and part of no called set."""
        return self.kong_tiles if self.wild is None else self.kong_tiles | {self.wild}

    def held(self, tiles: Tiles, kind: Tile) -> int:
        """How many of a kind are among these."""
        return tiles.wilds if kind == self.wild else tiles[kind // 9] // POWERS[kind % 9] % 5

    def drawn(self, tiles: Tiles, kind: Tile) -> Tiles:
        """The hand with one tile more."""
        return _moved(tiles, 4, 1) if kind == self.wild else _moved(tiles, kind // 9, POWERS[kind % 9])

    def thrown(self, tiles: Tiles, kind: Tile) -> Tiles:
        """The hand with one tile less."""
        return _moved(tiles, 4, -1) if kind == self.wild else _moved(tiles, kind // 9, -POWERS[kind % 9])

    def shanten(self, tiles: Tiles) -> int:
        """Tiles missing from the nearest winning hand, less one."""
        least, packed = self.standard.missing(tiles), counts(tiles)
        for family in self.others:
            if family.bound(packed, tiles.wilds) < least:
                least = min(least, family.missing(tiles))
        return least - 1

    def accepts(self, tiles: Tiles) -> tuple[int, Mask]:
        """The shanten of a hand with a tile to come, and the kinds that lower it and can be drawn."""
        least, packed = self.standard.missing(tiles), counts(tiles)
        nearest: list[Family] = [self.standard]
        for family in self.others:
            if family.bound(packed, tiles.wilds) <= least:
                missing = family.missing(tiles)
                if missing < least:
                    least, nearest = missing, [family]
                elif missing == least:
                    nearest.append(family)
        mask = 0
        for family in nearest:
            mask |= family.accepts(tiles)
        if self.wild is not None and tiles.wilds < self.wilds and any(f.takes_wild(tiles.wilds) for f in nearest):
            mask |= 1 << self.wild
        return least - 1, mask

    def nearest(self, tiles: Tiles) -> Iterator[Nearest]:
        """The winning hands from which no more tiles are missing than the shanten says; some may come twice."""
        missing = self.shanten(tiles) + 1
        for family in (self.standard, *self.others):
            if family.missing(tiles) == missing:
                yield from family.nearest(tiles)

    def waits(self, tiles: Tiles) -> Mask:
        """The kinds that complete a hand of 13 − 3·melds tiles; none if it is not ready."""
        wilds = tiles.wilds
        suits = [waits[code] for waits, code in zip(self.standard.suit_waits, tiles, strict=False)]
        packed = 0
        for suit in suits:
            packed += suit[0]
        if (packed & FIELD) + wilds != 3 * self.sets + 1:
            return 0
        wild = 1 << self.wild if self.wild is not None and wilds < self.wilds else 0
        mask = self.standard.completing(suits, packed, wilds, wild)
        unusual, signs = self._signs[wilds]
        if packed + unusual & TOP:
            for field, threshold, family in signs:
                if packed >> field & FIELD >= threshold and family.bound(packed, wilds) < 2:
                    mask |= family.waits(tiles, wild)
        return mask

    @cached_property
    def _signs(self) -> list[tuple[Counts, list[tuple[int, int, Family]]]]:
        """By 癞子: where other families than the standard one may be ready; first a test for all of them at once."""
        found = []
        for wilds in range(WILDS + 1):
            signs = [(*family.sign(wilds), family) for family in self.others]
            least: dict[int, int] = {}
            for field, threshold, _ in signs:
                least[field] = min(threshold, least.get(field, threshold))
            found.append((unusual(least), signs))
        return found

    def discards(self, tiles: Tiles) -> list[Discard]:
        """Every natural tile that can be thrown, of a hand of 14 − 3·melds tiles. The nearest hand after each."""
        after, (missing, _) = self.standard.discards(tiles)
        reach, packed = missing + 1, counts(tiles)
        wild = 1 << self.wild if self.wild is not None and tiles.wilds < self.wilds else 0
        if wild and self.standard.takes_wild(tiles.wilds):
            after = {kind: (missing, mask | wild) for kind, (missing, mask) in after.items()}
        for family in self.others:
            if family.bound(packed, tiles.wilds) > reach:
                continue
            there, other = family.discards(tiles)
            more = wild if family.takes_wild(tiles.wilds) else 0
            for kind, (missing, mask) in after.items():
                distance, brings = there.get(kind, other)
                if distance < missing:
                    after[kind] = (distance, brings | more)
                elif distance == missing:
                    after[kind] = (missing, mask | brings | more)
        return [Discard(kind, missing - 1, mask) for kind, (missing, mask) in after.items()]


def _moved(tiles: Tiles, place: int, by: int) -> Tiles:
    moved = list(tiles)
    moved[place] += by
    return Tiles(*moved)


def kinds_of(mask: Mask) -> Iterator[Tile]:
    """The kinds of a mask, in order.

    >>> list(kinds_of(0b1010))
    [1, 3]
    """
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


def discards(
    rules: Rules,
    concealed: Sequence[Tile],
    melds: tuple[Meld, ...] = (),
    laid_out: tuple[Tile, ...] = (),
    indicator: Tile | None = None,
) -> list[Discard]:
    """Every tile that can be thrown from a hand of 14 − 3·melds tiles, or laid out (癞子 and kong tiles)."""
    now = situation(rules, melds, laid_out, indicator)
    tiles = now.tiles(concealed)
    found = now.discards(tiles)
    found += [Discard(kind, *now.accepts(tiles)) for kind in now.kong_tiles.intersection(concealed)]
    if now.wild is not None and tiles.wilds:
        laid = situation(rules, melds, (*laid_out, now.wild), indicator)
        found.append(Discard(now.wild, *laid.accepts(tiles._replace(wilds=tiles.wilds - 1))))
    return found


@lru_cache(1024)
def situation(
    rules: Rules, melds: tuple[Meld, ...] = (), laid_out: tuple[Tile, ...] = (), indicator: Tile | None = None
) -> Situation:
    """What a hand with these melds can become under these rules. ``indicator`` is needed in Wuhan."""
    if indicator is None:
        return _changsha(rules, melds)
    special = specials(rules, indicator)
    left = [COPIES] * KINDS
    left[indicator] -= 1
    caps = _caps(left, melds, special.barred)
    wilds = COPIES - laid_out.count(special.wild)
    melded = _all_exposed(melds) and wuhan_rules(rules).all_melded_self_draw
    sets = 4 - len(melds)
    narrow, wide = table().distances, _WIDE
    most = WILDS if melded else SMALL_WILDS
    standard = Sets(
        narrow, caps, _ALL, chows=True, sets=sets, pair=JIANG_PAIR, wilds=most, over=min(wilds, SMALL_WILDS)
    )
    families: list[Family] = []
    called = {tile for meld in melds for tile in meld.tiles}
    if _no_runs(melds):
        families.append(Sets(wide, caps, _ALL, chows=False, sets=sets, pair=ANY_PAIR, wilds=WILDS, over=wilds))
    families += [
        Sets(wide, caps, (suit,), chows=True, sets=sets, pair=ANY_PAIR, wilds=WILDS, over=wilds)
        for suit in _common_suits(called)
    ]
    for kinds in (JIANG, HONOURS):
        if called <= kinds:
            families.append(AllOf(caps, kinds, sets=sets, wilds=wilds))
    return Situation(standard, tuple(families), sets, special.wild, wilds, special.kong_tiles)


def _changsha(rules: Rules, melds: tuple[Meld, ...]) -> Situation:
    left = [COPIES] * SUIT_KINDS + [0] * len(HONOURS)
    caps = _caps(left, melds, frozenset())
    sets = 4 - len(melds)
    melded = _all_exposed(melds) and "all_melded" in changsha_rules(rules).big
    distances = table().distances
    standard = Sets(distances, caps, _SUITS, chows=True, sets=sets, pair=ANY_PAIR if melded else JIANG_PAIR)
    families: list[Family] = []
    called = {tile for meld in melds for tile in meld.tiles}
    if _no_runs(melds):
        families.append(Sets(distances, caps, _SUITS, chows=False, sets=sets, pair=ANY_PAIR))
    families += [Sets(distances, caps, (suit,), chows=True, sets=sets, pair=ANY_PAIR) for suit in _common_suits(called)]
    if not melds:
        families.append(SevenPairs())
    if called <= JIANG:
        families.append(AllOf(caps, JIANG, sets=sets))
    return Situation(standard, tuple(families), sets)


def _all_exposed(melds: Sequence[Meld]) -> bool:
    """全求人: four exposed melds."""
    return len(melds) == 4 and all(meld.is_exposed for meld in melds)


def _no_runs(melds: Sequence[Meld]) -> bool:
    return all(meld.kind != "chow" for meld in melds)


def _common_suits(called: set[Tile]) -> tuple[int, ...]:
    """The suits that a hand of one suit with these melds can be of."""
    return tuple(suit for suit in _SUITS if all(tile // 9 == suit for tile in called))


def _caps(left: list[int], melds: Sequence[Meld], barred: frozenset[Tile]) -> Suits:
    for meld in melds:
        for tile in meld.tiles:
            left[tile] -= 1
    for tile in barred:
        left[tile] = 0
    suits = [tuple(left[start : start + 9]) for start in range(0, KINDS, 9)]
    return Suits(*(IN_PLAY if caps == IN_PLAY else caps for caps in suits))

"""Every way a Wuhan hand reads, 癞子 included (rule book 3.2)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Literal, NamedTuple, TypeAlias

from scoring.hand import Meld
from scoring.tables import IMPOSSIBLE, Need, need, suit_codes
from scoring.tiles import JIANG, SUIT_KINDS, Tile

Shape: TypeAlias = Literal["standard", "all_jiang", "all_winds"]


class Reading(NamedTuple):
    """One way a hand reads. No patterns: a small hand. ``pungs``: read without runs; ``hard``: no 癞子 stands in."""

    shape: Shape
    patterns: tuple[str, ...]
    hard: bool
    pungs: bool


class Readings(NamedTuple):
    """All readings worth comparing, and, where there is none, whether the hand is complete but for its pair."""

    found: tuple[Reading, ...]
    complete_but_pair: bool


def readings(tiles: Sequence[Tile], melds: Sequence[Meld], wild: Tile, *, all_melded: bool) -> Readings:
    """The readings of a hand that may hold 癞子: for each pattern set only those no other reading contains.

    ``tiles`` are the concealed ones with the winning tile, at most four of a kind, no kong tile. ``all_melded`` says
    whether 全求人 counts for this win.
    """
    wilds = tiles.count(wild)
    called = list(chain.from_iterable(meld.tiles for meld in melds))
    no_runs = all(meld.kind != "chow" for meld in melds)
    found: list[Reading] = []
    complete = False
    for hard in (True, False) if wilds else (True,):
        body = tiles if hard else [tile for tile in tiles if tile != wild]
        more, whole = _read(body, called, 0 if hard else wilds, hard, no_runs, all_melded and len(tiles) == 2)
        found += more
        complete = complete or whole
    return Readings(tuple(found), complete)


def _read(
    body: Sequence[Tile], called: Sequence[Tile], wilds: int, hard: bool, no_runs: bool, all_melded: bool
) -> tuple[list[Reading], bool]:
    """The readings in which exactly ``wilds`` 癞子 stand for any tile, and whether the shape is complete at all."""
    every = [*body, *called]
    winds = all(tile >= SUIT_KINDS for tile in every)
    jiang = JIANG.issuperset(every)
    one_suit = len({tile // 9 for tile in every}) == 1 and not winds
    codes = suit_codes(body)
    tables = need()
    melded = ("all_melded",) if all_melded else ()
    of_tiles = (
        *(("one_suit",) if one_suit else ()),
        *(("all_jiang",) if jiang else ()),
        *(("all_winds",) if winds else ()),
    )
    found: list[Reading] = []
    complete = _fewest(tables, tables.any_pair, codes, honour_pair=True) <= wilds
    pungs = no_runs and _fewest(tables, tables.pungs, codes, honour_pair=True) <= wilds
    if pungs:
        found.append(Reading("standard", ("all_pungs", *of_tiles, *melded), hard, True))
    elif complete and one_suit:
        found.append(Reading("standard", ("one_suit", *melded), hard, False))
    elif _fewest(tables, tables.jiang_pair, codes, honour_pair=False) <= wilds:
        found.append(Reading("standard", melded, hard, False))
    if winds and not pungs:
        found.append(Reading("all_winds", ("all_winds",), hard, False))
    if jiang and not pungs:
        found.append(Reading("all_jiang", ("all_jiang",), hard, False))
    return found, complete


def _fewest(tables: Need, table: bytes, codes: tuple[int, int, int, int], *, honour_pair: bool) -> int:
    """Fewest 癞子 that complete the four groups into sets and one pair; honours have no runs, and no 将 pair."""
    man, pin, sou = table[codes[0]], table[codes[1]], table[codes[2]]
    honours = tables.pungs[codes[3]]
    one, two, three, four = man & 15, pin & 15, sou & 15, honours & 15
    return min(
        (man >> 4) + two + three + four,
        one + (pin >> 4) + three + four,
        one + two + (sou >> 4) + four,
        one + two + three + (honours >> 4 if honour_pair else IMPOSSIBLE),
    )

"""Big patterns and readings of a Changsha hand (rule book 2.1 and 2.2)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Final, Literal, NamedTuple, TypeAlias

from scoring.changsha.rules import ChangshaRules, EventPair
from scoring.hand import Meld
from scoring.tables import need, suit_codes
from scoring.tiles import JIANG, Tile

Shape: TypeAlias = Literal["standard", "seven_pairs", "all_jiang"]
Patterns: TypeAlias = tuple[tuple[str, int], ...]
"""Ids with how often each counts."""

EVENT_PATTERNS: Final = {
    ("self_draw", "heaven"): "heaven",  # 天胡
    ("discard", "earth"): "earth",  # 地胡
    ("self_draw", "last_tile"): "last_tile_draw",  # 海底捞月
    ("discard", "last_tile"): "last_tile_discard",  # 海底炮
    ("self_draw", "kong_draw"): "kong_draw",  # 杠上开花
    ("discard", "kong_discard"): "kong_discard",  # 杠上炮
    ("rob_kong", None): "rob_kong",  # 抢杠胡
}
"""The pattern an event makes, by how the tile was won. What is not here is not allowed (2.2)."""

PAIR_RULE: Final = {
    "heaven": "heaven",
    "earth": "earth",
    "last_tile_draw": "last_tile",
    "last_tile_discard": "last_tile",
    "kong_draw": "kong",
    "kong_discard": "kong",
    "rob_kong": "rob_kong",
}
"""The key of option `event_pair` that says which pair such a win needs (2.2, "The pair")."""


class Reading(NamedTuple):
    """One way a hand reads: its shape, the patterns of its tiles, and whether the pair is 将."""

    shape: Shape
    patterns: Patterns
    jiang_pair: bool
    pungs: bool


class NoReading(NamedTuple):
    """Why a hand does not win: not complete, or complete but for the pair (诈胡)."""

    complete_but_pair: bool


def best_reading(
    tiles: Sequence[Tile],
    melds: Sequence[Meld],
    rules: ChangshaRules,
    event_pair: EventPair | None,
    *,
    others_tile: bool,
) -> Reading | NoReading:
    """The reading with the most big patterns; among equals the standard one, with a 将 pair where there is one.

    ``tiles`` are the concealed ones with the winning tile, suits only, at most four of a kind. ``event_pair`` is the
    pair that an event asks for, None without one.
    """
    man, pin, sou, _ = suit_codes(tiles)
    tables = need()
    every = tiles if not melds else [*tiles, *chain.from_iterable(meld.tiles for meld in melds)]
    one_suit = min(every) // 9 == max(every) // 9
    common: list[tuple[str, int]] = []
    if JIANG.issuperset(every):
        common.append(("all_jiang", 1))
    found: list[Reading] = []
    any_pair = _complete(tables.any_pair, man, pin, sou)
    if any_pair:
        pungs = all(meld.kind != "chow" for meld in melds) and _complete(tables.pungs, man, pin, sou)
        jiang = _pung_pair(tiles) in JIANG if pungs else _complete(tables.jiang_pair, man, pin, sou)
        patterns = [("all_pungs", 1), *common] if pungs else [*common]
        if one_suit:
            patterns.append(("one_suit", 1))
        if len(tiles) == 2 and _all_melded(melds, rules, others_tile):
            patterns.append(("all_melded", 1))
        if patterns or jiang or event_pair == "any":
            found.append(Reading("standard", tuple(patterns), jiang, pungs))
    if not melds:
        ordered = sorted(tiles)
        if ordered[::2] == ordered[1::2]:
            patterns = [("seven_pairs", 1), *common]
            if one_suit:
                patterns.append(("one_suit", 1))
            if rules.luxury_pairs and (quads := _quads(ordered)):
                patterns.append(("luxury_pairs", quads))
            found.append(Reading("seven_pairs", tuple(patterns), False, False))
    if common and not found:
        found.append(Reading("all_jiang", tuple(common), False, False))
    if not found:
        return NoReading(any_pair)
    return found[0] if len(found) == 1 else max(found, key=lambda reading: size(reading.patterns))


def size(patterns: Patterns) -> int:
    """How many big patterns these are, each as often as it counts."""
    return sum([count for _, count in patterns])


def _pung_pair(tiles: Sequence[Tile]) -> Tile:
    """The pair of a hand of triplets: the only kind held twice."""
    return next(tile for tile in tiles if tiles.count(tile) == 2)


def _quads(ordered: Sequence[Tile]) -> int:
    return sum(ordered.count(tile) == 4 for tile in set(ordered))


def _complete(table: bytes, man: int, pin: int, sou: int) -> bool:
    """Whether the three suits are sets and one pair, no tile over: a table row holds sets only | with the pair << 4."""
    one, two, three = table[man], table[pin], table[sou]
    if one & 15 == 0:
        if two & 15 == 0:
            return three >> 4 == 0
        return two >> 4 == 0 and three & 15 == 0
    return one >> 4 == 0 and two & 15 == 0 and three & 15 == 0


def _all_melded(melds: Sequence[Meld], rules: ChangshaRules, others_tile: bool) -> bool:
    """全求人: four exposed melds; a concealed kong breaks it."""
    return (
        "all_melded" in rules.big
        and len(melds) == 4
        and all(meld.is_exposed for meld in melds)
        and (others_tile or bool(rules.all_melded_self_draw))
    )

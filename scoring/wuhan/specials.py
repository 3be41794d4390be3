"""癞子, 癞子皮 and kong tiles: what the indicator makes special (rule book 3.1)."""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

from scoring.rules import Rules
from scoring.tiles import EAST, GREEN, NORTH, RED, SOUTH, SUIT_KINDS, WEST, WHITE, Tile
from scoring.wuhan.rules import wuhan_rules

_HONOUR_ORDER: Final = (EAST, SOUTH, WEST, NORTH, RED, GREEN, WHITE)
"""东南西北中发白: where an indicator off the ring stands."""


NO_BARRED: Final = frozenset((-1,))
"""Where the indicator is not said: no kind is known to be barred, but honours have their place in Wuhan."""


class Specials(NamedTuple):
    """The 癞子, the kinds laid out as kongs of one (kong tiles, 癞子皮 among them); ``barred``: all of them."""

    wild: Tile
    kong_tiles: frozenset[Tile]
    barred: frozenset[Tile]


@lru_cache(maxsize=1024)
def specials(rules: Rules, indicator: Tile) -> Specials:
    """What this indicator makes special.

    >>> from scoring.rules import resolve_rules
    >>> from scoring.tiles import NAMES, tile
    >>> s = specials(resolve_rules("wuhan-koukou"), tile("9m"))
    >>> NAMES[s.wild], sorted(NAMES[kind] for kind in s.kong_tiles)
    ('1m', ['7z', '8m', '9m'])
    """
    table = wuhan_rules(rules)
    kong_tiles = table.kong_tiles
    if table.indicator_is_skin:
        kong_tiles |= {indicator, _neighbour(table.ring, indicator, -1)}
    wild = _neighbour(table.ring, indicator, 1)
    return Specials(wild, kong_tiles, kong_tiles | {wild})


def _neighbour(ring: tuple[Tile, ...], tile: Tile, distance: int) -> Tile:
    """Next (or previous) in the suit's ring 1–9, or in the ring of honours.

    An honour off the ring takes the ring tile that follows (or comes before) it in the order 东南西北中发白.
    """
    if tile < SUIT_KINDS:
        return tile // 9 * 9 + (tile % 9 + distance) % 9
    place = _HONOUR_ORDER.index(tile)
    while True:
        place = (place + distance) % len(_HONOUR_ORDER)
        if _HONOUR_ORDER[place] in ring:
            return _HONOUR_ORDER[place]

"""Hands made at random, most of them near ready: sets and parts of sets from few kinds, melds, tiles laid out, 癞子."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from scoring import PRESET_IDS, resolve_rules
from scoring.hand import Meld
from scoring.rules import Rules
from scoring.tiles import HONOURS, JIANG, Tile
from scoring.wuhan.specials import specials


class Dealt(NamedTuple):
    """A hand with a tile to come, and what decides how far it is."""

    rules: Rules
    concealed: tuple[Tile, ...]
    melds: tuple[Meld, ...]
    laid_out: tuple[Tile, ...]
    indicator: Tile | None


class _Dealer:
    def __init__(self, rng: Random, presets: tuple[str, ...]) -> None:
        self.rng = rng
        self.rules = resolve_rules(rng.choice(presets))
        self.kinds = range(27 if self.rules.family == "changsha" else 34)
        self.left = [4] * len(self.kinds)
        self.pool = self._pool()
        self.indicator: Tile | None = None
        self.wild: Tile | None = None
        self.barred: frozenset[Tile] = frozenset()
        if self.rules.family == "wuhan":
            self.indicator = rng.choice(self.kinds)
            self.left[self.indicator] -= 1
            special = specials(self.rules, self.indicator)
            self.wild, self.barred = special.wild, special.barred

    def _pool(self) -> list[Tile]:
        """The kinds that this hand is mostly made of."""
        suits = self.rng.sample(range(3), 2)
        pools = [
            [kind for kind in self.kinds if kind // 9 == suits[0]],
            [kind for kind in self.kinds if kind // 9 in suits and 2 <= kind % 9 <= 6],
            [kind for kind in self.kinds if kind in JIANG],
            [kind for kind in self.kinds if kind in HONOURS] or list(self.kinds),
            list(self.kinds),
        ]
        return self.rng.choices(pools, weights=(2, 2, 1, 1, 4))[0]

    def take(self, *kinds: Tile) -> bool:
        """Takes these tiles if all are there."""
        if any(self.left[kind] < kinds.count(kind) for kind in kinds):
            return False
        for kind in kinds:
            self.left[kind] -= 1
        return True

    def group(self) -> tuple[Tile, ...]:
        kind = self.rng.choice(self.pool)
        if kind < 27 and kind % 9 < 7 and self.rng.random() < 0.5:
            return kind, kind + 1, kind + 2
        return (kind,) * 3

    def meld(self) -> Meld | None:
        tiles = self.group()
        if self.barred.intersection(tiles):
            return None
        if tiles[0] != tiles[1]:
            return Meld("chow", tiles) if self.take(*tiles) else None
        if self.rng.random() < 0.3:
            kind = self.rng.choice(("exposed_kong", "added_kong", "concealed_kong"))
            return Meld(kind, (*tiles, tiles[0])) if self.take(*tiles, tiles[0]) else None
        return Meld("pong", tiles) if self.take(*tiles) else None

    def laid_out(self) -> tuple[Tile, ...]:
        if self.wild is None:
            return ()
        tiles = self.rng.choices([self.wild, *sorted(self.barred)], k=self.rng.choice((0, 0, 0, 1, 2, 3)))
        return tuple(tile for tile in tiles if self.take(tile))

    def concealed(self, number: int) -> tuple[Tile, ...]:
        tiles: list[Tile] = []
        for _ in range(self.rng.choice((0, 0, 1, 1, 2, 3, 4)) if self.wild is not None else 0):
            if len(tiles) < number and self.wild is not None and self.take(self.wild):
                tiles.append(self.wild)
        loose = self.rng.choice((1, 2, 3))
        for _ in range(40):
            group = self.group() if self.rng.random() < 0.75 else self.group()[:2]
            if len(tiles) + len(group) <= number - loose and (
                not self.barred.intersection(group) or self.rng.random() < 0.1
            ):
                tiles += group if self.take(*group) else ()
        while len(tiles) < number:
            kind = self.rng.choice(self.pool if self.rng.random() < 0.4 else self.kinds)
            tiles += (kind,) if self.take(kind) else ()
        return tuple(tiles)


def deal(rng: Random, presets: tuple[str, ...] = PRESET_IDS) -> Dealt:
    """A random hand of 13 − 3·melds tiles."""
    dealer = _Dealer(rng, presets)
    melds = tuple(meld for _ in range(rng.choice((0, 0, 0, 1, 1, 2, 2, 3, 4))) if (meld := dealer.meld()))
    laid_out = dealer.laid_out()
    return Dealt(dealer.rules, dealer.concealed(13 - 3 * len(melds)), melds, laid_out, dealer.indicator)

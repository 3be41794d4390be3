"""Shanten and accepts by trying winning hands one by one: slow, and written from the rule book alone.

A winning hand is a multiset ``target`` of kinds. What the hand lacks of it is drawn or stood for by 癞子; a tile drawn
must be among those in play, so what goes past them needs a 癞子.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from scoring.hand import Meld
from scoring.rules import Rules
from scoring.tiles import HONOURS, JIANG, Tile
from scoring.wuhan.specials import specials

FAR = 99


class Plain(NamedTuple):
    """Fewest tiles missing, and the kinds that make it one less."""

    missing: int
    accepts: frozenset[Tile]


class Search:
    """One hand under one set of rules."""

    def __init__(
        self,
        rules: Rules,
        concealed: tuple[Tile, ...],
        melds: tuple[Meld, ...] = (),
        laid_out: tuple[Tile, ...] = (),
        indicator: Tile | None = None,
    ) -> None:
        self.rules, self.melds, self.sets = rules, melds, 4 - len(melds)
        self.changsha = rules.family == "changsha"
        special = None if indicator is None else specials(rules, indicator)
        self.wild = special.wild if special else None
        dead = special.barred if special else frozenset()
        self.have = Counter(tile for tile in concealed if tile not in dead)
        self.wilds = sum(tile == self.wild for tile in concealed)
        own = Counter(concealed) + Counter(laid_out) + Counter(tile for meld in melds for tile in meld.tiles)
        if indicator is not None:
            own[indicator] += 1
        self.kinds = range(27 if self.changsha else 34)
        self.left = {kind: 4 - own[kind] for kind in self.kinds}
        self.natural_left = {kind: 0 if kind in dead else self.left[kind] for kind in self.kinds}
        self.wilds_left = self.left[self.wild] if self.wild is not None else 0
        self.called = {tile for meld in melds for tile in meld.tiles}
        self.exposed = sum(meld.kind != "concealed_kong" for meld in melds)
        self.runs_called = any(meld.kind == "chow" for meld in melds)

    def answer(self) -> Plain:
        best, accepts = FAR, set[Tile]()
        for missing, kinds in self._families():
            if missing < best:
                best, accepts = missing, set()
            if missing == best:
                accepts |= kinds
        return Plain(best, frozenset(accepts))

    # ---- families

    def _families(self) -> Iterator[tuple[int, set[Tile]]]:
        every, any_pair = set(self.kinds), set(self.kinds)
        preset = self.rules.preset.id
        if self.changsha:
            melded = self.exposed == 4 and preset in ("changsha-liuqi", "changsha-room")
            pair = any_pair if melded else set(JIANG)
            yield self._nearest(every, pair, runs=True, most_wilds=0)
        else:
            melded = self.exposed == 4 and self.rules.options["all_melded_self_draw"]
            yield self._nearest(every, set(JIANG), runs=True, most_wilds=4 if melded else 1)
        if not self.runs_called:
            yield self._nearest(every, any_pair, runs=False, most_wilds=4)
        for suit in range(3):
            kinds = set(range(9 * suit, 9 * suit + 9))
            if self.called <= kinds:
                yield self._nearest(kinds, kinds, runs=True, most_wilds=4)
        if self.changsha and not self.melds:
            odd = {kind for kind, count in self.have.items() if count % 2}
            yield 7 - sum(count // 2 for count in self.have.values()), odd
        for kinds in (set(JIANG), set(HONOURS)):
            if self.called <= kinds and (kinds == JIANG or not self.changsha):
                yield self._all_of(kinds)

    def _all_of(self, kinds: set[Tile]) -> tuple[int, set[Tile]]:
        missing = 3 * self.sets + 2 - self.wilds - sum(self.have[kind] for kind in kinds)
        drawable = {kind for kind in kinds if self.natural_left[kind]}
        if missing > sum(self.natural_left[kind] for kind in kinds) + self.wilds_left:
            return FAR, set()
        return missing, drawable | ({self.wild} if self.wilds_left else set())

    def _nearest(self, kinds: set[Tile], pairs: set[Tile], *, runs: bool, most_wilds: int) -> tuple[int, set[Tile]]:
        wilds = min(self.wilds, most_wilds)
        more = min(self.wilds_left, most_wilds - wilds)
        groups = [(kind,) * 3 for kind in sorted(kinds)]
        if runs:
            groups += [(k, k + 1, k + 2) for k in sorted(kinds) if k < 27 and k % 9 < 7 and {k, k + 1, k + 2} <= kinds]
        self._lack = {group: self._lacks(group) for group in groups}
        groups.sort(key=self._lack.__getitem__)
        for lacking in range(wilds, 15):
            drawn = set[Tile]()
            found = False
            for pair in sorted(pairs):
                target = Counter({pair: 2})
                spare = lacking - max(0, 2 - self.have[pair])
                if spare < 0:
                    continue
                for _ in self._targets(target, groups, 0, self.sets, spare):
                    if self._past(target) <= wilds + more:
                        found = True
                        drawn |= {k for k, count in target.items() if count > self.have[k] and self.natural_left[k] > 0}
            if found:
                return lacking - wilds, drawn | ({self.wild} if more and self.wild is not None else set())
        return FAR, set()

    def _targets(
        self, target: Counter[Tile], groups: list[tuple[Tile, ...]], first: int, sets: int, spare: int
    ) -> Iterator[None]:
        """Adds that many sets to the target in every way that lacks no more than ``spare`` further tiles.

        The groups stand in order of what they lack by themselves.
        """
        if sets == 0:
            yield
            return
        for index in range(first, len(groups)):
            if self._lack[groups[index]] > spare:
                break
            lacking = 0
            for kind in groups[index]:
                lacking += target[kind] >= self.have[kind]
                target[kind] += 1
            if lacking <= spare:
                yield from self._targets(target, groups, index, sets - 1, spare - lacking)
            for kind in groups[index]:
                target[kind] -= 1

    def _lacks(self, group: tuple[Tile, ...]) -> int:
        return sum(max(0, count - self.have[kind]) for kind, count in Counter(group).items())

    def _past(self, target: Counter[Tile]) -> int:
        """How many tiles of the target go past what is in the hand and can be drawn as itself."""
        return sum(max(0, count - self.have[kind] - self.natural_left[kind]) for kind, count in target.items())

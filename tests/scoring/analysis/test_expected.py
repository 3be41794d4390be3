"""Expected values are those of an exhaustive search: every draw from the tiles nobody has seen, every discard."""

from __future__ import annotations

from functools import lru_cache
from random import Random

import pytest

from scoring import resolve_rules
from scoring.analysis.expected import Outlook, Prospect, TooFar
from scoring.analysis.families import Tiles
from scoring.analysis.shanten import Situation, kinds_of, situation
from scoring.notation import parse_tiles
from scoring.tiles import KINDS, Tile
from tests.scoring.analysis.hands import Dealt, deal

Pool = tuple[int, ...]
Value = complex
"""Points, and as the imaginary part the chance to win."""


def gain(hand: Tiles) -> float | None:
    """Points that differ from hand to hand; a few hands may not win."""
    points = Random(str(hand)).randrange(-1, 12)
    return None if points < 0 else float(points)


def better(values: list[Value]) -> Value:
    """The most points; where they are the same, but for rounding, the larger chance."""
    return max(values, key=lambda value: value.real + 1e-10 * value.imag)


class Exhaustive:
    """Every draw as it comes, with everything known that was drawn and thrown before."""

    def __init__(self, now: Situation) -> None:
        self.now = now
        self.played = lru_cache(None)(self._played)

    def throws(self, hand: Tiles) -> list[Tiles]:
        """What each discard leaves."""
        return [self.now.thrown(hand, kind) for kind in range(KINDS) if self.now.held(hand, kind)]

    def _played(self, hand: Tiles, pool: Pool, draws: int, idle: int) -> Value:
        if not draws or not any(pool):
            return 0j
        total = 0j
        for kind, copies in enumerate(pool):
            if copies:
                rest = (*pool[:kind], copies - 1, *pool[kind + 1 :])
                total += copies * self.after(hand, self.now.drawn(hand, kind), rest, draws - 1, idle)
        return total / sum(pool)

    def after(self, hand: Tiles, drawn: Tiles, pool: Pool, draws: int, idle: int) -> Value:
        shanten = self.now.shanten(drawn)
        points = gain(drawn) if shanten < 0 else None
        if points is not None:
            return complex(points, 1)
        if shanten < 0 or shanten >= self.now.shanten(hand):
            return self.played(hand, pool, draws, idle)
        kept = [(left, idle) for left in self.throws(drawn) if self.now.shanten(left) == shanten]
        if idle:
            kept.append((drawn, idle - 1))
        return better([self.played(left, pool, draws, more) for left, more in kept])


class Planned:
    """Every decision, with one detour: what was thrown on the way is taken not to be needed later."""

    def __init__(self, now: Situation, start: Tiles, unseen: Pool, draws: int, pool: int) -> None:
        self.now, self.start, self.unseen, self.draws, self.pool = now, start, unseen, draws, pool
        self.value = lru_cache(None)(self._value)
        self.after_detour = lru_cache(None)(self._after_detour)

    def _after_detour(self, hand: Tiles) -> Planned:
        """What the hand holds more of than at the start is no longer unseen."""
        left = tuple(self.copies(hand, kind) for kind in range(KINDS))
        return Planned(self.now, hand, left, self.draws, self.pool)

    def copies(self, hand: Tiles, kind: Tile) -> int:
        return self.unseen[kind] - max(0, self.now.held(hand, kind) - self.now.held(self.start, kind))

    def _value(self, hand: Tiles, behind: int, detour: bool) -> Value:
        if behind == self.draws:
            return 0j
        shanten, accepts = self.now.accepts(hand)
        wanted, total = 0, 0j
        for kind in kinds_of(accepts):
            copies = self.copies(hand, kind)
            value = self.drawn(self.now.drawn(hand, kind), shanten - 1, behind + 1, detour) if copies > 0 else None
            if value is not None:
                wanted += copies
                total += copies * value
        if not wanted:
            return 0j
        left = max(self.pool - behind, wanted)
        return (total + (left - wanted) * self.value(hand, behind + 1, detour)) / left

    def drawn(self, hand: Tiles, shanten: int, behind: int, detour: bool) -> Value | None:
        if shanten < 0:
            points = gain(hand)
            return None if points is None else complex(points, 1)
        options = []
        for kind in range(KINDS):
            if self.now.held(hand, kind):
                left = self.now.thrown(hand, kind)
                if self.now.shanten(left) == shanten:
                    options.append(self.value(left, behind, detour))
                elif detour and kind != self.now.wild:
                    options.append(self.after_detour(left).value(left, behind, False))
        return better(options)


def few_unseen(rng: Random, now: Situation, hand: Tiles, in_play: list[int]) -> Pool:
    """A few tiles that nobody has seen: some of use, now or after some draw, and some of any kind."""
    pool = [0] * KINDS
    accepts = list(kinds_of(now.accepts(hand)[1]))
    for _ in range(rng.randrange(4, 9)):
        kind = rng.choice(accepts) if accepts and rng.random() < 0.6 else rng.randrange(KINDS)
        if pool[kind] < in_play[kind]:
            pool[kind] += 1
    return tuple(pool)


def cases(seed: str, farthest: int) -> tuple[Random, Dealt, Situation, Tiles, Pool]:
    """A hand of that shanten or less, and a few unseen tiles."""
    rng = Random(seed)
    while True:
        dealt = deal(rng)
        now = situation(dealt.rules, dealt.melds, dealt.laid_out, dealt.indicator)
        hand = now.tiles(dealt.concealed)
        if sum(tile not in now.kong_tiles for tile in dealt.concealed) + 3 * len(dealt.melds) < 13:
            continue
        in_play = [4] * (27 if dealt.indicator is None else KINDS)
        in_play += [0] * (KINDS - len(in_play))
        for tile in (*dealt.concealed, *dealt.laid_out, *(one for meld in dealt.melds for one in meld.tiles)):
            in_play[tile] -= 1
        if dealt.indicator is not None:
            in_play[dealt.indicator] -= 1
        for tile in now.kong_tiles:
            in_play[tile] = 0
        if now.shanten(hand) <= farthest and now.shanten(hand) + hand.wilds < 5:
            return rng, dealt, now, hand, few_unseen(rng, now, hand, [max(left, 0) for left in in_play])


def close(outlook: Outlook, value: Value) -> bool:
    return abs(complex(outlook.expected, outlook.win_probability) - value) < 1e-9


def check_drawing(seed: str, farthest: int = 2) -> None:
    rng, dealt, now, hand, pool = cases(seed, farthest)
    draws = rng.randrange(1, 6)
    expected = Exhaustive(now).played(hand, pool, draws, 0)
    try:
        outlook = Prospect(now, hand, draws, pool, gain).drawing()
    except TooFar:
        assert hand.wilds > 1  # they stand for anything: too many ways
    else:
        assert close(outlook, expected), (dealt, pool, draws, outlook, expected)


def check_throwing(seed: str, *, detours: bool) -> None:
    """A hand with one of the unseen tiles drawn, and each of its discards."""
    rng, dealt, now, hand, pool = cases(seed, 1)
    kind = rng.choice([kind for kind, copies in enumerate(pool) if copies])
    hand, pool = now.drawn(hand, kind), (*pool[:kind], pool[kind] - 1, *pool[kind + 1 :])
    draws = rng.randrange(1, 4 if detours else 6)
    found = now.discards(hand)
    try:
        outlooks = Prospect(now, hand, draws, pool, gain, detours=detours).throwing(found)
    except TooFar:
        assert hand.wilds > 1  # they stand for anything: too many ways
        return
    least = max(now.shanten(hand), 0)
    assert set(outlooks) == {one.tile for one in found if one.shanten <= least + detours}
    planned, exhaustive = Planned(now, hand, pool, draws, sum(pool)), Exhaustive(now)
    for one in found:
        if one.tile in outlooks:
            left = now.thrown(hand, one.tile)
            if one.shanten > least:
                expected = planned.after_detour(left).value(left, 0, False)
            elif detours:
                expected = planned.value(left, 0, True)
            else:
                expected = exhaustive.played(left, pool, draws, 0)
            assert close(outlooks[one.tile], expected), (dealt, kind, one, pool, draws, outlooks[one.tile], expected)


@pytest.mark.parametrize("seed", range(60))
def test_as_an_exhaustive_search(seed: int) -> None:
    check_drawing(f"drawing/{seed}")
    check_throwing(f"throwing/{seed}", detours=False)


@pytest.mark.parametrize("seed", range(60))
def test_a_detour_is_the_best_of_every_way(seed: int) -> None:
    check_throwing(f"detour/{seed}", detours=True)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(100))
def test_as_an_exhaustive_search_on_many_hands(seed: int) -> None:
    for number in range(20):
        check_drawing(f"long/{seed}/{number}")
        check_throwing(f"long/{seed}/{number}", detours=False)
        check_throwing(f"long/{seed}/{number}", detours=True)


@pytest.mark.parametrize("seed", range(20))
def test_kong_tiles_in_hand_are_thrown_by_the_way(seed: int) -> None:
    """A hand that holds a kong tile is played as one that holds a tile of a kind nobody can use."""
    rng, dealt, now, hand, pool = cases(f"idle/{seed}", 1)
    natural = [kind for kind in range(KINDS) if now.held(hand, kind) and kind != now.wild]
    for kind in natural:
        fewer = now.thrown(hand, kind)
        draws = rng.randrange(1, 5)
        if now.shanten(fewer) <= 2:
            expected = Exhaustive(now).played(fewer, pool, draws, 1)
            outlook = Prospect(now, fewer, draws, pool, gain, idle=1).drawing()
            assert close(outlook, expected), (dealt, kind, pool, draws)


def test_more_draws_are_never_worse() -> None:
    for number in range(40):
        _, _, now, hand, pool = cases(f"more/{number}", 2)
        outlooks = [Prospect(now, hand, draws, pool, lambda hand: 1.0).drawing() for draws in range(6)]
        assert outlooks == sorted(outlooks)
        assert outlooks[0] == Outlook(0.0, 0.0)
        assert all(abs(one.win_probability - one.expected) < 1e-12 for one in outlooks)


def test_too_far() -> None:
    now = situation(resolve_rules("changsha-classic"))
    hand = now.tiles(parse_tiles("147m258p369s1258m"))
    assert now.shanten(hand) > 3
    with pytest.raises(TooFar):
        Prospect(now, hand, 18, [1] * 27 + [0] * 7, gain).drawing()

"""番: what each side multiplies by, line by line (rule book 3.3).

A payment depends on a few small values, so each is worked out once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from scoring.record import Step
from scoring.steps import step
from scoring.wuhan.rules import Pay, WuhanRules
from scoring.wuhan.sides import Side

Factor: TypeAlias = tuple[str, int | Fraction]
"""A step's id and what it multiplies by."""


class Priced(NamedTuple):
    """What is priced of a reading: number of big patterns (0: small), hard, and whether ×1.5/×2 for 自摸 applies."""

    big: int
    hard: bool
    self_draw: bool


class Owed(NamedTuple):
    """What one loser owes before caps and contract, with the arithmetic."""

    points: int
    steps: tuple[Step, ...]


@lru_cache(maxsize=1 << 14)
def owed(rules: WuhanRules, win: Priced, winner: Side, loser: Side, gave: bool, dealer: bool) -> Owed:
    """Base × winner fan × loser fan. ``gave``: he gave the tile; ``dealer``: one of the two is the dealer."""
    base = [("base", _pay(rules, win).base), *([("patterns", win.big)] if win.big > 1 else [])]
    factors = [*_win_factors(rules, win, winner), *_loser_factors(rules, win, loser, gave, dealer)]
    steps = [
        step(name, "times" if place else "value", factor) for place, (name, factor) in enumerate([*base, *factors])
    ]
    return Owed(_product([*base, *factors]), tuple(steps))


@lru_cache(maxsize=1 << 12)
def winner_fan(rules: WuhanRules, win: Priced, winner: Side) -> int:
    """Base × winner fan: what option `minimum_counts` may look at."""
    return _product([("base", _pay(rules, win).base * max(win.big, 1)), *_win_factors(rules, win, winner)])


def _pay(rules: WuhanRules, win: Priced) -> Pay:
    return rules.pay["big" if win.big else "small"]


def _product(factors: Iterable[Factor]) -> int:
    """Always whole: ×1.5 comes at most once and only on a base of 10."""
    total: int | Fraction = 1
    for _, factor in factors:
        total *= factor
    return int(total)


def _side_factors(rules: WuhanRules, side: Side, who: str) -> Iterator[Factor]:
    """A side's own factors. ``who`` is ``winner`` or ``loser``; factors of 1 are left out."""
    openings = side.opened if rules.open_each else min(side.opened, 1)
    for name, factor, number in (
        ("opened", rules.opened, openings),  # 开口
        ("exposed_kongs", rules.exposed_kong, side.exposed_kongs),  # 明杠
        ("concealed_kongs", rules.concealed_kong, side.concealed_kongs),  # 暗杠
        ("laid_out", rules.laid_out, side.laid_out),  # 红中 and the like
        ("laid_out_wilds", rules.laid_out_wild, side.laid_out_wilds),  # 癞子杠
    ):
        if number:
            yield f"{who}_{name}", factor**number


def _win_factors(rules: WuhanRules, win: Priced, side: Side) -> Iterator[Factor]:
    """The winner's fan: his own side, 自摸, 硬胡."""
    yield from _side_factors(rules, side, "winner")
    if win.self_draw:
        yield "self_draw", _pay(rules, win).self_draw
    if win.hard:
        yield "hard", rules.hard


def _loser_factors(rules: WuhanRules, win: Priced, side: Side, gave: bool, dealer: bool) -> Iterator[Factor]:
    """A loser's fan: his own side, 放冲, 庄."""
    pay = _pay(rules, win)
    yield from _side_factors(rules, side, "loser")
    if gave:
        yield "gave", pay.gave
    if dealer and pay.dealer != 1:
        yield "dealer", pay.dealer

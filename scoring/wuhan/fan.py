"""番: what each side multiplies by, line by line (rule book 3.3)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple, TypeAlias

from scoring.hand import Meld
from scoring.record import Step
from scoring.steps import step
from scoring.tiles import Tile
from scoring.wuhan.rules import WuhanRules

Factor: TypeAlias = tuple[str, int | Fraction]
"""A step's id and what it multiplies by."""


class Side(NamedTuple):
    """What a player has open: exposed melds of every kind, kongs among them, tiles laid out, 癞子 apart."""

    opened: int = 0
    exposed_kongs: int = 0
    concealed_kongs: int = 0
    laid_out: int = 0
    laid_out_wilds: int = 0


def side_of(melds: Sequence[Meld], laid_out: Sequence[Tile], wild: Tile | None) -> Side:
    """A side counted from its tiles."""
    wilds = sum(tile == wild for tile in laid_out)
    return Side(
        opened=sum(meld.is_exposed for meld in melds),
        exposed_kongs=sum(meld.is_exposed and meld.is_kong for meld in melds),
        concealed_kongs=sum(not meld.is_exposed for meld in melds),
        laid_out=len(laid_out) - wilds,
        laid_out_wilds=wilds,
    )


class Priced(NamedTuple):
    """What is priced of a reading: number of big patterns (0: small), hard, and whether ×1.5/×2 for 自摸 applies."""

    big: int
    hard: bool
    self_draw: bool


def side_factors(rules: WuhanRules, side: Side, who: str) -> Iterator[Factor]:
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


def win_factors(rules: WuhanRules, win: Priced, side: Side) -> Iterator[Factor]:
    """The winner's fan: his own side, 自摸, 硬胡."""
    yield from side_factors(rules, side, "winner")
    if win.self_draw:
        yield "self_draw", rules.pay["big" if win.big else "small"].self_draw
    if win.hard:
        yield "hard", rules.hard


def loser_factors(rules: WuhanRules, win: Priced, side: Side, *, gave: bool, dealer: bool) -> Iterator[Factor]:
    """A loser's fan: his own side, whether he gave the tile, whether one of the two is the dealer."""
    pay = rules.pay["big" if win.big else "small"]
    yield from side_factors(rules, side, "loser")
    if gave:
        yield "gave", pay.gave
    if dealer and pay.dealer != 1:
        yield "dealer", pay.dealer


def base_steps(rules: WuhanRules, win: Priced) -> tuple[Step, ...]:
    """1 for a small win, 10 for each big pattern."""
    base = rules.pay["big" if win.big else "small"].base
    steps = (step("base", "value", base),)
    return (*steps, step("patterns", "times", win.big)) if win.big > 1 else steps


def product(rules: WuhanRules, win: Priced, factors: Sequence[Factor]) -> int:
    """Base × factors. Always whole: ×1.5 comes at most once and only on a base of 10."""
    total: int | Fraction = rules.pay["big" if win.big else "small"].base * max(win.big, 1)
    for _, factor in factors:
        total *= factor
    return int(total)


def factor_steps(factors: Sequence[Factor]) -> tuple[Step, ...]:
    """Factors as lines of arithmetic."""
    return tuple(step(name, "times", factor) for name, factor in factors)

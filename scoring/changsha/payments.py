"""What one player pays one winner, line by line (rule book 2.3 and 2.4).

A payment depends on a few small values, so each is worked out once.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Literal, TypeAlias

from scoring.changsha.rules import ChangshaRules
from scoring.record import Step, TransferOut
from scoring.steps import step
from scoring.tiles import Seat

By: TypeAlias = Literal["self_draw", "discard"]
"""How a win is paid: by all three, or by the one who gave the tile (a robbed kong is paid like a discard)."""


@lru_cache(maxsize=1 << 12)
def win_payment(
    rules: ChangshaRules, by: By, paid: int, payer: Seat, winner: Seat, dealer: Seat, bird: int
) -> TransferOut:
    """A small win (``paid`` 0), or one with ``paid`` big patterns (2.3).

    ``bird`` is what the birds multiply by (`scoring.changsha.birds.effect`).
    """
    points, steps = _win(rules, by, paid, payer, winner, dealer, bird)
    return TransferOut(from_=payer, to=winner, points=points, why="win", steps=steps)


@lru_cache(maxsize=1 << 12)
def all_in_payment(rules: ChangshaRules, payer: Seat, winner: Seat, dealer: Seat, bird: int) -> TransferOut:
    """大包干 (bbs): the giver pays what he himself would have collected by a big self-draw."""
    pay = rules.pay["big", "self_draw"]
    whole = 3 * pay.base + pay.dealer * (3 if payer == dealer else 1)
    points, steps = _after_birds(whole, (step("all_in", "value", whole),), bird, 0)
    return TransferOut(from_=payer, to=winner, points=points, why="win", steps=steps)


@lru_cache(maxsize=1 << 12)
def opening_payment(rules: ChangshaRules, paid: int, payer: Seat, winner: Seat, dealer: Seat, bird: int) -> TransferOut:
    """An opening win: ``paid`` times a whole small self-draw, its dealer part and its 自摸加1 included (2.4)."""
    points, steps = _win(rules, "self_draw", 0, payer, winner, dealer, bird)
    if paid > 1:
        points, steps = points * paid, (*steps, step("openings", "times", paid))
    return TransferOut(from_=payer, to=winner, points=points, why="opening", steps=steps)


def _win(
    rules: ChangshaRules, by: By, paid: int, payer: Seat, winner: Seat, dealer: Seat, bird: int
) -> tuple[int, tuple[Step, ...]]:
    """Base, the patterns' times, the dealer's part (before or after them, by option `dealer_bonus`), birds, 自摸加1."""
    pay = rules.pay["big" if paid else "small", by]
    points = pay.base
    steps: tuple[Step, ...] = (step("base", "value", pay.base),)
    part = _dealer_part(rules, by, paid, payer, winner, dealer, pay.dealer)
    times_first = rules.dealer_bonus == "once"
    for times in (times_first, not times_first):
        if times and paid > 1:
            points, steps = points * paid, (*steps, step("patterns", "times", paid))
        elif not times and part:
            points, steps = points + part, (*steps, step("dealer", "add", part))
    return _after_birds(points, steps, bird, pay.added)


def _dealer_part(rules: ChangshaRules, by: By, paid: int, payer: Seat, winner: Seat, dealer: Seat, part: int) -> int:
    """The dealer's points where he is one of the two; bbs prices a dealer who deals into a big win by an option."""
    if dealer == winner:
        return part
    if dealer != payer:
        return 0
    if paid and by == "discard" and rules.dealer_deals_in_big is not None:
        return rules.dealer_deals_in_big - rules.pay["big", "discard"].base
    return part


def _after_birds(points: int, steps: tuple[Step, ...], bird: int, added: int) -> tuple[int, tuple[Step, ...]]:
    if bird > 1:
        points, steps = points * bird, (*steps, step("bird", "times", bird))
    if added:
        points, steps = points + added, (*steps, step("self_draw", "add", added))
    return points, steps

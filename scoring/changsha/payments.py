"""What one player pays one winner, line by line (rule book 2.3 and 2.4)."""

from __future__ import annotations

from typing import Literal, TypeAlias

from scoring.changsha.rules import ChangshaRules
from scoring.record import Step
from scoring.steps import step
from scoring.tiles import Seat

By: TypeAlias = Literal["self_draw", "discard"]
"""How a win is paid: by all three, or by the one who gave the tile (a robbed kong is paid like a discard)."""


def win_payment(
    rules: ChangshaRules, by: By, paid: int, payer: Seat, winner: Seat, dealer: Seat, bird: int
) -> tuple[int, tuple[Step, ...]]:
    """Points and arithmetic of a small win (``paid`` 0) or of one with ``paid`` big patterns.

    ``bird`` is what the birds multiply by (`scoring.changsha.birds.effect`).
    """
    pay = rules.pay["big" if paid else "small", by]
    points, steps = pay.base, [step("base", "value", pay.base)]
    bonus = _dealer_part(rules, by, paid, payer, winner, dealer, pay.dealer)
    times_patterns = step("patterns", "times", paid) if paid > 1 else None
    if times_patterns and rules.dealer_bonus == "once":
        points *= paid
        steps.append(times_patterns)
    if bonus:
        points += bonus
        steps.append(step("dealer", "add", bonus))
    if times_patterns and rules.dealer_bonus != "once":
        points *= paid
        steps.append(times_patterns)
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


def all_in_payment(rules: ChangshaRules, payer: Seat, dealer: Seat, bird: int) -> tuple[int, tuple[Step, ...]]:
    """大包干 (bbs): the giver pays what he himself would have collected by a big self-draw."""
    pay = rules.pay["big", "self_draw"]
    points = 3 * pay.base + pay.dealer * (3 if payer == dealer else 1)
    return _after_birds(points, [step("all_in", "value", points)], bird, 0)


def opening_payment(
    rules: ChangshaRules, paid: int, payer: Seat, winner: Seat, dealer: Seat, bird: int
) -> tuple[int, tuple[Step, ...]]:
    """An opening win: ``paid`` times a whole small self-draw, its dealer part and its 自摸加1 included (2.4)."""
    points, steps = win_payment(rules, "self_draw", 0, payer, winner, dealer, bird)
    return (points * paid, (*steps, step("openings", "times", paid))) if paid > 1 else (points, steps)


def _after_birds(points: int, steps: list[Step], bird: int, added: int) -> tuple[int, tuple[Step, ...]]:
    if bird > 1:
        points *= bird
        steps.append(step("bird", "times", bird))
    if added:
        points += added
        steps.append(step("self_draw", "add", added))
    return points, tuple(steps)

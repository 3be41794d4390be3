"""封顶: what a capped loser pays (rule book 3.4)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from scoring.wuhan.rules import WuhanRules


class Capped(NamedTuple):
    """An amount after the caps, and the cap that applied (the id of its step), if any."""

    points: int
    cap: str | None


def apply_caps(rules: WuhanRules, amounts: Sequence[int], opened: Sequence[bool]) -> list[Capped]:
    """The three losers' amounts after the caps, in the same order.

    >>> from scoring.rules import resolve_rules
    >>> from scoring.wuhan.rules import wuhan_rules
    >>> rules = wuhan_rules(resolve_rules("wuhan-koukou"))
    >>> [c.points for c in apply_caps(rules, [1280, 320, 960], [True, False, True])]
    [1000, 320, 960]
    """
    caps = rules.caps
    if caps is None:
        return [Capped(amount, None) for amount in amounts]
    reached = [amount >= caps.cap for amount in amounts]
    if not all(reached):
        cap_of = {True: "cap", False: "sun"}
    elif all(is_open is (rules.three_suns_when == "all_opened") for is_open in opened):
        cap_of = {True: "three_suns", False: "three_suns"}
    else:
        cap_of = {True: "gold", False: "sun"}
    return [
        Capped(getattr(caps, cap_of[is_open]), cap_of[is_open]) if hit else Capped(amount, None)
        for amount, hit, is_open in zip(amounts, reached, opened, strict=True)
    ]

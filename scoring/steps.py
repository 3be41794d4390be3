"""The arithmetic of a payment: a running number and the lines that lead to it."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import Literal

from scoring.record import Step

Op = Literal["value", "add", "times", "set"]


@lru_cache(maxsize=4096)
def step(name: str, op: Op, number: int | Fraction) -> Step:
    """One line. Lines are immutable and few, so each is made once.

    >>> step("base", "value", 60)
    Step(id='base', value='60', add=None, times=None, set=None)
    """
    text = str(number) if number.denominator == 1 else str(float(number))
    return Step.model_validate({"id": name, op: text})


def result(steps: tuple[Step, ...]) -> Fraction:
    """What the lines come to: start with ``value``, then ``add``, ``times``, ``set``, in order.

    >>> result((step("base", "value", 10), step("self_draw", "times", Fraction(3, 2)), step("dealer", "add", 1)))
    Fraction(16, 1)
    """
    total = Fraction(0)
    for line in steps:
        if line.value is not None:
            total = Fraction(line.value)
        elif line.add is not None:
            total += Fraction(line.add)
        elif line.times is not None:
            total *= Fraction(line.times)
        elif line.set is not None:
            total = Fraction(line.set)
    return total

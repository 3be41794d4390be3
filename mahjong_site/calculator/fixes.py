"""What would make a refused hand right, and what a ready one waits for."""

from __future__ import annotations

from dataclasses import dataclass

from .outcome import Outcome


@dataclass(frozen=True)
class Fix:
    """One way out: what it is, the address that has it, and what it would pay."""

    label: str
    address: str
    tiles: tuple[str, ...] = ()
    amount: str = ""


def fixes(outcome: Outcome) -> tuple[Fix, ...]:
    """The nearest ways to make a refused hand right."""
    return ()


def waits(outcome: Outcome, names: tuple[str, ...]):
    return None

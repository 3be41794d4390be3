"""A dictionary that fills itself, and forgets everything when it grows past its limit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeVar

V = TypeVar("V")

LIMIT: Final = 1 << 16


class Memory(dict[int, V]):
    """What ``make`` answers, by its argument.

    >>> squares = Memory(lambda number: number * number)
    >>> squares[12], len(squares)
    (144, 1)
    """

    def __init__(self, make: Callable[[int], V], limit: int = LIMIT) -> None:
        super().__init__()
        self._make, self._limit = make, limit

    def __missing__(self, key: int) -> V:
        if len(self) >= self._limit:
            self.clear()
        value = self[key] = self._make(key)
        return value


PAIR: Final = 16
"""Bits of the second of two numbers that are one key."""


def split(key: int) -> tuple[int, int]:
    """The two numbers of a key ``one << PAIR | other``."""
    return key >> PAIR, key & (1 << PAIR) - 1

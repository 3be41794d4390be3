"""Small numbers in forms and addresses. What is no number counts as not given; nothing here raises."""

from __future__ import annotations

from typing import Final

from scoring.tiles import Seat

MOST_DIGITS: Final = 9
"""So many digits fit PostgreSQL's integers and every number a page asks for."""
MOST_COUNTED: Final = 16


def number(text: str | None) -> int | None:
    """A whole number from 0 on, of at most nine ASCII digits.

    >>> number("12"), number("-1"), number("1234567890"), number("２"), number(None)
    (12, None, None, None, None)
    """
    return int(text) if text and len(text) <= MOST_DIGITS and text.isascii() and text.isdigit() else None


def read_count(text: str | None) -> int:
    """How many of something on a table; nothing given: none.

    >>> read_count("3"), read_count("99"), read_count("x")
    (3, 16, 0)
    """
    return min(number(text) or 0, MOST_COUNTED)


def read_seat(text: str | None) -> Seat | None:
    """A seat 0–3."""
    return int(text) if text in ("0", "1", "2", "3") else None

"""Hands as text: a letter for each record, in order, so that a hundred thousand hands are counted by methods of `str`.

PostgreSQL writes the letters of a seating: the character at `FIRST_LETTER` plus the entry's ``marks`` (migration 0003),
plus `SAME_HAND` where the record is of the same hand as the one before it. Here they become the hands of a player, a
digit a hand: the sum of `WON`, `DREW` and `GAVE`.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from uuid import UUID

FIRST_LETTER = 256
SAME_HAND = 128
WON, DREW, GAVE = 1, 2, 4
_DIGITS, _JOINED = "01234567", "abcdefgh"
"""What a record says of a player; as a letter where an earlier record of the hand speaks of him too."""
_HAND = re.compile(f"[{_DIGITS}][{_JOINED}]+")


def hands_of(stretches: Iterable[tuple[Sequence[UUID], str]]) -> dict[UUID, str]:
    """The hands each player sat, in order, from those of each seating: the players on seats 0–3 and their letters.

    >>> hands_of([("abcd", chr(256 + 0b0010) + chr(256 + 0b0100 + 16 * 1))])
    {'a': '04', 'b': '30', 'c': '01', 'd': '00'}
    """
    hands: defaultdict[UUID, str] = defaultdict(str)
    before: set[UUID] = set()
    """Who sat the hand that may go on."""
    for players, letters in stretches:
        seats: defaultdict[UUID, tuple[int, ...]] = defaultdict(tuple)
        for seat, player in enumerate(players):
            seats[player] += (seat,)
        for player, his in seats.items():
            told = letters.translate(_alphabet(his))
            # Seats changed during a hand: its first record is one that he did not sit.
            if player not in before and told[0] in _JOINED:
                told = _DIGITS[_JOINED.index(told[0])] + told[1:]
            hands[player] += told
        before = set(seats) | (before if all(ord(letter) >= FIRST_LETTER + SAME_HAND for letter in letters) else set())
    return {player: _HAND.sub(_one, told) for player, told in hands.items()}


def count(hands: str, what: int) -> int:
    """How many of a player's hands are `WON`, `DREW` or `GAVE`."""
    return sum(hands.count(digit) for number, digit in enumerate(_DIGITS) if number & what)


def longest_run(hands: str) -> int:
    """The most hands won in a row."""
    return max(map(len, hands.translate(_WON).split("0")))


@cache
def _alphabet(seats: tuple[int, ...]) -> Mapping[int, str]:
    """What each letter says of whoever sat on these seats (several: a guest who turned out to be another player)."""
    alphabet = {}
    for marks in range(SAME_HAND):
        winners, giver = marks % 16, marks // 16 - 1
        won = any(winners >> seat & 1 for seat in seats)
        told = WON * won + DREW * (won and giver < 0) + GAVE * (giver in seats)
        alphabet[FIRST_LETTER + marks] = _DIGITS[told]
        alphabet[FIRST_LETTER + SAME_HAND + marks] = _JOINED[told]
    return alphabet


def _one(records: re.Match[str]) -> str:
    told = 0
    for letter in records[0]:
        told |= (_DIGITS + _JOINED).index(letter) % 8
    return _DIGITS[told]


_WON = str.maketrans({digit: str(number & WON) for number, digit in enumerate(_DIGITS)})

"""The table that says how far a suit is from being whole sets, and with a pair.

A suit's nine counts, read as a base-5 number, are its *code*: ``sum(count[rank - 1] * 5 ** (rank - 1))``. Honours have
seven counts and use the same table of pungs, as nothing else than a triplet or a pair can be made of them.

The table is built by ``python -m scoring.tables`` into one compressed file beside this module and read on first use.
A code's answers are few (some thirty different ones), so the file holds one class a code and the answers of each class.
"""

from __future__ import annotations

import zlib
from array import array
from collections.abc import Iterable
from functools import cache
from itertools import product
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

RANKS: Final = 9
CODES: Final = 5**RANKS
POWERS: Final[tuple[int, ...]] = tuple(5**rank for rank in range(RANKS))
"""What one tile of each rank adds to a suit's code."""

PLACES: Final[tuple[int, ...]] = tuple(5 ** (kind % RANKS) << (21 * (kind // RANKS)) for kind in range(4 * RANKS - 2))
"""What one tile of each kind adds to a hand's code: the codes of the four suits side by side, 21 bits each."""

IMPOSSIBLE: Final = 15
"""More wild tiles than there are, or impossible."""

WILDS: Final = 4
FILE: Final = Path(__file__).parent / "data" / "need.bin"


class Need(NamedTuple):
    """Fewest wild tiles that complete a suit, by its code: low nibble into sets, high nibble into sets and one pair.

    All tiles of the suit are used. A wild may stand for a kind of which four are in the hand. ``IMPOSSIBLE`` where four
    wild tiles are not enough.

    ``any_pair``: the pair may be any; ``jiang_pair``: the pair is 2, 5 or 8 (将); ``pungs``: every set is a triplet and
    the pair may be any.
    """

    any_pair: bytes
    jiang_pair: bytes
    pungs: bytes


def suit_codes(tiles: Iterable[int]) -> tuple[int, int, int, int]:
    """The codes of 万, 筒, 索 and honours, of kinds held at most four times.

    >>> suit_codes([0, 0, 10, 33]) == (2, POWERS[1], 0, POWERS[6])
    True
    """
    code = sum(map(PLACES.__getitem__, tiles))
    return code & 0x1FFFFF, code >> 21 & 0x1FFFFF, code >> 42 & 0x1FFFFF, code >> 63


@cache
def need() -> Need:
    """The table, from its file on first use.

    >>> code = sum(POWERS[rank] for rank in (0, 1, 2, 4))  # 1235m
    >>> [row[code] for row in need()] == [0x12, 0x12, 0xFF]
    True
    """
    data = FILE.read_bytes()
    rows = [data[start : start + 256] for start in range(0, 256 * len(Need._fields), 256)]
    classes = zlib.decompress(data[256 * len(rows) :], bufsize=CODES)
    return Need(*(classes.translate(row) for row in rows))


# ---- building

_MANY: Final = WILDS + 1
_State: TypeAlias = tuple[int, ...]
_PENDING: Final = tuple(product(range(3), repeat=2))
"""Chows begun one rank and two ranks ago. Three equal chows are three triplets, so two of each are enough."""

# A state holds the fewest wild tiles so far: by the pending chows without a pair, with any pair, with a 将 pair, and
# then of triplets only, without and with a pair.
_ANY, _JIANG, _PUNGS = 9, 18, 27
_START: Final[_State] = (0, *[_MANY] * 26, 0, _MANY)


def _next(state: _State, count: int, jiang: bool) -> _State:
    """The state one rank on, where the suit has ``count`` tiles of that rank."""
    after = [_MANY] * len(_START)
    for before, (old, last) in enumerate(_PENDING):
        bare, paired, with_jiang = state[before], state[before + _ANY], state[before + _JIANG]
        if bare == paired == _MANY:
            continue
        for pungs, new in product(range(3), repeat=2):
            place, wilds = 3 * last + new, old + last + new + 3 * pungs - count
            if wilds >= 0:
                after[place] = min(after[place], bare + wilds)
                after[_ANY + place] = min(after[_ANY + place], paired + wilds)
                after[_JIANG + place] = min(after[_JIANG + place], with_jiang + wilds)
            if wilds + 2 >= 0:
                after[_ANY + place] = min(after[_ANY + place], bare + wilds + 2)
                if jiang:
                    after[_JIANG + place] = min(after[_JIANG + place], bare + wilds + 2)
    for pungs in range(3):
        wilds = 3 * pungs - count
        if wilds >= 0:
            after[_PUNGS] = min(after[_PUNGS], state[_PUNGS] + wilds)
            after[_PUNGS + 1] = min(after[_PUNGS + 1], state[_PUNGS + 1] + wilds)
        if wilds + 2 >= 0:
            after[_PUNGS + 1] = min(after[_PUNGS + 1], state[_PUNGS] + wilds + 2)
    return tuple(after)


def _answer(state: _State) -> tuple[int, ...]:
    """The byte of each field of `Need`. After rank 9 no chow may be pending: place 0."""
    low, any_pair, jiang_pair, pungs, pungs_pair = (
        IMPOSSIBLE if state[place] == _MANY else state[place] for place in (0, _ANY, _JIANG, _PUNGS, _PUNGS + 1)
    )
    return low | any_pair << 4, low | jiang_pair << 4, pungs | pungs_pair << 4


def build() -> bytes:
    """The contents of the file, computed rank by rank over the few different states, not over the codes (seconds)."""
    states, of_code = [_START], array("H", [0])
    for rank in range(RANKS):
        numbers: dict[_State, int] = {}
        moved = [
            array("H", (numbers.setdefault(_next(s, count, rank % 3 == 1), len(numbers)) for s in states))
            for count in range(5)
        ]
        of_code = array("H", (row[state] for row in moved for state in of_code))
        states = list(numbers)
    answers: dict[tuple[int, ...], int] = {}
    class_of = bytes(answers.setdefault(_answer(state), len(answers)) for state in states)
    rows = b"".join(bytes(row).ljust(256, b"\0") for row in zip(*answers, strict=True))
    return rows + zlib.compress(bytes(class_of[state] for state in of_code), 9)


if __name__ == "__main__":
    FILE.parent.mkdir(exist_ok=True)
    FILE.write_bytes(build())

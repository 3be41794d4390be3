"""The table of `scoring.tables`: equal to a fresh build and to a plain search."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache

import pytest

from scoring import tables

Counts = tuple[int, ...]


def code(counts: Counts) -> int:
    return sum(count * power for count, power in zip(counts, tables.POWERS, strict=False))


def parts(counts: Counts, chows: bool) -> Iterator[tuple[Counts, int]]:
    """What is left, and the wilds spent, after the first tile went into a set in every way."""
    first = next(rank for rank, count in enumerate(counts) if count)
    shapes = [(first,) * 3]
    if chows:
        shapes += [(low, low + 1, low + 2) for low in range(first - 2, first + 1) if 0 <= low <= len(counts) - 3]
    for shape in shapes:
        left, wilds = list(counts), 0
        for rank in shape:
            if left[rank]:
                left[rank] -= 1
            else:
                wilds += 1
        yield tuple(left), wilds


@cache
def sets_only(counts: Counts, chows: bool = True) -> int:
    if not any(counts):
        return 0
    return min(wilds + sets_only(left, chows) for left, wilds in parts(counts, chows))


def with_pair(counts: Counts, ranks: tuple[int, ...], chows: bool = True) -> int:
    best = 99
    for rank in ranks:
        own = min(2, counts[rank])
        for used in range(own + 1):
            left = (*counts[:rank], counts[rank] - used, *counts[rank + 1 :])
            best = min(best, 2 - used + sets_only(left, chows))
    return best


def expected(counts: Counts) -> tuple[int, int, int]:
    every, jiang = tuple(range(len(counts))), (1, 4, 7)
    pairs = with_pair(counts, every), with_pair(counts, jiang), with_pair(counts, every, chows=False)
    sets = sets_only(counts), sets_only(counts), sets_only(counts, chows=False)
    low, high = ([15 if n > 4 else n for n in row] for row in (sets, pairs))
    return (low[0] | high[0] << 4, low[1] | high[1] << 4, low[2] | high[2] << 4)


def sample(rng: random.Random) -> Counts:
    tiles = rng.sample([rank for rank in range(9) for _ in range(4)], rng.randint(0, 14))
    return tuple(tiles.count(rank) for rank in range(9))


def test_the_file_is_what_the_command_builds() -> None:
    assert tables.FILE.read_bytes() == tables.build()


@pytest.mark.parametrize("seed", range(4))
def test_random_suits_equal_a_plain_search(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(50):
        counts = sample(rng)
        assert tuple(row[code(counts)] for row in tables.need()) == expected(counts), counts


@pytest.mark.parametrize(
    ("counts", "any_pair", "jiang_pair", "pungs"),
    [
        ((0,) * 9, 0x20, 0x20, 0x20),
        ((4, 0, 0, 0, 0, 0, 0, 0, 0), 0x12, 0x42, 0x12),  # a wild may be a fifth tile
        ((3, 1, 1, 1, 1, 1, 1, 1, 3), 0x12, 0x12, 0xFF),  # nine gates
        ((0, 2, 0, 0, 0, 0, 0, 0, 0), 0x01, 0x01, 0x01),
        ((1, 0, 0, 0, 0, 0, 0, 0, 0), 0x12, 0x42, 0x12),
    ],
)
def test_known_suits(counts: Counts, any_pair: int, jiang_pair: int, pungs: int) -> None:
    assert tuple(row[code(counts)] for row in tables.need()) == (any_pair, jiang_pair, pungs)

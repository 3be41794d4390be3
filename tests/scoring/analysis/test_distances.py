"""Profiles of suits: the built file, lanes, and the memory that fills itself."""

from __future__ import annotations

from random import Random

import pytest

from scoring.analysis import build
from scoring.analysis.distances import ANY_PAIR, FAR, FILE, IN_PLAY, JIANG_PAIR, NO_PAIR, lane, table
from scoring.analysis.memory import Memory
from scoring.tables import POWERS


def code(text: str) -> int:
    return sum(POWERS[int(rank) - 1] for rank in text)


@pytest.mark.long
def test_the_file_is_what_the_command_builds() -> None:
    assert FILE.read_bytes() == build.build()


@pytest.mark.parametrize("seed", range(3))
def test_the_file_answers_like_the_walk_that_builds_it(seed: int) -> None:
    built, rng = table(), Random(seed)
    for _ in range(40):
        tiles = rng.sample([rank for rank in range(9) for _ in range(4)], rng.randint(0, 14))
        suit = sum(POWERS[rank] for rank in tiles)
        assert built.of_code[suit] == built.distances.profile(suit, IN_PLAY, True)


@pytest.mark.parametrize(
    ("tiles", "sets", "pair", "over", "missing"),
    [
        ("", 0, NO_PAIR, 0, 0),
        ("", 4, ANY_PAIR, 0, 14),
        ("123", 1, JIANG_PAIR, 0, 2),
        ("55", 0, JIANG_PAIR, 0, 0),
        ("46", 0, JIANG_PAIR, 0, 2),
        ("46", 0, ANY_PAIR, 0, 1),
        ("5555", 1, JIANG_PAIR, 0, 2),  # no fifth 5
        ("5555", 1, JIANG_PAIR, 1, 1),  # unless a 癞子 stands for it
        ("1112345678999", 4, JIANG_PAIR, 0, 1),
    ],
)
def test_known_distances(tiles: str, sets: int, pair: int, over: int, missing: int) -> None:
    built = table()
    assert built.distances.value(built.of_code[code(tiles)], lane(sets, pair, over)) == missing


def test_a_kind_that_lies_on_the_table_makes_no_set() -> None:
    distances = table().distances
    caps = (4, 4, 4, 4, 1, 4, 4, 4, 4)  # three 5 are melded
    alone = distances.profile(code("5"), caps, True)
    assert distances.value(alone, lane(0, JIANG_PAIR, 0)) == 2
    assert distances.value(alone, lane(0, JIANG_PAIR, 1)) == 1
    nothing_left = distances.profile(0, (0,) * 9, True)
    assert distances.value(nothing_left, lane(1, NO_PAIR, 1)) >= FAR


def test_a_memory_forgets_when_it_is_full() -> None:
    made: list[int] = []
    memory = Memory(lambda key: made.append(key) or key, limit=2)  # type: ignore[func-returns-value]
    assert [memory[key] for key in (1, 2, 2, 3)] == [1, 2, 2, 3]
    assert made == [1, 2, 3]
    assert set(memory) == {3}

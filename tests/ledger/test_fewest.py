"""Rounding and the fewest transfers, against brute force."""

from __future__ import annotations

import time
from collections import Counter
from fractions import Fraction
from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mahjong_site.ledger.fewest import fewest_payments, rounded


def most_groups(balances: tuple[int, ...]) -> int:
    """Brute force: the group of the first, every way it can be; then the others."""
    if not balances:
        return 0
    best = -1
    others = range(1, len(balances))
    for size in range(len(balances)):
        for chosen in combinations(others, size):
            if balances[0] + sum(balances[index] for index in chosen) == 0:
                rest = tuple(balances[index] for index in others if index not in chosen)
                best = max(best, 1 + most_groups(rest))
    return best


def even(draw_from: list[int]) -> list[int]:
    return [*draw_from, -sum(draw_from)]


small = st.lists(st.integers(-6, 6), min_size=0, max_size=7).map(even)
large = st.lists(st.integers(-(10**15), 10**15), min_size=0, max_size=30).map(even)


def check_pays(balances: dict[int, int]) -> int:
    left = Counter(balances)
    payments = fewest_payments(balances)
    for payment in payments:
        assert payment.amount > 0
        assert payment.payer != payment.payee
        assert balances[payment.payer] < 0 < balances[payment.payee]
        left[payment.payer] += payment.amount
        left[payment.payee] -= payment.amount
    assert not any(left.values())
    assert len({payment[:2] for payment in payments}) == len(payments)
    return len(payments)


@given(small)
def test_as_few_as_brute_force(balances: list[int]) -> None:
    moving = tuple(balance for balance in balances if balance)
    assert check_pays(dict(enumerate(balances))) == len(moving) - most_groups(moving)


@given(large)
def test_everybody_is_even(balances: list[int]) -> None:
    moving = sum(1 for balance in balances if balance)
    assert check_pays(dict(enumerate(balances))) <= max(0, moving - 1)


def test_greedy_would_need_more() -> None:
    """Two groups, 7+3−10 and 6+2−8: the largest debtor with the largest creditor finds them by luck only."""
    assert len(fewest_payments(dict(enumerate([7, 3, -10, 6, 2, -8])))) == 4
    assert len(fewest_payments(dict(enumerate([9, 5, -7, -7, 4, 2, -6])))) == 5


def test_the_same_answer_each_time() -> None:
    balances = dict(zip("abcdef", [7, 3, -10, 6, 2, -8], strict=True))
    assert fewest_payments(balances) == fewest_payments(balances)


@pytest.mark.parametrize("how", [rounded, fewest_payments])
def test_what_is_not_zero_is_refused(how: object) -> None:
    with pytest.raises(ValueError, match="zero"):
        how({"a": Fraction(1)})  # type: ignore[operator]


@given(
    st.lists(st.fractions(-1000, 1000, max_denominator=10_000), max_size=14),
    st.sampled_from([1, 100]),
)
def test_rounding_stays_close_and_even(balances: list[Fraction], unit: int) -> None:
    exact = dict(enumerate([*balances, -sum(balances, Fraction(0))]))
    amounts = rounded(exact, unit)
    assert sum(amounts.values()) == 0
    assert all(amount % unit == 0 and abs(amount - exact[key]) < unit for key, amount in amounts.items())
    # Largest remainder: who was rounded up had no smaller remainder than who was rounded down.
    up = [exact[key] / unit % 1 for key in exact if amounts[key] > exact[key]]
    down = [exact[key] / unit % 1 for key in exact if amounts[key] < exact[key]]
    assert not up or not down or min(up) >= max(down)


def test_fourteen_people_take_no_time() -> None:
    random = Random(14)
    balances = [random.randint(-(10**6), 10**6) for _ in range(13)]
    began = time.perf_counter()
    check_pays(dict(enumerate(even(balances))))
    assert time.perf_counter() - began < 1  # measured about 0.03 s; a slow machine is no fault

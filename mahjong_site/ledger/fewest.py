"""From exact balances to whole amounts, and from these to the fewest transfers. Pure: numbers in, numbers out."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction
from typing import Generic, NamedTuple, TypeVar

K = TypeVar("K", bound=Hashable)

EXACT_UP_TO = 14
"""So many balances are searched for the best split; more are settled greedily."""


class Payment(NamedTuple, Generic[K]):
    """``payer`` gives ``payee`` so much, above 0."""

    payer: K
    payee: K
    amount: int


def rounded(exact: Mapping[K, Fraction], unit: int = 1) -> dict[K, int]:
    """Multiples of ``unit`` that still sum to zero, each less than one unit from the exact balance: all are rounded
    down, and what is missing goes, a unit each, to the largest remainders (of equal ones to the first).

    >>> rounded({"a": Fraction(5, 2), "b": Fraction(-5, 4), "c": Fraction(-5, 4)})
    {'a': 2, 'b': -1, 'c': -1}

    Raises:
        ValueError: the balances do not sum to zero.
    """
    if sum(exact.values()):
        raise ValueError("balances that do not sum to zero")
    floors = {key: balance // unit for key, balance in exact.items()}
    by_remainder = sorted(exact, key=lambda key: floors[key] - exact[key] / unit)
    for key in by_remainder[: -sum(floors.values())]:
        floors[key] += 1
    return {key: floor * unit for key, floor in floors.items()}


def fewest_payments(balances: Mapping[K, int]) -> list[Payment[K]]:
    """Payments after which everybody is even: as few as can be, up to `EXACT_UP_TO` balances that are not zero.

    ``balances``: above 0, he gets money; they sum to zero. ``n`` people who can be split into ``g`` groups that are
    even among themselves need ``n − g`` payments, so the most groups are searched for.

    >>> [tuple(payment) for payment in fewest_payments({"a": 30, "b": -20, "c": -10, "d": 5, "e": -5})]
    [('e', 'd', 5), ('b', 'a', 20), ('c', 'a', 10)]

    Raises:
        ValueError: they do not sum to zero.
    """
    if sum(balances.values()):
        raise ValueError("balances that do not sum to zero")
    payments, rest = _opposites(balances)
    groups = _most_groups(list(rest.values())) if 0 < len(rest) <= EXACT_UP_TO else [range(len(rest))]
    people = list(rest)
    for group in groups:
        payments += _settled({people[index]: rest[people[index]] for index in group})
    return payments


def _opposites(balances: Mapping[K, int]) -> tuple[list[Payment[K]], dict[K, int]]:
    """Two who owe and are owed the same settle with each other: some best split always has them as a group. Gives
    these payments, and who is left."""
    rest: dict[K, int] = {}
    payments = []
    for key, balance in balances.items():
        other = next((other for other, others in rest.items() if others == -balance), None)
        if other is not None:
            del rest[other]
            payments.append(Payment(key, other, -balance) if balance < 0 else Payment(other, key, balance))
        elif balance:
            rest[key] = balance
    return payments, rest


def _most_groups(balances: Sequence[int]) -> list[list[int]]:
    """The indices of ``balances``, in as many groups that sum to zero as there can be.

    Over all sets (bit masks) of all but the last balance: the most groups among those who joined in some order is one
    more than before wherever the sum comes to zero. The last balance belongs to what is left over.
    """
    last = len(balances) - 1
    sums, groups = [0] * (1 << last), [0] * (1 << last)
    bits = [1 << index for index in range(last)]
    for mask in range(1, 1 << last):
        low = mask & -mask
        sums[mask] = total = sums[mask ^ low] + balances[low.bit_length() - 1]
        most = max([groups[mask ^ bit] for bit in bits if mask & bit])
        groups[mask] = most + 1 if total == 0 else most
    found, mask = [[last]], (1 << last) - 1
    while mask:
        here = groups[mask]
        if sums[mask] == 0:
            found.append([])
            here -= 1
        index = next(index for index in range(last) if mask >> index & 1 and groups[mask ^ bits[index]] == here)
        found[-1].append(index)
        mask ^= bits[index]
    return found


def _settled(balances: Mapping[K, int]) -> list[Payment[K]]:
    """The one who owes most pays the one who gets most, until all are even: at most one payment fewer than people."""
    left = dict(balances)
    payments = []
    while len(left) > 1:
        payer, payee = min(left, key=left.__getitem__), max(left, key=left.__getitem__)
        amount = min(-left[payer], left[payee])
        payments.append(Payment(payer, payee, amount))
        left[payer] += amount
        left[payee] -= amount
        left = {key: balance for key, balance in left.items() if balance}
    return payments

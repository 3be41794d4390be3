"""How a complete hand is laid out: its sets and its pair, 癞子 included.

Whether a hand is complete is read off `scoring.tables`; this finds the sets to show. Suits are found one by one and
remembered by their nine counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Literal, NamedTuple, TypeAlias

from scoring.tiles import JIANG, SUIT_KINDS, Tile

Pair: TypeAlias = Literal["none", "any", "jiang"]
Slot: TypeAlias = tuple[Tile, bool]
"""A tile of a set, and whether a 癞子 stands for it."""


class Layout(NamedTuple):
    """Sets and pair, each as tiles; ``stands_for`` lists what the 癞子 stand for."""

    sets: tuple[tuple[Tile, ...], ...]
    pair: tuple[Tile, ...]
    stands_for: tuple[Tile, ...]


_Found: TypeAlias = tuple[tuple[tuple[Slot, ...], ...], tuple[Slot, ...]]


def lay_out(tiles: Sequence[Tile], wilds: int, *, chows: bool, jiang_pair: bool, spare: Tile) -> Layout:
    """The tiles as sets and a pair with exactly ``wilds`` 癞子 beside them.

    ``chows``: whether runs are allowed; ``jiang_pair``: whether the pair must be a 将 tile; ``spare``: the kind that a
    set (or pair) made of 癞子 alone stands for.

    Raises:
        ValueError: they are not complete; ask `scoring.tables` first.
    """
    counts = [0] * 34
    for tile in tiles:
        counts[tile] += 1
    groups = [tuple(counts[start : start + 9]) for start in (0, 9, 18)] + [tuple(counts[27:])]
    pair: Pair = "jiang" if jiang_pair else "any"
    for head in range(-1, 4):
        found: list[tuple[tuple[Slot, ...], ...]] = []
        left = wilds
        head_slots: tuple[Slot, ...] = ()
        for suit, group in enumerate(groups):
            best = _suit(group, suit, chows, pair if suit == head else "none", left)
            if best is None:
                break
            sets, pair_slots = best
            used = sum(wild for one in (*sets, pair_slots) for _, wild in one)
            left -= used
            found.append(sets)
            if suit == head:
                head_slots = pair_slots
        else:
            extra = _all_wild(left, head < 0, spare)
            if extra is None:
                continue
            extra_sets, extra_pair = extra
            sets = (*(one for part in found for one in part), *extra_sets)
            whole_pair = head_slots or extra_pair
            return Layout(
                tuple(tuple(tile for tile, _ in one) for one in sets),
                tuple(tile for tile, _ in whole_pair),
                tuple(sorted(tile for one in (*sets, whole_pair) for tile, wild in one if wild)),
            )
    raise ValueError(f"not complete with {wilds} wild tiles: {sorted(tiles)}")


def _all_wild(left: int, pair_missing: bool, spare: Tile) -> _Found | None:
    """The 癞子 that no suit needed, as sets (and the pair) of their own."""
    pair: tuple[Slot, ...] = ((spare, True),) * 2 if pair_missing else ()
    left -= len(pair)
    return ((((spare, True),) * 3,) * (left // 3), pair) if left >= 0 and left % 3 == 0 else None


@lru_cache(maxsize=1 << 16)
def _suit(counts: tuple[int, ...], suit: int, chows: bool, pair: Pair, wilds: int) -> _Found | None:
    """The sets of one suit using the fewest of at most ``wilds`` 癞子; a pair of the suit's own tiles where asked."""
    for most in range(wilds + 1):
        found = _search(list(counts), suit * 9, chows and suit < 3, pair, most)
        if found is not None:
            return found
    return None


def _search(counts: list[int], start: Tile, chows: bool, pair: Pair, wilds: int) -> _Found | None:
    """Depth first from the lowest tile left, own tiles before 癞子, triplets before runs before the pair."""
    low = next((rank for rank, count in enumerate(counts) if count), None)
    if low is None:
        return ((), ()) if pair == "none" else None
    options: list[tuple[bool, list[int]]] = [(False, [low] * 3)]
    if chows:
        options += [(False, [first, first + 1, first + 2]) for first in range(max(low - 2, 0), min(low, 6) + 1)][::-1]
    if pair == "any" or (pair == "jiang" and start + low in JIANG and start < SUIT_KINDS):
        options.append((True, [low] * 2))
    for is_pair, ranks in options:
        taken: list[Slot] = []
        rest = counts.copy()
        for rank in ranks:
            own = rest[rank] > 0
            rest[rank] -= own
            taken.append((start + rank, not own))
        cost = sum(wild for _, wild in taken)
        if cost > wilds:
            continue
        found = _search(rest, start, chows, "none" if is_pair else pair, wilds - cost)
        if found is not None:
            sets, own_pair = found
            return (sets, tuple(taken)) if is_pair else ((tuple(taken), *sets), own_pair)
    return None

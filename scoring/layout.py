"""How a complete hand is laid out: its sets and its pair, 癞子 included.

Whether a hand is complete is read off `scoring.tables`; this finds the sets to show. Suits are found one by one and
remembered by their codes.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, Literal, NamedTuple, TypeAlias

from scoring.tables import POWERS, WILDS, suit_codes
from scoring.tiles import JIANG, SUIT_KINDS, Tile

Pair: TypeAlias = Literal["none", "any", "jiang"]
Slot: TypeAlias = tuple[Tile, bool]
"""A tile of a set, and whether a 癞子 stands for it."""
Sets: TypeAlias = tuple[tuple[Slot, ...], ...]

_FAR: Final = 99
"""More 癞子 than there are: impossible."""


class Layout(NamedTuple):
    """Sets and pair, each as tiles; ``stands_for`` lists what the 癞子 stand for."""

    sets: tuple[tuple[Tile, ...], ...]
    pair: tuple[Tile, ...]
    stands_for: tuple[Tile, ...]


class _Part(NamedTuple):
    """One suit laid out with the fewest ``wilds``; ``pair`` is empty where another suit holds it."""

    wilds: int
    sets: tuple[tuple[Tile, ...], ...] = ()
    pair: tuple[Tile, ...] = ()
    stands_for: tuple[Tile, ...] = ()


def lay_out(tiles: Sequence[Tile], wilds: int, *, chows: bool, jiang_pair: bool, spare: Tile) -> Layout:
    """The tiles as sets and a pair with exactly ``wilds`` 癞子 beside them.

    ``chows``: whether runs are allowed; ``jiang_pair``: whether the pair must be a 将 tile; ``spare``: the kind that a
    set (or pair) made of 癞子 alone stands for.

    Raises:
        ValueError: they are not complete; ask `scoring.tables` first.
    """
    suits = [_suit(code, suit, chows, jiang_pair) for suit, code in enumerate(suit_codes(tiles))]
    suits.append((_Part(0), _Part(2, (), (spare, spare), (spare, spare))))  # no suit: the pair is of 癞子 alone
    bare = sum([without.wilds for without, _ in suits])
    for head in (4, 0, 1, 2, 3):
        without, with_pair = suits[head]
        left = wilds - bare + without.wilds - with_pair.wilds
        if left >= 0 and left % 3 == 0:
            parts = [part for part, _ in suits]
            parts[head] = with_pair
            parts.append(_Part(left, ((spare,) * 3,) * (left // 3), (), (spare,) * left))
            sets = tuple([one for part in parts for one in part.sets])
            return Layout(sets, with_pair.pair, tuple(sorted([tile for part in parts for tile in part.stands_for])))
    raise ValueError(f"not complete with {wilds} wild tiles: {sorted(tiles)}")


@lru_cache(maxsize=1 << 16)
def _suit(code: int, suit: int, chows: bool, jiang_pair: bool) -> tuple[_Part, _Part]:
    """One suit without and with a pair of its own tiles, each with the fewest 癞子."""
    counts = [code // power % 5 for power in POWERS]
    runs = chows and 9 * suit < SUIT_KINDS
    return _fewest(counts, 9 * suit, runs, "none"), _fewest(counts, 9 * suit, runs, "jiang" if jiang_pair else "any")


def _fewest(counts: list[int], start: Tile, runs: bool, pair: Pair) -> _Part:
    for wilds in range(WILDS + 1):
        found = _search(counts, start, runs, pair, wilds)
        if found is not None:
            sets, own_pair = found
            stands_for = [tile for one in (*sets, own_pair) for tile, wild in one if wild]
            return _Part(wilds, tuple(map(_tiles, sets)), _tiles(own_pair), tuple(stands_for))
    return _Part(_FAR)


def _tiles(slots: tuple[Slot, ...]) -> tuple[Tile, ...]:
    return tuple(tile for tile, _ in slots)


def _search(
    counts: list[int], start: Tile, chows: bool, pair: Pair, wilds: int
) -> tuple[Sets, tuple[Slot, ...]] | None:
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

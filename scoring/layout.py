"""How a complete hand is laid out: its sets and its pair, 癞子 included.

Whether a hand is complete is read off `scoring.tables`; this finds the sets to show. Suits are found one by one and
remembered by their codes.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, Literal, NamedTuple, TypeAlias

from scoring.tables import IMPOSSIBLE, POWERS, need, suit_codes
from scoring.tiles import JIANG, SUIT_KINDS, Tile

Kind: TypeAlias = Literal["any_pair", "jiang_pair", "pungs"]
"""What the hand is laid out as, a field of `scoring.tables.Need`: with any pair, with a 将 pair, or without runs."""
Pair: TypeAlias = Literal["none", "any", "jiang"]
Slot: TypeAlias = tuple[Tile, bool]
"""A tile of a set, and whether a 癞子 stands for it."""
Sets: TypeAlias = tuple[tuple[Slot, ...], ...]

WILD_PAIR: Final = -1
"""The pair is made of 癞子 alone; otherwise it is in a suit, 0–3."""
HONOUR_SUIT: Final = 3


class Layout(NamedTuple):
    """Sets and pair, each as tiles; ``stands_for`` lists what the 癞子 stand for."""

    sets: tuple[tuple[Tile, ...], ...]
    pair: tuple[Tile, ...]
    stands_for: tuple[Tile, ...]


def lay_out(tiles: Sequence[Tile], wilds: int, kind: Kind, spare: Tile = 0) -> Layout:
    """The tiles as sets and a pair with exactly ``wilds`` 癞子 beside them.

    ``spare``: the kind of tile that a set (or pair) made of 癞子 alone stands for.

    >>> lay_out((0, 1, 2, 13, 13), 0, "jiang_pair")
    Layout(sets=((0, 1, 2),), pair=(13, 13), stands_for=())

    Raises:
        ValueError: they are not complete; ask `scoring.tables` first.
    """
    tables, codes = need(), suit_codes(tiles)
    table: bytes = getattr(tables, kind)
    needs = [table[codes[0]], table[codes[1]], table[codes[2]], tables.pungs[codes[3]]]
    bare = sum([both & IMPOSSIBLE for both in needs])
    for head in (WILD_PAIR, 0, 1, 2, 3):
        more = 2 if head == WILD_PAIR else (needs[head] >> 4) - (needs[head] & IMPOSSIBLE)
        left = wilds - bare - more
        if left >= 0 and left % 3 == 0 and not (head == HONOUR_SUIT and kind == "jiang_pair"):
            parts = [
                _suit(code, suit, kind, suit == head, both >> 4 if suit == head else both & IMPOSSIBLE)
                for suit, (code, both) in enumerate(zip(codes, needs, strict=True))
            ]
            pair = (spare, spare) if head == WILD_PAIR else parts[head].pair
            sets = (*[one for part in parts for one in part.sets], *((spare,) * 3,) * (left // 3))
            own = (spare,) * (left + 2 if head == WILD_PAIR else left)
            return Layout(sets, pair, tuple(sorted((*own, *[tile for part in parts for tile in part.stands_for]))))
    raise ValueError(f"not complete with {wilds} wild tiles: {sorted(tiles)}")


@lru_cache(maxsize=1 << 16)
def _suit(code: int, suit: int, kind: Kind, has_pair: bool, wilds: int) -> Layout:
    """One suit's sets, and the pair where it has it, with exactly as many 癞子 as it needs."""
    counts = [code // power % 5 for power in POWERS]
    pair: Pair = "none" if not has_pair else "jiang" if kind == "jiang_pair" else "any"
    found = _search(counts, 9 * suit, kind != "pungs" and suit != HONOUR_SUIT, pair, wilds)
    if found is None:
        raise ValueError(f"not complete with {wilds} wild tiles: suit {suit}, {counts}")
    sets, own_pair = found
    stands_for = [tile for one in (*sets, own_pair) for tile, wild in one if wild]
    return Layout(tuple(map(_tiles, sets)), _tiles(own_pair), tuple(stands_for))


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

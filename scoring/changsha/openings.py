"""起手胡: patterns of the tiles as dealt (rule book 2.4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from scoring.changsha.rules import ChangshaRules
from scoring.tiles import JIANG, Tile, rank, suit

Check: TypeAlias = Callable[[Counter[Tile], ChangshaRules], bool]


def _four_of_a_kind(counts: Counter[Tile], _rules: ChangshaRules) -> bool:
    """四喜: four identical tiles."""
    return max(counts.values(), default=0) >= 4


def _no_jiang(counts: Counter[Tile], _rules: ChangshaRules) -> bool:
    """板板胡: no 2, 5 or 8."""
    return JIANG.isdisjoint(counts)


def _missing_suit(counts: Counter[Tile], _rules: ChangshaRules) -> bool:
    """缺一色: at least one suit absent."""
    return len({suit(tile) for tile in counts}) < 3


def _two_triplets(counts: Counter[Tile], rules: ChangshaRules) -> bool:
    """六六顺: at least two kinds held three times or more."""
    return sum(count == 3 or (count > 3 and rules.quad_is_triplet) for count in counts.values()) >= 2


def _three_same(counts: Counter[Tile], _rules: ChangshaRules) -> bool:
    """三同: the same rank at least twice in all three suits."""
    pairs = Counter(rank(tile) for tile, count in counts.items() if count >= 2)
    return max(pairs.values(), default=0) == 3


def _one_flower(counts: Counter[Tile], _rules: ChangshaRules) -> bool:
    """一支花: some suit has exactly one tile, and it is a 5."""
    by_suit = Counter(suit(tile) for tile in counts.elements())
    return any(rank(tile) == 5 and by_suit[suit(tile)] == 1 for tile in counts)


CHECKS: Final[dict[str, Check]] = {
    "four_of_a_kind": _four_of_a_kind,
    "no_jiang": _no_jiang,
    "missing_suit": _missing_suit,
    "two_triplets": _two_triplets,
    "three_same": _three_same,
    "one_flower": _one_flower,
}

SHOWN: Final = frozenset({"four_of_a_kind", "two_triplets", "three_same"})
"""Patterns for which the tiles that make them are enough (C2 13)."""


def opening_patterns(tiles: Sequence[Tile], rules: ChangshaRules, *, shown: bool) -> tuple[str, ...]:
    """The opening patterns of these tiles, in the preset's order; of ``shown`` tiles only those they can prove."""
    counts = Counter(tiles)
    return tuple(name for name in rules.opening if (not shown or name in SHOWN) and CHECKS[name](counts, rules))

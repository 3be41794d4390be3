"""How a user of each peer asks for the score of the same hands, in the cheapest form its public API takes.

The peers are installed by the benchmark command alone, so they are imported where they are used.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from scoring.hand import Hand

Job = tuple[Callable[[Any], Any], Sequence[Any]]
"""What is called, and with what, one call a hand."""


def mahjong(hands: Sequence[Hand]) -> Job:
    """`mahjong` (pure Python): the value of a self-drawn hand."""
    from mahjong.hand_calculating.hand import HandCalculator
    from mahjong.hand_calculating.hand_config import HandConfig

    config = HandConfig(is_tsumo=True)
    items = []
    for hand in hands:
        counts = Counter((*hand.concealed, *hand.win_on))
        items.append(([4 * kind + copy for kind in sorted(counts) for copy in range(counts[kind])], 4 * hand.win_on[0]))
    return lambda item: HandCalculator.estimate_hand_value(item[0], item[1], config=config), items


def mahjong_gb(hands: Sequence[Hand]) -> Job:
    """`PyMahjongGB` (C++): the fan of a self-drawn hand."""
    from MahjongGB import MahjongFanCalculator as fan

    names = [f"{suit}{rank}" for suit in "WBT" for rank in range(1, 10)]
    items = [(tuple(names[tile] for tile in sorted(hand.concealed)), names[hand.win_on[0]]) for hand in hands]
    return lambda item: fan((), item[0], item[1], 0, True, False, False, False, 1, 0), items

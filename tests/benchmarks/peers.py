"""How a user of each peer asks for the score of the same hands, in the cheapest form its public API takes.

The peers are installed by the benchmark command alone, so they are imported where they are used.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from scoring.hand import Hand
from scoring.tiles import KINDS, Tile

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


# --- Analysis: tiles in hand, one call a hand ------------------------------------------------------------------------

Concealed = Sequence[Tile]


def _counts(hands: Sequence[Concealed]) -> list[list[int]]:
    return [[hand.count(kind) for kind in range(KINDS)] for hand in hands]


def mahjong_waits(hands: Sequence[Concealed]) -> Job:
    """`mahjong`: each kind is tried."""
    from mahjong.agari import Agari

    complete = Agari.is_agari

    def waits(counts: list[int]) -> list[Tile]:
        found = []
        for kind in range(KINDS):
            if counts[kind] < 4:
                counts[kind] += 1
                if complete(counts):
                    found.append(kind)
                counts[kind] -= 1
        return found

    return waits, _counts(hands)


def jansou_discards(hands: Sequence[Concealed]) -> Job:
    """`jansou` with its Rust kernel: shanten and effective tiles of every discard."""
    from jansou.analysis.efficiency import discard_evaluation
    from jansou.core.hand import Hand as JansouHand
    from jansou.core.tiles import Tile as JansouTile
    from jansou.core.tiles import TileKind

    tiles = [JansouTile(TileKind(kind)) for kind in range(KINDS)]
    return lambda hand: discard_evaluation(JansouHand(hand)), [tuple(tiles[kind] for kind in hand) for hand in hands]


def jansou_shanten(hand: Concealed) -> int:
    """How far a hand is by riichi's rules."""
    from jansou.analysis.shanten import shanten_counts

    return int(shanten_counts(_counts([hand])[0], 0))


def jansou_outlooks(hands: Sequence[Concealed], draws: int) -> Job:
    """`jansou` with its Rust kernel: the chance to win and the points after every discard."""
    from jansou.analysis import ev
    from jansou.core.rules import preset
    from jansou.core.tiles import Wind

    valuation = ev.Valuation(rules=preset("tenhou"), seat_wind=Wind.SOUTH)

    def outlooks(counts: list[int]) -> Any:
        return ev.discard_outlooks(counts, 0, draws, beam=1, max_distance=3, valuation=valuation)

    return outlooks, _counts(hands)


def forget() -> None:
    """Empties what `jansou` remembers of whole hands."""
    import jansou.analysis._native as native
    from jansou.analysis import ev, shanten, waits

    if native.SOLVER is not None:
        native.SOLVER = type(native.SOLVER)(native._payload())
    shanten._PROBE_MEMO.clear()
    shanten._COUNT_MEMO.clear()
    waits._cached_waits.cache_clear()
    for memory in (ev._EXPANSIONS, ev._BREADTHS, ev._VALUES, ev._CACHE._held):
        memory.clear()
    ev._CACHE._states = 0

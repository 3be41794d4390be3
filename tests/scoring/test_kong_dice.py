"""开杠 dice (rule book 2.9): preset, stacks left, dice, whether the top of the last stack is gone."""

from __future__ import annotations

from typing import Any

import pytest

import scoring
from scoring.changsha.kong_dice import kong_dice

TOP, BOTTOM, BOTH = ["top"], ["bottom"], ["top", "bottom"]
CLASSIC, LIUQI, ROOM, BBS = "changsha-classic", "changsha-liuqi", "changsha-room", "changsha-bbs"

TAKEN: list[tuple[str, str, int, list[int], bool, int, list[str], bool]] = [
    # the rule, preset, stacks, dice, top gone: stack from the end, tiles, 海底 among them
    ("one tile, the top", CLASSIC, 20, [4], False, 4, TOP, False),
    ("one tile, the top", BBS, 20, [6], False, 6, TOP, False),
    ("both tiles", ROOM, 20, [3], False, 3, BOTH, False),
    ("both tiles of the two dice's sum", LIUQI, 20, [3, 5], False, 8, BOTH, False),
    ("the last stack itself", CLASSIC, 20, [1], False, 1, TOP, False),
    ("the top is gone: the bottom tile", CLASSIC, 20, [1], True, 1, BOTTOM, False),
    ("the top is gone: the bottom tile is all there is", ROOM, 20, [1], True, 1, BOTTOM, False),
    ("the top of another stack is not gone", CLASSIC, 20, [2], True, 2, TOP, False),
    ("the top of another stack is not gone", ROOM, 20, [2], True, 2, BOTH, False),
    ("as many pips as stacks: the first one", CLASSIC, 4, [4], False, 4, TOP, False),
    ("more pips than stacks: the last one", CLASSIC, 4, [5], False, 1, TOP, False),
    ("more pips than stacks, its top gone", CLASSIC, 4, [5], True, 1, BOTTOM, False),
    ("more pips than stacks", ROOM, 5, [6], False, 1, BOTH, False),
    ("more pips than stacks", LIUQI, 11, [6, 6], False, 1, BOTH, False),
    ("as many pips as stacks", LIUQI, 12, [6, 6], False, 12, BOTH, False),
    ("more pips than stacks, one die", LIUQI, 5, [6], False, 1, BOTH, False),
    ("one stack: its top, 海底 stays", CLASSIC, 1, [3], False, 1, TOP, False),
    ("only 海底: 海底", CLASSIC, 1, [3], True, 1, BOTTOM, True),
    ("only 海底: 海底", BBS, 1, [1], True, 1, BOTTOM, True),
    ("one stack: both, 海底 among them", ROOM, 1, [2], False, 1, BOTH, True),
    ("only 海底: 海底", ROOM, 1, [2], True, 1, BOTTOM, True),
    ("one stack: both, 海底 among them", LIUQI, 1, [6], False, 1, BOTH, True),
    ("only 海底: 海底", LIUQI, 1, [6], True, 1, BOTTOM, True),
]  # fmt: skip


@pytest.mark.parametrize(("rule", "preset", "stacks", "dice", "gone", "stack", "tiles", "last_tile"), TAKEN)
def test_taken(
    rule: str, preset: str, stacks: int, dice: list[int], gone: bool, stack: int, tiles: list[str], last_tile: bool
) -> None:
    answer = kong_dice(scoring.preset(preset), stacks, dice, top_gone=gone)
    assert {name: answer[name] for name in ("stack", "tiles", "last_tile")} == {
        "stack": stack,
        "tiles": tiles,
        "last_tile": last_tile,
    }, rule


DICE_OF_LIUQI = [(54, "no"), (12, "no"), (11, "allowed"), (6, "allowed"), (5, "required"), (1, "required")]


@pytest.mark.parametrize(("stacks", "one_die"), DICE_OF_LIUQI)
def test_one_die_in_liuqi(stacks: int, one_die: str) -> None:
    """Two dice; fewer than 12 stacks: one is allowed; fewer than 6: one is required."""
    liuqi = scoring.preset(LIUQI)
    for dice, allowed in (([3], one_die != "no"), ([1, 2], one_die != "required")):
        if allowed:
            assert kong_dice(liuqi, stacks, dice)["one_die"] == one_die
        else:
            assert refused(liuqi, stacks, dice) == [("invalid", "dice")]


def refused(preset: scoring.Preset, stacks: int, dice: list[int]) -> list[tuple[str, str]]:
    with pytest.raises(scoring.RecordError) as error:
        kong_dice(preset, stacks, dice)
    return [(fault.code, fault.path) for fault in error.value.faults]


WRONG: list[tuple[str, int, list[int], list[tuple[str, str]]]] = [
    (CLASSIC, 0, [3], [("invalid", "stacks")]),
    (CLASSIC, 55, [3], [("invalid", "stacks")]),
    (CLASSIC, -1, [3], [("invalid", "stacks")]),
    (LIUQI, 0, [3], [("invalid", "stacks")]),
    (LIUQI, 0, [3, 5], [("invalid", "stacks")]),
    (LIUQI, 55, [], [("invalid", "stacks"), ("invalid", "dice")]),
    (CLASSIC, 20, [], [("invalid", "dice")]),
    (CLASSIC, 20, [0], [("invalid", "dice")]),
    (CLASSIC, 20, [7], [("invalid", "dice")]),
    (CLASSIC, 20, [3, 5], [("invalid", "dice")]),
    (LIUQI, 20, [1, 2, 3], [("invalid", "dice")]),
    (ROOM, 99, [9], [("invalid", "stacks"), ("invalid", "dice")]),
    ("wuhan-laizi", 20, [3], [("not_in_rules", "preset")]),
]


@pytest.mark.parametrize(("preset", "stacks", "dice", "faults"), WRONG)
def test_refused(preset: str, stacks: int, dice: list[int], faults: list[tuple[str, str]]) -> None:
    assert refused(scoring.preset(preset), stacks, dice) == faults


@pytest.mark.parametrize("preset", [CLASSIC, ROOM, BBS])
def test_one_die_elsewhere(preset: str) -> None:
    answer: dict[str, Any] = kong_dice(scoring.preset(preset), 20, [1])
    assert answer["one_die"] == "required"

"""开杠 dice: which tiles of the wall they turn up (rule book 2.9)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from scoring.checks import Faults
from scoring.faults import RecordError, fault
from scoring.rules import Preset

FULL_WALL: Final = 54
"""Stacks of two in a wall of 108 tiles."""

TWO_DICE_FROM: Final = 12
"""liuqi: with fewer stacks one die is allowed, with fewer than half of that it is required."""


def kong_dice(preset: Preset, stacks: int, dice: Sequence[int], *, top_gone: bool = False) -> dict[str, Any]:
    """The stack from the end (1 = last) and its tiles, top first; whether 海底 goes with it; whether one die may do.

    >>> from scoring.rules import preset
    >>> kong_dice(preset("changsha-liuqi"), 20, [3, 5])
    {'stack': 8, 'tiles': ['top', 'bottom'], 'last_tile': False, 'one_die': 'no'}

    Raises:
        RecordError: ``not_in_rules`` in Wuhan; ``invalid`` stacks or dice.
    """
    faults: Faults = []
    if preset.family != "changsha":
        raise RecordError([fault("not_in_rules", "kong_dice", "preset")])
    patterns = preset.data["patterns"]
    dice_thrown = patterns["kong_dice"]
    known = 1 <= stacks <= FULL_WALL
    if not known:
        faults.append(fault("invalid", "stacks", "stacks", most=FULL_WALL))
    one_die = "required" if dice_thrown == 1 else _one_die(stacks) if known else "allowed"
    allowed = {"no": (2,), "allowed": (1, 2), "required": (1,)}[one_die]
    if len(dice) not in allowed or not all(1 <= die <= 6 for die in dice):
        faults.append(fault("invalid", "dice", "dice", wanted=" / ".join(map(str, allowed))))
    if faults:
        raise RecordError(faults)
    pips = sum(dice)
    stack = pips if pips <= stacks else 1  # more pips than stacks: the last stack
    whole = ["bottom"] if top_gone and stack == 1 else ["top", "bottom"]
    tiles = whole[: patterns["kong_tiles"]]
    # 海底 is the last tile of the wall: the bottom tile of the last stack, once nothing else is left
    last_tile = stacks == 1 and "bottom" in tiles
    return {"stack": stack, "tiles": tiles, "last_tile": last_tile, "one_die": one_die}


def _one_die(stacks: int) -> str:
    if stacks >= TWO_DICE_FROM:
        return "no"
    return "allowed" if stacks >= TWO_DICE_FROM // 2 else "required"

"""承包: who pays for all three losers (rule book 3.5)."""

from __future__ import annotations

from typing import NamedTuple

from scoring.checks import Faults
from scoring.faults import fault
from scoring.tiles import Seat


class Facts(NamedTuple):
    """What the three cases look at. ``third_open_from`` is None where it is not known, or there is no third opening."""

    by: str
    giver: Seat | None
    all_melded: bool
    one_suit: bool
    giver_ready: bool | None
    third_opening: bool
    third_open_from: Seat | None
    giver_path: str
    third_path: str


def contractor(facts: Facts, faults: Faults) -> Seat | None:
    """The player who pays for all, if any: 3 goes before 1, 1 before 2.

    A fact that decides and is not said is ``missing``.
    """
    if facts.by == "rob_kong":  # 3. his kong was robbed
        return facts.giver
    third = facts.third_open_from if facts.one_suit and facts.third_opening else None
    third_unknown = facts.one_suit and facts.third_opening and facts.third_open_from is None
    if facts.all_melded and facts.by == "discard" and third != facts.giver:
        if facts.giver_ready is False:  # 1. he gave the tile to a 全求人 and was not ready
            return facts.giver
        if facts.giver_ready is None:
            faults.append(fault("missing", "ready", facts.giver_path))
    if third_unknown:
        faults.append(fault("missing", "third_opening", facts.third_path))
    return third  # 2. the third opening of a 清一色 came from him

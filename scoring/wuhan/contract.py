"""承包: who pays for all three losers (rule book 3.5)."""

from __future__ import annotations

from scoring import checks
from scoring.checks import Faults
from scoring.faults import fault
from scoring.record import WinRecord
from scoring.tiles import Seat
from scoring.wuhan.table import Claim


def contractor(record: WinRecord, index: int, claim: Claim, faults: Faults) -> Seat | None:
    """The player who pays for all, if any: 3 goes before 1, 1 before 2.

    A fact that decides and is not said is ``missing``.
    """
    giver = record.from_
    if record.by == "rob_kong":  # 3. his kong was robbed
        return giver
    third, missing = _third_opening(record, index, claim) if "one_suit" in claim.patterns else (None, None)
    if "all_melded" in claim.patterns and record.by == "discard" and third != giver:
        ready, path = _ready(record, giver)
        if ready is False:  # 1. he gave the tile to a 全求人 and was not ready
            return giver
        if ready is None:
            faults.append(fault("missing", "ready", path))
    if missing is not None:
        faults.append(fault("missing", "third_opening", missing))
    return third  # 2. the third opening of a 清一色 came from him


def _third_opening(record: WinRecord, index: int, claim: Claim) -> tuple[Seat | None, str | None]:
    """Who gave the winner's third opening, and the path where that is missing; (None, None) where there is none."""
    winner, path = record.winners[index], f"winners.{index}"
    if claim.hand is None:
        if winner.opened < 3:
            return None, None
        third = winner.third_open_from
        return third, None if third is not None else f"{path}.third_open_from"
    paths = checks.meld_paths(winner, claim.hand, path)
    exposed = [(meld, where) for meld, where in zip(claim.hand.melds, paths, strict=True) if meld.is_exposed]
    if len(exposed) < 3:
        return None, None
    meld, where = exposed[2]
    third = (winner.seat + 3) % 4 if meld.kind == "chow" else meld.taken_from
    return third, (where if winner.hand is not None else f"{where}.from") if third is None else None


def _ready(record: WinRecord, seat: Seat | None) -> tuple[bool | None, str]:
    """Whether a player was ready, as far as it is said, and the path where it is or would be."""
    for index, player in enumerate(record.players):
        if player.seat == seat:
            return player.ready, f"players.{index}.ready"
    return None, "players"

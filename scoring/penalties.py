"""Penalties (rule book 2.7): someone left, a false win, or what a table agreed on. They exist in every preset."""

from __future__ import annotations

from typing import Any

from scoring.checks import Faults
from scoring.faults import RecordError, fault
from scoring.record import PenaltyRecord, Settlement, TransferOut
from scoring.settlement import settlement
from scoring.steps import step


def settle_penalty(record: PenaltyRecord, faults: Faults) -> Settlement:
    """Who pays what to whom.

    Raises:
        RecordError: ``not_in_rules`` (leaving is not fined here), ``missing`` points or receiver, ``invalid`` receiver,
            and the faults found before.
    """
    penalty, options = record.penalty, record.rules.options
    points, to = penalty.points, penalty.to
    if penalty.reason == "left":
        if not options["leave_penalty"]:
            faults.append(fault("not_in_rules", "leave_penalty", "penalty.reason"))
        points = points or options["leave_penalty"]
        to = options["leave_penalty_to"] if to is None else to
    if points is None:
        faults.append(fault("missing", "points", "penalty.points"))
    if to is None:
        faults.append(fault("missing", "receiver", "penalty.to"))
    if to == penalty.seat:
        faults.append(fault("invalid", "pays_himself", "penalty.to"))
    if faults or points is None or to is None:
        raise RecordError(faults)
    return settlement(
        record, transfers=[_transfer(penalty.seat, to_, n) for to_, n in _shares(penalty.seat, to, points) if n]
    )


def _shares(seat: int, to: Any, points: int) -> list[tuple[Any, int]]:
    """Shared by the others, the odd points go to the seats next in playing order (70 = 24 + 23 + 23)."""
    if to != "others":
        return [(to, points)]
    share, odd = divmod(points, 3)
    return [((seat + distance) % 4, share + (distance <= odd)) for distance in (1, 2, 3)]


def _transfer(seat: int, to: Any, points: int) -> TransferOut:
    steps = (step("penalty", "value", points),)
    return TransferOut(from_=seat, to=to, points=points, why="penalty", steps=steps)

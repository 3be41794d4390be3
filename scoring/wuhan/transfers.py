"""What is paid for a Wuhan win: each loser's amount, capped, or all of it by one (rule book 3.3 to 3.5)."""

from __future__ import annotations

from scoring.record import ShareOut, Step, TransferOut
from scoring.steps import step
from scoring.tiles import Seat
from scoring.wuhan.caps import apply_caps
from scoring.wuhan.table import Claim, Table


def transfers(table: Table, seat: Seat, claim: Claim, paying: Seat | None) -> list[TransferOut]:
    """One transfer a loser, or a single one from the player who pays for all (承包)."""
    shares = _shares(table, claim)
    if paying is None:
        return [
            TransferOut(from_=loser, to=seat, points=points, why="win", steps=steps) for loser, points, steps in shares
        ]
    whole = tuple(step("share", "add" if place else "value", points) for place, (_, points, _) in enumerate(shares))
    return [
        TransferOut(
            from_=paying,
            to=seat,
            points=sum(points for _, points, _ in shares),
            why="contract",
            steps=whole,
            shares=tuple(ShareOut(seat=loser, points=points, steps=steps) for loser, points, steps in shares),
        )
    ]


def _shares(table: Table, claim: Claim) -> list[tuple[Seat, int, tuple[Step, ...]]]:
    """Each loser's points after the caps, with the arithmetic."""
    capped = apply_caps(
        table.rules,
        [owed.points for owed in claim.owed.values()],
        [_opened_for_caps(table, loser) for loser in claim.owed],
    )
    return [
        (loser, points, owed.steps if cap is None else (*owed.steps, step(cap, "set", points)))
        for (loser, owed), (points, cap) in zip(claim.owed.items(), capped, strict=True)
    ]


def _opened_for_caps(table: Table, seat: Seat) -> bool:
    """Laid-out tiles open a player for the caps by option `laid_out_opens` only (3.4)."""
    side = table.sides[seat]
    return side.opened > 0 or (table.rules.laid_out_opens and side.laid_out + side.laid_out_wilds > 0)

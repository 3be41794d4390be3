"""Who deals next in Changsha (rule book 2.8): the table of each preset's ``[next_dealer]``."""

from __future__ import annotations

from collections.abc import Sequence

from scoring.changsha.birds import seat_of
from scoring.changsha.rules import ChangshaRules
from scoring.checks import Faults
from scoring.faults import fault
from scoring.record import ExhaustedRecord, OpeningRecord
from scoring.rules import Rules
from scoring.tiles import Seat, rank


def after_win(rules: Rules, winners: Sequence[Seat], giver: Seat | None) -> tuple[Seat, ...]:
    """The winner; of several the one who gave the tile, or (room) one of them at random."""
    if len(winners) == 1 or giver is None or rules.preset.data["next_dealer"]["several"] == "winners":
        return tuple(sorted(winners))
    return (giver,)


def after_openings(record: OpeningRecord, rules: ChangshaRules) -> tuple[Seat, ...]:
    """Where openings end the hand: the opener; of several the seat the first bird points at, none: the dealer."""
    if not rules.openings_end_hand:
        return ()
    if len(record.winners) == 1:
        return (record.winners[0].seat,)
    if record.birds:
        return (seat_of(rank(record.birds[0]), record.dealer),)
    return (record.dealer,)


def after_exhausted(record: ExhaustedRecord, faults: Faults) -> tuple[Seat, ...]:
    """By what became of 海底: its taker, the first it was offered to, who took it as a replacement."""
    if record.rules.preset.asks_creator:
        return (record.creator or 0,)
    table = record.rules.preset.data["next_dealer"]["exhausted"]
    fates = record.last_tile.model_dump(exclude_none=True) if record.last_tile is not None else {}
    if not fates:
        faults.append(fault("missing", "last_tile", "last_tile"))
    for fate, seat in fates.items():
        return (seat,) if table[fate] == "seat" else (record.dealer,)
    return ()

"""What is known of a Wuhan record before any hand is read, and a winner's claim priced as if he alone had won."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from scoring.hand import Hand
from scoring.record import WinRecord
from scoring.settlement import SEATS
from scoring.tiles import Seat
from scoring.wuhan.fan import Owed, Priced, owed
from scoring.wuhan.readings import Reading
from scoring.wuhan.rules import WuhanRules
from scoring.wuhan.sides import Side
from scoring.wuhan.specials import Specials

DRAWN_EVENTS: Final = frozenset({"last_tile_draw", "kong_draw"})
"""The events for which option `event_self_draw_bonus` decides whether the self-draw still counts ×1.5."""


class Table(NamedTuple):
    """The record, its rules, what the indicator makes special, each seat's side, and the pattern of the event."""

    record: WinRecord
    rules: WuhanRules
    specials: Specials | None
    sides: Mapping[Seat, Side]
    event: str | None


class Claim(NamedTuple):
    """One winner's claim: what is priced of it, and what each loser owes before caps and contract.

    ``reading`` and ``hand`` are None where the table declared the win.
    """

    patterns: tuple[str, ...]
    win: Priced
    owed: Mapping[Seat, Owed]
    reading: Reading | None = None
    hand: Hand | None = None


def priced(
    table: Table,
    seat: Seat,
    shapes: tuple[str, ...],
    hard: bool,
    reading: Reading | None = None,
    hand: Hand | None = None,
) -> Claim:
    """A claim of these shape patterns, with the event's own; all three others lose, whoever gave the tile (3.3)."""
    record, rules = table.record, table.rules
    patterns = (*shapes, table.event) if table.event else shapes
    bonus = record.by == "self_draw" and (rules.event_self_draw_bonus or DRAWN_EVENTS.isdisjoint(patterns))
    win = Priced(len(patterns), hard, bonus)
    own = table.sides[seat]
    amounts = {
        loser: owed(rules, win, own, table.sides[loser], loser == record.from_, record.dealer in (seat, loser))
        for loser in SEATS
        if loser != seat
    }
    return Claim(patterns, win, amounts, reading, hand)

"""Where a session stands: which records make up a hand, who deals next. Pure, but for reading records with the engine.

The rule, for posting as for corrections: *the state follows the last hand.* Whatever changes the records of the last
hand (a new record, a second win off its kong, a reversal, a correction) works the next dealer out anew from the records
that remain; if none of them ends the hand, the hand is being played again, by its own dealer. Changing an older hand
moves amounts only: the hands since were played by the dealer they were played by. (`choose_dealer` sets another.)
"""

from __future__ import annotations

import math
import secrets
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple, TypedDict
from uuid import UUID

from mahjong_site.clubs.refusals import Refused
from mahjong_site.ledger.models import Entry
from scoring import HandRecord, Settlement, parse_record
from scoring.record import WinRecord


class Deal(NamedTuple):
    """One hand: its number in the session (from 1), its dealer, and how often in a row he has kept the deal (连庄)."""

    hand_no: int
    dealer: int
    streak: int


class Seating(NamedTuple):
    """The players on seats 0–3, and an entry at which they sat there."""

    at: int
    players: list[UUID]


class Choice(TypedDict):
    """How the next dealer was found where the rule leaves several seats.

    ``how``: *taken*, the table said so; *drawn* at random here; *kept*, as it was before a correction.
    """

    seat: int
    of: list[int]
    how: Literal["taken", "drawn", "kept"]


def deal_of(entry: Entry) -> Deal:
    """The deal an entry belongs to."""
    return Deal(entry.hand_no, entry.dealer, entry.streak)


def seating_of(entry: Entry) -> Seating:
    """The players an entry is about."""
    return Seating(entry.seated_at, entry.seats)


def chosen(records: Sequence[Entry], hand: Iterable[Entry]) -> int | None:
    """The next dealer chosen last, with one of these records or with a reversal since; ``hand``: its entries."""
    since = min((record.seq for record in records), default=math.inf)
    choices = {
        entry.seq: entry.choice["seat"]
        for entry in hand
        if entry.choice and (entry in records or (entry.kind == Entry.Kind.REVERSAL and entry.seq > since))
    }
    return choices[max(choices)] if choices else None


def record_of(entry: Entry, rules: Mapping[str, Any]) -> HandRecord:
    """An entry's record as the engine reads it; ``rules`` are the session's."""
    return parse_record({**(entry.record or {}), "rules": rules})


def live(entries: Iterable[Entry]) -> list[Entry]:
    """The records of one hand that count, in the order of play: a correction stands where the corrected one stood."""
    hands = {entry.id: entry for entry in entries if entry.kind == Entry.Kind.HAND}
    reversed_ids = {entry.reverses_id for entry in entries}

    def place(entry: Entry) -> int:
        while entry.corrects_id is not None:
            entry = hands[entry.corrects_id]
        return entry.seq

    return sorted((entry for entry in hands.values() if entry.id not in reversed_ids), key=place)


def joins(earlier: Sequence[HandRecord], record: HandRecord, settlement: Settlement) -> bool:
    """Whether a record can belong to a hand that has ended with the ``earlier`` ones.

    It can if it does not end a hand itself (an opening win that plays on, a penalty), or if the two are the two wins
    off one 开杠 (rule book 2.2, "Robbing"): one player robs the kong, another wins on a tile it turned up.
    """
    if not settlement.hand_ends:
        return True
    wins = [won for won in (*earlier, record) if isinstance(won, WinRecord)]
    if len(wins) != 2 or not isinstance(record, WinRecord):
        return False
    how = {(won.by == "rob_kong", "kong_discard" in won.events) for won in wins}
    seats = [winner.seat for won in wins for winner in won.winners]
    return wins[0].from_ == wins[1].from_ and how == {(True, False), (False, True)} and len(seats) == len(set(seats))


def deal_after(
    deal: Deal, choices: Sequence[int], *, choose: int | None = None, kept: int | None = None
) -> tuple[Deal, Choice | None]:
    """The deal after one that ended with these seats as the choice of next dealer, or none: it goes on.

    ``choose``: who deals next where the rule leaves a choice; without it the seat ``kept`` from before, else one is
    drawn.

    Raises:
        Refused: ``bad_choice``.
    """
    if choose is not None and (type(choose) is not int or choose not in choices):
        raise Refused.because(
            "bad_choice", "choose_next_dealer", seat=choose, choices=", ".join(map(str, choices)) or "-"
        )
    if not choices:
        return deal, None
    choice: Choice | None = None
    seat = choices[0]
    if len(choices) > 1:
        if choose is not None:
            choice = {"seat": choose, "of": list(choices), "how": "taken"}
        elif kept is not None and kept in choices:
            choice = {"seat": kept, "of": list(choices), "how": "kept"}
        else:
            choice = {"seat": secrets.choice(choices), "of": list(choices), "how": "drawn"}
        seat = choice["seat"]
    streak = deal.streak + 1 if seat == deal.dealer else 0
    return Deal(deal.hand_no + 1, seat, streak), choice

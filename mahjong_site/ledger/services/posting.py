"""Posting what happened at the table: a record, a penalty, a table fee, a dealer.

Clients send facts, never amounts. Rules and dealer are the session's: facts that name others are refused.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping, Sequence
from typing import Any, Literal
from uuid import UUID

from mahjong_site.clubs.access import Action, Actor
from mahjong_site.clubs.refusals import Refusal, Refused
from mahjong_site.ledger.access import access_session
from mahjong_site.ledger.hands import Deal, Seating, chosen, deal_after, deal_of, joins, record_of, seating_of
from mahjong_site.ledger.models import Entry, Session
from mahjong_site.ledger.services.desk import Desk, Tap, at_desk, refuse_too_large
from mahjong_site.ledger.services.results import Result
from mahjong_site.ledger.services.statements import seats_at
from scoring import HandRecord, Settlement, next_dealer, parse_record, resolve_rules, settle

Facts = Mapping[str, Any]


def post_record(
    *,
    actor: Actor,
    session_id: UUID,
    record: Facts,
    client_key: str,
    expected_seq: int,
    same_hand: bool = False,
    choose_next_dealer: int | None = None,
) -> Result:
    """Posts one hand record.

    ``record``: the contract's, ``rules`` and ``dealer`` may be left out. It belongs to the hand being played, or, with
    ``same_hand``, to the hand that ended last. ``choose_next_dealer``: where the rule leaves a choice; without it one
    is drawn.

    Raises:
        scoring.RecordError: the record cannot be scored.
        Refused: ``rules_frozen``, ``dealer_mismatch``, ``creator_mismatch``, ``no_dealer``, ``not_same_hand``,
            ``bad_choice``, and as `at_desk`.
    """
    asked = {"record": dict(record), "same_hand": same_hand, "choose_next_dealer": choose_next_dealer}

    def write(desk: Desk) -> None:
        put_record(desk, record, same_hand=same_hand, choose=choose_next_dealer)

    return at_desk(Tap(actor, session_id, client_key, expected_seq), Action.POST, asked, write)


def post_penalty(
    *,
    actor: Actor,
    session_id: UUID,
    seat: int,
    reason: Literal["left", "false_win", "other"],
    points: int | None = None,
    to: Literal["house", "others"] | int | None = None,
    client_key: str,
    expected_seq: int,
) -> Result:
    """Posts a penalty (rule book 2.7): a player left, a false win (诈胡), or what a table agreed on.

    Raises: as `post_record`.
    """
    penalty = {"seat": seat, "reason": reason, "points": points, "to": to}
    given = {name: value for name, value in penalty.items() if value is not None}
    return post_record(
        actor=actor,
        session_id=session_id,
        record={"kind": "penalty", "penalty": given},
        client_key=client_key,
        expected_seq=expected_seq,
    )


def post_table_fee(*, actor: Actor, session_id: UUID, points: int, client_key: str, expected_seq: int) -> Result:
    """Each of the four pays ``points`` to the house: four penalties in one transaction.

    Raises: as `post_record`.
    """

    def write(desk: Desk) -> None:
        for seat in range(4):
            fee = {"seat": seat, "reason": "other", "points": points, "to": "house"}
            put_record(desk, {"kind": "penalty", "penalty": fee})

    return at_desk(Tap(actor, session_id, client_key, expected_seq), Action.POST, {"table_fee": points}, write)


def roll_first_dealer(
    *, actor: Actor, session_id: UUID, client_key: str, expected_seq: int, dice: Sequence[int] | None = None
) -> Result:
    """Finds the first dealer by two dice, counted from seat 0; thrown here, or the ``dice`` the table threw.

    Raises:
        Refused: ``bad_dice``, ``not_first_hand``, ``hand_going_on``, and as `at_desk`.
    """
    if dice is not None and (len(dice) != 2 or any(type(die) is not int or not 1 <= die <= 6 for die in dice)):
        raise Refused.because("bad_dice", "dice")

    def write(desk: Desk) -> None:
        if desk.session.hand_no > 1:
            raise Refused.because("not_first_hand")
        _refuse_during_a_hand(desk)
        thrown = list(dice) if dice else [secrets.randbelow(6) + 1 for _ in range(2)]
        seat = (sum(thrown) - 1) % 4
        desk.put_dealer({"dealer": seat, "how": "taken" if dice else "drawn", "dice": thrown})

    return at_desk(
        Tap(actor, session_id, client_key, expected_seq), Action.POST, {"roll": list(dice) if dice else None}, write
    )


def choose_dealer(*, actor: Actor, session_id: UUID, seat: int, client_key: str, expected_seq: int) -> Result:
    """Sets who deals the hand to be played: the first dealer, or another one than the rule's (the table said so).

    Raises:
        Refused: ``bad_seat``, ``hand_going_on``, and as `at_desk`.
    """
    if type(seat) is not int or not 0 <= seat <= 3:
        raise Refused.because("bad_seat", "seat")

    def write(desk: Desk) -> None:
        _refuse_during_a_hand(desk)
        desk.put_dealer({"dealer": seat, "how": "taken"})

    return at_desk(Tap(actor, session_id, client_key, expected_seq), Action.POST, {"dealer": seat}, write)


def preview_record(*, actor: Actor, session_id: UUID, record: Facts, dealer: int | None = None) -> Settlement:
    """What posting would settle, without posting: the engine's `Settlement` under the session's rules and dealer.

    Raises:
        scoring.RecordError, Refused: as `post_record`.
    """
    session, _ = access_session(actor, session_id, Action.VIEW)
    deals = session.dealer if dealer is None else dealer
    if deals is None:
        raise Refused.because("no_dealer", "dealer")
    settlement = settle(complete(session, record, deals, seats_at(session, session.seq + 1)))
    refuse_too_large(session, settlement)
    return settlement


def put_record(desk: Desk, facts: Facts, *, same_hand: bool = False, choose: int | None = None) -> Entry:
    """Settles a record, puts it on the desk and moves the state. Raises: as `post_record`."""
    deal, seating, earlier = _place(desk, same_hand)
    record = complete(desk.session, facts, deal.dealer, seating.players)
    settlement = settle(record)
    before = [record_of(entry, desk.session.rules) for entry in earlier]
    if deal.hand_no < desk.session.hand_no and not joins(before, record, settlement):
        raise Refused.because("not_same_hand", "same_hand")
    choices = next_dealer([*before, record]) if before else settlement.next_dealer_choices
    following, choice = deal_after(deal, choices, choose=choose, kept=chosen(earlier, desk.entries(deal.hand_no)))
    entry = desk.put_hand(record, settlement, deal, seating, choice=choice)
    desk.move(following)
    return entry


def complete(session: Session, facts: Facts, dealer: int, seats: Sequence[UUID]) -> HandRecord:
    """The record with the session's rules and the hand's dealer.

    Raises:
        scoring.RecordError: malformed.
        Refused: ``rules_frozen``, ``dealer_mismatch``, ``creator_mismatch``.
    """
    rules = resolve_rules(session.rules)
    told: dict[str, Any] = {"rules": session.rules, "dealer": dealer}
    if rules.preset.asks_creator and session.creator_id in seats:
        told["creator"] = seats.index(session.creator_id)
    record = parse_record(json.dumps({**told, **facts}))  # as text: the limits of size and depth are a text's
    faults = []
    if record.rules.to_json() != rules.to_json():
        faults.append(Refusal("rules_frozen", "rules", {}))
    if record.dealer != dealer:
        faults.append(Refusal("dealer_mismatch", "dealer", {"dealer": dealer}))
    if "creator" in told and record.creator != told["creator"]:
        faults.append(Refusal("creator_mismatch", "creator", {"creator": told["creator"]}))
    if faults:
        raise Refused(*faults)
    return record


def _place(desk: Desk, same_hand: bool) -> tuple[Deal, Seating, list[Entry]]:
    """The hand a record belongs to: its deal, its players, its records so far."""
    going_on = desk.hand(desk.session.hand_no)
    if not same_hand or going_on:
        return desk.deal, desk.seating, going_on
    ended = desk.hand(desk.session.hand_no - 1)
    if not ended:
        raise Refused.because("not_same_hand", "same_hand")
    last = ended[-1]
    return deal_of(last), seating_of(last), ended


def _refuse_during_a_hand(desk: Desk) -> None:
    if desk.hand(desk.session.hand_no):
        raise Refused.because("hand_going_on")

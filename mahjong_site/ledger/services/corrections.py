"""Taking back and correcting: a reversal, and for a correction the right record after it, in one transaction."""

from __future__ import annotations

from uuid import UUID

from mahjong_site.clubs.access import Action, Actor
from mahjong_site.clubs.names import clean_name
from mahjong_site.clubs.refusals import Refused
from mahjong_site.ledger.hands import Deal, chosen, deal_after, deal_of, record_of, seating_of
from mahjong_site.ledger.models import Entry
from mahjong_site.ledger.services.desk import Desk, Tap, at_desk
from mahjong_site.ledger.services.posting import Facts, complete
from mahjong_site.ledger.services.results import Result
from scoring import next_dealer, settle

LONGEST_REASON = 200


def reverse_entry(
    *, actor: Actor, session_id: UUID, seq: int, reason: str, client_key: str, expected_seq: int
) -> Result:
    """Reverses entry ``seq``. If it was of the last hand the dealer is worked out anew (`mahjong_site.ledger.hands`).

    Raises:
        Refused: ``unknown_entry``, ``not_reversible``, ``already_reversed``, ``bad_reason``, and as `at_desk`.
    """
    why = clean_name(reason, path="reason", longest=LONGEST_REASON, code="bad_reason")

    def write(desk: Desk) -> None:
        original = _reversible(desk, seq)
        choice = None
        if desk.is_last(original.hand_no):
            hand = desk.hand(original.hand_no)
            records = [record_of(entry, desk.session.rules) for entry in hand if entry.id != original.id]
            kept = chosen(hand, desk.entries(original.hand_no))
            following, choice = deal_after(deal_of(original), next_dealer(records), kept=kept)
            desk.move(following)
        desk.put_reversal(original, why, choice)

    return at_desk(
        Tap(actor, session_id, client_key, expected_seq), Action.REVERSE, {"reverse": seq, "reason": why}, write
    )


def correct_entry(
    *,
    actor: Actor,
    session_id: UUID,
    seq: int,
    record: Facts,
    reason: str,
    client_key: str,
    expected_seq: int,
    choose_next_dealer: int | None = None,
) -> Result:
    """Reverses entry ``seq`` and posts ``record`` in its place: same hand, same players, and, unless the record names
    another, the same dealer.

    Raises:
        scoring.RecordError: the record cannot be scored.
        Refused: as `reverse_entry` and `post_record`; ``dealer_mismatch`` where the hand's other records have another.
    """
    why = clean_name(reason, path="reason", longest=LONGEST_REASON, code="bad_reason")

    def write(desk: Desk) -> None:
        original = _reversible(desk, seq)
        follows = desk.is_last(original.hand_no)
        hand = desk.hand(original.hand_no)
        others = [entry for entry in hand if entry.id != original.id]
        dealer = others[0].dealer if others else record.get("dealer", original.dealer)
        seating = seating_of(original)
        right = complete(desk.session, record, dealer, seating.players)
        settlement = settle(right)
        deal = Deal(original.hand_no, dealer, original.streak)
        choice = None
        if follows:
            records = [right if entry.id == original.id else record_of(entry, desk.session.rules) for entry in hand]
            kept = chosen(hand, desk.entries(original.hand_no))
            following, choice = deal_after(deal, next_dealer(records), choose=choose_next_dealer, kept=kept)
            desk.move(following)
        desk.put_reversal(original, why)
        desk.put_hand(right, settlement, deal, seating, choice=choice, corrects=original, reason=why)

    return at_desk(
        Tap(actor, session_id, client_key, expected_seq),
        Action.REVERSE,
        {
            "correct": seq,
            "record": dict(record),
            "reason": why,
            "choose_next_dealer": choose_next_dealer,
        },
        write,
    )


def _reversible(desk: Desk, seq: int) -> Entry:
    session = desk.session
    entry = Entry.objects.filter(club_id=session.club_id, session_id=session.id, seq=seq).first()
    if entry is None:
        raise Refused.because("unknown_entry", "seq")
    if entry.kind != Entry.Kind.HAND:
        raise Refused.because("not_reversible", "seq")
    if all(entry.id != counting.id for counting in desk.hand(entry.hand_no)):
        raise Refused.because("already_reversed", "seq")
    return entry

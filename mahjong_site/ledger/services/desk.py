"""The one place where entries are written.

`at_desk` is every posting: look for the client key → compare the expected sequence → settle → lock the session, look
again, and if nobody else has written, insert and move the state → announce. What is settled in between is a function
that puts entries on the `Desk`.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from typing import Any, NamedTuple
from uuid import UUID

from django.utils import timezone

from mahjong_site.clubs.access import Action, Actor, Grant
from mahjong_site.clubs.models import Player
from mahjong_site.clubs.refusals import Refused
from mahjong_site.ledger.chain import entry_hash
from mahjong_site.ledger.hands import Choice, Deal, Seating, deal_of, live, seating_of
from mahjong_site.ledger.models import CENTS, HOUSE_SEAT, Entry, Leg, Session
from mahjong_site.ledger.notify import announce
from mahjong_site.ledger.services import statements
from mahjong_site.ledger.services.results import Conflict, KeyReused, Posted, Replayed, Result
from mahjong_site.ledger.services.statements import Share
from scoring import ENGINE_VERSION, HandRecord, Settlement

_ATTEMPTS = 3
"""How often a posting looks anew. Once is enough unless people change places at that very moment."""
_CLIENT_KEY = re.compile(r"[!-~]{1,64}", re.ASCII)


@dataclass
class Desk:
    """A session as it was seen, while it is written on."""

    session: Session
    grant: Grant
    table: statements.Table
    now: datetime = field(default_factory=timezone.now)
    written: list[tuple[Entry, list[Share]]] = field(default_factory=list)
    seen: int = field(init=False)
    _hands: dict[int, list[Entry]] = field(init=False)

    def __post_init__(self) -> None:
        self.seen = self.session.seq
        self._hands = {} if self.table.hand_going_on else {self.session.hand_no: []}

    @property
    def seating(self) -> Seating:
        """Who sits there for the next entry."""
        return Seating(self.session.seq + 1, self.table.seats)

    @property
    def deal(self) -> Deal:
        """The hand being played.

        Raises:
            Refused: ``no_dealer``, before the first one is known.
        """
        if self.session.dealer is None:
            raise Refused.because("no_dealer", "dealer")
        return Deal(self.session.hand_no, self.session.dealer, self.session.streak)

    def hand(self, hand_no: int) -> list[Entry]:
        """The live records of a hand, in order of play; what stands on the desk included."""
        return live(self.entries(hand_no))

    def entries(self, hand_no: int) -> list[Entry]:
        """All entries of a hand, in the order they were posted; what stands on the desk included."""
        if hand_no not in self._hands:
            self._hands[hand_no] = statements.records(self.session, hand_no, self.seen)
        fresh = [entry for entry, _ in self.written if entry.hand_no == hand_no]
        return [*self._hands[hand_no], *fresh]

    def is_last(self, hand_no: int) -> bool:
        """Whether the state follows this hand: it is being played, or nothing was posted since it ended."""
        return hand_no == self.session.hand_no or (
            hand_no == self.session.hand_no - 1 and not self.hand(self.session.hand_no)
        )

    def put_hand(
        self,
        record: HandRecord,
        settlement: Settlement,
        deal: Deal,
        seating: Seating,
        *,
        choice: Choice | None = None,
        corrects: Entry | None = None,
        reason: str = "",
    ) -> Entry:
        """Puts a settled record on the desk, for the players of its hand."""
        entry = self._entry(
            Entry.Kind.HAND,
            deal,
            seating,
            record=_stored(record),
            settlement=settlement.model_dump(mode="json", by_alias=True, exclude={"rules"}),
            choice=choice,
            corrects_id=corrects.id if corrects else None,
            reason=reason,
        )
        refuse_too_large(self.session, settlement)
        amounts = [
            *((seat, points, _cents(settlement.cash[seat])) for seat, points in enumerate(settlement.deltas)),
            (HOUSE_SEAT, settlement.house, 0),
        ]
        return self._put(entry, [amount for amount in amounts if amount[1] or amount[2]])

    def put_reversal(self, original: Entry, reason: str, choice: Choice | None = None) -> Entry:
        """Puts the exact negative of an entry on the desk."""
        entry = self._entry(
            Entry.Kind.REVERSAL,
            deal_of(original),
            seating_of(original),
            choice=choice,
            reverses_id=original.id,
            reason=reason,
        )
        legs = Leg.objects.filter(club_id=original.club_id, entry_id=original.id).order_by("seat")
        return self._put(entry, [(leg.seat, -leg.points, -leg.cash) for leg in legs])

    def put_dealer(self, record: Mapping[str, Any]) -> Entry:
        """Puts a dealer found or chosen on the desk, and moves the deal to him."""
        deal = Deal(self.session.hand_no, record["dealer"], 0)
        entry = self._put(self._entry(Entry.Kind.DEALER, deal, self.seating, record=record), [])
        self.move(deal)
        return entry

    def move(self, deal: Deal) -> None:
        """Sets the hand to be played."""
        self.session.hand_no, self.session.dealer, self.session.streak = deal

    def _entry(self, kind: Entry.Kind, deal: Deal, seating: Seating, **facts: Any) -> Entry:
        session = self.session
        return Entry(
            club_id=session.club_id,
            session_id=session.id,
            seq=session.seq + 1,
            kind=kind,
            hand_no=deal.hand_no,
            dealer=deal.dealer,
            streak=deal.streak,
            seated_at=seating.at,
            seats=seating.players,
            engine=ENGINE_VERSION,
            author_id=self.grant.author_id,
            author_name=self.grant.author_name,
            posted_at=self.now,
            **facts,
        )

    def _put(self, entry: Entry, amounts: Sequence[tuple[int, int, int]]) -> Entry:
        if entry.seq > MOST_ENTRIES:
            raise Refused.because("session_full", most=MOST_ENTRIES)
        legs = [
            Share(seat, self._house() if seat == HOUSE_SEAT else entry.seats[seat], points, cash)
            for seat, points, cash in amounts
        ]
        self.written.append((entry, legs))
        self.session.seq = entry.seq
        return entry

    def _house(self) -> UUID:
        return Player.objects.values_list("id", flat=True).get(club_id=self.session.club_id, is_house=True)

    def save(self) -> bool:
        """Writes what was put here, and where the session stands after it; False where it is not as it was seen."""
        for entry, _ in self.written:
            entry.prev_hash = self.session.head
            entry.hash = self.session.head = entry_hash(entry)
        saved = statements.write(self.written, self.session, self.seen)
        if saved:
            announce(self.session, "entry")
        return saved


MOST_ENTRIES = 10_000
"""Entries of a session, corrections included: whatever reads a whole one has a bound."""

MOST_POINTS = 10**9
MOST_MONEY = 10**11
"""What one seat may win or lose in one entry, in points and in the currency: far beyond any table, and small enough
that no sum of entries leaves PostgreSQL's whole numbers."""


def refuse_too_large(session: Session, settlement: Settlement) -> None:
    """Raises: Refused: ``amount_too_large``."""
    most = max(abs(points) for points in (*settlement.deltas, settlement.house))
    if most > MOST_POINTS or most * session.point_value > MOST_MONEY:
        raise Refused.because("amount_too_large", "record", points=most)


class Tap(NamedTuple):
    """Somebody posts: who, to which session, under which key, and the sequence he last saw."""

    actor: Actor
    session_id: UUID
    client_key: str
    expected_seq: int


def at_desk(tap: Tap, action: Action, request: Mapping[str, Any], write: Callable[[Desk], None]) -> Result:
    """Writes what ``write`` puts on the desk, once, if nobody else has written since the tap.

    ``request``: what was asked, as JSON; the same key with another request is `KeyReused`. The last entry put on the
    desk carries the key. Everything is written in one statement, or nothing; ``write`` may be called again, for a
    session seen anew.

    Raises:
        Http404, PermissionDenied: as `access_session`.
        Refused: ``bad_client_key``, ``too_deep``, ``session_closed``, ``session_busy``, ``session_full``, and what
            ``write`` refuses.
    """
    if not _CLIENT_KEY.fullmatch(tap.client_key):
        raise Refused.because("bad_client_key", "client_key")
    try:
        asked = hashlib.sha256(json.dumps(request, sort_keys=True).encode()).digest()
    except RecursionError:
        raise Refused.because("too_deep") from None
    for _ in range(_ATTEMPTS):
        session, grant, table = statements.look(tap.actor, tap.session_id, action, tap.client_key)
        if table.answered:
            return _again(session, table.answered, asked)
        if session.seq != tap.expected_seq:
            return Conflict(_entry_at(session, tap.expected_seq + 1), session)
        if session.status != Session.Status.OPEN:
            raise Refused.because("session_closed")
        desk = Desk(session, grant, table)
        write(desk)
        *before, (entry, _) = desk.written
        entry.client_key, entry.request_sha256 = tap.client_key, asked
        if desk.save():
            return Posted(entry, session, tuple(earlier for earlier, _ in before))
    raise Refused.because("session_busy")


def _again(session: Session, entry_id: UUID, asked: bytes) -> Replayed | KeyReused:
    entry = Entry.objects.get(club_id=session.club_id, id=entry_id)
    return (Replayed if bytes(entry.request_sha256 or b"") == asked else KeyReused)(entry, session)


def _entry_at(session: Session, seq: int) -> Entry | None:
    return Entry.objects.filter(club_id=session.club_id, session_id=session.id, seq=seq).first()


def _stored(record: HandRecord) -> dict[str, Any]:
    dumped = record.model_dump(mode="json", by_alias=True, exclude_unset=True)
    del dumped["rules"]  # the session's, frozen
    return dumped


def _cents(cash: str) -> int:
    return int(Decimal(cash) * CENTS)

"""Settle-up: what was won at one or several sessions, as the fewest payments between people.

Points become money here and nowhere else: points × value + side cash over what was posted since the sessions' last
settle-up, rounded by largest remainder to what can be paid in the currency, still zero. A correction posted later is
part of the next settle-up. Amounts are in hundredths of the currency.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from fractions import Fraction
from uuid import UUID

from django.db import connection, transaction
from django.db.models import F
from django.http import Http404
from django.utils import timezone

from mahjong_site.clubs.access import Action, Actor, Grant
from mahjong_site.clubs.models import Player
from mahjong_site.clubs.refusals import Refused
from mahjong_site.ledger.access import access_session
from mahjong_site.ledger.fewest import Payment, fewest_payments, rounded
from mahjong_site.ledger.models import CENTS, Session, SettledSession, SettleUp, Transfer
from mahjong_site.ledger.selectors import Person
from mahjong_site.ledger.services.statements import lock

MOST_SESSIONS = 200
WITHOUT_CENTS = frozenset(
    [
        "BIF",
        "CLP",
        "DJF",
        "GNF",
        "ISK",
        "JPY",
        "KMF",
        "KRW",
        "PYG",
        "RWF",
        "UGX",
        "UYI",
        "VND",
        "VUV",
        "XAF",
        "XOF",
        "XPF",
    ]
)
"""Currencies that are paid in whole units only (ISO 4217)."""


@dataclass(frozen=True, slots=True)
class Balance:
    """What someone gets (above 0) or owes: ``exact`` in the currency, ``amount`` rounded, in hundredths."""

    player: Person
    exact: Decimal
    amount: int


@dataclass(frozen=True, slots=True)
class Covered:
    """A session in a settle-up: entries after ``after_seq`` up to ``through_seq`` count."""

    session_id: UUID
    name: str
    after_seq: int
    through_seq: int


@dataclass(frozen=True, slots=True)
class Plan:
    """What a settle-up would say. Nothing is written."""

    club_id: UUID
    currency: str
    sessions: tuple[Covered, ...]
    balances: tuple[Balance, ...]
    payments: tuple[Payment[Person], ...]


@dataclass(frozen=True, slots=True)
class TransferRow:
    """One payment of a settle-up, and how much of it was made."""

    id: UUID
    payer: Person
    payee: Person
    amount: int
    paid: int
    paid_at: datetime | None
    marked_by: str


@dataclass(frozen=True, slots=True)
class SettledUp:
    """A settle-up as it stands."""

    id: UUID
    club_id: UUID
    currency: str
    author: str
    created_at: datetime
    cancelled_at: datetime | None
    sessions: tuple[tuple[UUID, str, int], ...]
    transfers: tuple[TransferRow, ...]

    @property
    def open_amount(self) -> int:
        """What is still to be paid; nothing once cancelled."""
        return 0 if self.cancelled_at else sum(transfer.amount - transfer.paid for transfer in self.transfers)


# The caller holds or has read the sessions; a settle-up that was cancelled covers nothing.
_COVERED = """
    SELECT s.id, s.name, coalesce(max(d.through_seq), 0), s.seq
    FROM ledger_session s
    LEFT JOIN (ledger_settledsession d JOIN ledger_settleup u
        ON u.club_id = d.club_id AND u.id = d.settle_up_id AND u.cancelled_at IS NULL)
        ON d.club_id = s.club_id AND d.session_id = s.id
    WHERE s.club_id = %(club)s AND s.id = ANY(%(sessions)s)
    GROUP BY s.club_id, s.id ORDER BY s.created_at, s.id
"""
_BALANCES = """
    SELECT p.id, p.name, p.is_house, sum(l.points * s.point_value * %(cents)s + l.cash)
    FROM unnest(%(sessions)s::uuid[], %(after)s::int[], %(through)s::int[]) asked(id, after, through)
    JOIN ledger_session s ON s.club_id = %(club)s AND s.id = asked.id
    JOIN ledger_entry e ON e.club_id = s.club_id AND e.session_id = s.id
        AND e.seq > asked.after AND e.seq <= asked.through
    JOIN ledger_leg l ON l.club_id = e.club_id AND l.session_id = e.session_id AND l.entry_id = e.id
    LEFT JOIN clubs_alias a ON a.club_id = l.club_id AND a.guest_id = l.player_id
    JOIN clubs_player p ON p.club_id = l.club_id AND p.id = coalesce(a.player_id, l.player_id)
    GROUP BY p.id, p.name, p.is_house ORDER BY 4 DESC, p.name, p.id
"""


def plan_settle_up(*, actor: Actor, session_ids: Sequence[UUID]) -> Plan:
    """What settling these sessions up would come to.

    Raises:
        Http404: one of them the actor may not see.
        Refused: ``no_sessions``, ``several_clubs``, ``several_currencies``.
    """
    sessions, _ = _sessions(actor, session_ids, Action.VIEW)
    return _plan(sessions)


def settle_up(*, actor: Actor, session_ids: Sequence[UUID]) -> SettledUp:
    """Settles the sessions up: writes who pays whom, and up to which entry they are settled.

    Raises: as `plan_settle_up`; PermissionDenied; Refused: ``nothing_to_settle``, ``session_busy``.
    """
    with transaction.atomic():
        sessions, grant = _sessions(actor, session_ids, Action.SETTLE)
        plan = _plan([lock(session) for session in sessions])
        if all(covered.after_seq == covered.through_seq for covered in plan.sessions):
            raise Refused.because("nothing_to_settle", "session_ids")
        made = SettleUp.objects.create(
            club_id=plan.club_id, currency=plan.currency, author_id=grant.author_id, author_name=grant.author_name
        )
        SettledSession.objects.bulk_create(
            SettledSession(
                club_id=plan.club_id,
                settle_up_id=made.id,
                session_id=covered.session_id,
                through_seq=covered.through_seq,
            )
            for covered in plan.sessions
        )
        Transfer.objects.bulk_create(
            Transfer(
                club_id=plan.club_id,
                settle_up_id=made.id,
                payer_id=payment.payer.id,
                payee_id=payment.payee.id,
                amount=payment.amount,
            )
            for payment in plan.payments
        )
        return _told([made])[0]


def cancel_settle_up(*, actor: Actor, club_id: UUID, settle_up_id: UUID) -> SettledUp:
    """Takes a settle-up back: its sessions count as not settled by it. Cancelling again changes nothing.

    Raises:
        Http404, PermissionDenied: as `access_session` of each of its sessions.
        Refused: ``already_paid``, ``settled_later``, ``session_busy``.
    """
    with transaction.atomic():
        sessions, _ = _of(actor, club_id, settle_up_id, Action.SETTLE)
        for session in sessions:
            lock(session)
        made = SettleUp.objects.select_for_update(no_key=True).get(club_id=club_id, id=settle_up_id)
        if made.cancelled_at is None:
            if Transfer.objects.filter(club_id=club_id, settle_up_id=made.id, paid__gt=0).exists():
                raise Refused.because("already_paid")
            covered = {row.session_id: row.through_seq for row in made.sessions.all()}
            others = SettledSession.objects.filter(
                club_id=club_id, session_id__in=covered, settle_up__cancelled_at__isnull=True
            ).exclude(settle_up_id=made.id)
            if any(row.through_seq >= covered[row.session_id] for row in others):
                raise Refused.because("settled_later")
            made.cancelled_at = timezone.now()
            made.save(update_fields=["cancelled_at"])
        return _told([made])[0]


def mark_paid(
    *, actor: Actor, club_id: UUID, settle_up_id: UUID, transfer_id: UUID, paid: int | None = None
) -> SettledUp:
    """Says how much of a transfer has been paid by now, in hundredths: all of it unless told otherwise.

    It is the sum so far and not one more payment, so saying it twice changes nothing.

    Raises:
        Http404, PermissionDenied: as `cancel_settle_up`; there is no such transfer in it.
        Refused: ``bad_amount``, ``settle_up_cancelled``.
    """
    with transaction.atomic():
        _, grant = _of(actor, club_id, settle_up_id, Action.SETTLE)
        made = SettleUp.objects.select_for_update(no_key=True).get(club_id=club_id, id=settle_up_id)
        if made.cancelled_at is not None:
            raise Refused.because("settle_up_cancelled")
        transfers = Transfer.objects.select_for_update(no_key=True)
        transfer = transfers.filter(club_id=club_id, settle_up_id=settle_up_id, id=transfer_id).first()
        if transfer is None:
            raise Http404
        told = transfer.amount if paid is None else paid
        if type(told) is not int or not 0 <= told <= transfer.amount:
            raise Refused.because("bad_amount", "paid", amount=f"{Decimal(transfer.amount) / CENTS:.2f}")
        if told != transfer.paid:
            transfer.paid, transfer.marked_by = told, grant.author_name
            transfer.paid_at = timezone.now() if told else None
            transfer.save(update_fields=["paid", "paid_at", "marked_by"])
        return _told([made])[0]


def settle_up_at(*, actor: Actor, club_id: UUID, settle_up_id: UUID) -> SettledUp:
    """One settle-up. Raises: Http404."""
    _of(actor, club_id, settle_up_id, Action.VIEW)
    return _told(SettleUp.objects.filter(club_id=club_id, id=settle_up_id))[0]


def session_settle_ups(*, actor: Actor, session_id: UUID) -> tuple[SettledUp, ...]:
    """The settle-ups that cover a session and no session the actor may not see, latest first.

    Raises:
        Http404: as `access_session`.
    """
    session, grant = access_session(actor, session_id, Action.VIEW)
    made = SettleUp.objects.filter(club_id=session.club_id, sessions__session_id=session.id)
    told = _told(made.order_by("-created_at", "id"))
    if grant.session_id is None:
        return told
    return tuple(one for one in told if {covered[0] for covered in one.sessions} == {session.id})


def rounding_unit(currency: str) -> int:
    """The least that can be paid, in hundredths; side cash has no third decimal, so no currency has one here."""
    return CENTS if currency in WITHOUT_CENTS else 1


def _sessions(actor: Actor, session_ids: Sequence[UUID], action: Action) -> tuple[list[Session], Grant]:
    """The sessions, in the order they are locked in; and the grant of the first."""
    asked = sorted(set(session_ids))
    if not 1 <= len(asked) <= MOST_SESSIONS:
        raise Refused.because("no_sessions", "session_ids", most=MOST_SESSIONS)
    doors = [access_session(actor, session_id, action) for session_id in asked]
    sessions = [session for session, _ in doors]
    if len({session.club_id for session in sessions}) > 1:
        raise Refused.because("several_clubs", "session_ids")
    currencies = sorted({session.currency for session in sessions})
    if len(currencies) > 1:
        raise Refused.because("several_currencies", "session_ids", currencies=", ".join(currencies))
    return sessions, doors[0][1]


def _of(actor: Actor, club_id: UUID, settle_up_id: UUID, action: Action) -> tuple[list[Session], Grant]:
    """The sessions of a settle-up: who may not see one of them does not see it."""
    rows = SettledSession.objects.filter(club_id=club_id, settle_up_id=settle_up_id)
    session_ids = list(rows.values_list("session_id", flat=True))
    if not session_ids:
        raise Http404
    return _sessions(actor, session_ids, action)


def _plan(sessions: Sequence[Session]) -> Plan:
    club_id, currency = sessions[0].club_id, sessions[0].currency
    with connection.cursor() as cursor:
        cursor.execute(_COVERED, {"club": club_id, "sessions": [session.id for session in sessions]})
        covered = tuple(Covered(*row) for row in cursor.fetchall())
        cursor.execute(
            _BALANCES,
            {
                "club": club_id,
                "cents": CENTS,
                "sessions": [one.session_id for one in covered],
                "after": [one.after_seq for one in covered],
                "through": [one.through_seq for one in covered],
            },
        )
        exact = {Person(*who): Fraction(amount) for *who, amount in cursor.fetchall()}
    amounts = rounded(exact, rounding_unit(currency))
    balances = tuple(
        Balance(player, Decimal(balance.numerator) / balance.denominator / CENTS, amounts[player])
        for player, balance in exact.items()
    )
    return Plan(club_id, currency, covered, balances, tuple(fewest_payments(amounts)))


def _told(made: Iterable[SettleUp]) -> tuple[SettledUp, ...]:
    """Settle-ups of one club with all that belongs to them, in three statements."""
    made = list(made)
    if not made:
        return ()
    club_id, ids = made[0].club_id, [one.id for one in made]
    covered = SettledSession.objects.filter(club_id=club_id, settle_up_id__in=ids).annotate(name=F("session__name"))
    transfers = list(Transfer.objects.filter(club_id=club_id, settle_up_id__in=ids).order_by("-amount", "id"))
    involved = {one for transfer in transfers for one in (transfer.payer_id, transfer.payee_id)}
    players = Player.objects.filter(club_id=club_id, id__in=involved)
    people = {player.id: Person(player.id, player.name, player.is_house) for player in players}
    sessions: dict[UUID, list[tuple[UUID, str, int]]] = {one.id: [] for one in made}
    for row in covered.order_by("session__created_at", "session_id"):
        sessions[row.settle_up_id].append((row.session_id, row.name, row.through_seq))
    rows: dict[UUID, list[TransferRow]] = {one.id: [] for one in made}
    for one in transfers:
        payer, payee = people[one.payer_id], people[one.payee_id]
        rows[one.settle_up_id].append(
            TransferRow(one.id, payer, payee, one.amount, one.paid, one.paid_at, one.marked_by)
        )
    return tuple(
        SettledUp(
            up.id,
            up.club_id,
            up.currency,
            up.author_name,
            up.created_at,
            up.cancelled_at,
            tuple(sessions[up.id]),
            tuple(rows[up.id]),
        )
        for up in made
    )

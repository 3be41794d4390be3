"""Sessions: opening, seating, closing, reopening."""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from mahjong_site.clubs.access import Action, Actor, access_club
from mahjong_site.clubs.models import Club, JoinLink, Role
from mahjong_site.clubs.names import clean_name
from mahjong_site.clubs.refusals import Refusal, Refused
from mahjong_site.clubs.services.clubs import make_club
from mahjong_site.clubs.services.links import make_link
from mahjong_site.clubs.services.players import find_or_add
from mahjong_site.ledger.access import access_session
from mahjong_site.ledger.chain import genesis
from mahjong_site.ledger.models import Occupancy, Session
from mahjong_site.ledger.notify import announce
from mahjong_site.ledger.services.statements import lock, seats_at
from scoring import resolve_rules

PlayerRef = UUID | str
"""A player of the club by id, or by name (added where the club has none of that name)."""

MOST_POINT_VALUE = 1_000_000
POINT_VALUE_DECIMALS = 4


@dataclass(frozen=True)
class Terms:
    """How a session is played.

    ``rules``: a preset id or ``{"preset", "options"}``, frozen with all options resolved. ``players``: seats 0–3.
    ``first_dealer``: None where it is to be rolled or chosen later. ``creator_seat``: who opened the table.
    """

    name: str
    rules: str | Mapping[str, Any]
    players: Sequence[PlayerRef]
    point_value: Decimal = Decimal(1)
    currency: str = "CNY"
    entry_mode: str = Session.EntryMode.SCORER
    first_dealer: int | None = None
    creator_seat: int = 0

    def faults(self) -> list[Refusal]:
        """What is wrong with them by themselves: ``bad_point_value``, ``bad_currency``, ``bad_entry_mode``,
        ``bad_seat``."""
        return [
            Refusal(code, path, {})
            for code, path, right in (
                ("bad_point_value", "point_value", _is_point_value(self.point_value)),
                ("bad_currency", "currency", re.fullmatch(r"[A-Z]{3}", self.currency, re.ASCII)),
                ("bad_entry_mode", "entry_mode", self.entry_mode in Session.EntryMode.values),
                ("bad_seat", "first_dealer", self.first_dealer is None or _is_seat(self.first_dealer)),
                ("bad_seat", "creator_seat", _is_seat(self.creator_seat)),
            )
            if not right
        ]


def open_session(*, actor: Actor, club_id: UUID, terms: Terms) -> Session:
    """Opens a session of a club.

    Raises:
        Http404, PermissionDenied: as `access_club`.
        scoring.RecordError: ``unknown_rules``, ``bad_option``.
        Refused: as `Terms.faults`; ``bad_name``, ``four_players``, ``unknown_player``.
    """
    with transaction.atomic():
        club, _ = access_club(actor, club_id, Action.OPEN)
        return _open(club, terms)


def open_guest_table(*, terms: Terms, time_zone: str = "Asia/Shanghai") -> tuple[Session, JoinLink, str]:
    """Opens a table without any account: a hidden club of its own with one session.

    Returns the session, and the owner's secret link with its token, which is shown this once.

    Raises: as `open_session`; ``bad_time_zone``.
    """
    with transaction.atomic():
        club = make_club(name=terms.name, time_zone=time_zone, hidden=True)
        session = _open(club, terms)
        link, token = make_link(club_id=club.id, role=Role.OWNER, name=terms.name, lasts=None)
        return session, link, token


def _open(club: Club, terms: Terms) -> Session:
    if faults := terms.faults():
        raise Refused(*faults)
    seats = _seats(club.id, terms.players)
    session = Session(
        club=club,
        id=uuid.uuid4(),
        name=clean_name(terms.name),
        rules=resolve_rules(terms.rules).to_json(),
        point_value=Decimal(terms.point_value),
        currency=terms.currency,
        creator_id=seats[terms.creator_seat],
        created_at=timezone.now(),
        entry_mode=terms.entry_mode,
        dealer=terms.first_dealer,
    )
    session.genesis = session.head = genesis(session)
    session.save(force_insert=True)
    _seat(session, dict(enumerate(seats)))
    return session


def seat_players(*, actor: Actor, session_id: UUID, players: Sequence[PlayerRef]) -> Session:
    """Seats four players from the next entry on: some swap, or a fifth sits in. The same four again changes nothing.

    Raises:
        Http404, PermissionDenied: as `access_session`.
        Refused: ``four_players``, ``unknown_player``, ``bad_name``, ``session_closed``, ``session_busy``.
    """
    return _reseat(actor, session_id, lambda _: players)


def swap_seats(*, actor: Actor, session_id: UUID, seat: int, other: int) -> Session:
    """Lets the players of two seats change places from the next entry on.

    Raises: as `seat_players`; ``bad_seat``.
    """
    if not (_is_seat(seat) and _is_seat(other)):
        raise Refused.because("bad_seat", "seat")

    def swapped(seats: Sequence[PlayerRef]) -> Sequence[PlayerRef]:
        change = {seat: seats[other], other: seats[seat]}
        return [change.get(place, player) for place, player in enumerate(seats)]

    return _reseat(actor, session_id, swapped)


def _reseat(actor: Actor, session_id: UUID, arranged: Callable[[Sequence[PlayerRef]], Sequence[PlayerRef]]) -> Session:
    with transaction.atomic():
        session, _ = access_session(actor, session_id, Action.SEAT)
        lock(session)
        if session.status != Session.Status.OPEN:
            raise Refused.because("session_closed")
        now = seats_at(session, session.seq + 1)
        seats = _seats(session.club_id, arranged(now))
        changed = {seat: player for seat, player in enumerate(seats) if now[seat] != player}
        if changed:
            _seat(session, changed)
            announce(session, "seats")
        return session


def close_session(*, actor: Actor, session_id: UUID) -> Session:
    """Closes a session: it takes no entry any more. Closing a closed one changes nothing.

    Raises: as `access_session`; ``session_busy``.
    """
    return _set_status(actor, session_id, Action.CLOSE, Session.Status.CLOSED)


def reopen_session(*, actor: Actor, session_id: UUID) -> Session:
    """Opens a closed session again; the club's owner may.

    Raises: as `close_session`.
    """
    return _set_status(actor, session_id, Action.REOPEN, Session.Status.OPEN)


def _set_status(actor: Actor, session_id: UUID, action: Action, status: Session.Status) -> Session:
    with transaction.atomic():
        session, _ = access_session(actor, session_id, action)
        lock(session)
        if session.status != status:
            session.status = status
            session.closed_at = timezone.now() if status == Session.Status.CLOSED else None
            session.save(update_fields=["status", "closed_at"])
            announce(session, "status")
        return session


def set_entry_mode(*, actor: Actor, session_id: UUID, entry_mode: str) -> Session:
    """Says who enters: the scorers, or every player.

    Raises: as `close_session`; ``bad_entry_mode``.
    """
    if entry_mode not in Session.EntryMode.values:
        raise Refused.because("bad_entry_mode", "entry_mode")
    with transaction.atomic():
        session, _ = access_session(actor, session_id, Action.SEAT)
        lock(session)
        session.entry_mode = entry_mode
        session.save(update_fields=["entry_mode"])
        announce(session, "status")
        return session


def _seats(club_id: UUID, players: Sequence[PlayerRef]) -> list[UUID]:
    if len(players) != 4:
        raise Refused.because("four_players", "players")
    seats = [find_or_add(club_id, player, path=f"players.{seat}").id for seat, player in enumerate(players)]
    if len(set(seats)) != 4:
        raise Refused.because("four_players", "players")
    return seats


def _seat(session: Session, players: Mapping[int, UUID]) -> None:
    rows = [
        Occupancy(club_id=session.club_id, session_id=session.id, seat=seat, from_seq=session.seq + 1, player_id=player)
        for seat, player in players.items()
    ]
    Occupancy.objects.bulk_create(
        rows,
        update_conflicts=True,
        unique_fields=["club_id", "session_id", "seat", "from_seq"],
        update_fields=["player_id"],
    )


def _is_seat(value: object) -> bool:
    return type(value) is int and 0 <= value <= 3


def _is_point_value(value: Decimal) -> bool:
    if not isinstance(value, Decimal | int) or not Decimal(value).is_finite():
        return False
    exponent = Decimal(value).normalize().as_tuple().exponent
    return 0 < value <= MOST_POINT_VALUE and isinstance(exponent, int) and exponent >= -POINT_VALUE_DECIMALS

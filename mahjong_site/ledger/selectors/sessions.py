"""The sessions of a club."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

from mahjong_site.clubs.access import Actor
from mahjong_site.clubs.selectors import ALWAYS, Days
from mahjong_site.ledger.selectors.scope import LIVE, Person, club_scope

PAGE = 50
MOST = 200


@dataclass(frozen=True, slots=True)
class SessionRow:
    """A session in a list. ``hands``: hand numbers that have a record; ``players``: who sits, in seat order;
    ``settled``: whether every entry is covered by a settle-up."""

    id: UUID
    name: str
    preset: str
    point_value: Decimal
    currency: str
    status: str
    created_at: datetime
    closed_at: datetime | None
    seq: int
    hands: int
    players: tuple[Person, ...]
    settled: bool


_SESSIONS = f"""
    , page AS (
        SELECT s.* FROM ledger_session s JOIN scope ON scope.id = s.id
        WHERE s.club_id = %(club)s AND s.status = coalesce(%(status)s, s.status)
            AND (s.created_at, s.id) < (coalesce(%(before)s, 'infinity'::timestamptz), coalesce(%(before_id)s, s.id))
        ORDER BY s.created_at DESC, s.id DESC LIMIT %(limit)s
    )
    SELECT s.id, s.name, s.rules->>'preset', s.point_value, s.currency, s.status, s.created_at, s.closed_at, s.seq,
        (SELECT count(DISTINCT e.hand_no) {LIVE} AND e.marks IS NOT NULL),
        (SELECT jsonb_agg(jsonb_build_array(p.id, p.name) ORDER BY u.seat)
            FROM unnest(ledger_seats(s.club_id, s.id, s.seq + 1)) WITH ORDINALITY u(sat, seat) JOIN who w USING (sat)
            JOIN clubs_player p ON p.club_id = s.club_id AND p.id = w.id),
        s.seq > 0 AND s.seq <= coalesce((
            SELECT max(d.through_seq) FROM ledger_settledsession d
            JOIN ledger_settleup u ON u.club_id = d.club_id AND u.id = d.settle_up_id AND u.cancelled_at IS NULL
            WHERE d.club_id = s.club_id AND d.session_id = s.id), 0)
    FROM page s
    ORDER BY s.created_at DESC, s.id DESC
"""  # noqa: S608 - a fragment of ours


def club_sessions(
    *,
    actor: Actor,
    club_id: UUID,
    days: Days = ALWAYS,
    status: str | None = None,
    before: tuple[datetime, UUID] | None = None,
    limit: int = PAGE,
) -> tuple[SessionRow, ...]:
    """The sessions a club opened in these days, latest first, at most ``limit`` (up to `MOST`).

    ``before``: ``created_at`` and ``id`` of the last row of the page before. ``status``: only ``open`` or ``closed``.

    Raises:
        Http404, PermissionDenied: as `access_club`.
    """
    moment, session_id = before or (None, None)
    rows = club_scope(actor, club_id, days).ask(
        _SESSIONS, status=status, before=moment, before_id=session_id, limit=max(1, min(limit, MOST))
    )
    told = []
    for *facts, seated, settled in rows:
        values: list[Any] = [*facts, tuple(Person(UUID(id), name) for id, name in seated), settled]
        told.append(SessionRow(*values))
    return tuple(told)

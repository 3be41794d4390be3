"""Running totals of a session."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from uuid import UUID

from mahjong_site.clubs.access import Actor
from mahjong_site.ledger.models import CENTS
from mahjong_site.ledger.selectors.scope import Person, session_scope


@dataclass(frozen=True, slots=True)
class Total:
    """What someone has won (or lost) in a session.

    ``seat``: where he sits for the next entry, None: nowhere any more. ``points``: whole. ``cash``: side bets, in
    hundredths of the currency. ``money``: points × value + cash, exact, in the currency. ``rank``: by points, equal
    ones share it; None for the house. ``hands``: those he sat.
    """

    player: Person
    seat: int | None
    points: int
    cash: int
    money: Decimal
    rank: int | None
    hands: int


CENT = Decimal(1) / CENTS
_TOTALS = f"""
    , sits AS (
        SELECT w.id, u.place - 1 AS seat
        FROM ledger_session s, unnest(ledger_seats(s.club_id, s.id, s.seq + 1)) WITH ORDINALITY u(sat, place)
        JOIN who w USING (sat) WHERE s.club_id = %(club)s AND s.id = %(session)s
    ), everybody AS (
        SELECT w.id FROM ledger_occupancy o JOIN who w ON w.sat = o.player_id
        WHERE o.club_id = %(club)s AND o.session_id = %(session)s
        UNION SELECT id FROM moved
    ), totals AS (
        SELECT p.id, p.name, p.is_house, sits.seat,
            coalesce(moved.points, 0)::bigint AS points, coalesce(moved.cash, 0)::bigint AS cash,
            coalesce(sat.hands, 0) AS hands
        FROM everybody LEFT JOIN moved USING (id) LEFT JOIN sat USING (id) LEFT JOIN sits USING (id)
        JOIN clubs_player p ON p.club_id = %(club)s AND p.id = everybody.id
    )
    SELECT t.id, t.name, t.is_house, t.seat, t.points, t.cash,
        t.points * s.point_value + t.cash * {CENT},
        CASE WHEN NOT t.is_house THEN rank() OVER (PARTITION BY t.is_house ORDER BY t.points DESC) END,
        t.hands
    FROM totals t, scope s
    ORDER BY t.is_house, t.points DESC, t.seat NULLS LAST, t.name, t.id
"""  # noqa: S608 - a number of ours


def session_totals(*, actor: Actor, session_id: UUID) -> tuple[Total, ...]:
    """Everybody who sat in the session, best first, then the house if it took anything. They sum to zero.

    Raises:
        Http404, PermissionDenied: as `access_session`.
    """
    rows = session_scope(actor, session_id).ask(_TOTALS)
    return tuple(Total(Person(*row[:3]), *row[3:]) for row in rows)

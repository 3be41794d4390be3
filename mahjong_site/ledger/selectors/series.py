"""Running totals hand by hand, for a chart and the table beside it."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from uuid import UUID

from mahjong_site.clubs.access import Actor
from mahjong_site.ledger.selectors.scope import Person, session_scope


@dataclass(frozen=True, slots=True)
class Series:
    """Points after each hand: ``hands`` are the numbers of those that have records, ``lines[i]`` the running totals of
    ``players[i]``, one for each hand. A correction counts where the hand was played."""

    hands: tuple[int, ...]
    players: tuple[Person, ...]
    lines: tuple[tuple[int, ...], ...]


_SERIES = """
    , hands AS (
        SELECT DISTINCT hand_no FROM live
    ), moved AS (
        SELECT e.hand_no, w.id, sum(l.points) AS points
        FROM ledger_entry e
        JOIN ledger_leg l ON l.club_id = e.club_id AND l.session_id = e.session_id AND l.entry_id = e.id
        JOIN who w ON w.sat = l.player_id
        WHERE e.club_id = %(club)s AND e.session_id = %(session)s GROUP BY e.hand_no, w.id
    ), players AS (
        SELECT w.id, min(o.from_seq * 4 + o.seat) AS place
        FROM ledger_occupancy o JOIN who w ON w.sat = o.player_id
        WHERE o.club_id = %(club)s AND o.session_id = %(session)s GROUP BY w.id
        UNION ALL SELECT p.id, NULL FROM clubs_player p
            WHERE p.club_id = %(club)s AND p.is_house AND p.id IN (SELECT id FROM moved)
    )
    SELECT p.id, p.name, p.is_house, hands.hand_no,
        sum(coalesce(moved.points, 0)) OVER (PARTITION BY p.id ORDER BY hands.hand_no)::bigint
    FROM players CROSS JOIN hands
    JOIN clubs_player p ON p.club_id = %(club)s AND p.id = players.id
    LEFT JOIN moved ON moved.id = p.id AND moved.hand_no = hands.hand_no
    ORDER BY players.place NULLS LAST, p.id, hands.hand_no
"""


def session_series(*, actor: Actor, session_id: UUID) -> Series:
    """The running totals of a session; players in the order they sat down, the house last.

    Raises:
        Http404, PermissionDenied: as `access_session`.
    """
    rows = session_scope(actor, session_id).ask(_SERIES)
    lines = {Person(*who): tuple(row[4] for row in part) for who, part in groupby(rows, key=lambda row: row[:3])}
    hands = tuple(sorted({row[3] for row in rows}))
    return Series(hands, tuple(lines), tuple(lines.values()))

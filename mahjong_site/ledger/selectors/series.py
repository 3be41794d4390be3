"""Running totals hand by hand, for a chart and the table beside it."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate
from uuid import UUID

from mahjong_site.clubs.access import Actor
from mahjong_site.ledger.selectors.scope import LIVE, Person, session_scope


@dataclass(frozen=True, slots=True)
class Series:
    """Points after each hand: ``hands`` are the numbers of those that have records, ``lines[i]`` the running totals of
    ``players[i]``, one for each hand. A correction counts where the hand was played."""

    hands: tuple[int, ...]
    players: tuple[Person, ...]
    lines: tuple[tuple[int, ...], ...]


_SERIES = f"""
    , by_hand AS (
        SELECT e.hand_no, w.id, sum(l.points)::bigint AS points
        FROM ledger_entry e
        JOIN ledger_leg l ON l.club_id = e.club_id AND l.session_id = e.session_id AND l.entry_id = e.id
        JOIN who w ON w.sat = l.player_id
        WHERE e.club_id = %(club)s AND e.session_id = %(session)s GROUP BY e.hand_no, w.id
    ), lines AS (
        SELECT id, jsonb_object_agg(hand_no, points) AS line FROM by_hand GROUP BY id
    ), places AS (
        SELECT w.id, min(o.from_seq * 4 + o.seat) AS place
        FROM ledger_occupancy o JOIN who w ON w.sat = o.player_id
        WHERE o.club_id = %(club)s AND o.session_id = %(session)s GROUP BY w.id
    )
    SELECT (SELECT array_agg(DISTINCT e.hand_no ORDER BY e.hand_no) {LIVE}), p.id, p.name, p.is_house, lines.line
    FROM scope s CROSS JOIN (places FULL JOIN lines USING (id))
    JOIN clubs_player p ON p.club_id = %(club)s AND p.id = coalesce(places.id, lines.id)
    ORDER BY places.place NULLS LAST, p.id
"""  # noqa: S608 - a fragment of ours


def session_series(*, actor: Actor, session_id: UUID) -> Series:
    """The running totals of a session; players in the order they sat down, the house last.

    Raises:
        Http404, PermissionDenied: as `access_session`.
    """
    rows = session_scope(actor, session_id).ask(_SERIES)
    hands = tuple(rows[0][0] or ())
    players = tuple(Person(*row[1:4]) for row in rows)
    moved: list[dict[str, int]] = [row[4] or {} for row in rows]
    lines = tuple(tuple(accumulate(line.get(str(hand), 0) for hand in hands)) for line in moved)
    return Series(hands, players, lines)

"""What a selector reads: which sessions, which entries of them count, who is who."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import connection
from django.db.backends.utils import CursorWrapper

from mahjong_site.clubs.access import Action, Actor, access_club
from mahjong_site.clubs.selectors import ALWAYS, Days
from mahjong_site.ledger.access import access_session
from mahjong_site.ledger.selectors.letters import FIRST_LETTER, SAME_HAND


@dataclass(frozen=True, slots=True)
class Person:
    """A player, under the name of today."""

    id: UUID
    name: str
    is_house: bool = False


@dataclass(frozen=True, slots=True)
class Scope:
    """Sessions of one club that the actor may see: one of them, or those of some days; of one currency or of any; those
    a player sat in or all."""

    club_id: UUID
    begin: datetime
    end: datetime
    session_id: UUID | None = None
    currency: str | None = None
    player_id: UUID | None = None

    def ask(self, sql: str, **more: Any) -> list[tuple[Any, ...]]:
        """The rows of a statement that begins with the `READ` clauses."""
        told = {
            "club": self.club_id,
            "begin": self.begin,
            "end": self.end,
            "session": self.session_id,
            "currency": self.currency,
            "player": self.player_id,
            "letter": FIRST_LETTER,
            "same_hand": SAME_HAND,
            **more,
        }
        with connection.cursor() as cursor:
            return rows(cursor, READ + sql, told)


def rows(cursor: CursorWrapper, sql: str, parameters: Mapping[str, Any]) -> list[tuple[Any, ...]]:
    """The rows of a statement, its ``jsonb`` columns read (Django leaves them to its fields)."""
    cursor.execute(sql, parameters)
    read = [json.loads if column.type_code == _JSONB else _as_it_is for column in cursor.description]
    return [
        tuple(value if value is None else how(value) for how, value in zip(read, row, strict=True)) for row in cursor
    ]


def _as_it_is(value: Any) -> Any:
    return value


_JSONB = 3802
LIVE = """
    FROM ledger_entry e WHERE e.club_id = %(club)s AND e.session_id = s.id AND e.kind = 'hand' AND e.id NOT IN (
        SELECT r.reverses_id FROM ledger_entry r
        WHERE r.club_id = %(club)s AND r.session_id = s.id AND r.reverses_id IS NOT NULL
    )
"""
"""The entries of kind *hand* of a session ``s`` that were not reversed."""
_SEATING = "width_bucket(e.seated_at, s.seatings)"
# Each session is summed up by itself, from one index of migration 0003.
READ = f"""
    WITH who AS (
        SELECT p.id AS sat, coalesce(a.player_id, p.id) AS id
        FROM clubs_player p
        LEFT JOIN clubs_alias a ON a.club_id = p.club_id AND a.guest_id = p.id
        WHERE p.club_id = %(club)s
    ), scope AS (
        SELECT s.id, s.point_value, s.currency, row_number() OVER (ORDER BY s.created_at, s.id) AS place, ARRAY(
            SELECT DISTINCT o.from_seq FROM ledger_occupancy o
            WHERE o.club_id = s.club_id AND o.session_id = s.id ORDER BY o.from_seq
        ) AS seatings
        FROM ledger_session s
        WHERE s.club_id = %(club)s AND s.created_at >= %(begin)s AND s.created_at < %(end)s
            AND (%(session)s::uuid IS NULL OR s.id = %(session)s)
            AND (%(currency)s::text IS NULL OR s.currency = %(currency)s)
            AND (%(player)s::uuid IS NULL OR EXISTS (
                SELECT FROM ledger_occupancy o JOIN who ON who.sat = o.player_id
                WHERE o.club_id = s.club_id AND o.session_id = s.id AND who.id = %(player)s
            ))
    ), seated AS MATERIALIZED (
        SELECT s.id AS session_id, u.seating, ledger_seats(%(club)s, s.id, u.since) AS seats
        FROM scope s, unnest(s.seatings) WITH ORDINALITY u(since, seating)
    ), tables AS (
        SELECT s.id AS session_id, t.seatings, t.hands FROM scope s CROSS JOIN LATERAL (
            SELECT seatings, count(*) AS hands FROM (
                SELECT array_agg({_SEATING}) AS seatings {LIVE} AND e.marks IS NOT NULL GROUP BY e.hand_no
            ) played GROUP BY seatings
        ) t
    ), sat AS (
        SELECT id, count(DISTINCT session_id) AS sessions, sum(hands)::bigint AS hands FROM (
            SELECT DISTINCT tables.*, w.id
            FROM tables CROSS JOIN unnest(tables.seatings) seating JOIN seated USING (session_id, seating)
            CROSS JOIN unnest(seated.seats) sat JOIN who w USING (sat)
        ) people GROUP BY id
    ), stretches AS (
        SELECT s.place, seated.seating, seated.seats, l.letters FROM scope s CROSS JOIN LATERAL (
            SELECT seating, string_agg(letter, '') AS letters FROM (
                SELECT {_SEATING} AS seating, chr(%(letter)s + e.marks + CASE
                    WHEN lag(e.hand_no) OVER (ORDER BY e.hand_no, e.seated_at) = e.hand_no THEN %(same_hand)s ELSE 0
                END) AS letter
                {LIVE} AND e.marks IS NOT NULL ORDER BY e.hand_no, e.seated_at
            ) listed GROUP BY seating
        ) l JOIN seated ON seated.session_id = s.id AND seated.seating = l.seating
    ), outcomes AS (
        SELECT s.place, s.id AS session_id, seated.seats, o.outcome::jsonb, o.times, o.seq
        FROM scope s CROSS JOIN LATERAL (
            SELECT {_SEATING} AS seating, e.outcome, count(*) AS times, min(e.seq) AS seq {LIVE} GROUP BY 1, 2
        ) o JOIN seated ON seated.session_id = s.id AND seated.seating = o.seating
    ), moved AS (
        SELECT w.id, s.id AS session_id, sum(l.points) AS points, sum(l.cash) AS cash
        FROM scope s CROSS JOIN LATERAL (
            SELECT player_id, sum(points) AS points, sum(cash) AS cash FROM ledger_leg
            WHERE club_id = %(club)s AND session_id = s.id GROUP BY player_id
        ) l JOIN who w ON w.sat = l.player_id
        GROUP BY w.id, s.id
    )
"""  # noqa: S608 - fragments of ours
"""``who``: a player's row and the player it counts for. ``scope``: the sessions, in order. ``seated``: the four of each
seating of a session. Then, of the `LIVE` entries: ``sat``, in how many sessions and hands
a player sat; ``stretches``, the hands of a seating, one letter a record (`mahjong_site.ledger.selectors.letters`);
``outcomes``, how often a seating had an outcome, and its first entry. And ``moved``: what the legs of a session sum to.
"""


def club_scope(actor: Actor, club_id: UUID, days: Days = ALWAYS, currency: str | None = None) -> Scope:
    """The sessions a club opened in these days. Raises: as `access_club`."""
    club, _ = access_club(actor, club_id, Action.VIEW)
    return Scope(club.id, *days.bounds(club.time_zone), currency=currency)


def session_scope(actor: Actor, session_id: UUID) -> Scope:
    """One session. Raises: as `access_session`."""
    session, _ = access_session(actor, session_id, Action.VIEW)
    return Scope(session.club_id, *ALWAYS.bounds("UTC"), session_id=session.id)

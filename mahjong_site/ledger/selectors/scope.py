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


@dataclass(frozen=True, slots=True)
class Person:
    """A player, under the name of today."""

    id: UUID
    name: str
    is_house: bool = False


@dataclass(frozen=True, slots=True)
class Scope:
    """Sessions of one club that the actor may see: one of them, or those of some days; of one currency or of any."""

    club_id: UUID
    begin: datetime
    end: datetime
    session_id: UUID | None = None
    currency: str | None = None

    def ask(self, sql: str, **more: Any) -> list[tuple[Any, ...]]:
        """The rows of a statement that begins with the `READ` clauses."""
        told = {
            "club": self.club_id,
            "begin": self.begin,
            "end": self.end,
            "session": self.session_id,
            "currency": self.currency,
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
READ = """
    WITH who AS (
        SELECT p.id AS sat, coalesce(a.player_id, p.id) AS id
        FROM clubs_player p
        LEFT JOIN clubs_alias a ON a.club_id = p.club_id AND a.guest_id = p.id
        WHERE p.club_id = %(club)s
    ), scope AS (
        SELECT s.id, s.point_value, s.currency, row_number() OVER (ORDER BY s.created_at, s.id) AS place
        FROM ledger_session s
        WHERE s.club_id = %(club)s AND s.created_at >= %(begin)s AND s.created_at < %(end)s
            AND (%(session)s::uuid IS NULL OR s.id = %(session)s)
            AND (%(currency)s::text IS NULL OR s.currency = %(currency)s)
    ), live AS NOT MATERIALIZED (
        SELECT s.place, e.session_id, e.hand_no, e.seq, e.seats, e.played, e.giver, e.winners, e.wins, e.flows
        FROM scope s
        JOIN ledger_entry e ON e.club_id = %(club)s AND e.session_id = s.id AND e.kind = 'hand'
        WHERE e.id NOT IN (
            SELECT r.reverses_id FROM scope
            JOIN ledger_entry r ON r.club_id = %(club)s AND r.session_id = scope.id AND r.reverses_id IS NOT NULL
        )
    )
"""
"""``who``: a player's row and the player it counts for. ``scope``: the sessions, in order. ``live``: their entries of
kind *hand* that were not reversed."""


def club_scope(actor: Actor, club_id: UUID, days: Days = ALWAYS, currency: str | None = None) -> Scope:
    """The sessions a club opened in these days. Raises: as `access_club`."""
    club, _ = access_club(actor, club_id, Action.VIEW)
    return Scope(club.id, *days.bounds(club.time_zone), currency=currency)


def session_scope(actor: Actor, session_id: UUID) -> Scope:
    """One session. Raises: as `access_session`."""
    session, _ = access_session(actor, session_id, Action.VIEW)
    return Scope(session.club_id, *ALWAYS.bounds("UTC"), session_id=session.id)

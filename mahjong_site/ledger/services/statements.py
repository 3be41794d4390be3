"""The statements of a posting: few and plain, since hundreds of records a second go through them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple
from uuid import UUID

from django.db import OperationalError, connection
from psycopg.errors import LockNotAvailable

from mahjong_site.clubs.refusals import Refused
from mahjong_site.ledger.models import Entry, Leg, Session
from mahjong_site.ledger.notify import CHANNEL, message
from mahjong_site.ledger.rows import Rows

LOCK_TIMEOUT = "3s"

_SESSION, _ENTRY = Rows(Session), Rows(Entry)

# The timeout is set before the row is locked: the lock is taken on what the join has found.
_LOCK = f"""
    WITH patience AS MATERIALIZED (SELECT set_config('lock_timeout', '{LOCK_TIMEOUT}', true))
    SELECT {_SESSION.columns("s")} FROM patience, ledger_session s
    WHERE s.club_id = %s AND s.id = %s FOR NO KEY UPDATE OF s
"""  # noqa: S608 - column names of a model, here and below
_TABLE = """
    SELECT (SELECT id FROM ledger_entry WHERE club_id = %(club)s AND session_id = %(session)s AND client_key = %(key)s),
        ledger_seats(%(club)s, %(session)s, %(next)s),
        EXISTS (SELECT FROM ledger_entry
            WHERE club_id = %(club)s AND session_id = %(session)s AND hand_no = %(hand)s AND kind = 'hand')
"""
_WRITE = f"""
    WITH entry AS (
        INSERT INTO ledger_entry ({_ENTRY.columns()}) VALUES {_ENTRY.placeholders()}
    ), legs AS (
        INSERT INTO ledger_leg (club_id, session_id, entry_id, seat, player_id, points, cash)
        SELECT %s, %s, %s, legs.* FROM unnest(%s::smallint[], %s::uuid[], %s::bigint[], %s::bigint[]) legs
    ), moved AS (
        UPDATE ledger_session SET seq = %s, head = %s, hand_no = %s, dealer = %s, streak = %s
        WHERE club_id = %s AND id = %s
    )
    SELECT pg_notify(%s, %s)
"""  # noqa: S608


class Table(NamedTuple):
    """What the next entry depends on: the entry that has the client key already; the players on seats 0–3; whether the
    hand being played has records."""

    answered: UUID | None
    seats: list[UUID]
    hand_going_on: bool


def lock(session: Session) -> Session:
    """The session as it is now, locked until the transaction ends.

    Raises:
        Refused: ``session_busy`` where another transaction holds it for longer than `LOCK_TIMEOUT`.
    """
    try:
        with connection.cursor() as cursor:
            cursor.execute(_LOCK, [session.club_id, session.id])
            return _SESSION.model(cursor.fetchone())
    except OperationalError as error:
        if isinstance(error.__cause__, LockNotAvailable):
            raise Refused.because("session_busy") from None
        raise


def table(session: Session, client_key: str) -> Table:
    """The table of a locked session."""
    asked: dict[str, Any] = {
        "club": session.club_id,
        "session": session.id,
        "key": client_key,
        "next": session.seq + 1,
        "hand": session.hand_no,
    }
    with connection.cursor() as cursor:
        cursor.execute(_TABLE, asked)
        return Table(*cursor.fetchone())


def seats_at(session: Session, seq: int) -> list[UUID]:
    """The players on seats 0–3 at entry ``seq``."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT ledger_seats(%s, %s, %s)", [session.club_id, session.id, seq])
        seats: list[UUID] = cursor.fetchone()[0]
        return seats


def write(entry: Entry, legs: Sequence[Leg], session: Session) -> None:
    """Writes an entry, its legs and where the session stands after it, and announces it."""
    parameters = [
        *_ENTRY.values(entry),
        *(entry.club_id, entry.session_id, entry.id),
        *([getattr(leg, name) for leg in legs] for name in ("seat", "player_id", "points", "cash")),
        *(session.seq, session.head, session.hand_no, session.dealer, session.streak),
        *(session.club_id, session.id),
        *(CHANNEL, message(session, "entry")),
    ]
    with connection.cursor() as cursor:
        cursor.execute(_WRITE, parameters)

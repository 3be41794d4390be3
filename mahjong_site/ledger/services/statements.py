"""The statements of a posting: few and plain, since hundreds of records a second go through them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple
from uuid import UUID

from django.db import OperationalError
from psycopg.errors import LockNotAvailable

from mahjong_site.clubs.refusals import Refused
from mahjong_site.ledger.models import Entry, Session
from mahjong_site.ledger.rows import Rows, prepared

LOCK_TIMEOUT = "3s"

_ENTRY = Rows(Entry)
_MOVING = ("status", "entry_mode", "seq", "head", "hand_no", "dealer", "streak")
"""What of a session can change."""

# The timeout is set before the row is locked: the lock is taken on what the join has found.
_LOCK = f"""
    WITH patience AS MATERIALIZED (SELECT set_config('lock_timeout', '{LOCK_TIMEOUT}', true))
    SELECT {", ".join(f"s.{name}" for name in _MOVING)} FROM patience, ledger_session s
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
    )
    UPDATE ledger_session SET seq = %s, head = %s, hand_no = %s, dealer = %s, streak = %s
    WHERE club_id = %s AND id = %s
"""  # noqa: S608


class Table(NamedTuple):
    """What the next entry depends on: the entry that has the client key already; the players on seats 0–3; whether the
    hand being played has records."""

    answered: UUID | None
    seats: list[UUID]
    hand_going_on: bool


def lock(session: Session) -> Session:
    """The same session, locked until the transaction ends, and as it is now.

    Raises:
        Refused: ``session_busy`` where another transaction holds it for longer than `LOCK_TIMEOUT`.
    """
    try:
        with prepared(_LOCK, [session.club_id, session.id]) as cursor:
            for name, value in zip(_MOVING, cursor.fetchall()[0], strict=True):
                setattr(session, name, value)
            return session
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
    with prepared(_TABLE, asked) as cursor:
        return Table(*cursor.fetchall()[0])


def seats_at(session: Session, seq: int) -> list[UUID]:
    """The players on seats 0–3 at entry ``seq``."""
    with prepared("SELECT ledger_seats(%s, %s, %s)", [session.club_id, session.id, seq]) as cursor:
        seats: list[UUID] = cursor.fetchall()[0][0]
        return seats


class Share(NamedTuple):
    """What a leg says."""

    seat: int
    player_id: UUID
    points: int
    cash: int


def write(entry: Entry, legs: Sequence[Share], session: Session) -> None:
    """Writes an entry, its legs and where the session stands after it."""
    parameters = [
        *_ENTRY.values(entry),
        *(entry.club_id, entry.session_id, entry.id),
        *([leg[place] for leg in legs] for place in range(len(Share._fields))),
        *(session.seq, session.head, session.hand_no, session.dealer, session.streak),
        *(session.club_id, session.id),
    ]
    with prepared(_WRITE, parameters):
        pass

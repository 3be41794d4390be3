"""The statements of a posting: two, and plain, since hundreds of records a second go through them.

The first looks at the table; the second writes, if the table is still as it was seen.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import NamedTuple
from uuid import UUID

from django.db import IntegrityError, OperationalError
from psycopg.errors import LockNotAvailable

from mahjong_site.clubs.access import Action, Actor, Grant
from mahjong_site.clubs.refusals import Refused
from mahjong_site.ledger.access import access_with
from mahjong_site.ledger.models import Entry, Session
from mahjong_site.ledger.rows import Rows, prepared, refused_by

LOCK_TIMEOUT = "3s"

_ENTRY = Rows(Entry)
_MOVING = ("status", "entry_mode", "seq", "head", "hand_no", "dealer", "streak")
"""What of a session can change."""

# The timeout is set before the row is locked: the lock is taken on what the join has found.
_PATIENCE = f"patience AS MATERIALIZED (SELECT set_config('lock_timeout', '{LOCK_TIMEOUT}', true))"
_LOCK = f"""
    WITH {_PATIENCE}
    SELECT {", ".join(f"s.{name}" for name in _MOVING)} FROM patience, ledger_session s
    WHERE s.club_id = %s AND s.id = %s FOR NO KEY UPDATE OF s
"""  # noqa: S608 - column names of a model, here and below
_TABLE = (
    """(SELECT e.id FROM ledger_entry e
        WHERE e.club_id = s.club_id AND e.session_id = s.id AND e.client_key = %(client_key)s)""",
    "ledger_seats(s.club_id, s.id, s.seq + 1)",
    """EXISTS (SELECT FROM ledger_entry e
        WHERE e.club_id = s.club_id AND e.session_id = s.id AND e.hand_no = s.hand_no AND e.kind = 'hand')""",
)
_HAND = f"""
    SELECT {_ENTRY.columns()} FROM ledger_entry
    WHERE club_id = %s AND session_id = %s AND hand_no = %s AND seq <= %s ORDER BY seq
"""  # noqa: S608
# The UPDATE locks the session (waiting for whoever writes) and looks at it again: if another entry came, it moves
# nothing, and then nothing is inserted.
_WRITE = """
    WITH {patience}, moved AS (
        UPDATE ledger_session s SET seq = %s, head = %s, hand_no = %s, dealer = %s, streak = %s FROM patience
        WHERE s.club_id = %s AND s.id = %s AND s.seq = %s AND s.status = 'open' RETURNING s.club_id, s.id
    ), entries AS (
        INSERT INTO ledger_entry ({columns}) SELECT entry.* FROM moved, (VALUES {entries}) entry
    ), legs AS (
        INSERT INTO ledger_leg (club_id, session_id, entry_id, seat, player_id, points, cash)
        SELECT moved.*, leg.*
        FROM moved, unnest(%s::uuid[], %s::smallint[], %s::uuid[], %s::bigint[], %s::bigint[]) leg
    )
    SELECT id FROM moved
"""
_RESEATED = "ledger_entry_seats"


class Table(NamedTuple):
    """What the next entry depends on: the entry that has the client key already; the players on seats 0–3; whether the
    hand being played has records."""

    answered: UUID | None
    seats: list[UUID]
    hand_going_on: bool


def look(actor: Actor, session_id: UUID, action: Action, client_key: str) -> tuple[Session, Grant, Table]:
    """The session, what the actor is in it, and the table, all of one moment. Raises: as `access_session`."""
    session, grant, told = access_with(actor, session_id, action, _TABLE, client_key=client_key)
    return session, grant, Table(*told)


def lock(session: Session) -> Session:
    """The same session, locked until the transaction ends, and as it is now.

    Raises:
        Refused: ``session_busy`` where another transaction holds it for longer than `LOCK_TIMEOUT`.
    """
    with _patience(), prepared(_LOCK, [session.club_id, session.id]) as cursor:
        for name, value in zip(_MOVING, cursor.fetchall()[0], strict=True):
            setattr(session, name, value)
        return session


@contextmanager
def _patience() -> Iterator[None]:
    try:
        yield
    except OperationalError as error:
        if isinstance(error.__cause__, LockNotAvailable):
            raise Refused.because("session_busy") from None
        raise


def records(session: Session, hand_no: int, through: int) -> list[Entry]:
    """The entries of a hand up to sequence ``through``, in order."""
    with prepared(_HAND, [session.club_id, session.id, hand_no, through]) as cursor:
        return [_ENTRY.model(row) for row in cursor]


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


def write(written: Sequence[tuple[Entry, Sequence[Share]]], session: Session, seen: int) -> bool:
    """Writes entries, their legs and where the session stands after them: if it stands at ``seen`` and is open, and
    the players sit where the entries say. Gives whether it does.

    Raises:
        Refused: ``session_busy``, as `lock`.
    """
    legs = [(entry.id, *share) for entry, shares in written for share in shares]
    parameters = [
        *(session.seq, session.head, session.hand_no, session.dealer, session.streak),
        *(session.club_id, session.id, seen),
        *(value for entry, _ in written for value in _ENTRY.values(entry)),
        *(_array(leg[place] for leg in legs) for place in range(1 + len(Share._fields))),
    ]
    try:
        with _patience(), prepared(_writing(len(written)), parameters) as cursor:
            return cursor.rowcount == 1
    except IntegrityError as error:
        if refused_by(error) == _RESEATED:
            return False
        raise


@cache
def _writing(entries: int) -> str:
    return _WRITE.format(
        patience=_PATIENCE, columns=_ENTRY.columns(), entries=", ".join([_ENTRY.placeholders()] * entries)
    )


def _array(values: Iterable[int | UUID]) -> str:
    """PostgreSQL's text for an array: a driver would ask each element for its type."""
    return f"{{{','.join(map(str, values))}}}"

"""The door to a session: `mahjong_site.clubs.access` for a session's id."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.http import Http404

from mahjong_site.clubs.access import Action, Actor, Grant, grants, strongest
from mahjong_site.ledger.models import Session
from mahjong_site.ledger.rows import Rows, prepared

_SESSION = Rows(Session)
_DOOR = f"""
    SELECT {_SESSION.columns("s")}, g.role, g.author_id, g.author_name, g.session_id{{more}}
    FROM ledger_session s, LATERAL ({{grants}}) g
    WHERE s.id = %(session_id)s
"""  # noqa: S608 - column names of a model


def access_session(actor: Actor, session_id: UUID, action: Action) -> tuple[Session, Grant]:
    """The session, if the actor may do that in it.

    Raises:
        Http404: he may not see it, or there is none.
        PermissionDenied: he may see it, but not do that.
    """
    session, found, _ = access_with(actor, session_id, action)
    return session, found


def access_with(
    actor: Actor, session_id: UUID, action: Action, more: Sequence[str] = (), **asked: Any
) -> tuple[Session, Grant, Sequence[Any]]:
    """As `access_session`, with ``more`` values of the same moment: SQL that calls the session ``s``."""
    query, parameters = grants(actor, club="s.club_id", session="s.id")
    statement = _DOOR.format(grants=query, more="".join(f", {value}" for value in more))
    with prepared(statement, {**asked, **parameters, "session_id": session_id}) as cursor:
        rows = cursor.fetchall()
    if not rows:
        raise Http404
    width = _SESSION.width
    session = _SESSION.model(rows[0][:width])
    found = strongest(Grant(session.club_id, *row[width : width + 4]) for row in rows)
    return session, found.require(action, everybody_enters=everybody_enters(session)), rows[0][width + 4 :]


def everybody_enters(session: Session) -> bool:
    """Whether players post too; for `Grant.may`."""
    return session.entry_mode == Session.EntryMode.EVERYBODY

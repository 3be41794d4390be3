"""The door to a session: `mahjong_site.clubs.access` for a session's id."""

from __future__ import annotations

from uuid import UUID

from django.http import Http404

from mahjong_site.clubs.access import Action, Actor, Grant, grants, strongest
from mahjong_site.ledger.models import Session
from mahjong_site.ledger.rows import Rows, prepared

_SESSION = Rows(Session)
_DOOR = f"""
    SELECT {_SESSION.columns("s")},
        (SELECT e.id FROM ledger_entry e
            WHERE e.club_id = s.club_id AND e.session_id = s.id AND e.client_key = %(client_key)s),
        g.role, g.author_id, g.author_name, g.session_id
    FROM ledger_session s, LATERAL ({{grants}}) g
    WHERE s.id = %(session_id)s
"""  # noqa: S608 - column names of a model


def access_session(actor: Actor, session_id: UUID, action: Action) -> tuple[Session, Grant]:
    """The session, if the actor may do that in it.

    Raises:
        Http404: he may not see it, or there is none.
        PermissionDenied: he may see it, but not do that.
    """
    session, found, _ = access_posting(actor, session_id, action, None)
    return session, found


def access_posting(
    actor: Actor, session_id: UUID, action: Action, client_key: str | None
) -> tuple[Session, Grant, UUID | None]:
    """As `access_session`, and the entry that has the client key already."""
    query, parameters = grants(actor, club="s.club_id", session="s.id")
    asked = {**parameters, "session_id": session_id, "client_key": client_key}
    with prepared(_DOOR.format(grants=query), asked) as cursor:
        rows = cursor.fetchall()
    if not rows:
        raise Http404
    width = _SESSION.width
    session = _SESSION.model(rows[0][:width])
    found = strongest(Grant(session.club_id, *row[width + 1 :]) for row in rows)
    return session, found.require(action, everybody_enters=everybody_enters(session)), rows[0][width]


def everybody_enters(session: Session) -> bool:
    """Whether players post too; for `Grant.may`."""
    return session.entry_mode == Session.EntryMode.EVERYBODY

"""The door to a session: `mahjong_site.clubs.access` for a session's id."""

from __future__ import annotations

from uuid import UUID

from django.http import Http404

from mahjong_site.clubs.access import Action, Actor, Grant, grant
from mahjong_site.ledger.models import Session


def access_session(actor: Actor, session_id: UUID, action: Action) -> tuple[Session, Grant]:
    """The session with its club, if the actor may do that in it.

    Raises:
        Http404: he may not see it, or there is none.
        PermissionDenied: he may see it, but not do that.
    """
    session = Session.objects.select_related("club").filter(id=session_id).first()
    if session is None:
        raise Http404
    everybody = session.entry_mode == Session.EntryMode.EVERYBODY
    found = grant(actor, session.club_id, session.id).require(action, everybody_enters=everybody)
    return session, found


def may(session: Session, found: Grant, action: Action) -> bool:
    """Whether a grant is enough for something else in the session: which buttons a page shows."""
    return found.may(action, everybody_enters=session.entry_mode == Session.EntryMode.EVERYBODY)

"""Join links: one role each, for a club or one session, until they expire or are revoked."""

from __future__ import annotations

import secrets
from datetime import timedelta
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from mahjong_site.clubs.access import Action, Actor, access_club, living_link, rank, token_digest
from mahjong_site.clubs.models import JoinLink, Membership, Role
from mahjong_site.clubs.names import clean_name
from mahjong_site.clubs.refusals import Refused
from mahjong_site.clubs.services.clubs import account_player

TOKEN_BYTES = 32
A_WEEK = timedelta(days=7)


def create_link(
    *,
    actor: Actor,
    club_id: UUID,
    role: Role,
    name: str,
    session_id: UUID | None = None,
    lasts: timedelta | None = A_WEEK,
) -> tuple[JoinLink, str]:
    """A link and its token, which is shown this once; the owner may. ``name`` signs what is posted through it.

    Raises: as `access_club`; ``bad_name``.
    """
    with transaction.atomic():
        access_club(actor, club_id, Action.MANAGE)
        return make_link(club_id=club_id, role=role, name=name, session_id=session_id, lasts=lasts)


def make_link(
    *, club_id: UUID, role: Role, name: str, session_id: UUID | None = None, lasts: timedelta | None
) -> tuple[JoinLink, str]:
    """Writes the link, inside the caller's transaction. Raises: ``bad_name``."""
    token = secrets.token_urlsafe(TOKEN_BYTES)
    link = JoinLink.objects.create(
        club_id=club_id,
        session_id=session_id,
        role=role,
        name=clean_name(name),
        token_sha256=token_digest(token),
        expires_at=timezone.now() + lasts if lasts else None,
    )
    return link, token


def revoke_link(*, actor: Actor, club_id: UUID, link_id: UUID) -> JoinLink:
    """Revokes a link; the owner may. Revoking again changes nothing.

    Raises: as `access_club`; ``unknown_link``.
    """
    with transaction.atomic():
        access_club(actor, club_id, Action.MANAGE)
        link = JoinLink.objects.select_for_update(no_key=True).filter(club_id=club_id, id=link_id).first()
        if link is None:
            raise Refused.because("unknown_link", "link_id")
        if link.revoked_at is None:
            link.revoked_at = timezone.now()
            link.save(update_fields=["revoked_at"])
        return link


def join_by_link(*, user_id: int, token: str) -> Membership:
    """Makes an account a member through a club's link; a role it has already is never lowered.

    Raises:
        Refused: ``unknown_link``; ``session_link``: a session's link makes nobody a member.
    """
    with transaction.atomic():
        link = living_link(token)
        if link is None:
            raise Refused.because("unknown_link", "token")
        if link.session_id is not None:
            raise Refused.because("session_link", "token")
        account_player(club_id=link.club_id, user_id=user_id)
        member, _ = Membership.objects.select_for_update(no_key=True).get_or_create(
            club_id=link.club_id, user_id=user_id, defaults={"role": link.role}
        )
        if member.left_at is not None or rank(member.role) < rank(link.role):
            member.role, member.left_at = link.role, None
            member.save(update_fields=["role", "left_at"])
        return member

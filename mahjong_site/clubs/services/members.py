"""Members and their roles."""

from __future__ import annotations

from uuid import UUID

from django.contrib.auth import get_user_model
from django.db import transaction
from django.utils import timezone

from mahjong_site.clubs.access import Action, Actor, access_club
from mahjong_site.clubs.models import Club, Membership, Role
from mahjong_site.clubs.refusals import Refused
from mahjong_site.clubs.services.clubs import account_player


def add_member(*, actor: Actor, club_id: UUID, username: str, role: Role) -> Membership:
    """Makes an account a member, or gives a member another role; the owner may.

    Raises: as `access_club`; ``unknown_user``, ``last_owner``.
    """
    with transaction.atomic():
        _lock_as_owner(actor, club_id)
        user = get_user_model().objects.filter(username=username).first()
        if user is None:
            raise Refused.because("unknown_user", "username")
        member, _ = Membership.objects.update_or_create(
            club_id=club_id, user=user, defaults={"role": role, "left_at": None}
        )
        account_player(club_id=club_id, user_id=user.pk)
        _keep_an_owner(club_id)
        return member


def remove_member(*, actor: Actor, club_id: UUID, member_id: UUID) -> Membership:
    """Ends a membership; the owner may. What the member posted and played stays.

    Raises: as `access_club`; ``unknown_member``, ``last_owner``.
    """
    with transaction.atomic():
        _lock_as_owner(actor, club_id)
        return _end(Membership.objects.filter(club_id=club_id, id=member_id).first())


def leave_club(*, user_id: int, club_id: UUID) -> Membership:
    """Ends one's own membership.

    Raises:
        Refused: ``unknown_member``, ``last_owner``.
    """
    with transaction.atomic():
        _lock(club_id)
        return _end(Membership.objects.filter(club_id=club_id, user_id=user_id).first())


def _lock_as_owner(actor: Actor, club_id: UUID) -> None:
    access_club(actor, club_id, Action.MANAGE)
    _lock(club_id)
    # Who lost the role while this waited may not go on.
    access_club(actor, club_id, Action.MANAGE)


def _lock(club_id: UUID) -> None:
    Club.objects.select_for_update(no_key=True).filter(id=club_id).first()


def _end(member: Membership | None) -> Membership:
    if member is None or member.left_at is not None:
        raise Refused.because("unknown_member", "member_id")
    member.left_at = timezone.now()
    member.save(update_fields=["left_at"])
    _keep_an_owner(member.club_id)
    return member


def _keep_an_owner(club_id: UUID) -> None:
    club = Club.objects.get(id=club_id)
    owners = Membership.objects.filter(club_id=club_id, role=Role.OWNER, left_at__isnull=True)
    # A guest table is held by its owner link.
    if not club.hidden and not owners.exists():
        raise Refused.because("last_owner", "role")

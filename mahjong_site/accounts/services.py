"""What accounts can do beside signing in: API tokens, and links for a new password."""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

from allauth.account.forms import default_token_generator
from allauth.account.utils import user_pk_to_url_str
from django.contrib.auth import get_user_model
from django.contrib.auth.models import AbstractBaseUser
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import QuerySet
from django.urls import reverse
from django.utils import timezone

from mahjong_site.accounts.models import PUBLIC_ID_LENGTH, ApiToken, TrustedClub
from mahjong_site.clubs.access import Action, Actor, access_club
from mahjong_site.clubs.models import Membership
from mahjong_site.clubs.names import clean_name
from mahjong_site.clubs.refusals import Refused

MOST_TOKENS = 20
MOST_DAYS = 365


def tokens_of(user_id: int) -> QuerySet[ApiToken]:
    """The tokens that still work, newest first."""
    living: QuerySet[ApiToken] = ApiToken.objects.filter(user_id=user_id, expiry__gt=timezone.now())
    return living.order_by("-created")


def make_token(*, user: AbstractBaseUser, name: str, scope: str, days: int) -> tuple[ApiToken, str]:
    """A token of the account and its text, which is shown this once.

    Raises:
        Refused: ``bad_name``.
        PermissionDenied: the account has `MOST_TOKENS` already.
        ValueError: no such scope; fewer than 1 or more than `MOST_DAYS` days.
    """
    if scope not in ApiToken.Scope.values or not 1 <= days <= MOST_DAYS:
        raise ValueError(scope, days)
    with transaction.atomic():
        get_user_model().objects.select_for_update().get(pk=user.pk)
        if tokens_of(user.pk).count() >= MOST_TOKENS:
            raise PermissionDenied
        ApiToken.objects.filter(user=user, expiry__lte=timezone.now()).delete()
        made: tuple[ApiToken, str] = ApiToken.objects.create(
            user, expiry=timedelta(days=days), name=clean_name(name), scope=scope
        )
        return made


def revoke_token(*, user_id: int, public_id: str) -> bool:
    """Ends a token at once; whether there was one. Part of a ``public_id`` names none."""
    if len(public_id) != PUBLIC_ID_LENGTH:
        return False
    return bool(ApiToken.objects.filter(user_id=user_id, digest__startswith=public_id).delete()[0])


def choose_trusted_clubs(*, user_id: int, club_ids: set[UUID]) -> None:
    """Says which of the account's clubs may help with a forgotten password; all others may not."""
    with transaction.atomic():
        TrustedClub.objects.filter(user_id=user_id).exclude(club_id__in=club_ids).delete()
        mine = Membership.objects.filter(user_id=user_id, left_at__isnull=True, club_id__in=club_ids)
        TrustedClub.objects.bulk_create(
            (TrustedClub(user_id=user_id, club_id=club_id) for club_id in mine.values_list("club_id", flat=True)),
            ignore_conflicts=True,
        )


def trusted_clubs_of(user_id: int) -> set[UUID]:
    """The clubs that may help."""
    return set(TrustedClub.objects.filter(user_id=user_id).values_list("club_id", flat=True))


def helped_members(club_id: UUID) -> set[int]:
    """The accounts that let this club help."""
    return set(TrustedClub.objects.filter(club_id=club_id).values_list("user_id", flat=True))


def help_member(*, actor: Actor, club_id: UUID, member_id: UUID) -> str:
    """The address where a member may choose a new password, made by the club's owner for who has allowed it.

    Raises:
        Http404, PermissionDenied: as `access_club`; PermissionDenied: the member has not allowed it.
        Refused: ``unknown_member``.
    """
    access_club(actor, club_id, Action.MANAGE)
    member = Membership.objects.filter(club_id=club_id, id=member_id, left_at__isnull=True).select_related("user")
    found = member.first()
    if found is None:
        raise Refused.because("unknown_member", "member_id")
    if not TrustedClub.objects.filter(club_id=club_id, user_id=found.user_id).exists():
        raise PermissionDenied
    return reset_address(found.user)


def reset_address(user: AbstractBaseUser) -> str:
    """The path where a new password can be chosen, once, until ``PASSWORD_RESET_TIMEOUT`` is over."""
    key = default_token_generator.make_token(user)
    return reverse("account_reset_password_from_key", kwargs={"uidb36": user_pk_to_url_str(user), "key": key})

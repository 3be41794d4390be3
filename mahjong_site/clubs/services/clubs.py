"""Making a club, and claiming a guest table."""

from __future__ import annotations

import zoneinfo
from uuid import UUID

from django.contrib.auth import get_user_model
from django.db import transaction

from mahjong_site.clubs.access import Action, Actor, access_club, living_link
from mahjong_site.clubs.models import Alias, Club, Membership, Player, Role
from mahjong_site.clubs.names import clean_name
from mahjong_site.clubs.refusals import Refused
from mahjong_site.clubs.services.players import join_guest

HOUSE_NAME = "桌外"


def create_club(*, user_id: int, name: str, time_zone: str = "Asia/Shanghai") -> Club:
    """A club with its house; the account is its owner and one of its players.

    Raises:
        Refused: ``bad_name``, ``bad_time_zone``, ``unknown_user``.
    """
    with transaction.atomic():
        club = make_club(name=name, time_zone=time_zone, hidden=False)
        Membership.objects.create(club=club, user_id=user_id, role=Role.OWNER)
        account_player(club_id=club.id, user_id=user_id)
        return club


def make_club(*, name: str, time_zone: str, hidden: bool) -> Club:
    """A club with its house and nobody in it, inside the caller's transaction. Raises: as `create_club`."""
    if time_zone not in zoneinfo.available_timezones():
        raise Refused.because("bad_time_zone", "time_zone")
    club = Club.objects.create(name=clean_name(name), time_zone=time_zone, hidden=hidden)
    Player.objects.create(club=club, name=HOUSE_NAME, is_house=True)
    return club


def change_club(*, actor: Actor, club_id: UUID, name: str, time_zone: str) -> Club:
    """Renames a club or moves it to another time zone; the owner may.

    Raises: as `access_club` and `create_club`.
    """
    if time_zone not in zoneinfo.available_timezones():
        raise Refused.because("bad_time_zone", "time_zone")
    with transaction.atomic():
        club, _ = access_club(actor, club_id, Action.MANAGE)
        club.name, club.time_zone = clean_name(name), time_zone
        club.save(update_fields=["name", "time_zone"])
        return club


def claim_guest_table(*, user_id: int, token: str, guest_id: UUID | None = None) -> Club:
    """Links a guest table to an account by the table's owner link: the account becomes its owner.

    ``guest_id``: which of the table's players the account's owner is; an alias joins the two, no entry is rewritten.
    Claiming again changes nothing.

    Raises:
        Refused: ``unknown_link``, ``unknown_player``, ``not_a_guest``, ``alias_of_alias``.
    """
    with transaction.atomic():
        link = living_link(token)
        if link is None or link.role != Role.OWNER or link.session_id is not None or not link.club.hidden:
            raise Refused.because("unknown_link", "token")
        Membership.objects.update_or_create(
            club_id=link.club_id, user_id=user_id, defaults={"role": Role.OWNER, "left_at": None}
        )
        player = account_player(club_id=link.club_id, user_id=user_id)
        if (
            guest_id is not None
            and not Alias.objects.filter(club_id=link.club_id, guest_id=guest_id, player_id=player.id).exists()
        ):
            join_guest(club_id=link.club_id, guest_id=guest_id, player=player)
        return link.club


def account_player(*, club_id: UUID, user_id: int) -> Player:
    """The account's player in the club, made with the account's name where there is none.

    Raises:
        Refused: ``unknown_user``.
    """
    user = get_user_model().objects.filter(pk=user_id).first()
    if user is None:
        raise Refused.because("unknown_user", "user_id")
    player, _ = Player.objects.get_or_create(
        club_id=club_id, user_id=user_id, defaults={"name": user.get_username()[:40]}
    )
    return player

"""People and clubs. Every key begins with the club, so that the tables can be distributed by club."""

# ruff: noqa: DJ008 - nothing prints a row; there is no admin.

from __future__ import annotations

import uuid
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import F, Q

NAME_LENGTH = 40


class Role(models.TextChoices):
    """What a member or the holder of a link is in a club; each may do all that the one before may."""

    VIEWER = "viewer"
    PLAYER = "player"
    SCORER = "scorer"
    OWNER = "owner"


class Club(models.Model):
    """A club. A guest table is a club of its own that no list shows (``hidden``)."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(max_length=NAME_LENGTH)
    time_zone = models.CharField(max_length=64, default="Asia/Shanghai")
    hidden = models.BooleanField(default=False)
    created_at = models.DateTimeField(auto_now_add=True)


class OfClub(models.Model):
    """A row of a club: the key is the club and a public id."""

    pk = models.CompositePrimaryKey("club_id", "id")
    club = models.ForeignKey(Club, on_delete=models.PROTECT, db_index=False, related_name="+")
    id = models.UUIDField(default=uuid.uuid4, editable=False)

    class Meta:
        abstract = True


def in_club(model: type[models.Model] | str, field: str, **options: object) -> models.ForeignObject:
    """The row of ``model`` in the same club whose id is in ``field``; the migrations hold the foreign key itself."""
    return models.ForeignObject(
        model,
        on_delete=models.DO_NOTHING,
        from_fields=("club_id", field),
        to_fields=("club_id", "id"),
        **{"related_name": "+", **options},  # type: ignore[arg-type]
    )


class Player(OfClub):
    """Someone who sits at a club's tables, with an account or without; and the club's house."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="players"
    )
    name = models.CharField(max_length=NAME_LENGTH)
    is_house = models.BooleanField(default=False)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["club"], condition=Q(is_house=True), name="clubs_player_one_house"),
            models.UniqueConstraint(
                fields=["club", "user"], condition=Q(user__isnull=False), name="clubs_player_one_an_account"
            ),
        ]


class Alias(models.Model):
    """A guest who turned out to be a player with an account: what the guest won and lost counts as the player's.

    No entry is rewritten. An alias never stands for an alias (a service and a trigger see to it).
    """

    pk = models.CompositePrimaryKey("club_id", "guest_id")
    club = models.ForeignKey(Club, on_delete=models.PROTECT, db_index=False, related_name="+")
    guest_id = models.UUIDField()
    player_id = models.UUIDField()
    created_at = models.DateTimeField(auto_now_add=True)
    guest = in_club(Player, "guest_id", related_name="aliases")
    player = in_club(Player, "player_id", related_name="guests")

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(condition=~Q(guest_id=F("player_id")), name="clubs_alias_of_another"),
        ]


class Membership(OfClub):
    """What an account may do in a club; ``left_at`` says that it may nothing any more."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="memberships")
    role = models.CharField(max_length=8, choices=Role)
    joined_at = models.DateTimeField(auto_now_add=True)
    left_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["club", "user"], name="clubs_membership_once"),
            models.CheckConstraint(condition=Q(role__in=Role.values), name="clubs_membership_role"),
        ]


class JoinLink(OfClub):
    """A secret link that gives one role, in a whole club or in one session, until it expires or is revoked.

    The token has 256 bits and is stored as its SHA-256 only.
    """

    session_id = models.UUIDField(null=True, blank=True)
    role = models.CharField(max_length=8, choices=Role)
    name = models.CharField(max_length=NAME_LENGTH)
    token_sha256 = models.BinaryField(max_length=32)
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["club", "token_sha256"], name="clubs_link_token"),
            models.CheckConstraint(condition=Q(role__in=Role.values), name="clubs_link_role"),
        ]
        # A link is looked up by its token before its club is known.
        indexes: ClassVar = [models.Index(fields=["token_sha256"], name="clubs_link_by_token")]


class Season(OfClub):
    """A named range of days of the club, both ends included, in the club's time zone."""

    name = models.CharField(max_length=NAME_LENGTH)
    first_day = models.DateField()
    last_day = models.DateField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["club", "name"], name="clubs_season_name"),
            models.CheckConstraint(condition=Q(first_day__lte=F("last_day")), name="clubs_season_days"),
        ]


class HouseRules(OfClub):
    """A preset with the options a club plays, saved under a name."""

    name = models.CharField(max_length=NAME_LENGTH)
    preset = models.CharField(max_length=40)
    options = models.JSONField(default=dict)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["club", "name"], name="clubs_house_rules_name")]

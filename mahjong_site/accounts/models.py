"""API tokens: hashed (knox), expiring, revocable, for reading or for writing too; and who may help with a password."""

# ruff: noqa: DJ008 - nothing prints a row; there is no admin.

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from knox.models import AbstractAuthToken

from mahjong_site.clubs.models import NAME_LENGTH

PUBLIC_ID_LENGTH = 16


class ApiToken(AbstractAuthToken):
    """A token of an account. ``name`` is what its owner calls it; it is shown once, only its hash is kept."""

    class Scope(models.TextChoices):
        """What it allows, of all its owner may do."""

        READ = "read"
        WRITE = "write"

    name = models.CharField(max_length=NAME_LENGTH)
    scope = models.CharField(max_length=5, choices=Scope, default=Scope.READ)

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(condition=models.Q(scope__in=["read", "write"]), name="accounts_token_scope"),
        ]

    @property
    def public_id(self) -> str:
        """What the account page and the throttle know it by."""
        return str(self.digest[:PUBLIC_ID_LENGTH])


class TrustedClub(models.Model):
    """A club whose owners may make a reset link for an account. The account's owner says so; nobody else can."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="trusted_clubs")
    club_id = models.UUIDField()

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["user", "club_id"], name="accounts_trusted_club_once")]

"""API tokens: hashed (knox), expiring, revocable, for reading or for writing too."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from knox.models import AbstractAuthToken

NAME_LENGTH = 40


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
    def throttle_key(self) -> str:
        """What its requests are counted under."""
        return str(self.digest[:16])

"""Buckets: one row for each who asks and what he asks for."""

# ruff: noqa: DJ008 - nothing prints a row; there is no admin.

from __future__ import annotations

from typing import ClassVar

from django.db import models


class Bucket(models.Model):
    """How much of an allowance is used up: it is whole again at ``full_at``. Unlogged: a crash empties the table."""

    key = models.CharField(max_length=120, primary_key=True)
    full_at = models.DateTimeField()

    class Meta:
        indexes: ClassVar = [models.Index(fields=["full_at"], name="limits_bucket_full")]

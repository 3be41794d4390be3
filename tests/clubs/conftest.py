"""Accounts and a club."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth import get_user_model

from mahjong_site.clubs.access import Actor
from mahjong_site.clubs.models import Club
from mahjong_site.clubs.services.clubs import create_club


@pytest.fixture
def account(transactional_db: None) -> Callable[..., Any]:
    """Makes an account."""
    numbers = itertools.count(1)
    return lambda name="": get_user_model().objects.create_user(name or f"user{next(numbers)}", password="x")


@pytest.fixture
def owner(account: Callable[..., Any]) -> Actor:
    """The account of the club's owner."""
    return Actor(user_id=account("owner").pk)


@pytest.fixture
def club(owner: Actor) -> Club:
    """A club with its owner."""
    assert owner.user_id is not None
    return create_club(user_id=owner.user_id, name="周六老友")

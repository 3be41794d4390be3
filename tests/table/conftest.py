"""A table and the browsers around it: the owner's, guests' with a link each, a stranger's."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.core.signing import get_cookie_signer
from django.test import Client

from mahjong_site.clubs.models import Role
from mahjong_site.clubs.services.links import create_link
from mahjong_site.table.visitor import COOKIE
from tests.ledger.tables import Table

NAMES = ["李四", "张三", "王五", "赵六"]


@pytest.fixture
def table(db: None) -> Table:
    """A guest table of changsha-classic, seat 0 deals."""
    return Table.open(name="周六老友局", players=NAMES)


def browser(*tokens: str, language: str = "zh-hans") -> Client:
    """A browser that has opened these links."""
    client = Client(headers={"accept-language": language})
    client.cookies["django_language"] = language
    if tokens:
        client.cookies[COOKIE] = get_cookie_signer(salt=COOKIE + COOKIE).sign(",".join(tokens))
    return client


@pytest.fixture
def owner(table: Table) -> Client:
    return browser(*table.actor.tokens)


@pytest.fixture
def guest(table: Table) -> Callable[[Role], Client]:
    """A browser with a link of a role to this table."""

    def enter(role: Role) -> Client:
        _link, token = create_link(
            actor=table.actor, club_id=table.session.club_id, role=role, name=f"来客{role}", session_id=table.session.id
        )
        return browser(token)

    return enter

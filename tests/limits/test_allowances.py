"""What pages may be asked: forms take from the allowance the API takes from."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client

from mahjong_site.accounts.services import make_token
from mahjong_site.clubs.models import Club, Role
from mahjong_site.clubs.services.links import create_link
from mahjong_site.limits import allowances
from tests.ledger.tables import NAMES, Table

OPENED = {"name": "周六", "rules": "changsha-classic"} | {f"n{seat}": name for seat, name in enumerate(NAMES)}


@pytest.fixture(autouse=True)
def two_a_minute(settings: Any) -> Iterator[None]:
    settings.API_RATES = settings.API_RATES | {"table": "2/min", "join": "2/min"}
    allowances.rate_of.cache_clear()
    yield
    allowances.rate_of.cache_clear()


def refuses(response: Any) -> bool:
    """Whether it is the page that says when to come again."""
    if response.status_code != 429:
        return False
    assert 0 < int(response["Retry-After"]) <= 30
    assert "429.html" in [template.name for template in response.templates]
    return True


@pytest.mark.django_db
def test_opening_tables(client: Client) -> None:
    assert [client.post("/t/new", OPENED).status_code for _ in range(2)] == [302, 302]
    assert refuses(client.post("/t/new", OPENED))
    assert refuses(Client().post("/t/new", OPENED)), "another browser of the same address"
    assert Club.objects.count() == 2
    assert client.get("/t/new").status_code == 200, "looking is free"
    assert client.post("/t/new", OPENED, REMOTE_ADDR="1.2.3.4").status_code == 302
    assert client.post("/api/v1/tables", "{}", content_type="application/json").status_code == 429


@pytest.mark.django_db
@pytest.mark.parametrize("token", ["right", "wrong"])
def test_joining_a_table(client: Client, token: str) -> None:
    table = Table.open()
    if token == "right":
        _, token = create_link(
            actor=table.actor, club_id=table.session.club_id, role=Role.VIEWER, name="看客", session_id=table.session.id
        )
    address = f"/t/join/{token}"
    assert not any(refuses(client.post(address)) for _ in range(2))
    assert refuses(client.post(address))


@pytest.mark.django_db
def test_making_clubs(client: Client, django_user_model: Any) -> None:
    user = django_user_model.objects.create_user("a")
    client.force_login(user)
    assert client.post("/clubs/", {"name": "老友"}).status_code == 302
    address, body = "/api/v1/clubs", json.dumps({"name": "新友"})
    _, token = make_token(user=user, name="t", scope="write", days=1)
    of_token = {"Authorization": f"Token {token}"}
    assert client.post("/clubs/", {"name": "老友"}).status_code == 302
    assert refuses(client.post("/clubs/", {"name": "老友"}))
    asked = [client.post(address, body, content_type="application/json", headers=of_token) for _ in range(3)]
    assert [one.status_code for one in asked] == [201, 201, 429], "a token has its own"
    assert client.get("/clubs/").status_code == 200, "looking is free"
    assert client.get(address, headers=of_token).status_code == 200
    assert Club.objects.count() == 4


@pytest.mark.django_db
def test_joining_a_club(client: Client, django_user_model: Any) -> None:
    for name in ("a", "b"):
        client.force_login(django_user_model.objects.create_user(name))
        assert [client.post("/clubs/join/guess").status_code for _ in range(2)] == [404, 404]
        assert refuses(client.post("/clubs/join/guess")), "each account has its own"

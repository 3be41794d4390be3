"""What holds for every page of the site, whatever is on it."""

from __future__ import annotations

import psycopg
import pytest
from django.contrib.auth import get_user_model
from django.db import connection, connections
from django.test import Client

from mahjong_site.embedded import layout
from tests.conftest import LiveServer, TestDatabase


def test_healthz_asks_no_database(client: Client) -> None:
    assert client.get("/healthz").json() == {"status": "ok"}


@pytest.mark.django_db
def test_readyz_asks_the_database(client: Client) -> None:
    assert client.get("/readyz").status_code == 200
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_user")
        assert cursor.fetchone() == (layout.WEB_ROLE,)


@pytest.mark.django_db
def test_headers(client: Client) -> None:
    response = client.get("/accounts/login/")
    policy = response["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "unsafe" not in policy
    assert response["X-Frame-Options"] == "DENY"
    assert response["X-Content-Type-Options"] == "nosniff"


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("asked", "given"), [("", "zh-hans"), ("zh-TW", "zh-hans"), ("en-GB", "en"), ("fr", "zh-hans")]
)
def test_chinese_unless_english_is_asked_for(client: Client, asked: str, given: str) -> None:
    assert client.get("/accounts/login/", headers={"accept-language": asked})["Content-Language"] == given


def test_web_role_owns_nothing(test_database: TestDatabase, django_db_setup: None) -> None:
    with test_database.connect() as server:
        owned = server.execute("SELECT relname FROM pg_class WHERE pg_get_userbyid(relowner) = %s", [layout.WEB_ROLE])
        assert owned.fetchall() == []
    with test_database.connect(layout.WEB_ROLE) as web:
        for statement in (
            "CREATE TABLE mine (id int)",
            "ALTER TABLE auth_user DISABLE TRIGGER ALL",
            "TRUNCATE auth_user CASCADE",
            "SET session_replication_role = replica",
            "DELETE FROM django_migrations",
        ):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                web.execute(statement)


def make_user() -> None:
    get_user_model().objects.create_user("someone")


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("turn", [1, 2])
def test_committed_rows_do_not_reach_the_next_test(turn: int) -> None:
    assert not get_user_model().objects.exists()
    make_user()


@pytest.mark.django_db(transaction=True, databases=["default", "owner"])
def test_owner_sees_what_the_web_role_commits() -> None:
    make_user()
    with connections["owner"].cursor() as cursor:
        cursor.execute("SELECT username, current_user FROM auth_user")
        assert cursor.fetchall() == [("someone", layout.OWNER_ROLE)]


def test_a_browser_gets_the_site(page, live_site: LiveServer) -> None:
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    page.on("requestfailed", lambda request: complaints.append(request.url))
    response = page.goto("/")
    assert response.status == 200
    assert page.locator("html").is_visible()
    assert complaints == []

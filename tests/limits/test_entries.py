"""A session has an end: entries beyond it are refused, what was posted is answered again."""

from __future__ import annotations

import json

import pytest
from django.test import Client

from mahjong_site.clubs.refusals import Refused
from mahjong_site.ledger import services
from mahjong_site.ledger.services import desk
from tests.ledger.tables import SMALL, Table

pytestmark = pytest.mark.django_db


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> Table:
    """A table whose session has room for no more than three entries, and has two."""
    monkeypatch.setattr(desk, "MOST_ENTRIES", 3)
    table = Table.open()
    table.post(SMALL)
    table.post(SMALL, client_key="second")
    return table


def test_a_full_session_refuses_and_still_answers_again(table: Table) -> None:
    with pytest.raises(Refused, match="session_full"):
        table.ask(services.post_table_fee, points=1)
    assert table.now.seq == 2, "four entries or none"
    table.post(SMALL)
    for more in (
        lambda: table.ask(services.post_record, record=SMALL),
        lambda: table.ask(services.choose_dealer, seat=2),
        lambda: table.ask(services.reverse_entry, seq=3, reason="记错"),
    ):
        with pytest.raises(Refused, match="session_full"):
            more()
    again = table.ask(services.post_record, record=SMALL, client_key="second", expected_seq=1)
    assert isinstance(again, services.Replayed)
    assert table.now.seq == 3


def test_the_api_says_so(table: Table, client: Client) -> None:
    table.post(SMALL)
    response = client.post(
        f"/api/v1/sessions/{table.session.id}/entries",
        json.dumps({"expected_seq": 3, "record": SMALL}),
        content_type="application/json",
        headers={"Authorization": f"Link {table.actor.tokens[0]}", "Idempotency-Key": "k"},
    )
    (error,) = response.json()["errors"]
    assert (response.status_code, error["code"], error["detail"]) == (422, "session_full", {"most": 3})
    assert "3" in error["message"]
    assert "3" in error["message_zh"]


def test_the_documentation_has_the_limit(client: Client) -> None:
    page = client.get("/api/v1/docs/", headers={"Accept-Language": "en"}).content.decode()
    assert f"<td>{desk.MOST_ENTRIES:,} records</td>" in page

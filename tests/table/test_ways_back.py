"""No page of a table is a dead end: reloads, the switch of the language, forms that know more than the book."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.ledger.tables import Table


@pytest.mark.parametrize(("address", "home"), [("post", "hand"), ("post-quick", "quick"), ("resolve", "")])
def test_coming_back_to_where_a_form_went(table: Table, owner: Client, address: str, home: str) -> None:
    session = f"/t/{table.session.id}/"
    answer = owner.get(session + address)
    assert (answer.status_code, answer.headers["Location"]) == (302, session + home)
    assert table.now.seq == 0


def test_a_form_ahead_of_the_book(table: Table, owner: Client) -> None:
    sent = {"key": "ahead", "seq": 5, "hand_no": 1, "dealer0": 0, "w": "1", "by": "1", "p1": "small", "bird0": "0"}
    answer = owner.post(f"/t/{table.session.id}/post-quick", sent)
    assert answer.status_code == 409
    assert "先看看账" in answer.content.decode()
    assert table.now.seq == 0

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


TILES = {"w": "1", "by": "1", "h1": "22s345m45p[123m][555p]+6p", "birds": "6p"}
TAPS = {"w": "1", "by": "1", "p1": "small", "bird0": "6"}


@pytest.mark.parametrize(
    ("page", "to", "hand", "shown"),
    [
        ("hand", "post", TILES, "22s345m45p"),
        ("quick", "post-quick", TAPS, 'id="p1-small" name="p1" value="small" checked'),
    ],
)
def test_the_address_of_a_form_keeps_the_hand_until_it_is_in_the_book(
    table: Table, owner: Client, page: str, to: str, hand: dict[str, str], shown: str
) -> None:
    here = f"/t/{table.session.id}/"
    sent = {"key": "one", "seq": 0, "hand_no": 1, "dealer0": 0, **hand}
    kept = owner.get(here + page, sent).content.decode()
    assert shown in kept
    assert 'name="key" value="one"' in kept

    assert owner.post(here + to, sent).status_code == 302
    again = owner.get(here + page, sent)
    assert (again.status_code, again.headers["Location"]) == (302, here + page)
    fresh = owner.get(here + page).content.decode()
    assert shown not in fresh
    assert 'name="key" value="one"' not in fresh
    assert 'name="seq" value="1"' in fresh


def test_a_hand_kept_beside_another_phones_does_not_come_back(table: Table, owner: Client) -> None:
    """It is posted from the page of the two hands, and keeps the key of its form."""
    here = f"/t/{table.session.id}/"
    sent = {"key": "mine", "seq": 0, "hand_no": 1, "dealer0": 0, **TAPS}
    assert owner.post(here + "post-quick", sent | {"key": "theirs", "p1": "all_pungs"}).status_code == 302
    assert owner.get(here + "quick", sent).status_code == 200
    conflict = owner.post(here + "post-quick", sent)
    assert conflict.status_code == 409
    both = {"facts": conflict.context["facts"], **dict(conflict.context["both"].fields())}
    assert owner.post(here + "resolve", both).status_code == 302
    assert table.now.seq == 2
    assert owner.get(here + "quick", sent).status_code == 302


def test_an_address_with_a_key_that_cannot_be(table: Table, owner: Client) -> None:
    assert owner.get(f"/t/{table.session.id}/quick", {"key": "\x00"}).status_code == 200

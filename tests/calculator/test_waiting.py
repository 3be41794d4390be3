"""Pages that wait for a tap do not begin with a fault."""

from __future__ import annotations

import pytest
from django.test import Client

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("?kind=exhausted", "海底归谁"),
        ("?kind=penalty", "谁罚多少分"),
        ("?kind=penalty&pseat=1&preason=false_win", "谁罚多少分"),
    ],
)
def test_what_was_not_tapped_yet_is_no_fault(client: Client, query: str, words: str) -> None:
    page = client.get(f"/{query}").content.decode()
    assert words in page
    assert 'class="said up"' not in page


def test_a_wrong_penalty_still_is_one(client: Client) -> None:
    page = client.get("/?kind=penalty&pseat=1&preason=other&ppoints=5&pto=1").content.decode()
    assert 'class="said up" id="verdict-text">不能罚给自己' in page

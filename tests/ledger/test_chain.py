"""The hash chain: it holds, and shows any change, also one that PostgreSQL was kept from refusing."""

from __future__ import annotations

from typing import Any

import pytest

from mahjong_site.ledger import services
from mahjong_site.ledger.chain import canonical, entry_hash, genesis
from mahjong_site.ledger.models import Entry, Session
from tests.ledger.tables import Table, win

CHANGES = [
    "record = jsonb_set(record, '{winners,0,seat}', '3')",
    "settlement = jsonb_set(settlement, '{house}', '1')",
    "seats = ARRAY[seats[2], seats[1], seats[3], seats[4]]",
    "author_name = 'x'",
    "author_id = gen_random_uuid()",
    "posted_at = posted_at + interval '1 microsecond'",
    "client_key = 'other'",
    "hand_no = 9",
    "streak = 3",
    "seated_at = 1",
    "engine = '0'",
    "reason = 'x'",
    "choice = '{}'",
    "prev_hash = sha256('x')",
]


def broken(session: Session) -> list[int]:
    """Sequences at which the chain does not hold."""
    head, wrong = genesis(session), []
    for entry in Entry.objects.filter(session_id=session.id).order_by("seq"):
        if bytes(entry.prev_hash) != head or bytes(entry.hash) != entry_hash(entry):
            wrong.append(entry.seq)
        head = bytes(entry.hash)
    return wrong


def test_every_kind_of_entry_is_in_the_chain(transactional_db: None) -> None:
    table = Table.open("changsha-room", first_dealer=None)
    table.ask(services.roll_first_dealer)
    table.post(win(1))
    table.ask(services.correct_entry, seq=2, record=win(2), reason="更正 <&> \"'")
    table.ask(services.post_table_fee, points=2)
    now = table.now
    assert broken(now) == []
    assert bytes(now.head) == bytes(Entry.objects.get(seq=now.seq).hash)


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_behind_the_ledgers_back_shows(table: Table, test_database: Any, change: str) -> None:
    for seat in (1, 2, 3):
        table.post(win(seat))
    with test_database.connect(options="-c session_replication_role=replica") as server:
        server.execute(f"UPDATE ledger_entry SET {change} WHERE seq = 2")
    assert 2 in broken(table.now)


@pytest.mark.parametrize("change", ["point_value = 9", "currency = 'USD'", "rules = '{}'"])
def test_so_does_a_change_of_what_was_frozen(table: Table, test_database: Any, change: str) -> None:
    table.post(win(1))
    with test_database.connect(options="-c session_replication_role=replica") as server:
        server.execute(f"UPDATE ledger_session SET {change}")
    assert broken(table.now) == [1]


def test_canonical_json() -> None:
    assert (
        canonical({"b": [1, None, True], "a": {"z": "庄", "y": "é"}})
        == '{"a":{"y":"é","z":"庄"},"b":[1,null,true]}'.encode()
    )

"""Every deal worked out from the entries alone: as the services found it, and nothing else."""

from __future__ import annotations

from typing import Any

import pytest

from mahjong_site.ledger import services
from mahjong_site.ledger.models import Entry
from mahjong_site.ledger.verify import Finding, verify_session
from tests.ledger.tables import Table, win

BOTH = {"kind": "win", "by": "discard", "from": 0, "winners": [win(seat)["winners"][0] for seat in (1, 3)]}
ROBBED = win(2, 0, by="rob_kong")
TURNED_UP = BOTH | {"events": ["kong_discard"]}


def findings(table: Table) -> list[str]:
    now = table.now
    return [seen.what for seen in verify_session(now.club_id, now.id) if isinstance(seen, Finding)]


@pytest.fixture
def choosing(transactional_db: None) -> Table:
    """After a hand that left the choice of seats 1 and 3, which fell on 3."""
    table = Table.open("changsha-room")
    table.post(BOTH, choose_next_dealer=3)
    return table


def test_a_table_without_entries(transactional_db: None) -> None:
    assert findings(Table.open()) == findings(Table.open(first_dealer=None)) == []


def test_a_choice_is_followed(choosing: Table) -> None:
    choosing.post(win(3))
    choosing.ask(services.correct_entry, seq=2, record=win(1), reason="记错")
    choosing.ask(services.choose_dealer, seat=0)
    assert findings(choosing) == []


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("'{seat}', '1'", "the session stands at hand 2, dealer 3, streak 0; its entries lead to hand 2, dealer 1"),
        ("'{seat}', '2'", "it chooses seat 2 of [1, 3] as next dealer, the rule leaves [1, 3]"),
        ("'{of}', '[2, 3]'", "it chooses seat 3 of [2, 3] as next dealer, the rule leaves [1, 3]"),
    ],
)
def test_another_choice_shows(choosing: Table, test_database: Any, change: str, said: str) -> None:
    with test_database.connect(options="-c session_replication_role=replica") as server:
        server.execute(f"UPDATE ledger_entry SET choice = jsonb_set(choice, {change})")
    assert any(what.startswith(said) for what in findings(choosing))


@pytest.fixture
def drawing(transactional_db: None) -> Table:
    """After a reversal that left the choice of seats 1 and 3, and drew."""
    table = Table.open("changsha-room")
    table.post(ROBBED)
    table.post(TURNED_UP, same_hand=True)
    table.ask(services.reverse_entry, seq=1, reason="没有抢杠")
    return table


def test_a_reversal_says_whom_it_drew(drawing: Table, test_database: Any) -> None:
    drawn = drawing.now.dealer
    assert drawn in (1, 3)
    assert Entry.objects.get(seq=3).choice == {"seat": drawn, "of": [1, 3], "how": "drawn"}
    assert findings(drawing) == []
    other = {1: 3, 3: 1}[drawn]
    with test_database.connect(options="-c session_replication_role=replica") as server:
        server.execute("UPDATE ledger_session SET dealer = %s", [other])
    assert findings(drawing) == [
        f"the session stands at hand 2, dealer {other}, streak 0; its entries lead to hand 2, dealer {drawn}, streak 0"
    ]


def test_what_a_reversal_drew_is_kept_through_a_correction(drawing: Table) -> None:
    """Of the record that stands; the one taken back has no say."""
    drawn = drawing.now.dealer
    fixed = drawing.ask(services.correct_entry, seq=2, record=TURNED_UP | {"birds": ["6m"]}, reason="漏了鸟").entry
    assert fixed is not None
    assert fixed.choice == {"seat": drawn, "of": [1, 3], "how": "kept"}
    assert findings(drawing) == []


def test_a_hand_played_again_keeps_no_choice_of_before(drawing: Table) -> None:
    drawing.ask(services.reverse_entry, seq=2, reason="重打")
    assert drawing.deal() == (1, 0, 0)
    assert Entry.objects.get(seq=4).choice is None
    again = drawing.post(BOTH)
    assert again.choice is not None
    assert again.choice["how"] == "drawn"
    assert findings(drawing) == []

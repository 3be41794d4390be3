"""verify_ledger finds what was tampered with; a backup comes back whole and verifies."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connections

from mahjong_site.embedded import layout
from mahjong_site.ledger import verify
from mahjong_site.ledger.models import Session
from tests.ledger.evenings import evening, rows
from tests.ledger.tables import SMALL, Table


def verified(**options: Any) -> str:
    out = io.StringIO()
    call_command("verify_ledger", stdout=out, **options)
    return out.getvalue()


@pytest.fixture
def tamper(test_database: Any) -> Iterator[Callable[..., None]]:
    """Runs a statement past every trigger, as someone with the superuser's password could."""
    with test_database.connect(options="-c session_replication_role=replica") as server:
        yield lambda statement: server.execute(statement)


def test_an_untouched_ledger(transactional_db: None) -> None:
    evening()
    table = Table.open()
    assert verified().strip().endswith("2 sessions, 16 entries: 0 faults")
    assert verified(session=table.session.id).strip() == "1 sessions, 0 entries: 0 faults"
    with pytest.raises(CommandError, match="no such session"):
        verified(club=table.session.id)


TAMPERING = {
    "an amount": (
        "UPDATE ledger_leg SET points = 45 WHERE seat = 1 AND points = 40",
        "its points sum to 5",
    ),
    "two amounts": (
        "UPDATE ledger_leg SET points = -points WHERE entry_id = (SELECT id FROM ledger_entry WHERE seq = 1)",
        "its legs are +20 -40 +10 +10, and should be -20 +40 -10 -10",
    ),
    "side cash": ("UPDATE ledger_leg SET cash = 7 WHERE seat = 1", "its cash sum to 7"),
    "a record": (
        "UPDATE ledger_entry SET record = jsonb_set(record, '{winners,0,seat}', '2') WHERE seq = 1",
        "its own hash is of something else",
    ),
    "a settlement": (
        "UPDATE ledger_entry SET settlement = jsonb_set(settlement, '{deltas}', '[-2, 4, -1, -1]') WHERE seq = 1",
        "settled it as -2 +4 -1 -1",
    ),
    "an author": ("UPDATE ledger_entry SET author_name = '别人' WHERE seq = 1", "entry 1: the chain is broken"),
    "a time": ("UPDATE ledger_entry SET posted_at = posted_at - interval '1 day' WHERE seq = 1", "the chain is broken"),
    "an entry": ("DELETE FROM ledger_entry WHERE seq = 1", "entry 2: follows entry 0"),
    "the last entry": ("DELETE FROM ledger_entry WHERE seq = 3", "the session stands at entry 3, the last one is 2"),
    "the value of a point": (
        "UPDATE ledger_session SET point_value = 2",
        "what was frozen when it was opened has changed",
    ),
    "the hand of an entry": (
        "UPDATE ledger_entry SET hand_no = 7 WHERE seq = 2",
        "entry 2: it is of hand 7, dealer 1, streak 0, and should be of hand 2, dealer 1, streak 0",
    ),
    "who dealt": (
        "UPDATE ledger_entry SET dealer = 3, record = jsonb_set(record, '{dealer}', '3') WHERE seq = 2",
        "entry 2: it is of hand 2, dealer 3, streak 0, and should be of hand 2, dealer 1, streak 0",
    ),
    "how often he kept the deal": (
        "UPDATE ledger_entry SET streak = 4 WHERE seq = 2",
        "entry 2: it is of hand 2, dealer 1, streak 4, and should be of hand 2, dealer 1, streak 0",
    ),
    "who chose the dealer": (
        """UPDATE ledger_entry SET choice = '{"seat": 3, "of": [1, 3], "how": "drawn"}' WHERE seq = 2""",
        "entry 2: it chooses seat 3 of [1, 3] as next dealer, the rule leaves no choice",
    ),
    "what is reversed": (
        "UPDATE ledger_entry SET hand_no = 2 WHERE seq = 3",
        "entry 3: it takes back what is no record of its hand",
    ),
    "where they sat": ("UPDATE ledger_entry SET seated_at = 1 WHERE seq = 2", "entry 2: the chain is broken"),
    "the hand being played": (
        "UPDATE ledger_session SET hand_no = 9",
        "the session stands at hand 9, dealer 1, streak 1; its entries lead to hand 3, dealer 1, streak 1",
    ),
    "its dealer": ("UPDATE ledger_session SET dealer = 2", "stands at hand 3, dealer 2, streak 1; its entries lead to"),
    "its streak": ("UPDATE ledger_session SET streak = 0", "stands at hand 3, dealer 1, streak 0; its entries lead to"),
    "a reversal": (
        "UPDATE ledger_leg SET points = points * 2 WHERE entry_id = (SELECT id FROM ledger_entry WHERE seq = 3)",
        "its legs are +40 -80 +20 +20, and should be +20 -40 +10 +10",
    ),
}


@pytest.mark.parametrize("name", TAMPERING)
def test_tampering_is_found(table: Table, tamper: Callable[..., None], name: str) -> None:
    from mahjong_site.ledger import services

    table.post(SMALL)
    table.post(SMALL)
    table.ask(services.reverse_entry, seq=1, reason="错")
    statement, said = TAMPERING[name]
    tamper(statement)
    out = io.StringIO()
    with pytest.raises(CommandError, match="faults"):
        call_command("verify_ledger", stdout=out)
    assert said in out.getvalue()
    assert f"fault: session {table.session.id}" in out.getvalue()


def test_an_older_engine_is_listed_with_both_amounts(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same entry, when the engine that runs is another version and settles otherwise."""
    table.post(SMALL)
    settled = verify.settled_anew

    def doubled(*asked: Any) -> dict[str, Any]:
        now = settled(*asked)
        return {**now, "deltas": [2 * delta for delta in now["deltas"]]}

    monkeypatch.setattr(verify, "settled_anew", doubled)
    with pytest.raises(CommandError, match="1 faults"):
        verified()
    monkeypatch.setattr(verify, "ENGINE_VERSION", "9.0.0")
    said = verified()
    assert "settled it as -20 +40 -10 -10, 9.0.0 as -40 +80 -20 -20" in said
    assert "0 faults, 1 settled otherwise by an older engine" in said


# --- backup and restore


@pytest.fixture
def elsewhere(test_database: Any) -> Iterator[Callable[[], None]]:
    """Another, empty database of the same server; gives what points both aliases there."""
    name = f"{test_database.name}_restored"
    here = {alias: dict(connections.settings[alias]) for alias in ("default", "owner")}

    def turn(database: str) -> None:
        for alias in ("default", "owner"):
            connections[alias].close()
            connections.settings[alias]["NAME"] = database
            connections[alias].settings_dict["NAME"] = database
        connections["default"].close_pool()

    with test_database.connect(database="postgres") as server:
        server.execute(f"CREATE DATABASE {name} OWNER {layout.OWNER_ROLE}")
        yield lambda: turn(name)
        turn(here["default"]["NAME"])
        server.execute(f"DROP DATABASE {name} WITH (FORCE)")


both_roles = pytest.mark.django_db(transaction=True, databases=["default", "owner"])


@both_roles
def test_there_and_back(elsewhere: Callable[[], None], tmp_path: Path) -> None:
    table = evening()
    before = rows(table.session)
    file = tmp_path / "backup"
    out = io.StringIO()
    call_command("backup", file, stdout=out)
    assert file.stat().st_mode & 0o777 == 0o600
    with pytest.raises(CommandError, match="already"):
        call_command("backup", file)

    elsewhere()
    call_command("restore", file, stdout=out)
    assert rows(table.session) == before
    assert "1 sessions, 16 entries: 0 faults" in out.getvalue()

    # The web role may there what it may here: read and post, and not change.
    session = Table(Session.objects.get(), table.actor)
    from mahjong_site.ledger import services

    services.reopen_session(actor=table.actor, session_id=table.session.id)
    session.post(SMALL, client_key="after")
    with pytest.raises(CommandError, match="--replace"):
        call_command("restore", file)
    assert session.now.seq == 17
    call_command("restore", file, replace=True, stdout=out)
    assert rows(table.session) == before


@both_roles
def test_what_is_no_backup_changes_nothing(tmp_path: Path) -> None:
    table = Table.open()
    table.post(SMALL)
    before = rows(table.session)
    good, bad = tmp_path / "good", tmp_path / "bad"
    call_command("backup", good)
    for data in (b"", b"PGDMP rubbish", good.read_bytes()[:-2000]):
        bad.write_bytes(data)
        with pytest.raises(CommandError, match="nothing was changed"):
            call_command("restore", bad, replace=True)
        assert rows(table.session) == before
    with pytest.raises(CommandError, match="no such file"):
        call_command("restore", tmp_path / "none")

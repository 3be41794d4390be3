"""What others do between a posting's look at the table and its writing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from mahjong_site.clubs.refusals import Refused
from mahjong_site.ledger import services
from mahjong_site.ledger.models import Entry
from mahjong_site.ledger.services import statements
from tests.ledger.tables import Table, win

Meanwhile = Callable[..., None]


@pytest.fixture
def meanwhile(monkeypatch: pytest.MonkeyPatch) -> Meanwhile:
    """Does something just before the next writings, so many times."""
    write = statements.write

    def let(do: Callable[[], Any], times: int = 1) -> None:
        left = iter(range(times))

        def late(*asked: Any) -> bool:
            if next(left, None) is not None:
                monkeypatch.setattr(statements, "write", write)
                do()
                monkeypatch.setattr(statements, "write", late)
            return write(*asked)

        monkeypatch.setattr(statements, "write", late)

    return let


def test_another_record_is_a_conflict(table: Table, meanwhile: Meanwhile) -> None:
    meanwhile(lambda: table.post(win(2)))
    answer = table.ask(services.post_record, record=win(1))
    assert isinstance(answer, services.Conflict)
    assert answer.entry == Entry.objects.get()


def test_the_same_record_is_a_replay(table: Table, meanwhile: Meanwhile) -> None:
    meanwhile(lambda: table.post(win(1), client_key="tap"))
    answer = table.ask(services.post_record, record=win(1), client_key="tap")
    assert isinstance(answer, services.Replayed)
    assert answer.entry == Entry.objects.get()


def test_a_session_that_closes_takes_nothing(table: Table, meanwhile: Meanwhile) -> None:
    meanwhile(lambda: services.close_session(actor=table.actor, session_id=table.session.id))
    with pytest.raises(Refused, match="session_closed"):
        table.post(win(1))
    assert not Entry.objects.exists()


def test_who_changed_places_is_booked_on_the_new_one(table: Table, meanwhile: Meanwhile) -> None:
    before = statements.seats_at(table.session, 1)

    def swap() -> None:
        services.swap_seats(actor=table.actor, session_id=table.session.id, seat=0, other=1)

    meanwhile(swap)
    entry = table.post(win(1))
    assert entry.seats == [before[1], before[0], *before[2:]] == Entry.objects.get().seats


def test_who_changes_places_all_the_time_is_busy(table: Table, meanwhile: Meanwhile) -> None:
    meanwhile(lambda: services.swap_seats(actor=table.actor, session_id=table.session.id, seat=0, other=1), times=9)
    with pytest.raises(Refused, match="session_busy"):
        table.post(win(1))
    assert table.now.seq == 0


def test_a_correction_of_several_entries_is_one_statement(table: Table, meanwhile: Meanwhile) -> None:
    """Neither of its two entries is written where the session has moved."""
    table.post(win(1))
    meanwhile(lambda: table.post(win(2)))
    answer = table.ask(services.correct_entry, seq=1, record=win(3), reason="误记")
    assert isinstance(answer, services.Conflict)
    assert Entry.objects.count() == 2

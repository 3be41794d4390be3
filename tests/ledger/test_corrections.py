"""Reversing and correcting: amounts, and where the session stands afterwards."""

from __future__ import annotations

from typing import Any

import pytest

from mahjong_site.clubs.refusals import Refused
from mahjong_site.ledger import services
from mahjong_site.ledger.models import Leg
from scoring import RecordError
from tests.ledger.tables import Table, win
from tests.ledger.test_hands import OPENING, ROBBED, TURNED_UP


def reverse(table: Table, seq: int, **asked: Any) -> services.Result:
    return table.ask(services.reverse_entry, **{"seq": seq, "reason": "误记", **asked})


def correct(table: Table, seq: int, record: Any, **asked: Any) -> services.Result:
    return table.ask(services.correct_entry, **{"seq": seq, "record": record, "reason": "记错了人", **asked})


def test_a_reversal_is_the_exact_negative(table: Table) -> None:
    entry = table.post(win(1, birds=["6m"]))
    answer = reverse(table, 1)
    assert isinstance(answer, services.Posted)
    assert answer.entry.reason == "误记"
    assert table.totals() == {}
    mirrored = {leg.seat: -leg.points for leg in answer.entry.legs.all()}
    assert mirrored == {leg.seat: leg.points for leg in entry.legs.all()}


def test_a_correction_is_a_reversal_and_a_new_entry(table: Table) -> None:
    wrong = table.post(win(1))
    answer = correct(table, 1, win(2))
    assert isinstance(answer, services.Posted)
    (reversal,) = answer.before
    assert (reversal.reverses_id, answer.entry.corrects_id) == (wrong.id, wrong.id)
    assert (answer.entry.seq, answer.entry.hand_no, answer.entry.dealer) == (3, 1, 0)
    assert table.points() == [-20, -10, 40, -10]


def test_a_correction_that_is_refused_leaves_everything(table: Table) -> None:
    table.post(win(1))
    with pytest.raises(RecordError):
        correct(table, 1, win(1, giver=1))
    assert table.now.seq == 1
    assert table.points() == [-20, 40, -10, -10]


def test_corrections_are_replayed_like_posts(table: Table) -> None:
    table.post(win(1))
    first = correct(table, 1, win(2), client_key="fix")
    again = correct(table, 1, win(2), client_key="fix")
    assert isinstance(again, services.Replayed)
    assert again.entry.id == first.entry.id
    assert isinstance(correct(table, 1, win(3), client_key="fix"), services.KeyReused)
    assert table.now.seq == 3


def test_nothing_is_reversed_twice(table: Table) -> None:
    table.post(win(1))
    reverse(table, 1)
    for again in (lambda: reverse(table, 1), lambda: correct(table, 1, win(2))):
        with pytest.raises(Refused, match="already_reversed"):
            again()


def test_a_corrected_entry_can_be_corrected_again_and_reversed(table: Table) -> None:
    table.post(win(1))
    correct(table, 1, win(2))
    correct(table, 3, win(3))
    assert table.points() == [-20, -10, -10, 40]
    assert table.deal() == (2, 3, 0)
    reverse(table, 5)
    assert table.totals() == {}
    assert table.deal() == (1, 0, 0)


@pytest.mark.parametrize(("seq", "code"), [(9, "unknown_entry"), (0, "unknown_entry"), (2, "not_reversible")])
def test_only_hands_that_exist(table: Table, seq: int, code: str) -> None:
    table.post(win(1))
    reverse(table, 1)
    with pytest.raises(Refused, match=code):
        reverse(table, seq)


def test_a_dealer_entry_is_not_reversed_but_set_anew(table: Table) -> None:
    table.ask(services.choose_dealer, seat=2)
    with pytest.raises(Refused, match="not_reversible"):
        reverse(table, 1)


@pytest.mark.parametrize("reason", ["", "   ", "x" * 201, "a\x00b", "\u202eabc"])
def test_a_reason_is_needed(table: Table, reason: str) -> None:
    table.post(win(1))
    with pytest.raises(Refused, match="bad_reason"):
        reverse(table, 1, reason=reason)


# Where the session stands: it follows the last hand


def test_reversing_the_last_hand_deals_it_again(table: Table) -> None:
    table.post(win(0))
    table.post(win(0))
    table.post(win(1))
    assert table.deal() == (4, 1, 0)
    reverse(table, 3)
    assert table.deal() == (3, 0, 2)
    reverse(table, 2)
    assert table.deal() == (2, 0, 1)


def test_correcting_the_last_hand_moves_the_dealer(table: Table) -> None:
    table.post(win(0))
    table.post(win(1))
    correct(table, 2, win(0))
    assert table.deal() == (3, 0, 2)


def test_correcting_an_older_hand_moves_amounts_only(table: Table) -> None:
    table.post(win(1))
    table.post(win(2))
    correct(table, 1, win(3))
    assert table.deal() == (3, 2, 0)
    assert table.points() == [-20 - 10, -10 - 20, -10 + 40, 40 - 10]
    reverse(table, 4)
    assert table.deal() == (3, 2, 0)


def test_one_of_two_records_reversed_leaves_the_other(transactional_db: None) -> None:
    table = Table.open("changsha-liuqi")
    table.post(ROBBED)
    table.post(TURNED_UP, same_hand=True)
    assert table.deal() == (2, 3, 0)
    reverse(table, 1)
    assert table.deal() == (2, 2, 0), "the other win stands alone: its winner deals"


def test_a_corrected_opening_stands_where_it_stood(transactional_db: None) -> None:
    table = Table.open("changsha-liuqi")
    table.post(OPENING)
    table.post(win(3))
    correct(table, 1, OPENING | {"winners": [{"seat": 0, "declared": ["no_jiang"]}]})
    assert table.deal() == (2, 3, 0)
    reverse(table, 2)
    assert table.deal() == (1, 0, 0), "the corrected opening alone leaves the hand open"
    assert table.post(win(1)).hand_no == 1


def test_a_drawn_dealer_is_kept_through_a_correction(transactional_db: None) -> None:
    table = Table.open("changsha-room")
    record = {
        "kind": "win",
        "by": "discard",
        "from": 0,
        "winners": [{"seat": seat, "declared": ["small"]} for seat in (1, 2, 3)],
    }
    table.post(record, choose_next_dealer=2)
    fixed = correct(table, 1, record | {"birds": ["1m"]})
    assert fixed.entry.choice == {"seat": 2, "of": [1, 2, 3], "how": "kept"}
    assert table.now.dealer == 2


def test_a_correction_counts_for_those_who_played(table: Table) -> None:
    table.post(win(1))
    services.seat_players(actor=table.actor, session_id=table.session.id, players=["李四", "王五", "赵六", "钱七"])
    fixed = correct(table, 1, win(2))
    assert fixed.before[0].seats == fixed.entry.seats
    assert table.points() == [-20, -10, 40, -10]
    assert Leg.objects.filter(player__name="钱七").count() == 0


def test_a_correction_may_name_the_right_dealer(table: Table) -> None:
    table.post(win(1))
    fixed = correct(table, 1, win(1) | {"dealer": 1})
    assert fixed.entry.dealer == 1
    assert table.points() == [-20, 60, -20, -20]
    assert table.deal() == (2, 1, 1)


def test_but_not_another_than_the_hands_other_records_have(transactional_db: None) -> None:
    table = Table.open("changsha-liuqi")
    table.post(OPENING)
    table.post(win(1))
    with pytest.raises(Refused, match="dealer_mismatch"):
        correct(table, 2, win(1) | {"dealer": 1})


def test_a_closed_session_is_not_corrected(table: Table) -> None:
    table.post(win(1))
    services.close_session(actor=table.actor, session_id=table.session.id)
    with pytest.raises(Refused, match="session_closed"):
        reverse(table, 1)

"""Posting through the services: amounts, keys, sequences, refusals."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import pytest

from mahjong_site.clubs.models import Player
from mahjong_site.clubs.refusals import Refused
from mahjong_site.ledger import services
from mahjong_site.ledger.models import Entry, Leg
from scoring import PRESET_IDS, RecordError
from tests.ledger.tables import SMALL, Table, real_records, win


def test_a_hand_moves_points_dealer_and_sequence(table: Table) -> None:
    entry = table.post(win(1, birds=["6m"]))
    assert table.points() == [-40, 80, -20, -20]  # rule book, example 1
    assert (entry.seq, entry.hand_no, entry.dealer) == (1, 1, 0)
    assert table.deal() == (2, 1, 0)
    table.post(win(1))
    assert table.deal() == (3, 1, 1), "the dealer kept the deal once"
    table.post(win(1))
    assert table.deal() == (4, 1, 2)
    table.post(win(3))
    assert table.deal() == (5, 3, 0)


@pytest.mark.parametrize("preset", PRESET_IDS)
def test_real_records_settle_as_known(preset: str, transactional_db: None) -> None:
    """Every known record of the preset, one after the other in one session: the legs are the known amounts."""
    table = Table.open(preset)
    known = real_records(preset)
    assert sum(map(len, known.values())) > 10
    for dealer, records in known.items():
        for facts, answer in records:
            table.ask(services.choose_dealer, seat=dealer)
            choose = (answer["next_dealer_choices"] or [None])[-1]
            entry = table.post(facts, choose_next_dealer=choose)
            legs = {leg.seat: leg.points for leg in entry.legs.all()}
            due = dict(enumerate([*answer["deltas"], answer["house"]]))
            assert legs == {seat: points for seat, points in due.items() if points}
            assert table.now.dealer == (dealer if choose is None else choose)
            if not answer["hand_ends"]:
                table.ask(services.reverse_entry, seq=entry.seq, reason="下一个")


def test_side_bets_are_cash_in_hundredths(transactional_db: None) -> None:
    rules = {"preset": "changsha-liuqi", "options": {"fishing": True}}
    table = Table.open(rules)
    entry = table.post(win(1, giver=2, side_bets=["0", "10.00", "2.5", "5"]))
    assert {leg.seat: leg.cash for leg in entry.legs.all()} == {1: 1250, 2: -1250}


def test_a_hand_that_moves_nothing_has_no_legs(table: Table) -> None:
    table.post({"kind": "exhausted", "last_tile": {"taken_by": 2}})
    assert not Leg.objects.exists()
    assert table.deal() == (2, 2, 0)


def test_leaving_pays_the_house(table: Table) -> None:
    table.ask(services.post_penalty, seat=3, reason="left")
    house = Player.objects.get(is_house=True)
    assert table.totals()[house.id] == (70, 0)
    assert table.deal() == (1, 0, 0), "a penalty moves no deal"


def test_a_false_win_pays_the_others(table: Table) -> None:
    table.ask(services.post_penalty, seat=0, reason="false_win", points=30, to="others")
    assert table.points() == [-30, 10, 10, 10]


def test_a_table_fee_is_four_penalties_in_one_transaction(table: Table) -> None:
    answer = table.ask(services.post_table_fee, points=5, client_key="fee")
    assert isinstance(answer, services.Posted)
    assert (len(answer.before), answer.entry.seq) == (3, 4)
    assert table.points() == [-5, -5, -5, -5]
    assert isinstance(table.ask(services.post_table_fee, points=5, client_key="fee"), services.Replayed)
    assert table.now.seq == 4


# Keys and sequences


def test_a_double_tap_posts_once(table: Table) -> None:
    first = table.ask(services.post_record, record=SMALL, client_key="tap")
    again = table.ask(services.post_record, record=SMALL, client_key="tap", expected_seq=0)
    assert isinstance(first, services.Posted)
    assert isinstance(again, services.Replayed)
    assert again.entry.id == first.entry.id
    assert Entry.objects.count() == 1


def test_an_answer_that_was_lost_is_found_again_even_after_the_session_closed(table: Table) -> None:
    table.ask(services.post_record, record=SMALL, client_key="tap")
    services.close_session(actor=table.actor, session_id=table.session.id)
    assert isinstance(table.ask(services.post_record, record=SMALL, client_key="tap"), services.Replayed)


@pytest.mark.parametrize(
    "other",
    [
        {"record": win(2)},
        {"record": SMALL, "same_hand": True},
        {"record": SMALL, "choose_next_dealer": 1},
    ],
)
def test_the_same_key_for_another_request_is_told(table: Table, other: dict[str, Any]) -> None:
    table.ask(services.post_record, record=SMALL, client_key="tap")
    assert isinstance(table.ask(services.post_record, client_key="tap", **other), services.KeyReused)
    assert isinstance(table.ask(services.post_table_fee, client_key="tap", points=1), services.KeyReused)
    assert Entry.objects.count() == 1


def test_the_slower_phone_gets_the_entry_it_did_not_know(table: Table) -> None:
    first = table.post(win(1))
    table.post(win(2))
    slower = table.ask(services.post_record, record=win(3), expected_seq=0)
    assert isinstance(slower, services.Conflict)
    assert slower.entry is not None
    assert (slower.entry.id, slower.session.seq) == (first.id, 2)


def test_expecting_more_than_there_is_is_a_conflict_too(table: Table) -> None:
    answer = table.ask(services.post_record, record=SMALL, expected_seq=7)
    assert isinstance(answer, services.Conflict)
    assert answer.entry is None


@pytest.mark.parametrize("key", ["", "x" * 65, "a b", "键", "a\n", "\x00"])
def test_bad_keys(table: Table, key: str) -> None:
    with pytest.raises(Refused) as refused:
        services.post_record(
            actor=table.actor, session_id=table.session.id, record=SMALL, client_key=key, expected_seq=0
        )
    assert [fault.code for fault in refused.value.faults] == ["bad_client_key"]


# The client sends facts, and may not lie


@pytest.mark.parametrize(
    ("lie", "code"),
    [
        ({"dealer": 2}, "dealer_mismatch"),
        ({"rules": "changsha-room"}, "rules_frozen"),
        ({"rules": {"preset": "changsha-classic", "options": {"birds": 2}}}, "rules_frozen"),
        ({"rules": {"preset": "changsha-classic", "options": {"birds": 2}}, "dealer": 1}, "dealer_mismatch"),
    ],
)
def test_rules_and_dealer_are_the_sessions(table: Table, lie: dict[str, Any], code: str) -> None:
    with pytest.raises(Refused) as refused:
        table.post(SMALL | lie)
    assert code in [fault.code for fault in refused.value.faults]
    assert not Entry.objects.exists()


def test_saying_the_same_as_the_session_is_fine(table: Table) -> None:
    table.post(SMALL | {"dealer": 0, "rules": {"preset": "changsha-classic", "options": {"birds": 1}}})


def test_rules_that_are_none_and_shapes_that_are_none_are_the_engines_faults(table: Table) -> None:
    for record in ({"rules": "mars"}, {"kind": "win"}, {}, {"kind": "win", "winners": [{"seat": 9}], "by": 3}):
        with pytest.raises(RecordError):
            table.post(SMALL | record if "rules" in record else record)


def test_the_creator_deals_after_an_exhausted_hand_of_the_room(transactional_db: None) -> None:
    table = Table.open("changsha-room", creator_seat=2)
    table.post({"kind": "exhausted"})
    assert table.now.dealer == 2
    services.swap_seats(actor=table.actor, session_id=table.session.id, seat=2, other=3)
    table.post({"kind": "exhausted"})
    assert table.now.dealer == 3, "he took his right with him"
    with pytest.raises(Refused, match="creator_mismatch"):
        table.post({"kind": "exhausted", "creator": 0})


# Dealer: first, chosen, drawn


def test_no_dealer_no_hand(transactional_db: None) -> None:
    table = Table.open(first_dealer=None)
    with pytest.raises(Refused, match="no_dealer"):
        table.post(SMALL)
    rolled = table.ask(services.roll_first_dealer, dice=[3, 4])
    assert isinstance(rolled, services.Posted)
    assert rolled.entry.record == {"dealer": 2, "how": "taken", "dice": [3, 4]}
    assert table.deal() == (1, 2, 0)
    table.post(SMALL)


def test_dice_thrown_here_are_kept(transactional_db: None) -> None:
    table = Table.open(first_dealer=None)
    record = table.ask(services.roll_first_dealer).entry.record
    assert record["how"] == "drawn"
    assert record["dealer"] == (sum(record["dice"]) - 1) % 4 == table.now.dealer


@pytest.mark.parametrize("dice", [[], [1], [1, 7], [0, 3], [1, 2, 3], [True, 2], ["1", 2]])
def test_bad_dice(table: Table, dice: list[Any]) -> None:
    with pytest.raises(Refused, match="bad_dice"):
        table.ask(services.roll_first_dealer, dice=dice)


def test_the_dice_are_for_the_first_hand_and_no_dealer_changes_during_a_hand(transactional_db: None) -> None:
    table = Table.open("changsha-liuqi")
    table.post({"kind": "opening", "winners": [{"seat": 1, "declared": ["no_jiang"]}]})
    for service, asked in ((services.roll_first_dealer, {}), (services.choose_dealer, {"seat": 2})):
        with pytest.raises(Refused, match="hand_going_on"):
            table.ask(service, **asked)
    table.post(win(1))
    with pytest.raises(Refused, match="not_first_hand"):
        table.ask(services.roll_first_dealer)
    table.ask(services.choose_dealer, seat=3)
    assert table.deal() == (2, 3, 0)


def several(*seats: int, giver: int) -> dict[str, Any]:
    return {
        "kind": "win",
        "by": "discard",
        "from": giver,
        "winners": [{"seat": seat, "declared": ["small"]} for seat in seats],
    }


def test_where_the_rule_leaves_a_choice_the_table_takes_or_it_is_drawn(transactional_db: None) -> None:
    table = Table.open("changsha-room")
    taken = table.post(several(1, 3, giver=0), choose_next_dealer=3)
    assert taken.choice == {"seat": 3, "of": [1, 3], "how": "taken"}
    assert table.now.dealer == 3
    drawn = table.post(several(1, 2, giver=0))
    assert drawn.choice is not None
    assert drawn.choice["how"] == "drawn"
    assert drawn.choice["of"] == [1, 2]
    assert table.now.dealer == drawn.choice["seat"]
    with pytest.raises(Refused, match="bad_choice"):
        table.post(several(1, 2, giver=0), choose_next_dealer=0)
    with pytest.raises(Refused, match="bad_choice"):
        table.post(win(1), choose_next_dealer=2)


def test_a_draw_is_fair_enough(transactional_db: None) -> None:
    table = Table.open("changsha-room")
    drawn = {table.post(several(1, 2, giver=0)).choice["seat"] for _ in range(20)}  # type: ignore[index]
    assert drawn == {1, 2}


def test_point_value_and_currency_are_kept_as_given(transactional_db: None) -> None:
    table = Table.open(point_value=Decimal("0.1234"), currency="HKD")
    assert (table.now.point_value, table.now.currency) == (Decimal("0.1234"), "HKD")


@pytest.mark.parametrize(
    "hostile",
    [
        {"x": json.loads("[" * 20 + "]" * 20)},
        {"x": "x" * 70_000},
        {"x": float("nan")},
        {"\ud800": "\x00"},
        {"winners": [{"seat": 1, "declared": ["sm\x00all"]}]},
        {"dealer": True},
        {"dealer": "0"},
    ],
    ids=["deep", "long", "nan", "surrogate", "nul", "true", "text"],
)
def test_hostile_facts_are_faults(table: Table, hostile: dict[str, Any]) -> None:
    with pytest.raises(RecordError):
        table.post(SMALL | hostile)
    assert not Entry.objects.exists()


@pytest.mark.parametrize("choose", [True, "1", 1.0, [1], 2**70])
def test_a_choice_is_a_seat(table: Table, choose: Any) -> None:
    with pytest.raises(Refused, match="bad_choice"):
        table.post(SMALL, choose_next_dealer=choose)


@pytest.mark.parametrize("number", [2**70, -1])
def test_sequences_that_cannot_be(table: Table, number: int) -> None:
    assert isinstance(table.ask(services.post_record, record=SMALL, expected_seq=number), services.Conflict)
    with pytest.raises(Refused, match="unknown_entry"):
        table.ask(services.reverse_entry, seq=number, reason="x")


def test_nested_beyond_reason(table: Table) -> None:
    nested: list[Any] = []
    for _ in range(5000):
        nested = [nested]
    with pytest.raises(Refused, match="too_deep"):
        table.post(SMALL | {"x": nested})


def test_nobody_books_more_than_whole_numbers_hold(transactional_db: None) -> None:
    """Counts that no set of tiles allows multiply beyond any table: refused, by the preview as by posting."""
    rules = {"preset": "wuhan-koukou", "options": {"caps": None, "kong_factors": {"exposed": 4, "concealed": 4}}}
    table = Table.open(rules)
    counts = {"opened": 4, "exposed_kongs": 4, "laid_out": 16, "laid_out_wilds": 4}
    winner = {"seat": 1, "declared": ["all_pungs", "all_melded"], "hard": True, **counts}
    players = [{"seat": seat, **counts} for seat in (0, 2, 3)]
    facts = {"kind": "win", "by": "self_draw", "winners": [winner], "players": players}
    for ask in (
        lambda: table.post(facts),
        lambda: services.preview_record(actor=table.actor, session_id=table.session.id, record=facts),
    ):
        with pytest.raises(Refused) as refused:
            ask()
        assert [fault.code for fault in refused.value.faults] == ["amount_too_large"]
    assert table.now.seq == 0

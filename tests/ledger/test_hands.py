"""Hands of several records: openings before the win, two wins off one kong, penalties in between."""

from __future__ import annotations

from typing import Any

import pytest

from mahjong_site.clubs.refusals import Refused
from mahjong_site.ledger import services
from tests.ledger.tables import Table, win

OPENING = {"kind": "opening", "winners": [{"seat": 2, "declared": ["no_jiang"]}]}
ROBBED = {"kind": "win", "by": "rob_kong", "from": 3, "winners": [{"seat": 1, "declared": []}]}
TURNED_UP = {
    "kind": "win",
    "by": "discard",
    "from": 3,
    "events": ["kong_discard"],
    "winners": [{"seat": 2, "declared": []}],
}


@pytest.fixture
def liuqi(transactional_db: None) -> Table:
    """A table where the hand goes on after an opening win."""
    return Table.open("changsha-liuqi")


def test_an_opening_and_the_win_are_one_hand(liuqi: Table) -> None:
    opening, won = liuqi.post(OPENING), liuqi.post(win(1))
    assert (opening.hand_no, won.hand_no) == (1, 1)
    assert liuqi.deal() == (2, 1, 0)


def test_a_penalty_in_a_hand_leaves_it_open(liuqi: Table) -> None:
    liuqi.ask(services.post_penalty, seat=0, reason="other", points=3, to=1)
    assert liuqi.deal() == (1, 0, 0)
    liuqi.post(win(0))
    assert liuqi.deal() == (2, 0, 1)


@pytest.mark.parametrize("records", [(ROBBED, TURNED_UP), (TURNED_UP, ROBBED)])
def test_two_wins_off_one_kong_are_one_hand_and_its_maker_deals(liuqi: Table, records: tuple[Any, Any]) -> None:
    first = liuqi.post(records[0])
    assert liuqi.now.dealer == records[0]["winners"][0]["seat"]
    second = liuqi.post(records[1], same_hand=True)
    assert (first.hand_no, second.hand_no, second.dealer) == (1, 1, 0)
    assert liuqi.deal() == (2, 3, 0)


def test_without_same_hand_it_is_the_next_hand(liuqi: Table) -> None:
    liuqi.post(ROBBED)
    assert liuqi.post(TURNED_UP).hand_no == 2


@pytest.mark.parametrize(
    "second",
    [
        win(2),
        win(2, giver=3),
        ROBBED | {"winners": [{"seat": 2, "declared": []}]},
        TURNED_UP | {"from": 0},
        TURNED_UP | {"winners": [{"seat": 1, "declared": []}]},
        {"kind": "exhausted", "last_tile": {"taken_by": 1}},
    ],
    ids=["self-draw", "plain discard", "robbed twice", "another giver", "same winner", "exhausted"],
)
def test_what_does_not_belong_to_the_hand_is_refused(liuqi: Table, second: dict[str, Any]) -> None:
    liuqi.post(ROBBED)
    with pytest.raises(Refused, match="not_same_hand"):
        liuqi.post(second, same_hand=True)
    assert liuqi.now.seq == 1


def test_a_third_win_off_the_kong_is_refused(liuqi: Table) -> None:
    liuqi.post(ROBBED)
    liuqi.post(TURNED_UP, same_hand=True)
    with pytest.raises(Refused, match="not_same_hand"):
        liuqi.post(TURNED_UP | {"winners": [{"seat": 0, "declared": []}]}, same_hand=True)


def test_same_hand_before_any_hand_is_refused(liuqi: Table) -> None:
    with pytest.raises(Refused, match="not_same_hand"):
        liuqi.post(ROBBED, same_hand=True)


def test_same_hand_during_a_hand_is_that_hand(liuqi: Table) -> None:
    liuqi.post(OPENING)
    assert liuqi.post(win(1), same_hand=True).hand_no == 1


def test_a_forgotten_opening_joins_the_hand_that_ended_and_leaves_the_dealer(liuqi: Table) -> None:
    liuqi.post(win(1))
    late = liuqi.post(OPENING, same_hand=True)
    assert (late.hand_no, late.dealer) == (1, 0)
    assert liuqi.deal() == (2, 1, 0)


def test_a_drawn_dealer_stays_when_something_joins_the_hand(transactional_db: None) -> None:
    room = Table.open("changsha-room")
    drawn = room.post(
        {
            "kind": "win",
            "by": "discard",
            "from": 0,
            "winners": [{"seat": seat, "declared": ["small"]} for seat in (1, 2, 3)],
        }
    )
    for _ in range(6):
        fee = {"kind": "penalty", "penalty": {"seat": 0, "reason": "other", "points": 1, "to": "house"}}
        joined = room.post(fee, same_hand=True)
        assert joined.choice is not None
        assert joined.choice["how"] == "kept"
        assert room.now.dealer == drawn.choice["seat"]  # type: ignore[index]


def test_the_second_win_counts_for_those_who_played_the_hand(liuqi: Table) -> None:
    first = liuqi.post(ROBBED)
    services.swap_seats(actor=liuqi.actor, session_id=liuqi.session.id, seat=1, other=2)
    second = liuqi.post(TURNED_UP, same_hand=True)
    assert second.seats == first.seats
    assert liuqi.post(win(1)).seats != first.seats

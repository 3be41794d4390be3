"""Opening, seating, closing, reopening."""

from __future__ import annotations

from decimal import Decimal
from typing import Any
from uuid import uuid4

import pytest
from django.core.exceptions import PermissionDenied

from mahjong_site.clubs.access import Actor
from mahjong_site.clubs.models import JoinLink, Player, Role
from mahjong_site.clubs.refusals import Refused
from mahjong_site.clubs.services.links import create_link
from mahjong_site.ledger import services
from mahjong_site.ledger.models import Occupancy, Session
from mahjong_site.ledger.services.statements import seats_at
from scoring import RecordError
from tests.ledger.tables import NAMES, Table, win

TABLE = {"name": "周六", "rules": "changsha-classic", "players": NAMES}


def opened(time_zone: str = "Asia/Shanghai", **terms: Any) -> Session:
    return services.open_guest_table(terms=services.Terms(**(TABLE | terms)), time_zone=time_zone)[0]


def names(session: Session, seq: int) -> list[str]:
    return [Player.objects.get(id=player).name for player in seats_at(session, seq)]


def test_a_guest_table_is_a_hidden_club_of_its_own(table: Table) -> None:
    assert table.session.club.hidden
    assert table.session.rules["options"]["birds"] == 1, "options frozen, all of them"
    assert names(table.session, 1) == NAMES
    assert Player.objects.filter(club=table.session.club, is_house=True).count() == 1
    assert len(JoinLink.objects.get().token_sha256) == 32


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        ({"name": ""}, "bad_name"),
        ({"name": "x" * 41}, "bad_name"),
        ({"players": ["a", "b", "c"]}, "four_players"),
        ({"players": ["a", "b", "c", "a"]}, "four_players"),
        ({"players": ["a", "b", "c", " a "]}, "four_players"),
        ({"players": ["a", "b", "c", "\x07"]}, "bad_name"),
        ({"players": ["a", "b", "c", uuid4()]}, "unknown_player"),
        ({"point_value": Decimal(0)}, "bad_point_value"),
        ({"point_value": Decimal("-1")}, "bad_point_value"),
        ({"point_value": Decimal("1000000.01")}, "bad_point_value"),
        ({"point_value": Decimal("0.00001")}, "bad_point_value"),
        ({"point_value": Decimal("NaN")}, "bad_point_value"),
        ({"point_value": Decimal("Infinity")}, "bad_point_value"),
        ({"currency": "cny"}, "bad_currency"),
        ({"currency": "元"}, "bad_currency"),
        ({"entry_mode": "nobody"}, "bad_entry_mode"),
        ({"first_dealer": 4}, "bad_seat"),
        ({"creator_seat": -1}, "bad_seat"),
        ({"time_zone": "Mars/Phobos"}, "bad_time_zone"),
    ],
)
def test_bad_sessions(transactional_db: None, wrong: dict[str, Any], code: str) -> None:
    with pytest.raises(Refused) as refused:
        opened(**wrong)
    assert code in [fault.code for fault in refused.value.faults]
    assert not Session.objects.exists()


def test_all_faults_at_once(transactional_db: None) -> None:
    with pytest.raises(Refused) as refused:
        opened(point_value=Decimal(0), currency="?", first_dealer=7)
    assert [fault.code for fault in refused.value.faults] == ["bad_point_value", "bad_currency", "bad_seat"]


def test_rules_that_are_none(transactional_db: None) -> None:
    with pytest.raises(RecordError):
        opened(rules="mars")


@pytest.mark.parametrize("value", ["0.0001", "1000000", "1E+2", "2.50"])
def test_point_values(transactional_db: None, value: str) -> None:
    assert Session.objects.get(id=opened(point_value=Decimal(value)).id).point_value == Decimal(value)


def test_names_find_the_clubs_players_again(table: Table) -> None:
    again = services.open_session(
        actor=table.actor,
        club_id=table.session.club_id,
        terms=services.Terms(name="b", rules="changsha-room", players=NAMES),
    )
    assert seats_at(again, 1) == seats_at(table.session, 1)


# Seats


def test_a_swap_holds_from_the_next_entry_on(table: Table) -> None:
    table.post(win(1))
    services.swap_seats(actor=table.actor, session_id=table.session.id, seat=0, other=1)
    table.post(win(1))
    assert names(table.session, 1) == NAMES
    assert names(table.session, 2) == ["李四", "张三", "王五", "赵六"]
    assert table.points() == [-20 + 60, 40 - 20, -10 - 20, -10 - 20], "seat 1 dealt the second hand: 张三"


def test_a_fifth_sits_in_and_the_one_who_left_keeps_his_points(table: Table) -> None:
    table.post(win(1))
    services.seat_players(actor=table.actor, session_id=table.session.id, players=["张三", "钱七", "王五", "赵六"])
    table.post(win(1))
    total = {Player.objects.get(id=player).name: moved[0] for player, moved in table.totals().items()}
    assert total["李四"] == 40
    assert total["钱七"] == 60


def test_seats_changed_twice_before_a_hand_leave_one_row(table: Table) -> None:
    table.post(win(1))
    for players in ([*NAMES[1:], NAMES[0]], NAMES, [NAMES[1], NAMES[0], *NAMES[2:]]):
        services.seat_players(actor=table.actor, session_id=table.session.id, players=players)
    assert names(table.session, 2) == [NAMES[1], NAMES[0], *NAMES[2:]]
    assert not Occupancy.objects.filter(from_seq__gt=2).exists()


@pytest.mark.parametrize("players", [NAMES[:3], [*NAMES[:3], NAMES[0]], [*NAMES, "钱七"]])
def test_four_different_players(table: Table, players: list[str]) -> None:
    with pytest.raises(Refused, match="four_players"):
        services.seat_players(actor=table.actor, session_id=table.session.id, players=players)


def test_a_player_of_another_club_is_unknown(table: Table) -> None:
    stranger = seats_at(Table.open().session, 1)[0]
    with pytest.raises(Refused, match="unknown_player"):
        services.seat_players(actor=table.actor, session_id=table.session.id, players=[*NAMES[:3], stranger])


def test_the_house_does_not_sit(table: Table) -> None:
    house = Player.objects.get(is_house=True)
    with pytest.raises(Refused, match="unknown_player"):
        services.seat_players(actor=table.actor, session_id=table.session.id, players=[*NAMES[:3], house.id])


# Closing


def test_a_closed_session_takes_nothing_until_it_is_reopened(table: Table) -> None:
    closed = services.close_session(actor=table.actor, session_id=table.session.id)
    assert closed.closed_at is not None
    assert services.close_session(actor=table.actor, session_id=table.session.id).closed_at == closed.closed_at
    for attempt in (
        lambda: table.post(win(1)),
        lambda: table.ask(services.choose_dealer, seat=1),
        lambda: services.swap_seats(actor=table.actor, session_id=table.session.id, seat=0, other=1),
    ):
        with pytest.raises(Refused, match="session_closed"):
            attempt()
    assert services.reopen_session(actor=table.actor, session_id=table.session.id).closed_at is None
    table.post(win(1))


def test_everybody_may_enter_or_only_the_scorer(table: Table) -> None:
    _, token = create_link(actor=table.actor, club_id=table.session.club_id, role=Role.PLAYER, name="手机")
    player = Table(table.session, Actor(tokens=(token,)))
    with pytest.raises(PermissionDenied):
        player.post(win(1))
    services.set_entry_mode(actor=table.actor, session_id=table.session.id, entry_mode="everybody")
    assert player.post(win(1)).author_name == "手机"
    with pytest.raises(PermissionDenied):
        player.ask(services.reverse_entry, seq=1, reason="x")

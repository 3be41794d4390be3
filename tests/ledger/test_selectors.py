"""Selectors against a plain recount, through corrections, swaps and aliases; who may see; how many statements."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Any
from uuid import UUID, uuid4

import pytest
import time_machine
from django.http import Http404
from django.utils import translation

from mahjong_site.clubs import selectors as clubs
from mahjong_site.clubs.access import Actor
from mahjong_site.clubs.models import Role
from mahjong_site.clubs.selectors import Days
from mahjong_site.clubs.services.clubs import claim_guest_table
from mahjong_site.clubs.services.links import create_link
from mahjong_site.clubs.services.seasons import save_season
from mahjong_site.ledger import selectors, services
from mahjong_site.ledger.models import Session
from mahjong_site.ledger.selectors import Statistics
from tests.ledger.evenings import evening, opening
from tests.ledger.recount import Recount
from tests.ledger.tables import NAMES, SMALL, Table, win


def another(table: Table, **options: Any) -> Table:
    """A second session of the same club."""
    asked = {"name": "周日", "rules": "changsha-classic", "players": NAMES, "first_dealer": 0, **options}
    session = services.open_session(actor=table.actor, club_id=table.session.club_id, terms=services.Terms(**asked))
    return Table(session, table.actor, table.keys)


@pytest.fixture
def club(transactional_db: None) -> Table:
    """A club with three sessions; one of the players joins with an account after the second."""
    table = evening()
    second = another(table, point_value=Decimal("0.25"), currency="USD")
    second.post(win(2, 0))
    second.post(SMALL)
    second.post({"kind": "win", "by": "self_draw", "winners": [{"seat": 1, "declared": ["seven_pairs"]}]})
    third = another(table, rules="wuhan-laizi", players=["王五", "周八", "张三", "李四"])
    third.post({"kind": "exhausted"})
    drawn = {"seat": 2, "declared": ["all_pungs"], "hard": True, "opened": 1}
    third.post({"kind": "win", "by": "self_draw", "winners": [drawn]})
    return table


def sessions(table: Table) -> list[Session]:
    return list(Session.objects.filter(club_id=table.session.club_id))


def same(told: tuple[Statistics, ...], counted: Recount) -> None:
    assert {figures.player.id for figures in told} >= set(counted.sat)
    for figures in told:
        who = figures.player.id
        won = counted.sat[who]
        assert figures.hands == len(won)
        assert figures.wins == sum(won)
        assert figures.self_drawn == counted.self_drawn[who]
        assert figures.gave == counted.gave[who]
        assert figures.openings == counted.openings[who]
        assert figures.points == counted.points[who]
        assert figures.longest_run == counted.longest_run(who)
        assert (figures.biggest_win and figures.biggest_win.points) == counted.biggest.get(who)
        assert {pattern.id: pattern.times for pattern in figures.patterns} == counted.patterns[who]
        if won:
            assert figures.win_share == Fraction(sum(won), len(won))
            assert figures.average == Fraction(counted.points[who], len(won))


# --- against the recount


def test_statistics_of_a_session(club: Table) -> None:
    told = selectors.session_statistics(actor=club.actor, session_id=club.session.id)
    same(told, Recount.of([club.session]))
    assert len(told) == 5
    assert any(figures.openings for figures in told)
    assert sum(figures.wins for figures in told) > 4


def test_statistics_of_a_club(club: Table) -> None:
    told = selectors.club_statistics(actor=club.actor, club_id=club.session.club_id)
    same(told, Recount.of(sessions(club)))
    assert max(figures.longest_run for figures in told) >= 2
    for figures in told:
        asked = {"actor": club.actor, "club_id": club.session.club_id, "player_id": figures.player.id}
        assert selectors.player_statistics(**asked) == figures


def test_an_alias_joins_two(club: Table, django_user_model: Any) -> None:
    """张三 turns out to have an account; what he played as a guest counts for the account's player, entries stay."""
    user = django_user_model.objects.create_user("zhang")
    guest = services.statements.seats_at(club.session, 1)[0]
    claim_guest_table(user_id=user.pk, token=club.actor.tokens[0], guest_id=guest)
    told = selectors.club_statistics(actor=club.actor, club_id=club.session.club_id)
    same(told, Recount.of(sessions(club)))
    assert guest not in {figures.player.id for figures in told}
    asked = {"actor": club.actor, "club_id": club.session.club_id, "player_id": guest}
    assert selectors.player_statistics(**asked).player.name == "zhang"
    totals = selectors.session_totals(actor=club.actor, session_id=club.session.id)
    assert [total.player.name for total in totals].count("zhang") == 1
    assert selectors.history(actor=club.actor, session_id=club.session.id)[-1].players[0].name == "zhang"
    assert sum(total.points for total in totals) == 0


def test_totals_and_ranks(club: Table) -> None:
    told = selectors.session_totals(actor=club.actor, session_id=club.session.id)
    counted = Recount.of([club.session])
    assert {total.player.id: (total.points, total.cash) for total in told} == {
        total.player.id: (counted.points[total.player.id], counted.cash[total.player.id]) for total in told
    }
    assert sum(total.points for total in told) == sum(total.cash for total in told) == 0
    assert {total.player.id: total.hands for total in told if not total.player.is_house} == {
        player: len(won) for player, won in counted.sat.items()
    }
    house = told[-1]
    assert (house.player.is_house, house.rank, house.points, house.seat) == (True, None, 8, None)
    people = told[:-1]
    assert [total.rank for total in people] == [
        1 + sum(other.points > total.points for other in people) for total in people
    ]
    assert sorted(total.seat for total in people if total.seat is not None) == [0, 1, 2, 3]
    assert len(people) == 5
    assert all(total.money == total.points + Decimal(total.cash) / 100 for total in told)


def test_the_series_ends_at_the_totals(club: Table) -> None:
    series = selectors.session_series(actor=club.actor, session_id=club.session.id)
    totals = selectors.session_totals(actor=club.actor, session_id=club.session.id)
    assert {player.id: line[-1] for player, line in zip(series.players, series.lines, strict=True)} == {
        total.player.id: total.points for total in totals
    }
    assert all(sum(points) == 0 for points in zip(*series.lines, strict=True))
    assert list(series.hands) == sorted(set(series.hands))
    assert [player.name for player in series.players] == [*NAMES, "钱七", "桌外"]


def test_a_correction_stands_where_the_hand_was_played(table: Table) -> None:
    table.post(SMALL)
    table.post(win(2, 0))
    table.ask(services.correct_entry, seq=1, record=win(3, 1), reason="错")
    series = selectors.session_series(actor=table.actor, session_id=table.session.id)
    assert series.hands == (1, 2)
    assert [line[0] for line in series.lines] == [0, -10, 0, 10]


def test_head_to_head(club: Table) -> None:
    whole = selectors.club_head_to_head(actor=club.actor, club_id=club.session.club_id)
    counted = Recount.of(sessions(club))
    assert whole.taken == {pair: points for pair, points in counted.taken.items() if points}
    for player in whole.players:
        assert sum(whole.net(player.id, other.id) for other in whole.players) == counted.points[player.id]
    one = selectors.session_head_to_head(actor=club.actor, session_id=club.session.id)
    assert one.taken == dict(Recount.of([club.session]).taken)
    assert one.players[-1].is_house


def test_history_explains_every_amount(club: Table) -> None:
    told = selectors.history(actor=club.actor, session_id=club.session.id)
    assert [entry.seq for entry in told] == list(range(club.now.seq, 0, -1))
    for entry in told:
        moved = Counter(dict(enumerate((*entry.points, entry.house))))
        assert sum(moved.values()) == 0
        if entry.kind != "hand":
            assert entry.amounts == ()
            continue
        for amount in entry.amounts:
            moved[amount.payer] += amount.points
            moved[amount.payee] -= amount.points
            value = Fraction(0)
            for line in amount.lines:
                assert line.zh
                assert line.en
                number = Fraction(line.number)
                value = {"value": number, "add": value + number, "times": value * number, "set": number}[line.op]
            assert value == amount.points
        assert not any(moved.values())
        assert entry.record
        assert entry.record["rules"]["preset"] == "changsha-liuqi"
    by_seq = {entry.seq: entry for entry in told}
    correction = next(entry for entry in told if entry.corrects)
    wrong, reversal = by_seq[correction.corrects or 0], by_seq[correction.seq - 1]
    assert wrong.corrected_by == correction.seq
    assert wrong.reversed_by == reversal.seq
    assert reversal.reverses == wrong.seq
    assert (wrong.counts, reversal.counts, correction.counts) == (False, False, True)
    assert reversal.points == tuple(-points for points in wrong.points)
    assert correction.reason == reversal.reason == "其实是点炮"


def test_history_by_pages(club: Table) -> None:
    asked: dict[str, Any] = {"actor": club.actor, "session_id": club.session.id}
    whole = selectors.history(**asked)
    pages: list[selectors.HistoryEntry] = []
    while page := selectors.history(**asked, limit=4, before=pages[-1].seq if pages else None):
        pages += page
    assert tuple(pages) == whole
    assert selectors.history(**asked, after=whole[2].seq) == whole[:2]
    assert selectors.entry_at(**asked, seq=3) == whole[-3]
    for seq in (0, -1, 999, 2**40):
        with pytest.raises(Http404):
            selectors.entry_at(**asked, seq=seq)
    assert selectors.history(**asked, before=0) == ()
    assert selectors.history(**asked, before=2**70, after=-5, limit=10**9) == whole


def test_a_contract_shows_each_share(transactional_db: None) -> None:
    table = Table.open(rules="wuhan-koukou")
    seats = [{"seat": 1, "opened": 2}, {"seat": 3, "opened": 1}]
    winner = {"seat": 0, "declared": ["all_pungs", "one_suit"], "hard": True, "opened": 3, "third_open_from": 1}
    table.post({"kind": "win", "by": "discard", "from": 3, "winners": [winner], "players": seats})
    (amount,) = selectors.entry_at(actor=table.actor, session_id=table.session.id, seq=1).amounts
    assert (amount.payer, amount.payee, amount.points, amount.why) == (1, 0, 2280, "contract")
    assert [(share.seat, share.points) for share in amount.shares] == [(1, 1000), (2, 320), (3, 960)]
    assert amount.shares[0].lines[-1].zh == "封顶"


# --- boards, days, seasons


def test_the_board(club: Table) -> None:
    board = selectors.leaderboard(actor=club.actor, club_id=club.session.club_id)
    counted = Recount.of(sessions(club))
    people = [standing for standing in board.standings if not standing.player.is_house]
    assert {standing.player.id: standing.points for standing in people} == {
        player: counted.points[player] for player in counted.sat
    }
    assert {standing.player.id: standing.hands for standing in people} == {
        player: len(won) for player, won in counted.sat.items()
    }
    assert [standing.points for standing in people] == sorted((s.points for s in people), reverse=True)
    assert people[0].rank == 1
    assert board.standings[-1].rank is None
    assert (board.sessions, board.hands) == (3, max_hands(club))
    assert {standing.player.name: standing.sessions for standing in people}["张三"] == 3
    for currency in ("CNY", "USD"):
        assert sum(standing.money.get(currency, Decimal()) for standing in board.standings) == 0
    dollars = selectors.leaderboard(actor=club.actor, club_id=club.session.club_id, currency="USD")
    assert dollars.sessions == 1
    assert all(standing.money == {"USD": standing.points * Decimal("0.25")} for standing in dollars.standings)
    assert selectors.leaderboard(actor=club.actor, club_id=club.session.club_id, currency="JPY").standings == ()


def max_hands(table: Table) -> int:
    counted = [Recount.of([session]) for session in sessions(table)]
    return sum(max(len(won) for won in one.sat.values()) for one in counted)


def test_an_evening_past_midnight_is_one_day(transactional_db: None) -> None:
    """23:30 in Shanghai is 15:30 UTC; what is posted, and corrected, after midnight counts for the evening's day."""
    with time_machine.travel(datetime(2026, 3, 1, 15, 30, tzinfo=UTC), tick=False):
        table = Table.open()
    with time_machine.travel(datetime(2026, 3, 1, 17, 0, tzinfo=UTC), tick=False):
        table.post(SMALL)
    with time_machine.travel(datetime(2026, 3, 5, 17, 0, tzinfo=UTC), tick=False):
        table.ask(services.correct_entry, seq=1, record=win(2, 3), reason="错")
        another(table).post(SMALL)

    def points(first: date | None, last: date | None) -> list[int]:
        days = Days(first, last)
        board = selectors.leaderboard(actor=table.actor, club_id=table.session.club_id, days=days)
        assert board.days == days
        return sorted((standing.points for standing in board.standings), reverse=True)

    assert points(date(2026, 3, 1), date(2026, 3, 1)) == [10, 0, 0, -10]
    assert points(date(2026, 3, 2), date(2026, 3, 5)) == []
    assert points(date(2026, 3, 6), date(2026, 3, 6)) == [40, -10, -10, -20]  # 01:00 of the 6th in Shanghai
    assert points(None, date(2026, 3, 5)) == [10, 0, 0, -10]
    assert points(date(2026, 3, 2), None) == [40, -10, -10, -20]
    assert points(date.min, date.max) == points(None, None)

    save = {"actor": table.actor, "club_id": table.session.club_id, "name": "三月"}
    season = save_season(**save, first_day=date(2026, 3, 1), last_day=date(2026, 3, 31))
    days = clubs.season_days(actor=table.actor, club_id=table.session.club_id, season_id=season.id)
    assert points(days.first, days.last) == points(None, None)
    listed = clubs.club_seasons(actor=table.actor, club_id=table.session.club_id)
    assert [(one.name, one.days) for one in listed] == [("三月", days)]
    with pytest.raises(Http404):
        clubs.season_days(actor=table.actor, club_id=table.session.club_id, season_id=uuid4())


def test_sessions_by_pages(club: Table) -> None:
    asked: dict[str, Any] = {"actor": club.actor, "club_id": club.session.club_id}
    whole = selectors.club_sessions(**asked)
    assert [row.name for row in whole] == ["周日", "周日", "周六"]
    assert [len(row.players) for row in whole] == [4, 4, 4]
    assert whole[0].hands == 2
    pages: list[selectors.SessionRow] = []
    while page := selectors.club_sessions(
        **asked, limit=2, before=(pages[-1].created_at, pages[-1].id) if pages else None
    ):
        pages += page
    assert tuple(pages) == whole
    assert selectors.club_sessions(**asked, status="closed") == whole[2:]


def test_a_hand_that_is_only_a_penalty_was_not_sat(table: Table) -> None:
    table.ask(services.post_penalty, seat=0, reason="left")
    (left, *_), others = (
        selectors.session_statistics(actor=table.actor, session_id=table.session.id),
        selectors.session_totals(actor=table.actor, session_id=table.session.id),
    )
    assert (left.hands, left.points, left.win_share, left.average) == (0, -70, None, None)
    assert [total.hands for total in others] == [0] * 5


def test_a_swap_in_the_middle_of_a_hand_counts_it_once(transactional_db: None) -> None:
    table = Table.open(rules="changsha-liuqi")
    table.post(opening(1, "four_of_a_kind"))
    services.swap_seats(actor=table.actor, session_id=table.session.id, seat=1, other=2)
    table.post(win(1))
    told = selectors.session_statistics(actor=table.actor, session_id=table.session.id)
    same(told, Recount.of([table.session]))
    assert [figures.hands for figures in told] == [1] * 4
    board = selectors.leaderboard(actor=table.actor, club_id=table.session.club_id)
    assert {standing.hands for standing in board.standings} == {1}


def test_a_correction_counts_where_its_players_sat(transactional_db: None) -> None:
    """One hand of three seatings, its first record corrected after the last; then hands of their own."""
    table = Table.open(rules="changsha-liuqi")
    first = table.post(opening(1, "four_of_a_kind"))
    fifth = [*NAMES[:3], "钱七"]
    for players in (fifth, NAMES):
        services.seat_players(actor=table.actor, session_id=table.session.id, players=players)
        table.post(opening(3, "four_of_a_kind"))
    table.post(win(0, 3))
    table.ask(services.correct_entry, seq=first.seq, record=opening(2, "four_of_a_kind"), reason="看错")
    services.seat_players(actor=table.actor, session_id=table.session.id, players=fifth)
    table.post(win(0))
    told = selectors.session_statistics(actor=table.actor, session_id=table.session.id)
    same(told, Recount.of([table.session]))
    assert {figures.player.name: figures.hands for figures in told} == dict(zip(NAMES, [2, 2, 2, 1], strict=True)) | {
        "钱七": 2
    }
    assert max(figures.longest_run for figures in told) == 2
    totals = selectors.session_totals(actor=table.actor, session_id=table.session.id)
    assert {total.player.name: total.hands for total in totals if not total.player.is_house} == {
        figures.player.name: figures.hands for figures in told
    }


def test_formulas_stand_beside_the_figures() -> None:
    told = {*Statistics.__dataclass_fields__, *(name for name in vars(Statistics) if not name.startswith("_"))}
    assert set(selectors.FIGURES) == told - {"player"}
    for language in ("zh-hans", "en"):
        with translation.override(language):
            texts = [str(text) for figure in selectors.FIGURES.values() for text in figure]
        assert len(set(texts)) == len(texts)


# --- who may see, how many statements

OF_SESSION: dict[str, Callable[..., Any]] = {
    "totals": selectors.session_totals,
    "series": selectors.session_series,
    "statistics": selectors.session_statistics,
    "head to head": selectors.session_head_to_head,
    "history": selectors.history,
}
OF_CLUB: dict[str, Callable[..., Any]] = {
    "board": selectors.leaderboard,
    "statistics": selectors.club_statistics,
    "head to head": selectors.club_head_to_head,
    "sessions": selectors.club_sessions,
    "members": clubs.club_members,
    "players": clubs.club_players,
    "seasons": clubs.club_seasons,
    "house rules": clubs.club_house_rules,
    "links": clubs.club_links,
}


def test_strangers_see_nothing(club: Table, django_user_model: Any) -> None:
    elsewhere = Table.open()
    link = {"club_id": club.session.club_id, "role": Role.SCORER, "name": "一场", "session_id": club.session.id}
    one_session = Actor(tokens=(create_link(actor=club.actor, **link)[1],))
    stranger = django_user_model.objects.create_user("stranger")
    for actor in (Actor(), Actor(stranger.pk), elsewhere.actor, Actor(tokens=("x",))):
        for selector in OF_SESSION.values():
            with pytest.raises(Http404):
                selector(actor=actor, session_id=club.session.id)
    for actor in (Actor(), Actor(stranger.pk), elsewhere.actor, one_session):
        for selector in OF_CLUB.values():
            with pytest.raises(Http404):
                selector(actor=actor, club_id=club.session.club_id)
        with pytest.raises(Http404):
            selectors.player_statistics(actor=actor, club_id=club.session.club_id, player_id=club.session.creator_id)
    assert selectors.session_totals(actor=one_session, session_id=club.session.id)
    player: UUID
    for player in (uuid4(), elsewhere.session.creator_id):
        with pytest.raises(Http404):
            selectors.player_statistics(actor=club.actor, club_id=club.session.club_id, player_id=player)


@pytest.mark.parametrize(("name", "statements"), [(name, 2 if name == "statistics" else 1) for name in OF_SESSION])
def test_statements_of_a_session(club: Table, django_assert_num_queries: Any, name: str, statements: int) -> None:
    """One beside the door's own, which Django does not count; two for statistics. However much there is."""
    with django_assert_num_queries(statements):
        OF_SESSION[name](actor=club.actor, session_id=club.session.id)


@pytest.mark.parametrize(
    ("name", "statements"),
    [("board", 3), ("statistics", 4), ("head to head", 3), ("sessions", 3), ("members", 4), ("players", 4)],
)
def test_statements_of_a_club(club: Table, django_assert_num_queries: Any, name: str, statements: int) -> None:
    """Two for the door, then one; two for statistics."""
    with django_assert_num_queries(statements):
        OF_CLUB[name](actor=club.actor, club_id=club.session.club_id)


def test_days_of_a_far_zone() -> None:
    begin, end = Days(date(2026, 3, 29), date(2026, 3, 29)).bounds("Europe/Berlin")
    assert end - begin == timedelta(hours=24)  # wall clock; the hour the clocks go forward is not there
    assert end.astimezone(UTC) - begin.astimezone(UTC) == timedelta(hours=23)

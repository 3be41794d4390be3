"""Members, links, players, guest tables, seasons, house rules."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import date, timedelta
from typing import Any
from uuid import uuid4

import pytest
import time_machine
from django.core.exceptions import PermissionDenied
from django.db import connection, transaction
from django.http import Http404

from mahjong_site.clubs.access import Action, Actor, access_club
from mahjong_site.clubs.models import Alias, Club, HouseRules, JoinLink, Membership, Player, Role, Season
from mahjong_site.clubs.refusals import WORDS, Refused
from mahjong_site.clubs.services import clubs, links, members, players, seasons
from mahjong_site.ledger.models import Entry, Leg
from mahjong_site.ledger.services import Terms, open_guest_table, open_session, post_record
from scoring import RecordError
from tests.ledger.tables import NAMES, SMALL


def code(refused: Any) -> list[str]:
    return [fault.code for fault in refused.value.faults]


def test_a_club_has_a_house_an_owner_and_his_player(club: Club, owner: Actor) -> None:
    assert Membership.objects.get(club=club).role == Role.OWNER
    assert Player.objects.get(club=club, user_id=owner.user_id).name == "owner"
    assert Player.objects.get(club=club, is_house=True)


@pytest.mark.parametrize("name", ["", " ", "x" * 41, "a\x00b", "a\tb", "\u202eevil", "\u200d", "a\u2028b", "\ud800"])
def test_bad_names(club: Club, owner: Actor, name: str) -> None:
    for attempt in (
        lambda: clubs.change_club(actor=owner, club_id=club.id, name=name, time_zone="UTC"),
        lambda: players.add_player(actor=owner, club_id=club.id, name=name),
        lambda: links.create_link(actor=owner, club_id=club.id, role=Role.VIEWER, name=name),
    ):
        with pytest.raises(Refused) as refused:
            attempt()
        assert code(refused) == ["bad_name"]


@pytest.mark.parametrize("name", ["张三", "=1+1", "<script>", "'; DROP TABLE", "😀", "x" * 40, "e\u0301"])
def test_good_names_are_kept_in_nfc(club: Club, owner: Actor, name: str) -> None:
    assert players.add_player(actor=owner, club_id=club.id, name=name).name in (name, "é")


# Members


def test_the_last_owner_stays(club: Club, owner: Actor, account: Callable[..., Any]) -> None:
    assert owner.user_id is not None
    me = Membership.objects.get(club=club)
    for attempt in (
        lambda: members.leave_club(user_id=owner.user_id, club_id=club.id),
        lambda: members.remove_member(actor=owner, club_id=club.id, member_id=me.id),
        lambda: members.add_member(actor=owner, club_id=club.id, username="owner", role=Role.VIEWER),
    ):
        with pytest.raises(Refused) as refused:
            attempt()
        assert code(refused) == ["last_owner"]
    account("second")
    members.add_member(actor=owner, club_id=club.id, username="second", role=Role.OWNER)
    members.leave_club(user_id=owner.user_id, club_id=club.id)
    with pytest.raises(Http404):
        access_club(owner, club.id, Action.VIEW)


def test_who_left_may_come_back(club: Club, owner: Actor, account: Callable[..., Any]) -> None:
    user = account("u")
    first = members.add_member(actor=owner, club_id=club.id, username="u", role=Role.SCORER)
    members.remove_member(actor=owner, club_id=club.id, member_id=first.id)
    with pytest.raises(Refused):
        members.leave_club(user_id=user.pk, club_id=club.id)
    again = members.add_member(actor=owner, club_id=club.id, username="u", role=Role.VIEWER)
    assert (again.id, again.role, again.left_at) == (first.id, Role.VIEWER, None)
    assert Player.objects.filter(club=club, user=user).count() == 1


def test_unknown_accounts_and_members(club: Club, owner: Actor) -> None:
    with pytest.raises(Refused, match="unknown_user"):
        members.add_member(actor=owner, club_id=club.id, username="nobody", role=Role.VIEWER)
    with pytest.raises(Refused, match="unknown_member"):
        members.remove_member(actor=owner, club_id=club.id, member_id=uuid4())


def test_a_scorer_manages_nobody(club: Club, owner: Actor, account: Callable[..., Any]) -> None:
    scorer = Actor(user_id=account("s").pk)
    members.add_member(actor=owner, club_id=club.id, username="s", role=Role.SCORER)
    for attempt in (
        lambda: members.add_member(actor=scorer, club_id=club.id, username="s", role=Role.OWNER),
        lambda: links.create_link(actor=scorer, club_id=club.id, role=Role.VIEWER, name="x"),
        lambda: clubs.change_club(actor=scorer, club_id=club.id, name="x", time_zone="UTC"),
        lambda: seasons.save_house_rules(actor=scorer, club_id=club.id, name="x", rules="wuhan-laizi"),
    ):
        with pytest.raises(PermissionDenied):
            attempt()
    players.add_player(actor=scorer, club_id=club.id, name="访客")


# Links


def test_the_token_is_nowhere_in_the_database(club: Club, owner: Actor, test_database: Any) -> None:
    _, token = links.create_link(actor=owner, club_id=club.id, role=Role.SCORER, name="x")
    assert len(token) >= 43, "256 bits"
    with test_database.connect() as server:
        rows = [str(server.execute(f"SELECT t::text FROM {name} t").fetchall()) for name in test_database.tables]
    assert not any(token in row or token.encode().hex() in row for row in rows)


def test_a_link_makes_members_until_it_expires(club: Club, owner: Actor, account: Callable[..., Any]) -> None:
    _, token = links.create_link(actor=owner, club_id=club.id, role=Role.PLAYER, name="x", lasts=timedelta(hours=1))
    user = account()
    assert links.join_by_link(user_id=user.pk, token=token).role == Role.PLAYER
    assert owner.user_id is not None
    assert links.join_by_link(user_id=owner.user_id, token=token).role == Role.OWNER, "never lowered"
    JoinLink.objects.update(expires_at=JoinLink.objects.get().created_at)
    with pytest.raises(Refused, match="unknown_link"):
        links.join_by_link(user_id=account().pk, token=token)


def test_a_link_lasts_a_week_unless_told_otherwise(club: Club, owner: Actor) -> None:
    with time_machine.travel("2026-01-01T00:00:00+00:00", tick=False):
        link, _ = links.create_link(actor=owner, club_id=club.id, role=Role.VIEWER, name="x")
    assert link.expires_at is not None
    assert link.expires_at.date() == date(2026, 1, 8)


def test_a_sessions_link_makes_nobody_a_member(club: Club, owner: Actor, account: Callable[..., Any]) -> None:
    session = open_session(actor=owner, club_id=club.id, terms=Terms(name="a", rules="wuhan-laizi", players=NAMES))
    _, token = links.create_link(actor=owner, club_id=club.id, role=Role.SCORER, name="x", session_id=session.id)
    with pytest.raises(Refused, match="session_link"):
        links.join_by_link(user_id=account().pk, token=token)


def test_revoking(club: Club, owner: Actor) -> None:
    link, _ = links.create_link(actor=owner, club_id=club.id, role=Role.VIEWER, name="x")
    first = links.revoke_link(actor=owner, club_id=club.id, link_id=link.id).revoked_at
    assert links.revoke_link(actor=owner, club_id=club.id, link_id=link.id).revoked_at == first
    with pytest.raises(Refused, match="unknown_link"):
        links.revoke_link(actor=owner, club_id=club.id, link_id=uuid4())


# Guests


def test_claiming_joins_guest_and_account_and_rewrites_nothing(account: Callable[..., Any]) -> None:
    session, _, token = open_guest_table(
        terms=Terms(name="周六", rules="changsha-classic", players=NAMES, first_dealer=0)
    )
    post_record(actor=Actor(tokens=(token,)), session_id=session.id, record=SMALL, client_key="a", expected_seq=0)
    before = list(Entry.objects.values()), list(Leg.objects.values())
    guest = Player.objects.get(name="李四")
    user = account("lisi")
    for _ in range(2):
        club = clubs.claim_guest_table(user_id=user.pk, token=token, guest_id=guest.id)
    assert access_club(Actor(user_id=user.pk), club.id, Action.MANAGE)
    alias = Alias.objects.get()
    assert (alias.guest_id, alias.player.user_id) == (guest.id, user.pk)
    assert (list(Entry.objects.values()), list(Leg.objects.values())) == before


def test_only_the_owner_link_of_a_guest_table_claims(club: Club, owner: Actor, account: Callable[..., Any]) -> None:
    _, of_a_club = links.create_link(actor=owner, club_id=club.id, role=Role.OWNER, name="x")
    session, _, token = open_guest_table(terms=Terms(name="周六", rules="changsha-classic", players=NAMES))
    _, weaker = links.create_link(
        actor=Actor(tokens=(token,)), club_id=session.club_id, role=Role.SCORER, name="x", lasts=None
    )
    for wrong in (of_a_club, weaker, "", "x"):
        with pytest.raises(Refused, match="unknown_link"):
            clubs.claim_guest_table(user_id=account().pk, token=wrong)


def test_aliases_do_not_chain(club: Club, owner: Actor) -> None:
    a, b, c = (players.add_player(actor=owner, club_id=club.id, name=name) for name in "abc")
    players.alias_guest(actor=owner, club_id=club.id, guest_id=a.id, player_id=b.id)
    for guest, player in ((b, c), (c, a), (a, c), (b, a)):
        with pytest.raises(Refused, match="alias_of_alias"):
            players.alias_guest(actor=owner, club_id=club.id, guest_id=guest.id, player_id=player.id)
    players.alias_guest(actor=owner, club_id=club.id, guest_id=c.id, player_id=b.id)


def test_who_has_an_account_is_no_guest(club: Club, owner: Actor) -> None:
    me = Player.objects.get(user_id=owner.user_id)
    a = players.add_player(actor=owner, club_id=club.id, name="a")
    with pytest.raises(Refused, match="not_a_guest"):
        players.alias_guest(actor=owner, club_id=club.id, guest_id=me.id, player_id=a.id)


def test_a_name_means_the_player_and_not_the_guest_he_was(club: Club, owner: Actor) -> None:
    def meant(name: str) -> Player:
        with transaction.atomic():
            return players.find_or_add(club.id, name)

    guest, player = (Player.objects.create(club=club, name="张三") for _ in range(2))
    assert meant("张三") == guest
    players.alias_guest(actor=owner, club_id=club.id, guest_id=guest.id, player_id=player.id)
    assert meant(" 张三 ") == player


def test_one_name_at_once_makes_one_player(club: Club, owner: Actor) -> None:
    def opened(number: int) -> None:
        try:
            open_session(
                actor=owner, club_id=club.id, terms=Terms(name=f"{number}", rules="wuhan-laizi", players=NAMES)
            )
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(opened, range(8)))
    assert sorted(Player.objects.filter(club=club, name__in=NAMES).values_list("name", flat=True)) == sorted(NAMES)


def test_renaming(club: Club, owner: Actor) -> None:
    a = players.add_player(actor=owner, club_id=club.id, name="a")
    players.add_player(actor=owner, club_id=club.id, name="b")
    assert players.rename_player(actor=owner, club_id=club.id, player_id=a.id, name="a").name == "a"
    with pytest.raises(Refused, match="name_taken"):
        players.rename_player(actor=owner, club_id=club.id, player_id=a.id, name="b")
    with pytest.raises(Refused, match="unknown_player"):
        players.rename_player(actor=owner, club_id=club.id, player_id=uuid4(), name="c")


# Seasons and house rules


def test_seasons(club: Club, owner: Actor) -> None:
    def save(first: date, last: date) -> Season:
        return seasons.save_season(actor=owner, club_id=club.id, name="春", first_day=first, last_day=last)

    with pytest.raises(Refused, match="bad_days"):
        save(date(2026, 2, 1), date(2026, 1, 1))
    save(date(2026, 1, 1), date(2026, 1, 1))
    season = save(date(2026, 1, 1), date(2026, 3, 31))
    assert Season.objects.get().last_day == date(2026, 3, 31)
    seasons.delete_season(actor=owner, club_id=club.id, season_id=season.id)
    assert not Season.objects.exists()


def test_house_rules(club: Club, owner: Actor) -> None:
    rules = {"preset": "changsha-classic", "options": {"birds": 2}}
    saved = seasons.save_house_rules(actor=owner, club_id=club.id, name="我们的", rules=rules)
    assert saved.options["birds"] == 2
    with pytest.raises(RecordError):
        seasons.save_house_rules(
            actor=owner, club_id=club.id, name="x", rules={"preset": "changsha-classic", "options": {"x": 1}}
        )
    seasons.delete_house_rules(actor=owner, club_id=club.id, house_rules_id=saved.id)
    assert not HouseRules.objects.exists()


def test_every_refusal_speaks_both_languages() -> None:
    for english, chinese in WORDS.values():
        assert english.isascii()
        assert any("\u4e00" <= character <= "\u9fff" for character in chinese)
        fields = {part.split("}")[0] for part in english.split("{")[1:]}
        assert fields == {part.split("}")[0] for part in chinese.split("{")[1:]}

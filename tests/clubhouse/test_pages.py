"""The pages of a club: made, filled, and shown to those who belong to it."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth import get_user_model
from django.test import Client

from mahjong_site.accounts.services import choose_trusted_clubs
from mahjong_site.clubs.access import Actor
from mahjong_site.clubs.models import Club, Membership
from mahjong_site.ledger.services import Terms, open_session, post_record

pytestmark = pytest.mark.django_db
WIN = {"kind": "win", "by": "self_draw", "winners": [{"seat": 1, "declared": []}], "birds": ["6s"]}


def signed_in(name: str) -> Client:
    user, _ = get_user_model().objects.get_or_create(username=name)
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture
def owner() -> Client:
    return signed_in("owner")


@pytest.fixture
def address(owner: Client) -> str:
    return owner.post("/clubs/", {"name": "老友牌友会"})["Location"]


def test_a_club_is_made_and_listed(owner: Client, address: str) -> None:
    assert "老友牌友会" in owner.get("/clubs/").content.decode()
    assert owner.get(address).status_code == 200
    owner.post("/clubs/", {"name": "a\u202eb"})
    assert Club.objects.count() == 1
    assert Client().get("/clubs/").status_code == 302


def test_the_page_shows_totals_and_sessions(owner: Client, address: str) -> None:
    club = Club.objects.get()
    boss = Actor(get_user_model().objects.get(username="owner").pk)
    session = open_session(
        actor=boss,
        club_id=club.id,
        terms=Terms(name="周六局", rules="changsha-classic", players=list("甲乙丙丁"), first_dealer=0),
    )
    post_record(actor=boss, session_id=session.id, record=WIN, client_key="k", expected_seq=0)
    text = owner.get(address).content.decode()
    assert "周六局" in text
    assert "+80" in text
    assert f"/t/{session.id}/" in text
    assert "style=" not in text


def test_the_page_says_how_somebody_becomes_a_player(owner: Client, address: str) -> None:
    assert "写下名字，就是牌友" in owner.get(address, headers={"accept-language": "zh-CN"}).content.decode()


def test_members_and_roles(owner: Client, address: str) -> None:
    other = signed_in("other")
    assert other.get(address).status_code == 404
    owner.post(f"{address}members", {"username": "other", "role": "viewer"})
    assert other.get(address).status_code == 200
    assert other.post(f"{address}members", {"username": "other", "role": "owner"}).status_code == 403
    owner.post(f"{address}members", {"username": "other", "role": "scorer"})
    member = Membership.objects.get(user__username="other")
    assert member.role == "scorer"
    refused = owner.post(f"{address}members", {"username": "nobody\x00", "role": "viewer"}, follow=True)
    assert "note warn" in refused.content.decode()
    assert owner.post(f"{address}members", {"username": "other", "role": "king"}).status_code == 403
    owner.post(f"{address}members/{member.id}/remove")
    assert other.get(address).status_code == 404


def test_the_last_owner_stays(owner: Client, address: str) -> None:
    member = Membership.objects.get()
    page = owner.post(f"{address}members/{member.id}/remove", follow=True)
    assert "note warn" in page.content.decode()
    assert owner.get(address).status_code == 200


def test_a_link_is_shown_once_and_opens_the_club(owner: Client, address: str) -> None:
    made = owner.post(f"{address}links", {"role": "player", "name": "李四"}).content.decode()
    link = re.search(r"http://testserver(/clubs/join/[\w-]+)", made)
    assert link
    assert link[1] not in owner.get(address).content.decode()
    other = signed_in("other")
    assert "老友牌友会" in other.get(link[1]).content.decode()
    assert other.post(link[1])["Location"] == address
    assert Client().get(link[1])["Location"].startswith("/accounts/login/")
    revoke = re.search(r"/clubs/[\w-]+/links/[\w-]+/revoke", owner.get(address).content.decode())
    assert revoke
    owner.post(revoke[0])
    assert signed_in("third").get(link[1]).status_code == 404


def test_a_link_for_a_new_password_only_where_it_is_allowed(owner: Client, address: str) -> None:
    signed_in("other")
    owner.post(f"{address}members", {"username": "other", "role": "player"})
    member = Membership.objects.get(user__username="other")
    assert owner.post(f"{address}members/{member.id}/help").status_code == 403
    choose_trusted_clubs(user_id=member.user_id, club_ids={member.club_id})
    page = owner.post(f"{address}members/{member.id}/help").content.decode()
    assert "/accounts/password/reset/key/" in page

"""Accounts: signing up and in without mail, tokens shown once, links for a new password, tables claimed."""

from __future__ import annotations

import re
from datetime import timedelta
from io import StringIO

import pytest
from django.contrib.auth import get_user_model
from django.contrib.auth.models import AbstractUser
from django.core.exceptions import PermissionDenied
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from mahjong_site.accounts import services
from mahjong_site.accounts.models import ApiToken
from mahjong_site.clubs.access import Actor
from mahjong_site.clubs.models import Membership, Role
from mahjong_site.clubs.services.clubs import create_club
from mahjong_site.clubs.services.members import add_member
from mahjong_site.ledger.services import Terms, open_guest_table

pytestmark = pytest.mark.django_db

PASSWORD = "a-long-enough-1"


@pytest.fixture
def user() -> AbstractUser:
    return get_user_model().objects.create_user("张三", password=PASSWORD)


@pytest.fixture
def inside(client: Client, user: AbstractUser) -> Client:
    client.force_login(user)
    return client


def test_an_account_needs_a_name_and_a_password(client: Client) -> None:
    form = {"username": "李四", "password1": PASSWORD, "password2": PASSWORD}
    response = client.post("/accounts/signup/", form)
    assert (response.status_code, response["Location"]) == (302, "/")
    assert client.get("/accounts/").status_code == 200
    client.post("/accounts/logout/")
    assert client.get("/accounts/")["Location"].startswith("/accounts/login/")
    entered = client.post("/accounts/login/", {"login": "李四", "password": PASSWORD}, follow=True)
    assert "已登录：李四。" in entered.content.decode()


@pytest.mark.parametrize(
    "form",
    [
        {"username": "李四", "password1": "12345678", "password2": "12345678"},
        {"username": "张三", "password1": PASSWORD, "password2": PASSWORD},
        {"username": "李\x00四", "password1": PASSWORD, "password2": PASSWORD},
        {"username": "李四", "password1": PASSWORD, "password2": "another-one-2"},
    ],
)
def test_a_sign_up_is_refused(client: Client, user: AbstractUser, form: dict[str, str]) -> None:
    response = client.post("/accounts/signup/", form)
    assert response.status_code == 200
    assert "note warn" in response.content.decode()
    assert get_user_model().objects.count() == 1


def test_guessing_is_throttled(client: Client) -> None:
    get_user_model().objects.create_user("zhang", password=PASSWORD)
    names = ["Zhang", "ZHANG"] * 6
    tries = [client.post("/accounts/login/", {"login": name, "password": "no"}).status_code for name in names]
    assert tries[:9] == [200] * 9
    assert tries[-1] == 429
    assert client.post("/accounts/login/", {"login": "zhang", "password": PASSWORD}).status_code == 429
    elsewhere = Client(REMOTE_ADDR="192.0.2.7")
    assert elsewhere.post("/accounts/login/", {"login": "zhang", "password": PASSWORD}).status_code == 302


@pytest.mark.parametrize("page", ["login/", "signup/", "logout/", "", "password/change/", "reauthenticate/"])
def test_every_page_is_in_the_style_of_the_site(inside: Client, client: Client, page: str) -> None:
    if page in ("login/", "signup/"):
        client.logout()
    text = client.get(f"/accounts/{page}").content.decode()
    assert 'class="brand"' in text
    assert "style=" not in text


def test_a_token_is_shown_once_and_works_until_revoked(inside: Client, user: AbstractUser) -> None:
    made = inside.post("/accounts/tokens", {"name": "机器人", "scope": "write", "days": 30})
    text = re.search(r"<pre[^>]*>([^<]+)</pre>", made.content.decode())
    assert text
    assert text[1] not in inside.get("/accounts/").content.decode()
    token = ApiToken.objects.get()
    assert text[1] not in (token.digest, token.token_key)
    assert timedelta(days=29) < token.expiry - timezone.now() < timedelta(days=31)
    program = Client(headers={"authorization": f"Token {text[1]}"})
    assert program.get("/api/v1/rules").status_code == 200
    inside.post(f"/accounts/tokens/{token.public_id}/revoke")
    assert program.get("/api/v1/rules").status_code == 401


@pytest.mark.parametrize(
    "header",
    ["Token", "Token ", "Token a b", "Token \x00", "Token \u00e9", "Token " + "x" * 64, "Token " + "x" * 300],
)
def test_a_token_that_is_none(client: Client, header: str) -> None:
    assert client.get("/api/v1/rules", HTTP_AUTHORIZATION=header).status_code == 401


def test_an_expired_token(client: Client, user: AbstractUser) -> None:
    token, text = services.make_token(user=user, name="old", scope="read", days=1)
    ApiToken.objects.update(expiry=timezone.now() - timedelta(seconds=1))
    assert client.get("/api/v1/rules", HTTP_AUTHORIZATION=f"Token {text}").status_code == 401
    assert token.public_id not in [one.public_id for one in services.tokens_of(user.pk)]


def test_nobody_revokes_anothers_token(inside: Client) -> None:
    other = get_user_model().objects.create_user("王五")
    token, _ = services.make_token(user=other, name="his", scope="read", days=1)
    inside.post(f"/accounts/tokens/{token.public_id}/revoke")
    assert ApiToken.objects.filter(pk=token.pk).exists()


def test_part_of_a_public_id_revokes_nothing(user: AbstractUser) -> None:
    token, _ = services.make_token(user=user, name="mine", scope="read", days=1)
    for part in ("", token.public_id[:1], token.public_id[:-1], token.digest[:17], token.digest):
        assert not services.revoke_token(user_id=user.pk, public_id=part)
    assert services.revoke_token(user_id=user.pk, public_id=token.public_id)


def test_there_are_not_too_many_tokens(inside: Client, user: AbstractUser) -> None:
    for number in range(services.MOST_TOKENS):
        services.make_token(user=user, name=f"t{number}", scope="read", days=1)
    response = inside.post("/accounts/tokens", {"name": "one more", "scope": "read", "days": 30})
    assert response.status_code == 422
    assert ApiToken.objects.count() == services.MOST_TOKENS


@pytest.mark.parametrize(
    "form", [{"name": "", "scope": "read", "days": 30}, {"name": "a\u202eb", "scope": "read", "days": 30},
             {"name": "a", "scope": "all", "days": 30}, {"name": "a", "scope": "read", "days": 9999}, {}]
)  # fmt: skip
def test_a_token_is_refused(inside: Client, form: dict[str, object]) -> None:
    assert inside.post("/accounts/tokens", form).status_code == 422
    assert not ApiToken.objects.exists()


def test_a_command_makes_a_link_for_a_new_password(client: Client, user: AbstractUser) -> None:
    out = StringIO()
    call_command("reset_link", "张三", site="http://testserver", stdout=out)
    link = out.getvalue().strip()
    form = client.get(link, follow=True)
    assert 'name="password1"' in form.content.decode()
    new = {"password1": "another-long-1", "password2": "another-long-1"}
    assert client.post(form.redirect_chain[-1][0], new).status_code == 302
    assert client.post("/accounts/login/", {"login": "张三", "password": "another-long-1"}).status_code == 302
    assert 'name="password1"' not in Client().get(link, follow=True).content.decode(), "it works once"
    with pytest.raises(CommandError):
        call_command("reset_link", "nobody")


def test_who_has_no_password_may_choose_one(client: Client) -> None:
    bare = get_user_model().objects.create_user("赵六")
    client.force_login(bare)
    assert client.get("/accounts/password/change/").headers["Location"] == "/accounts/password/set/"
    assert 'name="password1"' in client.get("/accounts/password/set/").content.decode()
    new = {"password1": "a-long-one-12", "password2": "a-long-one-12"}
    assert client.post("/accounts/password/set/", new).status_code == 302
    assert Client().post("/accounts/login/", {"login": "赵六", "password": "a-long-one-12"}).status_code == 302


def test_only_an_owner_whom_the_member_allows_can_help(inside: Client, user: AbstractUser) -> None:
    owner = get_user_model().objects.create_user("王五")
    club = create_club(user_id=owner.pk, name="老友牌友会")
    member = add_member(actor=Actor(owner.pk), club_id=club.id, username="张三", role=Role.PLAYER)
    with pytest.raises(PermissionDenied):
        services.help_member(actor=Actor(owner.pk), club_id=club.id, member_id=member.id)
    inside.post("/accounts/trusted-clubs", {"club": [str(club.id), "no id"]})
    link = services.help_member(actor=Actor(owner.pk), club_id=club.id, member_id=member.id)
    assert 'name="password1"' in Client().get(link, follow=True).content.decode()
    with pytest.raises(PermissionDenied):
        services.help_member(actor=Actor(user.pk), club_id=club.id, member_id=member.id)
    inside.post("/accounts/trusted-clubs", {})
    with pytest.raises(PermissionDenied):
        services.help_member(actor=Actor(owner.pk), club_id=club.id, member_id=member.id)


def test_a_guest_table_is_claimed_by_its_owner_link(inside: Client, user: AbstractUser) -> None:
    session, _link, token = open_guest_table(
        terms=Terms(name="周六", rules="changsha-classic", players=list("甲乙丙丁"))
    )
    inside.post("/accounts/claim", {"link": f"http://testserver/t/join/{token}"})
    member = Membership.objects.get(user=user)
    assert (member.club_id, member.role) == (session.club_id, Role.OWNER)
    page = inside.post("/accounts/claim", {"link": "nothing"}, follow=True).content.decode()
    assert "note warn" in page


def test_who_has_signed_in_finds_his_account_in_the_menu(client: Client, inside: Client) -> None:
    link = f'<a href="{reverse("account")}"'
    assert link in inside.get("/").content.decode()
    inside.logout()
    assert link not in client.get("/").content.decode()

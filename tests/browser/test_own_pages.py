"""The pages behind a login: the account, its clubs, a club as its owner and as a guest of it. axe, nothing cut off."""

from __future__ import annotations

from datetime import date
from typing import Any

from django.contrib.auth import get_user_model
from django.test import Client
from playwright.sync_api import Browser, Page, expect

from mahjong_site.accounts.services import choose_trusted_clubs, make_token
from mahjong_site.clubs.access import Actor
from mahjong_site.clubs.models import Role
from mahjong_site.clubs.services import clubs, links, members
from mahjong_site.clubs.services.seasons import save_season
from mahjong_site.ledger.services import Terms, open_session, post_record
from tests.browser.table_pages import MANY, carry, is_accessible, is_whole, phone
from tests.conftest import LiveServer

WIN = {"kind": "win", "by": "self_draw", "winners": [{"seat": 1, "declared": []}], "birds": ["6s"]}
LONG = "长沙县星沙镇老街茶馆周六晚上常来的那几位老朋友第二桌"
PLAYERS = [LONG, "李四", "Maximilian Oberhuber-Kirchner", "赵六"]


class House:
    """An owner with everything his pages can show, and a viewer who lets him help."""

    def __init__(self) -> None:
        people = get_user_model().objects
        self.owner = people.create_user("boss_of_the_saturday_tables_in_xingsha", password="a-password")
        self.guest = people.create_user("li.si", password="a-password")
        who = Actor(self.owner.pk)
        self.club = clubs.create_club(user_id=self.owner.pk, name=LONG)
        members.add_member(actor=who, club_id=self.club.id, username="li.si", role=Role.VIEWER)
        choose_trusted_clubs(user_id=self.guest.pk, club_ids={self.club.id})
        save_season(
            actor=who, club_id=self.club.id, name="2026 夏", first_day=date(2026, 6, 1), last_day=date(2026, 8, 31)
        )
        session = open_session(
            actor=who,
            club_id=self.club.id,
            terms=Terms(name=LONG, rules="changsha-classic", players=PLAYERS, first_dealer=0),
        )
        post_record(actor=who, session_id=session.id, record=WIN, client_key="k", expected_seq=0)
        _, self.link = links.create_link(actor=who, club_id=self.club.id, role=Role.PLAYER, name=LONG)
        make_token(user=self.owner, name=LONG, scope="write", days=365)

    @property
    def of_owner(self) -> tuple[str, ...]:
        club = f"/clubs/{self.club.id}/"
        return ("/accounts/", "/accounts/password/change/", "/accounts/logout/", "/clubs/", club)

    @property
    def of_guest(self) -> tuple[str, ...]:
        return ("/clubs/", f"/clubs/{self.club.id}/", f"/clubs/join/{self.link}")


def sign_in(page: Page, site: LiveServer, user: Any, language: str, theme: str) -> None:
    client = Client()
    client.force_login(user)
    carry(page, site, sessionid=client.cookies["sessionid"].value, django_language=language, theme=theme)


def look(page: Page, where: str) -> None:
    is_accessible(page, where)
    is_whole(page, where)


@MANY
def test_pages_of_an_account_and_of_a_club_are_accessible_and_whole(
    browser: Browser, browser_context_args: dict[str, Any], live_site: LiveServer, looks: Any
) -> None:
    house = House()
    for language, theme, size in looks:
        name = f"{language} {theme} {size['width']}"
        with phone(browser, browser_context_args, viewport=size) as page:
            sign_in(page, live_site, house.owner, language, theme)
            for address in house.of_owner:
                page.goto(address)
                look(page, f"{address} {name}")
            for form in ("links", "members/"):  # each answers with something that is shown once
                page.goto(f"/clubs/{house.club.id}/")
                page.locator(f"form[action*='/{form}'] button", has_text=SUBMIT[form, language]).click()
                expect(page.locator(".note pre")).to_contain_text("http")
                look(page, f"{form} answered, {name}")
            page.goto("/accounts/")
            page.locator("form[action$='/tokens'] [name=name]").fill("t")
            page.locator("form[action$='/tokens'] button").click()
            expect(page.locator(".note pre")).to_be_visible()
            look(page, f"a token made, {name}")
        with phone(browser, browser_context_args, viewport=size) as page:
            sign_in(page, live_site, house.guest, language, theme)
            for address in house.of_guest:
                page.goto(address)
                look(page, f"{address} as guest, {name}")


SUBMIT = {
    ("links", "zh-hans"): "生成链接",
    ("links", "en"): "Make a link",
    ("members/", "zh-hans"): "新密码",
    ("members/", "en"): "New password",
}

"""An evening of Wuhan mahjong in browsers: quick entry with counters, a hand of tiles, two phones, the payments."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Browser, Page, expect

from tests.browser.table_pages import MANY, Thumb, invited, is_whole, look_at, open_table, phone
from tests.conftest import LiveServer
from tests.ledger.tables import Table

ARGS = dict[str, Any]
TILES = "777m66s99p[222p][8888s]+6s"


def count(page: Page, name: str, times: int = 1) -> None:
    """Taps on a counter of the table."""
    for _ in range(times):
        with page.expect_response(lambda answer: "/result" in answer.url):
            page.locator(f"#{name}").click()


def by_tiles(page: Page, here: str) -> None:
    """A hand of tiles of seat 1, given by seat 0, up to the button that records it."""
    page.goto(here + f"hand?w=1&by=1&ind=4m&laid1=7z&h1={TILES.replace('+', '%2B')}&op0=1&ek0=1&op3=1")


def test_an_evening(browser: Browser, browser_context_args: ARGS, live_site: LiveServer) -> None:
    with phone(browser, browser_context_args) as mine, phone(browser, browser_context_args) as other:
        here = open_table(mine, "wuhan-koukou")
        expect(mine.locator(".bar")).not_to_contain_text("起手胡")
        other.goto(invited(mine, "scorer", "王五的手机"))
        other.get_by_role("button", name="上桌").click()

        # quick entry with counters: one tap each, the last one can be taken back
        mine.goto(here)
        thumb = Thumb(mine)
        thumb.link("快速记")
        thumb.option("w", 1)
        thumb.option("by", 0)
        thumb.option("p1", "all_pungs")
        count(mine, "op1", 2)
        mine.locator("[data-step='-1']").click()
        expect(mine.locator("#op1")).to_have_value("1")
        expect(mine.locator("#verdict")).to_contain_text("不够起胡")
        count(mine, "ek3")
        count(mine, "ek1")
        count(mine, "ek0", 2)
        expect(mine.locator("#verdict")).to_contain_text("碰碰胡")
        is_whole(mine, "quick")
        mine.get_by_role("button", name="记第 1 手").click()
        mine.wait_for_url(here)
        expect(mine.locator(".ledger .what").first).to_contain_text("张三")

        # tiles, indicator and openings; then it was somebody else's fault: corrected, prefilled
        by_tiles(mine, here)
        expect(mine.locator("#verdict-text")).to_contain_text("碰碰胡")
        mine.get_by_role("button", name="记第 2 手").click()
        mine.wait_for_url(here)
        mine.locator(".ledger a.line").first.click()
        mine.get_by_role("link", name="更正").click()
        expect(mine.locator("#h1")).to_have_value("777m99p66s[222p][8888s]+6s")
        expect(mine.locator("#op0")).to_have_value("1")
        count(mine, "op3")  # the answer follows, though the reason is still empty
        expect(mine.locator("#op3")).to_have_value("2")
        mine.locator("[name=reason]").fill("开了两口")
        mine.get_by_role("button", name="更正第 2 手").click()
        mine.wait_for_url(here)
        expect(mine.locator(".ledger .fix").first).to_contain_text("开了两口")

        # two change places; nobody wins
        mine.goto(here + "seats")
        mine.locator("[name=swap][value='1']").check(force=True)
        mine.locator("[name=swap][value='3']").check(force=True)
        mine.get_by_role("button", name="这两位对换").click()
        mine.get_by_role("link", name="流局").click()
        mine.get_by_role("button", name="记第 3 手").click()
        mine.wait_for_url(here)

        # both at once: the slower one drops his
        for page in (mine, other):
            by_tiles(page, here)
        mine.get_by_role("button", name="记第 4 手").click()
        mine.wait_for_url(here)
        other.get_by_role("button", name="记第 4 手").click()
        expect(other.get_by_role("alert")).to_contain_text("你的还没有入账")
        other.get_by_role("link", name="丢弃我的").click()
        expect(other.locator(".ledger tbody")).to_have_count(4)

        mine.goto(here + "end")
        mine.get_by_role("button", name="结束并结账").click()
        expect(mine.locator(".pay li")).not_to_have_count(0)
        with mine.expect_download() as download:
            mine.get_by_role("link", name="Excel").click()
        assert download.value.suggested_filename.endswith("session.xlsx")


@MANY
def test_every_page_is_accessible_and_whole(
    browser: Browser, browser_context_args: ARGS, live_site: LiveServer, looks: Any
) -> None:
    table = Table.open("wuhan-koukou", name="武汉夜场", players=["李四", "W" * 40, "王五", "赵六"])
    here = f"/t/{table.session.id}/"
    pages = {
        "session": here,
        "quick": here + "quick?key=k&seq=0&hand_no=1&dealer0=0&w=1&by=0&p1=all_pungs&p1=one_suit&op1=3&ek3=1",
        "hand": here + "hand?w=1&by=1&ind=4m",
    }
    look_at(browser, browser_context_args, live_site, f"/t/join/{table.actor.tokens[0]}", pages, looks)

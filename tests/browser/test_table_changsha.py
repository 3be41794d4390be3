"""An evening of Changsha mahjong in browsers: from opening a table to the payments, with a second phone."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from mahjong_site.ledger import services
from tests.browser.table_pages import (
    MANY,
    Thumb,
    invited,
    is_whole,
    look_at,
    open_table,
    phone,
    shows,
)
from tests.conftest import LiveServer
from tests.ledger.tables import Table, win

ARGS = dict[str, Any]
LINES = """(button) => {
    const words = document.createRange();
    words.selectNodeContents(button);
    return [...words.getClientRects()].map(({ top }) => Math.round(top));
}"""
"""Where the lines of a button's words begin."""


def quick_win(page: Page, winner: int, giver: int, pattern: str = "small", bird: int = 0) -> Thumb:
    """From the session page to the recorded hand by quick entry."""
    thumb = Thumb(page)
    thumb.link("快速记")
    thumb.option("w", winner)
    thumb.option("by", giver)
    thumb.option(f"p{winner}", pattern)
    thumb.option("bird0", bird)
    return thumb


def test_an_evening(browser: Browser, browser_context_args: ARGS, live_site: LiveServer) -> None:
    with phone(browser, browser_context_args) as mine, phone(browser, browser_context_args) as other:
        # open, roll for the dealer, let a second phone join
        here = open_table(mine, "changsha-classic", dealer=None)
        mine.get_by_role("link", name="掷骰定庄").last.click()
        mine.get_by_role("button", name="掷骰子").click()
        expect(mine.locator(".messages")).to_contain_text("坐庄")
        mine.locator("details.menu summary").first.click()
        mine.get_by_role("link", name="掷骰定庄").click()
        mine.locator("[name=seat][value='0']").check(force=True)
        mine.get_by_role("button", name="他坐庄").click()
        expect(mine.locator(".seat.s .zhuang")).to_be_visible()
        other.goto(invited(mine, "scorer", "王五的手机"))
        other.get_by_role("button", name="上桌").click()
        assert other.url == here

        # an opening win, by tiles
        mine.goto(here)
        mine.get_by_role("link", name="起手胡").click()
        mine.locator("#w2").check(force=True)
        mine.locator("#h2").fill("1111m333p56p2789s")
        mine.locator(".mode:has(input[value=bird])").click()
        mine.locator('.key[data-tile="3m"]').click()
        expect(mine.locator("#verdict-text")).to_contain_text("四喜")
        mine.get_by_role("button", name="记第 1 手").click()
        expect(mine.locator(".ledger .what").first).to_contain_text("起手胡")
        expect(mine.locator(".seat.n .zhuang")).to_be_visible()

        # a self-drawn win: six taps from the session page to the recorded hand
        thumb = quick_win(mine, 1, 1, "one_suit", 4)
        shows(mine, "−60", "+200", "−80", "−60")
        thumb.button("记第 2 手")
        mine.wait_for_url(here)
        assert thumb.taps <= 8

        # 通炮, seen by the second phone without doing anything
        thumb = quick_win(mine, 2, 0, "small", 1)
        thumb.option("w", 3)
        thumb.option("p3", "all_pungs")
        expect(mine.locator("#verdict")).to_contain_text("李四通炮")
        thumb.button("记第 3 手")
        mine.wait_for_url(here)
        expect(other.locator(".ledger .what").first).to_contain_text("李四通炮", timeout=12_000)
        expect(other.locator("#live [role=status]")).to_contain_text("李四通炮")

        # a correction: the bird was another one
        mine.locator(".ledger a.line").first.click()
        mine.get_by_role("link", name="更正").click()
        Thumb(mine).option("bird0", 2)
        mine.locator("[name=reason]").fill("鸟看错了")
        mine.get_by_role("button", name="更正第 3 手").click()
        mine.wait_for_url(here)
        expect(mine.locator(".ledger .fix").first).to_contain_text("鸟看错了")

        # two change places
        mine.locator("details.menu summary").first.click()
        mine.get_by_role("link", name="换位、换人").click()
        mine.locator("[name=swap][value='0']").check(force=True)
        mine.locator("[name=swap][value='2']").check(force=True)
        mine.get_by_role("button", name="这两位对换").click()
        expect(mine.locator(".seat.s .name")).to_contain_text("王五")

        # both record the fourth hand at once: the slower one sees both, and keeps both
        other.goto(here)
        slow, fast = quick_win(other, 1, 3, "small", 4), quick_win(mine, 1, 3, "small", 5)
        fast.button("记第 4 手")
        mine.wait_for_url(here)
        slow.button("记第 4 手")
        expect(other.get_by_role("alert")).to_contain_text("你的还没有入账")
        expect(other.locator(".cmp .diff")).not_to_have_count(0)
        is_whole(other, "conflict")
        for button in other.locator(".bar > .btn").all():
            assert len(set(button.evaluate(LINES))) == 1, button.inner_text()
        other.get_by_role("button", name="都要，我的记第 5 手").click()
        other.wait_for_url(here)
        expect(other.locator(".ledger tbody th").first).to_have_text("5")

        # close, settle up, mark as paid, copy, export
        mine.goto(here)
        mine.locator("details.menu summary").first.click()
        mine.get_by_role("link", name="结束这局，结账").click()
        mine.get_by_role("button", name="结束并结账").click()
        expect(mine.locator(".pay li").first).to_be_visible()
        expect(mine.locator("#plot canvas")).to_be_visible()
        mine.get_by_text("看数字").click()
        expect(mine.locator(".numbers tbody tr")).to_have_count(5)
        mine.get_by_role("button", name=re.compile("→.*: 已付")).first.click()
        expect(mine.locator(".pay li.done")).to_have_count(1)
        mine.context.grant_permissions(["clipboard-read", "clipboard-write"])
        mine.get_by_role("button", name="复制文字").click()
        copied = mine.evaluate("navigator.clipboard.readText()")
        assert "周六老友局" in copied
        assert "→" in copied
        assert "最大一手" in copied
        for name in ("Excel", "CSV · 总账", "JSON"):
            with mine.expect_download() as download:
                mine.get_by_role("link", name=name).click()
            assert "周六老友局" in download.value.suggested_filename
        expect(other.locator("a.btn", has_text="结账")).to_be_visible(timeout=12_000)


def test_a_double_tap_posts_once(browser: Browser, browser_context_args: ARGS, live_site: LiveServer) -> None:
    with phone(browser, browser_context_args) as page:
        here = open_table(page, "changsha-classic")
        quick_win(page, 1, 1, "small", 6)
        page.locator("#record").evaluate("button => { button.click(); button.click(); }")
        page.wait_for_url(here)
        expect(page.locator(".ledger tbody")).to_have_count(1)


def test_taps_on_a_slow_line_and_without_one_are_not_lost(
    browser: Browser, browser_context_args: ARGS, live_site: LiveServer
) -> None:
    """The second tap comes before the answer to the first; the hand is recorded when there is no connection."""
    conditions = {"offline": False, "latency": 400, "downloadThroughput": -1, "uploadThroughput": -1}
    with phone(browser, browser_context_args) as page:
        here = open_table(page, "changsha-classic")
        page.goto(here + "quick")
        devtools = page.context.new_cdp_session(page)
        devtools.send("Network.emulateNetworkConditions", conditions)
        for name, value in (("w", "3"), ("p3", "small"), ("by", "1"), ("bird0", "1")):
            page.locator(f".opt:has(input[name='{name}'][value='{value}'])").click()
        expect(page.locator("#verdict")).to_contain_text("张三点炮 小胡 · 鸟 1 李四")
        devtools.send("Network.emulateNetworkConditions", {**conditions, "latency": 0})

        # the phone in a hole: what was entered stays, and is recorded afterwards
        page.route("**/healthz", lambda route: route.abort("internetdisconnected"))
        page.locator("#record").click()
        expect(page.locator("#verdict")).to_contain_text("连不上")
        page.unroute("**/healthz")
        page.locator("#record").click()
        page.wait_for_url(here)

        # the same with tiles
        page.goto(here + "hand")
        page.locator("#w2").check(force=True)
        page.locator("#h2").fill("123345m55578p22s+9p")
        expect(page.locator("#verdict")).to_contain_text("自摸 小胡")
        page.route("**/healthz", lambda route: route.abort("internetdisconnected"))
        page.get_by_role("button", name="记第 2 手").click()
        expect(page.locator("#verdict")).to_contain_text("连不上")
        page.unroute("**/healthz")
        page.get_by_role("button", name="记第 2 手").click()
        page.wait_for_url(here)

        # the reason of a correction is left by a tap on a button
        page.goto(here + "quick?correct=1")
        page.locator("[name=reason]").fill("鸟看错了")
        page.locator(".opt:has(input[name='bird0'][value='2'])").click()
        expect(page.locator("#verdict")).to_contain_text("鸟 2")


def test_an_answer_in_the_middle_of_a_tap_does_not_take_it(
    browser: Browser, browser_context_args: ARGS, live_site: LiveServer
) -> None:
    """The answer to the first tap comes while the finger of the second one is down."""
    conditions = {"offline": False, "latency": 400, "downloadThroughput": -1, "uploadThroughput": -1}
    with phone(browser, browser_context_args) as page:
        page.goto(open_table(page, "changsha-classic") + "quick")
        page.context.new_cdp_session(page).send("Network.emulateNetworkConditions", conditions)
        for name, value in (("w", "3"), ("by", "1")):
            page.locator(f".opt:has(input[name='{name}'][value='{value}'])").hover()
            with page.expect_response(re.compile("/result"), timeout=10_000) as answer:
                page.locator("#quick-form").dispatch_event("change")
                page.mouse.down()
            answer.value.finished()
            page.evaluate("() => new Promise((done) => setTimeout(done, 100))")
            page.mouse.up()
            expect(page.locator(f"input[name='{name}'][value='{value}']")).to_be_checked()
        expect(page.locator("#verdict")).to_contain_text("什么牌")


def test_a_reload_keeps_the_hand_and_a_posted_one_is_gone(
    browser: Browser, browser_context_args: ARGS, live_site: LiveServer
) -> None:
    with phone(browser, browser_context_args) as page:
        here = open_table(page, "changsha-classic")
        quick_win(page, 1, 1, "small", 6)
        kept = page.url
        page.reload()
        expect(page.locator("#verdict")).to_contain_text("自摸 小胡")
        page.locator("#record").click()
        page.wait_for_url(here)
        for address in (kept, here + "quick"):
            page.goto(address)
            expect(page.locator("#verdict")).to_contain_text("谁胡了")

        # the same with tiles
        page.goto(here + "hand")
        page.locator("#w2").check(force=True)
        page.locator("#h2").fill("123345m55578p22s+9p")
        expect(page.locator("#verdict")).to_contain_text("自摸 小胡")
        kept = page.url
        page.reload()
        expect(page.locator("#h2")).to_have_value(re.compile("55578p"))
        page.get_by_role("button", name="记第 2 手").click()
        page.wait_for_url(here)
        for address in (kept, here + "hand"):
            page.goto(address)
            expect(page.locator("#h2")).to_have_value("")


HOSTILE = ["王" * 40, "W" * 40, "<script>alert(1)</script>", "🀄'\"&龘𠮷 Ann-Kathrin"]


def evening(**options: Any) -> Table:
    """A closed evening with an opening, 通炮, a correction and a hand taken back."""
    table = Table.open(**{"name": "周六老友局", **options})
    table.post({"kind": "opening", "winners": [{"seat": 2, "declared": ["four_of_a_kind"]}], "birds": ["3m"]})
    wrong = table.post(win(1, birds=["6p"]))
    table.ask(services.correct_entry, seq=wrong.seq, record=win(1, birds=["3p"]), reason="鸟看错了")
    several = [win(2)["winners"][0], {"seat": 3, "declared": ["all_pungs"]}]
    table.post({"kind": "win", "by": "discard", "from": 0, "winners": several, "birds": ["1m"]})
    back = table.post(win(0, 1))
    table.ask(services.reverse_entry, seq=back.seq, reason="看错人了")
    return table


@MANY
@pytest.mark.parametrize("names", [["李四", "张三", "王五", "赵六"], HOSTILE], ids=["plain", "hostile"])
def test_every_page_is_accessible_and_whole(
    browser: Browser, browser_context_args: ARGS, live_site: LiveServer, looks: Any, names: list[str]
) -> None:
    table = evening(players=names)
    closed = evening(players=names)
    services.close_session(actor=closed.actor, session_id=closed.session.id)
    link, *rest = (f"/t/join/{one.actor.tokens[0]}" for one in (table, closed))
    here = f"/t/{table.session.id}/"
    pages = {
        "session": here,
        "quick": here + "quick?key=k&seq=7&hand_no=3&dealer0=2&w=2&w=3&by=0&p2=small&p3=all_pungs&bird0=1",
        "hand": here + "hand?w=1&by=1&h1=22s345m45p[123m][555p]%2B6p&birds=6p",
        "entry": here + "entries/4",
        "correct": here + "quick?correct=4",
        "seats": here + "seats",
        "invite": here + "invite",
        "end": here + "end",
    }
    if len(looks) > 2:
        pages |= {
            "home": "/t/",
            "new": "/t/new",
            "dealer": here + "dealer",
            "kong dice": here + "kong-dice?stacks=12&die=3",
            "opening": here + "hand?kind=opening",
            "penalty": here + "hand?kind=penalty",
            "join": rest[0],
        }
    look_at(browser, browser_context_args, live_site, link, pages, looks)
    look_at(browser, browser_context_args, live_site, rest[0], {"end": f"/t/{closed.session.id}/end"}, looks[:1])

"""The analysis in a browser: thumb, typed line, tiles seen, taps that explain, every look."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.table_pages import MANY, NAMES, PHONE, carry, is_accessible, is_whole, phone
from tests.conftest import LiveServer

FOUR = "&".join(f"n{seat}={name}" for seat, name in enumerate(NAMES))
READY = f"/analyse?w=1&h1=555p6p777s[222s][888m]&{FOUR}"
THROW = "/analyse?h0=123m456p789s22s45p%2B8m"
STATES = {
    "empty": "/analyse",
    "indicator first": "/analyse?rules=wuhan-laizi",
    "short": "/analyse?h0=123m456p",
    "ready": READY,
    "away": "/analyse?h0=13m2246p4577s[222s]&seen=5p",
    "throw": THROW,
    "far": "/analyse?h0=1479m258p369s1147m",
    "win": f"/analyse?w=1&h1=555p66p777s[222s][888m]&{FOUR}",
    "only by self-draw": "/analyse?h0=123m456p789s22s45p&passed0=3p&dealer=2",
    "none left": "/analyse?h0=123m456p789s234s2p&seen=222p",
    "below minimum": "/analyse?rules=wuhan-kaikou&ind=4m&h0=777m66s9p5m[222p][333s]&dealer=1",
    "wuhan": f"/analyse?rules=wuhan-koukou&ind=4m&w=1&laid1=7z&h1=777m66s99p[222p][8888s]3p&op0=1&ek0=1&op3=1&{FOUR}",
    "faults": "/analyse?rules=wuhan-laizi&ind=44m&h0=55555m147p14s[222s]&seen=zz&draws=99&passed0=q&laid0=1m",
    "long names": READY.replace("张三", "王" * 40).replace("李四", "W" * 40).replace("赵六", "%3Cscript%3E" * 3),
}


@pytest.fixture
def page(browser: Browser, browser_context_args: dict[str, Any], live_site: LiveServer) -> Iterator[Page]:
    with phone(browser, browser_context_args) as page:
        yield page


def tap(page: Page, *tiles: str) -> None:
    for tile in tiles:
        page.locator(f'.key[data-tile="{tile}"]').click()


def mode(page: Page, name: str) -> None:
    page.locator(f".mode:has(input[value={name}])").click()


def says(page: Page, words: str | re.Pattern[str]) -> None:
    expect(page.locator("#verdict-text")).to_have_text(words)


def test_taps_to_answer_without_a_button(page: Page) -> None:
    page.goto("/analyse")
    mode(page, "pong")
    tap(page, "2s")
    mode(page, "pong")
    tap(page, "8m")
    tap(page, "5p", "5p", "5p", "6p", "7s", "7s", "7s")
    says(page, "听 3 种 11 张：4 筒、6 筒、7 筒")
    expect(page.locator("#spoken")).to_contain_text("听 3 种 11 张")
    expect(page.locator(".waits .amt").first).to_contain_text("+120")
    tap(page, "9s")
    expect(page.locator("#h0")).to_have_value("5556p777s[222s][888m]+9s")
    says(page, "打 9 索：听牌，3 种 11 张")
    page.locator(".set.won button").click()
    says(page, re.compile("听 3 种"))
    page.wait_for_url(re.compile("h0=5556p777s"))
    page.reload()
    says(page, "听 3 种 11 张：4 筒、6 筒、7 筒")


def test_typed_line_and_keypad_in_step(page: Page) -> None:
    page.goto("/analyse")
    page.locator("#h0").fill("一二三万 456p 789s 22s 45筒")
    says(page, "听 2 种 7 张：3 筒、6 筒")
    expect(page.locator(".line .hand button")).to_have_count(13)
    page.locator("[data-undo]").click()
    page.locator("#h0").fill("123m456p")
    says(page, "还差 7 张")
    page.locator("#h0").fill("123m45")
    expect(page.locator("#fault-hand .fault")).to_be_visible()
    page.locator('[data-clear="0"]').click()
    says(page, "点出手里的牌。")


def test_tiles_seen_are_counted_off(page: Page) -> None:
    page.goto(READY)
    mode(page, "seen")
    tap(page, "6p", "6p", "9m")
    says(page, "听 3 种 9 张：4 筒、6 筒、7 筒")
    key = page.locator('.key[data-tile="6p"]')
    expect(key.locator("i")).to_have_text("1")
    expect(page.locator('.key[data-tile="9m"] i')).to_have_text("3")
    expect(page.locator("#seen")).to_have_value("9m66p")
    expect(page.locator("#facts-words")).to_contain_text("见过 3 张")
    tap(page, "6p")
    expect(key).to_have_attribute("aria-disabled", "true")
    says(page, "听 3 种 8 张：4 筒、6 筒、7 筒")
    expect(page.locator(".waits li.dead")).to_contain_text("绝张")
    page.locator("#facts > summary").click()
    page.locator("#seen-tiles button").last.click()
    says(page, "听 3 种 9 张：4 筒、6 筒、7 筒")
    page.locator("[data-undo]").click()
    expect(page.locator("#seen")).to_have_value("9m666p")


def test_dealer_and_rules_change_the_money(page: Page) -> None:
    page.goto(READY)
    first = page.locator(".waits .amt").first
    expect(first).to_contain_text("+100")
    page.locator("#dealer1").check(force=True)
    expect(first).to_contain_text("+120")
    page.locator(".pick button").click()
    page.locator("#rules-sheet a", has_text="六七片").click()
    expect(page.locator("#h1")).to_have_value("5556p777s[222s][888m]")
    says(page, re.compile("听 3 种 11 张"))


def test_wuhan_indicator_laid_out_and_openings(page: Page) -> None:
    page.goto("/analyse?rules=wuhan-kaikou")
    tap(page, "4m")
    expect(page.locator("[data-mark='癞']")).to_have_attribute("data-tiles", "5m")
    page.locator("#h0").fill("777m66s9p5m[222p][333s]")
    expect(page.locator(".waits")).to_contain_text("不够起胡")
    mode(page, "laid")
    tap(page, "7z")
    expect(page.locator(".set.laid button")).to_have_count(1)
    page.locator("#facts > summary").click()
    page.locator("#op2").click()
    expect(page.locator(".waits .amt").first).to_contain_text("+")
    page.locator("#w3").check(force=True)
    expect(page.locator("#h3")).to_have_value("777m66s9p5m[222p][333s]")
    expect(page.locator("[name=laid3]")).to_have_value("7z")
    expect(page.locator("#op0")).to_be_visible()
    expect(page.locator("#op3")).to_have_count(0)


def test_every_number_opens(page: Page) -> None:
    page.goto(READY)
    page.locator(".waits summary").first.click()
    expect(page.locator(".waits table").first).to_contain_text("李四点炮")
    page.locator(".waits a").first.click()
    says(page, "自摸 碰碰胡")
    page.goto(READY)
    for figure, words in (("about-expected", "胡率 × 平均一胡的分"), ("about-chance", "不放回，只算自己摸的")):
        page.locator(f".figures [popovertarget={figure}]").click()
        expect(page.locator(f"#{figure}")).to_contain_text(words)
        page.keyboard.press("Escape")
    page.goto(THROW)
    row = page.locator(".discards details").first
    row.locator("summary").click()
    expect(row).to_contain_text("7 = 4 + 3")
    for button in page.locator(".heads button").all():
        button.click()
        expect(page.locator(".sheet:popover-open")).to_have_count(1)
        page.keyboard.press("Escape")
    row.get_by_role("link", name="打出 8 万").click()
    says(page, "听 2 种 7 张：3 筒、6 筒")


def test_from_the_hand_entry_and_back(page: Page) -> None:
    page.goto("/")
    page.locator("#w1").check(force=True)
    page.locator("#h1").fill("555p6p777s[222s][888m]")
    page.locator("#bar a[href*=h1]").click()
    says(page, "听 3 种 11 张：4 筒、6 筒、7 筒")
    page.locator("#bar a").click()
    expect(page.locator("#h1")).to_have_value(re.compile("5556p777s"))


def test_draws_left_and_detours(page: Page) -> None:
    page.goto(THROW)
    expect(page.locator(".discards .share:not(.nil)")).to_have_count(13)
    page.locator("#facts > summary").click()
    first = page.locator(".discards li").first.locator(".share").nth(2)
    before = first.inner_text()
    page.locator("#draws").fill("1")
    expect(page.locator("#facts-words")).to_contain_text("还能摸 1 次")
    expect(first).not_to_have_text(before)
    page.locator("#detours").check(force=True)
    expect(page.locator("#facts-words")).to_contain_text("绕路")
    expect(page.locator(".discards .share.nil")).to_have_count(0)
    page.locator("#draws").fill("21")
    expect(page.locator("#fault-draws .fault")).to_be_visible()
    page.locator("#draws").fill("")
    expect(page.locator(".heads.three")).to_have_count(0)
    expect(page.locator(".discards > li")).to_have_count(11)


def test_a_fault_behind_the_fold_opens_it(page: Page) -> None:
    page.goto(READY)
    page.locator("#facts > summary").click()
    page.locator("#seen").fill("3q")
    expect(page.locator("#fault-seen .fault")).to_be_visible()
    page.locator("#facts > summary").click()
    page.locator("#h1").fill("555p6p777s[222s]888m9")
    expect(page.locator("#fault-hand .fault")).to_be_visible()
    expect(page.locator("#fault-seen .fault")).to_be_visible()


def test_the_keypad_does_not_move_while_a_hand_is_entered(page: Page) -> None:
    page.goto("/analyse")
    top = "document.querySelector('.pad').getBoundingClientRect().top + window.scrollY"
    place = page.evaluate(top)
    tap(page, *("1m", "2m", "3m", "4p", "5p", "6p", "7s", "8s", "9s", "2s", "2s", "4p", "5p", "8m"))
    says(page, re.compile("打 8 万"))
    assert page.evaluate(top) == place


def test_the_keypad_and_the_answer_share_a_phone(page: Page) -> None:
    for address in (READY, STATES["wuhan"]):
        page.goto(address)
        first, bar = page.locator("#answer summary").first.bounding_box(), page.locator("#bar").bounding_box()
        last = page.locator(".key").last.bounding_box()
        assert first is not None
        assert bar is not None
        assert last is not None
        assert last["y"] + last["height"] <= bar["y"]
        assert first["y"] < bar["y"], address


def test_without_javascript(browser: Browser, browser_context_args: dict[str, Any], live_site: LiveServer) -> None:
    with phone(browser, browser_context_args, java_script_enabled=False) as page:
        page.goto("/analyse?rules=wuhan-laizi")
        page.get_by_role("textbox", name="翻").fill("4p")
        page.locator("#h0").fill("234s679m88p[111m][999s]")
        page.get_by_role("button", name="算", exact=True).click()
        says(page, re.compile("打 9 万：听牌"))
        page.locator(".discards summary").first.click()
        page.get_by_role("link", name="打出 9 万").click()
        says(page, re.compile("听 "))


@pytest.mark.parametrize(
    ("status", "words"),
    [(None, "连不上。录的牌还在。"), (429, "问得太快了，等一会儿再点。")],
    ids=["offline", "too much"],
)
def test_no_answer_is_said(
    browser: Browser, browser_context_args: dict[str, Any], live_site: LiveServer, status: int | None, words: str
) -> None:
    context = browser.new_context(**browser_context_args)
    page = context.new_page()
    page.goto(READY)
    page.route("**/answer?*", lambda route: route.fulfill(status=status) if status else route.abort())
    page.locator("#dealer2").check(force=True)
    says(page, words)
    expect(page.locator("#h1")).to_have_value("5556p777s[222s][888m]")
    context.close()


@MANY
def test_every_state_in_every_look(
    browser: Browser, browser_context_args: dict[str, Any], live_site: LiveServer, looks: Any
) -> None:
    for language, theme, size in looks:
        with phone(browser, browser_context_args, viewport=size) as page:
            carry(page, live_site, django_language=language, theme=theme)
            for name, address in STATES.items():
                page.goto(address)
                page.evaluate("document.querySelectorAll('main details').forEach(one => one.open = true)")
                where = f"{name} {language} {theme} {size['width']}"
                is_accessible(page, where)
                is_whole(page, where)


def test_a_phone_of_360_scrolls_down_only(page: Page) -> None:
    assert page.viewport_size == PHONE
    for name, address in STATES.items():
        page.goto(address)
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], name

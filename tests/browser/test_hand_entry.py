"""The hand entry in a browser: thumb, keyboard, typed line, both languages, both themes, both sizes."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Page, expect

from scoring import all_presets
from scoring.hand import Hand
from scoring.notation import NotationError, format_hand, parse_hand
from tests.conftest import LiveServer

CASES = Path(__file__).parents[1] / "data" / "score.jsonl"

PHONE = {"width": 360, "height": 740}
DESK = {"width": 1280, "height": 800}
NAMES = "n0=李四&n1=张三&n2=王五&n3=赵六"
SETTLED = f"/?w=1&by=1&h1=22s345m45p[123m][555p]%2B6p&birds=6p&{NAMES}"
WUHAN = f"/?rules=wuhan-koukou&w=1&by=1&ind=4m&laid1=7z&h1=777m66s99p[222p][8888s]%2B6s&op0=1&ek0=1&op3=1&{NAMES}"
STATES = {
    "empty": "/",
    "settled": SETTLED,
    "wuhan": WUHAN,
    "ready": "/?w=1&h1=555p6p777s[222s][888m]",
    "not a win": "/?w=1&by=1&h1=99s345m45p[123m][555p]%2B6p&birds=6p",
    "below minimum": "/?rules=wuhan-kaikou&w=1&by=2&ind=4m&h1=777m66s9p5m[222p][333s]%2B6s",
    "three winners": "/?w=1&w=2&w=3&by=0&birds=3p&h1=22s345m45p[123m][555p]%2B6p"
    "&h2=88s345m45p[789m][777s]%2B6p&h3=55s789m45p[123s][999s]%2B6p",
    "four kongs": "/?w=1&by=1&h1=2p[1111m][3333m@2](9999s)[7777p%2B]%2B2p&birds=6p",
    "openings": "/?kind=opening&w=1&w=3&h1=1111m333p56p2789s&h3=23456789m12455p&birds=1s",
    "nobody wins": "/?kind=exhausted&last=taken_by:2",
    "penalty": "/?kind=penalty&pseat=2&preason=left",
    "long names": SETTLED.replace("张三", "王" * 40).replace("李四", "W" * 40).replace("赵六", "%3Cscript%3E" * 3),
}


ContextArgs = dict[str, object]


@pytest.fixture
def context(browser: Browser, browser_context_args: ContextArgs, live_site: LiveServer) -> Iterator[BrowserContext]:
    context = browser.new_context(**{**browser_context_args, "viewport": PHONE})
    yield context
    context.close()


@pytest.fixture
def page(context: BrowserContext) -> Iterator[Page]:
    """A phone. Whatever the browser complains about fails the test."""
    page = context.new_page()
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    yield page
    assert complaints == []


def tap(page: Page, *tiles: str) -> None:
    for tile in tiles:
        page.locator(f'.key[data-tile="{tile}"]').click()


def mode(page: Page, name: str) -> None:
    page.locator(f".mode:has(input[value={name}])").click()


def verdict(page: Page, text: str | re.Pattern[str]) -> None:
    expect(page.locator("#verdict-text")).to_have_text(text)


def amounts(page: Page) -> list[str]:
    return [page.locator(f".seat.{side} .amt").inner_text() for side in "senw"]


def enter_small_win(page: Page) -> None:
    """Fifteen taps: winner, melds, hand, winning tile and bird, without a change of mode for the last two."""
    page.get_by_role("checkbox", name="下家").check(force=True)
    mode(page, "chow")
    tap(page, "1m")
    mode(page, "pong")
    tap(page, "5p")
    tap(page, "2s", "2s", "3m", "4m", "5m", "4p", "5p", "6p", "6s")


def test_taps_to_amounts_without_a_button(page: Page) -> None:
    page.goto("/")
    enter_small_win(page)
    verdict(page, "自摸 小胡 · 鸟 6 下家")
    assert amounts(page) == ["−40", "+80", "−20", "−20"]
    expect(page.locator("#h1")).to_have_value("345m45p22s[123m][555p]+6p")
    expect(page.locator("#spoken")).to_contain_text("下家加 80")
    page.wait_for_url(re.compile("birds=6s"))
    page.reload()
    verdict(page, "自摸 小胡 · 鸟 6 下家")


def test_typed_line_and_keypad_in_step(page: Page) -> None:
    page.goto("/?w=1")
    page.locator("#h1").fill("一二三万 22s345m 【555p】 45筒 +6p")
    verdict(page, re.compile("自摸 小胡"))
    expect(page.locator("[data-seat='1'] .set.meld button")).to_have_count(3)
    mode(page, "bird")
    tap(page, "3p")
    expect(page.locator("#birds")).to_have_value("3p")
    page.locator('[data-seat="1"] .set.won button').click()
    expect(page.locator("#h1")).to_have_value("123345m45p22s[555p]")
    verdict(page, re.compile("听 "))
    page.locator("[data-undo]").click()
    expect(page.locator("#h1")).to_have_value(re.compile(r"\+6|6筒"))
    page.locator('[data-clear="1"]').click()
    expect(page.locator("#h1")).to_have_value("")


def test_used_up_tiles_are_off_and_few_left_are_counted(page: Page) -> None:
    page.goto("/?w=1&h1=[555p]5p33m")
    key = page.locator('.key[data-tile="5p"]')
    expect(key).to_have_attribute("aria-disabled", "true")
    key.click(force=True)
    expect(page.locator("#h1")).to_have_value("33m5p[555p]")
    expect(page.locator('.key[data-tile="3m"] i')).to_have_text("2")
    mode(page, "chow")
    expect(page.locator('.key[data-tile="8m"]')).to_have_attribute("aria-disabled", "true")
    expect(page.locator('.key[data-tile="4p"]')).to_have_attribute("aria-disabled", "true")


def test_winner_corrected_then_several_winners(page: Page) -> None:
    page.goto(SETTLED)
    page.locator("#w2").check(force=True)
    verdict(page, "自摸 小胡 · 鸟 6 张三")
    expect(page.locator("#h2")).to_have_value("345m45p22s[123m][555p]+6p")
    page.locator("#by0").check(force=True)
    verdict(page, "李四点炮 小胡 · 鸟 6 张三")
    page.locator("#w3").check(force=True)
    expect(page.locator("#h3")).to_have_value("+6p")
    page.locator("#h3").fill("88s345m789m999m78p+6p")
    verdict(page, "李四通炮：王五 小胡、赵六 小胡 · 鸟 6 张三")
    page.locator("#w3").uncheck(force=True)
    verdict(page, "李四点炮 小胡 · 鸟 6 张三")


def test_events_follow_the_situation(page: Page) -> None:
    page.goto(SETTLED.replace("birds=6p", "birds=6m"))
    expect(page.locator("[name=ev]")).to_have_count(1)
    page.locator("#ev-last_tile").check(force=True)
    verdict(page, re.compile("海底捞月"))
    page.locator("#by3").check(force=True)
    verdict(page, re.compile("海底炮"))
    page.locator("#ev-last_tile").uncheck(force=True)
    page.locator("#rob").check(force=True)
    verdict(page, re.compile("抢赵六的杠 抢杠胡"))


def test_dealer_and_names_in_the_seats_sheet(page: Page) -> None:
    page.goto(SETTLED)
    page.locator(".seat.n").click()
    sheet = page.locator("#seat-2")
    expect(sheet).to_be_visible()
    expect(sheet).to_contain_text("20")
    sheet.get_by_label("名字").fill("老王")
    sheet.get_by_role("radio").check()
    expect(page.locator(".seat.n .name")).to_have_text(re.compile("老王\\s*庄"))
    page.keyboard.press("Escape")
    expect(sheet).to_be_hidden()
    assert amounts(page)[2] == "−20"


def test_house_rules_change_the_price(page: Page) -> None:
    page.goto(SETTLED)
    page.locator(".pick button").click()
    page.locator("#rules-sheet [name='o.birds']").fill("0")
    verdict(page, "自摸 小胡")
    assert amounts(page) == ["−20", "+40", "−10", "−10"]
    page.keyboard.press("Escape")
    page.wait_for_url(re.compile("o.birds=0"))
    expect(page.locator(".mode:has([value=bird])")).to_be_hidden()


def test_wuhan_indicator_laid_out_and_counters(page: Page) -> None:
    page.goto("/?rules=wuhan-koukou")
    tap(page, "4m")
    expect(page.locator("[data-mark='癞']")).to_have_attribute("data-tiles", "5m")
    expect(page.locator('.key[data-tile="3m"] em')).to_have_text("皮")
    page.locator("#w1").check(force=True)
    page.locator("#h1").fill("777m66s99p[222p][8888s]+6s")
    mode(page, "laid")
    tap(page, "7z")
    verdict(page, re.compile("碰碰胡 · 硬胡"))
    before = amounts(page)
    page.locator("#op0").click()
    expect(page.locator("#op0")).to_have_value("1")
    page.locator("#ek0").click()
    expect(page.locator(".step output")).to_have_text("1")
    expect(page.locator(".seat.s .amt")).to_have_text("−1000")
    page.locator("[data-step='-1']").click()
    expect(page.locator("#ek0")).to_have_value("0")
    assert amounts(page) != before


def test_two_kong_tiles(page: Page) -> None:
    """六七片: 开杠 turns up two tiles, and both may complete the hand."""
    page.goto("/?rules=changsha-liuqi&w=1&by=1&h1=2233p345m[1111s]")
    page.locator("#h1").fill("223344p56m22s[1111s]")
    page.locator("#ev-kong_draw").check(force=True)
    mode(page, "win")
    tap(page, "4m", "7m")
    expect(page.locator("#h1")).to_have_value("56m223344p22s[1111s]+47m")
    verdict(page, re.compile("自摸 杠上开花 ×2"))


def test_notation_is_the_engines(page: Page) -> None:
    """Canonical lines read and written in the browser come out as the engine writes them."""
    records = [json.loads(line)["request"] for line in CASES.read_text("utf-8").splitlines() if '"winners"' in line]
    winners = [winner for record in records for winner in record.get("winners", []) if isinstance(winner, dict)]
    lines = {format_hand(hand) for winner in winners if (hand := readable(winner))}
    assert len(lines) > 200
    page.goto("/")
    source = page.locator("script[src*=hand_entry]").get_attribute("src").replace("hand_entry", "notation")  # type: ignore[union-attr]
    same = page.evaluate(
        "async ([source, lines]) => { const notation = await import(source);"
        " return lines.filter(line => notation.write(notation.read(line)) !== line.replaceAll(' ', '')); }",
        [source, sorted(lines)],
    )
    assert same == []


def readable(winner: dict[str, object]) -> Hand | None:
    """The hand of a case, where it gives a whole line or concealed tiles that can be read."""
    try:
        return parse_hand(str(winner.get("hand") or winner.get("concealed") or ""))
    except NotationError:
        return None


def test_wait_and_fix_are_one_tap(page: Page) -> None:
    page.goto(STATES["ready"])
    assert amounts(page)[1] == "+100"
    page.locator("#verdict").click()
    page.locator(".waits a").first.click()
    verdict(page, "自摸 碰碰胡")
    page.goto(STATES["not a win"])
    page.locator("#verdict").click()
    page.locator(".fixes a").first.click()
    verdict(page, re.compile("自摸 小胡"))


def test_every_number_opens(page: Page) -> None:
    page.goto(SETTLED)
    page.locator("#verdict").click()
    expect(page.locator("table.sum tfoot")).to_contain_text("+80")
    page.locator(".source summary").first.click()
    expect(page.locator(".source q").first).to_be_visible()


def test_copy_text(context: BrowserContext, page: Page) -> None:
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(SETTLED)
    page.get_by_role("button", name="复制文字").click()
    expect(page.get_by_role("button", name="已复制")).to_be_visible()
    text = page.evaluate("navigator.clipboard.readText()")
    assert text.splitlines()[2] == "张三 +80  李四 −40  王五 −20  赵六 −20"


def test_keyboard_alone(page: Page) -> None:
    page.goto("/")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="跳到内容")).to_be_focused()
    page.keyboard.press("Enter")
    page.locator("#w1").focus()
    page.keyboard.press("Space")
    expect(page.locator("#w1")).to_be_checked()
    expect(page.locator("#w1")).to_be_focused()  # also after the answer has redrawn the row
    page.locator('.key[data-tile="5p"]').focus()
    page.keyboard.press("Enter")
    expect(page.locator("#h1")).to_have_value("5p")
    outline = page.locator('.key[data-tile="5p"]').evaluate("element => getComputedStyle(element).outlineStyle")
    assert outline == "solid"


def test_quick_taps_are_not_lost(page: Page) -> None:
    """An answer that comes after a further tap must not undo it."""
    page.route("**/result?*", lambda route: (page.wait_for_timeout(60), route.continue_()))
    page.goto(SETTLED)
    page.locator("#by0").check(force=True)
    page.locator("#ev-last_tile").check(force=True)
    verdict(page, re.compile("李四点炮 海底炮"))
    expect(page.locator("#by0")).to_be_checked()


def test_nothing_moves_while_entering(page: Page) -> None:
    page.goto("/")
    top = "document.querySelector('.pad').getBoundingClientRect().top + window.scrollY"
    place = page.evaluate(top)
    page.evaluate(
        "window.moved = 0; new PerformanceObserver(list => list.getEntries().forEach(e => { if (!e.hadRecentInput)"
        " window.moved += e.value; })).observe({type: 'layout-shift', buffered: true})"
    )
    enter_small_win(page)
    verdict(page, re.compile("自摸 小胡"))
    assert page.evaluate(top) == place
    assert page.evaluate("window.moved") == 0


def test_all_of_it_fits_a_phone(page: Page) -> None:
    page.goto(SETTLED)
    pad, bar = page.locator(".pad").bounding_box(), page.locator(".bar").bounding_box()
    assert pad is not None
    assert bar is not None
    assert pad["y"] + pad["height"] <= bar["y"] + 1
    assert bar["y"] + bar["height"] <= PHONE["height"] + 1


@pytest.mark.parametrize("language", ["zh-hans", "en"])
def test_the_keypad_stands_above_the_actions(
    context: BrowserContext, page: Page, language: str, live_site: LiveServer
) -> None:
    """On a phone of 390 × 844 every row of keys can be tapped at once, in Wuhan all four."""
    context.add_cookies([{"name": "django_language", "value": language, "url": live_site.url}])
    page.set_viewport_size({"width": 390, "height": 844})
    for address in ("/", SETTLED, "/?rules=wuhan-laizi", "/?rules=wuhan-laizi&w=1&by=1&ind=4m"):
        page.goto(address)
        last = page.locator(".key").last.bounding_box()
        bar = page.locator("#bar").bounding_box()
        assert last is not None
        assert bar is not None
        assert last["y"] + last["height"] <= bar["y"], address


def test_names_of_rule_sets_take_two_lines_at_most(context: BrowserContext, page: Page, live_site: LiveServer) -> None:
    context.add_cookies([{"name": "django_language", "value": "en", "url": live_site.url}])
    for preset in all_presets():
        page.goto(f"/?rules={preset.id}")
        lines = page.locator(".pick button > span").evaluate(
            "one => one.clientHeight / parseFloat(getComputedStyle(one).lineHeight)"
        )
        assert round(lines) <= 2, preset.id


def test_without_javascript(browser: Browser, browser_context_args: ContextArgs, live_site: LiveServer) -> None:
    context = browser.new_context(**{**browser_context_args, "java_script_enabled": False, "viewport": PHONE})
    page = context.new_page()
    page.goto("/")
    assert not page.locator(".pad").is_visible()
    page.locator("#w1").check(force=True)
    page.locator("#by1").check(force=True)
    page.locator("#h0").fill("22s345m45p[123m][555p]+6p")
    page.get_by_role("textbox", name="鸟").fill("6p")
    page.get_by_role("button", name="算", exact=True).click()
    verdict(page, "自摸 小胡 · 鸟 6 下家")
    assert amounts(page) == ["−40", "+80", "−20", "−20"]
    context.close()


def test_first_page_is_small(page: Page) -> None:
    """Bodies as a server would send them compressed, all of the first view, nothing from a cache or another host."""
    import gzip

    sizes: dict[str, int] = {}
    page.on("response", lambda response: sizes.setdefault(response.url, len(gzip.compress(response.body()))))
    page.goto(SETTLED, wait_until="networkidle")
    assert len(sizes) >= 5
    assert sum(sizes.values()) < 120_000
    host = page.evaluate("location.origin")
    assert all(url.startswith(host) for url in sizes)


USUAL_LOOKS = (("zh-CN", "light", PHONE), ("en-GB", "dark", DESK))
"""Looked at every time; the other combinations take minutes and belong to the long run."""
LOOKS = [
    pytest.param(locale, scheme, viewport, marks=() if (locale, scheme, viewport) in USUAL_LOOKS else pytest.mark.long)
    for locale in ("zh-CN", "en-GB")
    for scheme in ("light", "dark")
    for viewport in (PHONE, DESK)
]


@pytest.mark.parametrize(("locale", "scheme", "viewport"), LOOKS)
def test_every_state_is_clean(
    browser: Browser,
    browser_context_args: ContextArgs,
    live_site: LiveServer,
    viewport: dict[str, int],
    scheme: str,
    locale: str,
) -> None:
    """axe finds nothing serious, nothing runs out of the window, no text is cut off without a full form at hand."""
    chosen = {"viewport": viewport, "color_scheme": scheme, "locale": locale, "reduced_motion": "reduce"}
    context = browser.new_context(**{**browser_context_args, **chosen})
    page = context.new_page()
    found = []
    for name, address in STATES.items():
        page.goto(address)
        page.evaluate("document.querySelector('.verdict').open = true")
        if page.evaluate("document.documentElement.scrollWidth > window.innerWidth"):
            found.append(f"{name}: wider than the window")
        for violation in Axe().run(page).response["violations"]:
            if violation["impact"] in ("serious", "critical"):
                targets = [node["target"] for node in violation["nodes"]]
                found.append(f"{name}: {violation['id']} {targets[:4]}")
    context.close()
    assert found == []

"""What the browser tests of a table share: phones, what they tap, and what every page has to be."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.conftest import LiveServer

PHONE = {"width": 360, "height": 740}
DESK = {"width": 1280, "height": 800}
NAMES = ("李四", "张三", "王五", "赵六")
SEEN_FAULTS = re.compile("status of 4(09|22)|ERR_INTERNET_DISCONNECTED")
"""What the browser says of pages that are answers, a conflict or a form with faults, and of a phone in a hole."""
OUTSIDE = """() => [...document.querySelectorAll('body *')]
  .filter((one) => one.getBoundingClientRect().right > innerWidth)
  .map((one) => `${one.tagName}.${one.className}: ${one.textContent.trim().slice(0, 40)}`)"""
CUT = """() => [...document.querySelectorAll('main *, header *')].filter((one) => {
    const style = getComputedStyle(one);
    return one.checkVisibility() && !one.closest('.vh') && style.display !== 'inline' && one.tagName !== 'INPUT'
      && style.overflowX === 'hidden' && style.textOverflow !== 'ellipsis' && one.scrollWidth > one.clientWidth + 1;
  }).map((one) => `${one.tagName}.${one.className}: ${one.textContent.trim().slice(0, 40)}`)"""


def carry(page: Page, site: LiveServer, **cookies: str) -> None:
    """Gives a phone these cookies of the site: what it has chosen, who has signed in."""
    page.context.add_cookies([{"name": name, "value": value, "url": site.url} for name, value in cookies.items()])


@contextlib.contextmanager
def phone(browser: Browser, args: dict[str, Any], **options: Any) -> Iterator[Page]:
    """A phone of its own, with its own cookies. What its browser complains about fails the test."""
    context: BrowserContext = browser.new_context(**{**args, "viewport": PHONE, **options})
    page = context.new_page()
    complaints: list[str] = []

    def heard(text: str) -> None:
        if not SEEN_FAULTS.search(text):
            complaints.append(text)

    page.on("console", lambda message: heard(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: heard(str(error)))
    yield page
    context.close()
    assert complaints == []


def open_table(page: Page, rules: str, dealer: int | None = 0, **fields: str) -> str:
    """Opens a table through the form; the address of its session."""
    page.goto("/t/new")
    for seat, name in enumerate(NAMES):
        page.locator(f"[name=n{seat}]").fill(fields.get(f"n{seat}", name))
    page.locator("[name=rules]").select_option(rules)
    page.locator("[name=name]").fill("周六老友局")
    if dealer is not None:
        page.locator(f"[name=dealer][value='{dealer}']").check(force=True)
    page.get_by_role("button", name="开始").click()
    page.wait_for_url(re.compile(r"/t/[0-9a-f-]{36}/$"))
    return page.url


def invited(page: Page, role: str, name: str) -> str:
    """A join link made on the page of invitations; the page is left there."""
    page.locator("details.menu summary").first.click()
    page.get_by_role("link", name="邀请").click()
    page.locator(f"[name=role][value={role}]").check(force=True)
    page.locator("[name=name]").fill(name)
    page.get_by_role("button", name="生成链接").click()
    expect(page.locator(".qr svg")).to_be_visible()
    return page.locator("#address-text").inner_text()


class Thumb:
    """Taps that count."""

    def __init__(self, page: Page) -> None:
        self.page, self.taps = page, 0

    def link(self, name: str) -> None:
        self.taps += 1
        self.page.get_by_role("link", name=name, exact=True).click()

    def button(self, name: str | re.Pattern[str]) -> None:
        self.taps += 1
        self.page.get_by_role("button", name=name).click()

    def option(self, name: str, value: object) -> None:
        """A tap on an option; the answer is there before the next one."""
        self.taps += 1
        self.page.wait_for_load_state()
        with self.page.expect_response(re.compile("/result")):
            self.page.locator(f".opt:has(input[name='{name}'][value='{value}'])").click()


def shows(page: Page, *amounts: str) -> None:
    """The picture shows these amounts, by seat."""
    for side, amount in zip("senw", amounts, strict=True):
        expect(page.locator(f".seat.{side} .amt")).to_have_text(amount)


def is_accessible(page: Page, where: str) -> None:
    """axe finds nothing serious or critical."""
    violations = Axe().run(page).response["violations"]
    serious = [
        (one["id"], [node["html"][:160] for node in one["nodes"]][:3])
        for one in violations
        if one["impact"] in ("serious", "critical")
    ]
    assert serious == [], where


def is_whole(page: Page, where: str) -> None:
    """Nothing runs out of the page, and no text is cut off but names that end in dots."""
    if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
        outside = page.evaluate(OUTSIDE)
        assert outside == [], (where, outside)
    assert page.evaluate(CUT) == [], where


def look_at(
    browser: Browser, args: dict[str, Any], site: LiveServer, link: str, pages: dict[str, str], looks: Any
) -> None:
    """Every page in every look ``(language, theme, size)``: accessible and whole."""
    for language, theme, size in looks:
        with phone(browser, args, viewport=size) as page:
            carry(page, site, django_language=language, theme=theme)
            page.goto(link)
            page.locator("main form button").click()
            for name, address in pages.items():
                page.goto(address)
                where = f"{name} {language} {theme} {size['width']}"
                is_accessible(page, where)
                is_whole(page, where)


LOOKS = [
    (language, theme, size) for language in ("zh-hans", "en") for theme in ("light", "dark") for size in (PHONE, DESK)
]
FEW_LOOKS = [("zh-hans", "light", PHONE), ("en", "dark", PHONE)]
MANY = pytest.mark.parametrize("looks", [FEW_LOOKS, pytest.param(LOOKS, marks=pytest.mark.long)], ids=["few", "all"])

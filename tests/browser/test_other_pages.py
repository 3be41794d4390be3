"""The pages beside hand entry and table: rules, opening a table, signing in, the API. axe, and nothing cut off."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Browser

from tests.browser.table_pages import MANY, carry, is_accessible, is_whole, phone
from tests.conftest import LiveServer

PAGES = (
    "/rules",
    "/rules/changsha-room",
    "/rules/wuhan-koukou",
    "/t/",
    "/t/new",
    "/accounts/login/",
    "/accounts/signup/",
    "/api/v1/docs/",
)


@MANY
def test_every_other_page_is_accessible_and_whole(
    browser: Browser, browser_context_args: dict[str, Any], live_site: LiveServer, looks: Any
) -> None:
    for language, theme, size in looks:
        with phone(browser, browser_context_args, viewport=size) as page:
            carry(page, live_site, django_language=language, theme=theme)
            for address in PAGES:
                page.goto(address)
                where = f"{address} {language} {theme} {size['width']}"
                is_accessible(page, where)
                is_whole(page, where)

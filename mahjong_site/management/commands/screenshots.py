"""`manage.py screenshots`: the pictures of the README, taken from the site itself on a database of their own.

A development tool: it needs Playwright (development lock) and Chromium.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.core.management import BaseCommand, CommandError

WIDTH, HEIGHT = 390, 880
FOLDER = Path("static") / "img" / "readme"
PLAYERS = ("李四", "张三", "王五", "赵六")
SETTLED = {"w": 1, "by": 1, "h1": "22s345m45p[123m][555p]+6p", "birds": "6p"} | {
    f"n{seat}": name for seat, name in enumerate(PLAYERS)
}
THROWN = {"h0": "23456m44568p5556s", "dealer": 1, "seen": "7m", "detours": 1}
EVENING: tuple[dict[str, Any], ...] = (
    {"w": 2, "by": 2, "p2": "small", "bird0": 3},
    {"w": 1, "by": 3, "p1": "all_pungs", "bird0": 9},
    {"w": 3, "by": 3, "p3": "small", "bird0": 2},
    {"w": [2, 3], "by": 0, "p2": "small", "p3": "all_pungs", "bird0": 4},
    {"w": 1, "by": 1, "p1": "one_suit", "bird0": 2},
    {"w": 1, "by": 1, "p1": "small", "bird0": 3},
)
"""Hands as the quick entry's fields."""


class Command(BaseCommand):
    """Takes the pictures."""

    help = f"Takes the README's pictures into {FOLDER}; needs Chromium."
    requires_system_checks = []

    def handle(self, *args: Any, **options: Any) -> None:
        """A settled hand, a hand with a tile to throw, and a session with a few hands."""
        from playwright.sync_api import sync_playwright

        chromium = shutil.which("chromium") or shutil.which("chromium-browser")
        if chromium is None:
            raise CommandError("no Chromium here: apt-get install chromium fonts-wqy-microhei")
        folder = settings.BASE_DIR / FOLDER
        folder.mkdir(parents=True, exist_ok=True)
        with served() as address, sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
            page = browser.new_page(
                base_url=address, viewport={"width": WIDTH, "height": HEIGHT}, device_scale_factor=2, locale="zh-CN"
            )
            page.goto("/?" + urlencode(SETTLED))
            page.screenshot(path=folder / "hand.png")
            page.goto("/analyse?" + urlencode(THROWN))
            page.screenshot(path=folder / "analysis.png")
            page.goto("/t/new?" + urlencode({f"n{seat}": name for seat, name in enumerate(PLAYERS)} | {"dealer": 0}))
            page.locator("[name=name]").fill("周六老友局")
            page.locator("main .bar button").click()
            page.wait_for_url(re.compile(r"/t/[0-9a-f-]{36}/$"))
            session = page.url
            for hand in EVENING:
                page.goto(f"{session}quick?" + urlencode(hand, doseq=True))
                page.locator("#record").click()
                page.wait_for_url(session)
            page.screenshot(path=folder / "session.png")
            browser.close()
        self.stdout.write("\n".join(str(folder / f"{name}.png") for name in ("hand", "analysis", "session")))


@contextlib.contextmanager
def served() -> Iterator[str]:
    """The site's address, served by `up` on a free port with an empty database that is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="paizhang-pictures-") as data:
        Path(data).chmod(0o711)  # the database's own user must reach it
        environment = {name: value for name, value in os.environ.items() if not name.startswith("DATABASE_")}
        command = [sys.executable, str(settings.BASE_DIR / "manage.py"), "up", "--port", "0", "--no-demo"]
        with subprocess.Popen(
            command, env={**environment, "PAIZHANG_DATA": data}, stdout=subprocess.PIPE, text=True
        ) as server:
            try:
                lines: Iterator[str] = iter(server.stdout or ())
                ready = next((line for line in lines if line.startswith("ready: ")), None)
                if ready is None:
                    raise CommandError("the site did not start")
                yield ready.removeprefix("ready: ").strip()
            finally:
                server.terminate()

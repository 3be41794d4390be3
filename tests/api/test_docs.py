"""The documentation: what it shows runs as it is written; Swagger UI works under the site's policy."""

from __future__ import annotations

import html
import json
import re
import shutil
import subprocess
import sys
import urllib.request
from typing import Any

import pytest
from django.test import Client

from mahjong_site.api.problems import KINDS
from tests.conftest import LiveServer


def snippet(site: LiveServer, language: str) -> str:
    """A program of the page, as a reader copies it."""
    with urllib.request.urlopen(f"{site.url}/api/v1/docs/") as response:  # noqa: S310 - our own
        page = response.read().decode()
    found = re.search(rf'<pre[^>]*data-run="{language}">(.*?)</pre>', page, re.DOTALL)
    assert found
    return html.unescape(found[1])


def test_the_shell_runs_as_written(live_site: LiveServer) -> None:
    if not shutil.which("curl"):
        pytest.skip("no curl here")
    ran = subprocess.run(["sh", "-e", "-c", snippet(live_site, "sh")], capture_output=True, text=True, check=True)
    decoder, at, answers = json.JSONDecoder(), 0, []
    while at < len(ran.stdout):
        answer, at = decoder.raw_decode(ran.stdout, at)
        answers.append(answer)
        at = len(ran.stdout) - len(ran.stdout[at:].lstrip())
    assert answers[0]["deltas"] == [-40, 80, -20, -20]
    assert answers[1]["next_dealer"] == 0
    assert answers[2]["errors"]


def test_the_python_runs_as_written(live_site: LiveServer) -> None:
    program = snippet(live_site, "python")
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert ran.stderr == ""
    deltas, *totals = ran.stdout.splitlines()
    assert json.loads(deltas)[0] == -json.loads(deltas)[1] < 0
    assert totals[0].startswith("李四 ")


@pytest.mark.django_db
def test_every_kind_of_problem_has_its_place(client: Client) -> None:
    page = client.get("/api/v1/docs/").content.decode()
    assert all(f'id="problem-{kind}"' in page for kind in KINDS)


def test_swagger_ui_works_under_the_policy(page: Any, live_site: LiveServer) -> None:
    complaints: list[str] = []
    hosts: set[str] = set()
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("request", lambda request: hosts.add(request.url.split("/")[2]) if "//" in request.url else None)
    page.goto("/api/v1/docs/try")
    page.locator(".opblock").first.wait_for(timeout=60_000)
    page.locator("#operations-engine-kong_dice .opblock-summary-control").click()
    page.get_by_text("one_die").first.wait_for(timeout=20_000)
    assert complaints == []
    assert hosts == {live_site.url.removeprefix("http://")}

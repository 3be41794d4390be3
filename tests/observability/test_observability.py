"""Logs, metrics, and bodies that are too large."""

from __future__ import annotations

import asyncio
import http.client
import json
import logging
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.conf import LazySettings
from django.test import Client

from mahjong_site.observability.limits import MOST, bounded
from mahjong_site.observability.logs import JSONLines, NoSecrets, request_id, without_secrets
from tests.conftest import LiveServer

PROJECT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(
    "text",
    [
        "GET /t/join/SECRETsecret-SECRETsecret",
        "Authorization: Token SECRETsecret-SECRETsecret",
        "Link SECRETsecret-SECRETsecret",
        "/accounts/password/reset/key/1-SECRETsecret-SECRETsecret/",
        '{"password": "SECRETsecret-SECRETsecret"}',
        "token=SECRETsecret-SECRETsecret&a=b",
        "sessionid=SECRETsecret-SECRETsecret; x",
    ],
)
def test_no_secret_is_logged(text: str) -> None:
    assert "SECRET" not in without_secrets(text)


def failure() -> logging.LogRecord:
    try:
        raise ValueError("token=SECRET")
    except ValueError:
        record = logging.LogRecord("x", logging.ERROR, "f", 1, "失败 %s", ("/t/join/SECRET",), sys.exc_info())
    record.path = "/accounts/password/reset/key/1-SECRET/"
    return record


@pytest.mark.parametrize("log_format", ["line", "json"])
def test_no_format_of_the_log_shows_a_secret(log_format: str) -> None:
    code = (
        "import logging, django; django.setup(); log = logging.getLogger('django.request')\n"
        "log.warning('Not Found: %s', '/t/join/SECRET'); log.error('Gone: /accounts/password/reset/key/1-SECRET/')\n"
        "try: raise ValueError('token=SECRET')\n"
        "except ValueError: log.exception('no %s', 'more')"
    )
    environment = {**os.environ, "PAIZHANG_LOG_FORMAT": log_format, "DJANGO_SETTINGS_MODULE": "mahjong_site.settings"}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, cwd=PROJECT, capture_output=True, text=True, check=True
    )
    assert "/t/join/…" in done.stderr
    assert "token=…" in done.stderr
    assert "SECRET" not in done.stderr


def test_a_line_is_json_with_the_request() -> None:
    request_id.set("abc")
    record = failure()
    assert NoSecrets().filter(record)
    line = JSONLines().format(record)
    told = json.loads(line)
    assert (told["level"], told["request"], told["message"]) == ("ERROR", "abc", "失败 /t/join/…")
    assert "ValueError" in told["traceback"]
    assert "SECRET" not in line
    assert "\n" not in line


def test_every_answer_has_an_id(client: Client, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "paizhang.requests"):
        assert client.get("/healthz", headers={"x-request-id": "proxy-1"})["X-Request-ID"] == "proxy-1"
        assert len(client.get("/healthz", headers={"x-request-id": "no\x00good id"})["X-Request-ID"]) == 32
    assert [(record.path, record.status) for record in caplog.records] == [("/healthz", 200)] * 2  # type: ignore[attr-defined]


def test_metrics_count_by_view(client: Client, settings: LazySettings) -> None:
    client.get("/healthz")
    client.generic("BREW", "/nothing-of-that-name")
    text = client.get("/metrics").content.decode()
    assert 'paizhang_requests_total{method="GET",status="200",view="healthz"}' in text
    assert 'method="other",status="404",view="none"' in text
    assert "nothing-of-that-name" not in text
    assert client.get("/metrics", REMOTE_ADDR="192.0.2.1").status_code == 404
    settings.METRICS_TOKEN = "t"
    assert client.get("/metrics").status_code == 404
    assert client.get("/metrics", headers={"authorization": "Bearer t"}).status_code == 200


def test_a_body_too_large_is_refused_as_it_comes() -> None:
    sent: list[dict[str, Any]] = []
    asked = 0

    async def receive() -> dict[str, Any]:
        nonlocal asked
        asked += 1
        return {"type": "http.request", "body": b"x" * 65_536, "more_body": True}

    async def send(message: Any) -> None:
        sent.append(message)

    async def reads_all(scope: Any, receive: Any, send: Any) -> None:
        while (await receive())["more_body"]:
            pass

    scope = {"type": "http", "path": "/anything", "headers": []}
    asyncio.run(bounded(reads_all)(scope, receive, send))
    assert sent[0]["status"] == 413
    assert asked == MOST // 65_536 + 1
    assert json.loads(sent[1]["body"])["status"] == 413


def test_a_body_announced_too_large_is_not_read(live_site: LiveServer) -> None:
    connection = http.client.HTTPConnection(live_site.url.removeprefix("http://"), timeout=10)
    connection.putrequest("POST", "/api/v1/score")
    connection.putheader("Content-Length", str(10**10))
    connection.endheaders()
    response = connection.getresponse()
    assert (response.status, response.headers["Content-Type"]) == (413, "application/problem+json")

"""Two web processes behind one database behave as one."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from mahjong_site.embedded import layout
from tests.api.test_live import WIN, Table
from tests.conftest import LiveServer, TestDatabase

PROJECT = Path(__file__).resolve().parent.parent.parent


@pytest.fixture
def second(live_site: LiveServer, test_database: TestDatabase) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """A process beside the live server: its address, and itself."""
    url = f"postgres://{layout.WEB_ROLE}@/{test_database.name}?host={test_database.host}"
    with socket.create_server(("127.0.0.1", 0)) as listener:
        os.set_inheritable(listener.fileno(), True)
        server = subprocess.Popen(
            [sys.executable, "-m", "uvicorn", "mahjong_site.asgi:application", f"--fd={listener.fileno()}",
             "--lifespan=off", "--timeout-graceful-shutdown=1"],
            env={**os.environ, "DATABASE_URL": url, "DJANGO_SETTINGS_MODULE": "mahjong_site.settings"},
            cwd=PROJECT,
            pass_fds=[listener.fileno()],
            stderr=subprocess.DEVNULL,
        )  # fmt: skip
        try:
            yield "{}:{}".format(*listener.getsockname()), server
        finally:
            server.terminate()
            assert server.wait(15) is not None


@pytest.fixture
def two(live_site: LiveServer, second: tuple[str, subprocess.Popen[bytes]]) -> tuple[str, str]:
    """The addresses of two processes of one site."""
    return live_site.url.removeprefix("http://"), second[0]


def ask(host: str, method: str, path: str, body: Any, **headers: str) -> tuple[int, Any]:
    connection = http.client.HTTPConnection(host, timeout=60)
    text = None if body is None else json.dumps(body)
    connection.request(method, f"/api/v1/{path}", text, {"Content-Type": "application/json", **headers})
    response = connection.getresponse()
    return response.status, json.loads(response.read())


def test_two_processes_are_one_site(two: tuple[str, str], live_site: LiveServer) -> None:
    one, other = two
    table = Table(live_site)
    session = f"sessions/{table.session.id}"
    signed = {"Authorization": table.authorization}
    body = {"record": WIN, "expected_seq": 0}
    key = {"Idempotency-Key": uuid4().hex}
    with table.listening() as stream:
        status, posted = ask(other, "POST", f"{session}/entries", body, **signed, **key)
        assert status == 201
        assert next(stream)[1]["id"] == "1", "what one process writes the other tells"
    assert ask(one, "POST", f"{session}/entries", body, **signed, **key) == (200, posted)
    late = ask(one, "POST", f"{session}/entries", body, **signed, **{"Idempotency-Key": uuid4().hex})
    assert late[0] == 409
    assert ask(one, "GET", f"{session}/totals", None, **signed) == ask(
        other, "GET", f"{session}/totals", None, **signed
    )


def test_limits_are_counted_together(two: tuple[str, str]) -> None:
    opened = {"name": "周六", "rules": "changsha-room", "players": list("甲乙丙丁")}
    statuses = [ask(two[turn % 2], "POST", "join", {"token": f"t{turn}"})[0] for turn in range(64)]
    assert statuses[:60] == [404] * 60
    assert set(statuses[60:]) <= {404, 429}
    assert 429 in statuses[60:]
    assert ask(two[0], "POST", "tables", opened)[0] == 201


def test_a_process_that_is_told_to_stop_ends_its_streams(
    second: tuple[str, subprocess.Popen[bytes]], live_site: LiveServer
) -> None:
    host, server = second
    table = Table(live_site)
    connection = http.client.HTTPConnection(host, timeout=60)
    address = f"/api/v1/sessions/{table.session.id}/events"
    connection.request("GET", address, headers={"Authorization": table.authorization})
    response = connection.getresponse()
    assert response.readline() == b"retry: 2000\n"
    began = time.monotonic()
    server.terminate()
    with contextlib.suppress(http.client.HTTPException, OSError):
        while response.readline():
            pass
    assert time.monotonic() - began < 15

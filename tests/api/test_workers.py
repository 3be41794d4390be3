"""The processes that settle batches: answers in order, whatever happens to one of them."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import Future
from pathlib import Path

import pytest

from mahjong_site.api.workers import AHEAD, Workers, settled
from tests.api.conftest import CASES

LINES = [json.dumps(case["request"]).encode() + b"\n" for case in CASES] + [b"no record\n"]
CHUNKS = [LINES[at : at + 3] for at in range(0, len(LINES), 3)]
PROJECT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def workers() -> Workers:
    return Workers(2)


def processes(workers: Workers) -> list[int]:
    assert workers._pool is not None
    return list(workers._pool._processes)


def test_answers_stand_in_order(workers: Workers) -> None:
    wanted = list(map(settled, CHUNKS))
    assert list(workers.in_order(settled, CHUNKS)) == wanted
    assert wanted[-1][-1].endswith(b"]}")


def test_no_more_is_under_way_than_will_soon_be_read(workers: Workers) -> None:
    asked: list[int] = []

    def chunks() -> Iterator[list[bytes]]:
        for number in range(50):
            asked.append(number)
            yield LINES[:1]

    parts = workers.in_order(settled, chunks())
    for _ in range(5):
        next(parts)
    assert len(asked) == AHEAD * workers.processes + 4


def test_who_goes_away_leaves_nothing_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    idle = Workers(2)
    waiting: list[Future[bytes]] = []

    def never(*_: object) -> Future[bytes]:
        waiting.append(Future())
        return waiting[-1]

    monkeypatch.setattr(idle, "_begin", never)
    parts = idle.in_order(settled, CHUNKS)
    monkeypatch.setattr(idle, "_end", lambda *_: b"")
    next(parts)
    parts.close()
    assert [one.cancelled() for one in waiting] == [False, *[True] * (AHEAD * 2 - 1)]


def test_a_killed_process_is_made_up_for(workers: Workers) -> None:
    parts = workers.in_order(settled, CHUNKS)
    found = [next(parts)]
    before = processes(workers)
    for process in before:
        os.kill(process, signal.SIGKILL)
    found += parts
    assert found == list(map(settled, CHUNKS))
    assert not set(before) & set(processes(workers))


def test_they_end_with_their_parent() -> None:
    code = (
        "from mahjong_site.api.workers import Workers, settled\n"
        "workers = Workers(1)\n"
        "workers.call(settled, [b'{}'])\n"
        "print(*workers._pool._processes, flush=True)\n"
        "input()"
    )
    with subprocess.Popen([sys.executable, "-c", code], cwd=PROJECT, stdin=-1, stdout=-1) as parent:
        assert parent.stdout
        worker = int(parent.stdout.readline())
        parent.kill()
    for _ in range(200):
        try:
            os.kill(worker, 0)
        except ProcessLookupError:
            return
        time.sleep(0.05)
    pytest.fail("it outlived its parent")

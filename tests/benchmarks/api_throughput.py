"""How fast the API answers: ``python3 tests/benchmarks/api_throughput.py``, from this project's folder.

One web process and its clients on this machine, on a throwaway database, throttling on:

- single ``score`` requests a second, and those of an empty view behind the same middleware, throttle and parsing;
- a batch's records a second, and the process's memory before and after ``--records`` of them;
- how long a page takes while a batch runs.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import socket
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(PROJECT))

from mahjong_site.embedded import cluster, layout  # noqa: E402

CASES = [json.loads(line) for line in (PROJECT / "tests" / "data" / "score.jsonl").open(encoding="utf-8")]
RECORDS = [json.dumps(case["request"]).encode() for case in CASES if "answer" in case]
CLIENTS = 4
JSON = {"Content-Type": "application/json"}

EMPTY = """
import os
os.environ["DJANGO_SETTINGS_MODULE"] = "mahjong_site.settings"
from mahjong_site.asgi import application
from django.urls import path
from mahjong_site import urls
from mahjong_site.api.bodies import answer, body
from mahjong_site.api.endpoint import OpenEndpoint
class Empty(OpenEndpoint):
    rate = "score"
    def post(self, request):
        body(request)
        return answer(request, b"{}")
urls.urlpatterns.insert(0, path("empty", Empty.as_view()))
import socket, sys, uvicorn
listener = socket.socket(fileno=int(sys.argv[1]))  # not `fd=`: asyncio has to know that it is TCP, to send at once
uvicorn.Server(uvicorn.Config(application, log_config=None, lifespan="off")).run([listener])
"""
"""The site as `manage.py up` serves it, with one view that does nothing but what every endpoint does."""


@contextmanager
def site() -> Iterator[tuple[str, int, int]]:
    """A migrated site in a process of its own: host, port, process id."""
    with cluster.throwaway() as database:
        owner = f"postgres://{layout.OWNER_ROLE}@/{layout.DATABASE}?host={database.socket}"
        web = f"postgres://{layout.WEB_ROLE}@/{layout.DATABASE}?host={database.socket}"
        environment = {**os.environ, "DATABASE_URL": web, "DATABASE_OWNER_URL": owner, "PYTHONPATH": str(PROJECT)}
        environment["PAIZHANG_SECRET_KEY"] = "only for a benchmark"
        for command in (["migrate", "-v0"], ["collectstatic", "--noinput", "-v0"]):
            manage = [sys.executable, str(PROJECT / "manage.py"), *command]
            subprocess.run(manage, env=environment, check=True, cwd=PROJECT)
        with socket.create_server(("127.0.0.1", 0)) as listener:
            host, port = listener.getsockname()
            os.set_inheritable(listener.fileno(), True)
            command = [sys.executable, "-c", EMPTY, str(listener.fileno())]
            server = subprocess.Popen(command, env=environment, cwd=PROJECT, pass_fds=[listener.fileno()])
            try:
                yield host, port, server.pid
            finally:
                server.terminate()
                server.wait(10)


def rate(host: str, port: int, path: str, bodies: list[bytes], seconds: float) -> float:
    """Requests a second, from a few clients that keep their connections."""
    until = time.perf_counter() + seconds
    done = [0] * CLIENTS

    def client(number: int) -> None:
        connection = http.client.HTTPConnection(host, port)
        at = number
        while time.perf_counter() < until:
            connection.request("POST", path, bodies[at % len(bodies)], JSON)
            response = connection.getresponse()
            response.read()
            assert response.status == 200, response.status
            done[number] += 1
            at += CLIENTS

    at_once([lambda number=number: client(number) for number in range(CLIENTS)])
    return sum(done) / seconds


def at_once(work: list[Callable[[], None]]) -> None:
    """Runs each in a thread."""
    threads = [threading.Thread(target=one) for one in work]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def batch(host: str, port: int, records: int) -> None:
    """Sends one batch and reads its answers as they come."""
    lines = b"\n".join(RECORDS[number % len(RECORDS)] for number in range(records))
    connection = http.client.HTTPConnection(host, port)
    connection.request("POST", "/api/v1/score/batch", lines, {"Content-Type": "application/x-ndjson"})
    response = connection.getresponse()
    answers = 0
    while piece := response.read(65_536):
        answers += piece.count(b"\n")
    assert (response.status, answers) == (200, records), (response.status, answers)


def memory(process: int) -> float:
    """Resident MiB."""
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS"))


def page_times(host: str, port: int, stop: threading.Event) -> list[float]:
    """Milliseconds of a page, one after the other until told to stop."""
    times = []
    connection = http.client.HTTPConnection(host, port)
    while not stop.is_set():
        begin = time.perf_counter()
        connection.request("GET", "/accounts/login/")
        response = connection.getresponse()
        response.read()
        assert response.status == 200, response.status
        times.append((time.perf_counter() - begin) * 1000)
    return times


def p99(times: list[float]) -> float:
    """The time that one in a hundred exceeds."""
    return statistics.quantiles(times, n=100)[-1]


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--records", type=int, default=50_000, help="how many go through batches")
    asked = parser.parse_args()
    with site() as (host, port, process):
        rate(host, port, "/empty", [b"{}"], 1)
        rate(host, port, "/api/v1/score", RECORDS, 1)
        empty = rate(host, port, "/empty", RECORDS, asked.seconds)
        score = rate(host, port, "/api/v1/score", RECORDS, asked.seconds)
        print(f"score: {score:.0f} requests/s; empty view: {empty:.0f}; {score / empty:.0%}")
        batch(host, port, 10_000)
        before, begin, left = memory(process), time.perf_counter(), asked.records
        while left > 0:
            batch(host, port, min(left, 10_000))
            left -= 10_000
        took = time.perf_counter() - begin
        after = memory(process)
        print(f"batch: {asked.records / took:.0f} records/s; memory {before:.0f} -> {after:.0f} MiB")
        alone, busy, stop = [], [], threading.Event()
        threading.Timer(asked.seconds, stop.set).start()
        alone = page_times(host, port, stop)
        stop.clear()
        reader = threading.Thread(target=lambda: busy.extend(page_times(host, port, stop)))
        reader.start()
        until = time.perf_counter() + asked.seconds
        while time.perf_counter() < until:
            batch(host, port, 10_000)
        stop.set()
        reader.join()
        print(f"page: p99 {p99(alone):.0f} ms alone, {p99(busy):.0f} ms while batches run ({len(busy)} pages)")


if __name__ == "__main__":
    main()

"""How fast the API answers: ``python3 tests/benchmarks/api_throughput.py``, from this project's folder.

One web process and its clients on this machine, on a throwaway database, throttling on:

- single ``score`` requests a second, and those of an empty view behind the same middleware, throttle and parsing;
- a batch's records a second, and memory before and after ``--records`` of them;
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
MOST = 10_000
"""Records of a batch."""
PAGE = os.sysconf("SC_PAGE_SIZE")
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


def tree(process: int) -> list[int]:
    """A process and those it has started."""
    threads = Path(f"/proc/{process}/task").iterdir()
    children = [int(child) for thread in threads for child in (thread / "children").read_text().split()]
    return [process, *(one for child in children for one in tree(child))]


def resident(process: int) -> list[int]:
    """MiB of memory, of each of them."""
    return [int(Path(f"/proc/{one}/statm").read_text().split()[1]) * PAGE // 2**20 for one in tree(process)]


def busy(process: int) -> float:
    """Seconds of processor time."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def page_times(host: str, port: int, stop: threading.Event, times: list[float]) -> None:
    """Adds milliseconds of a page, one after the other until told to stop."""
    connection = http.client.HTTPConnection(host, port)
    while not stop.is_set():
        begin = time.perf_counter()
        connection.request("GET", "/accounts/login/")
        response = connection.getresponse()
        response.read()
        assert response.status == 200, response.status
        times.append((time.perf_counter() - begin) * 1000)


def p99(times: list[float]) -> float:
    """The time that one in a hundred exceeds."""
    return statistics.quantiles(times, n=100)[-1]


def singles(host: str, port: int, process: int, seconds: float) -> None:
    """One record a request, and requests for nothing."""
    rates = {}
    for name, path in (("empty view", "/empty"), ("score", "/api/v1/score")):
        rate(host, port, path, RECORDS, 1)
        before = busy(process)
        rates[name] = rate(host, port, path, RECORDS, seconds)
        cost = (busy(process) - before) / (rates[name] * seconds)
        print(f"{name}: {rates[name]:.0f} requests/s, {cost * 1000:.1f} ms of processor time each")
    print(f"score is {rates['score'] / rates['empty view']:.0%} of the empty view")


def batches(host: str, port: int, process: int, records: int) -> None:
    """Ten thousand records a request, the memory of the web process and of those that settle for it."""
    batch(host, port, MOST)
    before, spent, begin = resident(process), busy(process), time.perf_counter()
    for _ in range(records // MOST):
        batch(host, port, MOST)
    took = time.perf_counter() - begin
    print(
        f"batch: {records / took:.0f} records/s, the web process takes {(busy(process) - spent) / took:.0%} of a core"
    )
    print(f"MiB of the web process and of its workers: {before}, then {resident(process)}")


def pages(host: str, port: int, seconds: float) -> None:
    """A page, alone and while batches run."""

    def until(end: float) -> None:
        while time.perf_counter() < end:
            batch(host, port, MOST)

    for name, work in (("alone", lambda end: time.sleep(seconds)), ("while batches run", until)):
        stop, times = threading.Event(), []
        reader = threading.Thread(target=page_times, args=(host, port, stop, times))
        reader.start()
        work(time.perf_counter() + seconds)
        stop.set()
        reader.join()
        print(f"page {name}: median {statistics.median(times):.0f} ms, p99 {p99(times):.0f} ms ({len(times)} pages)")


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--records", type=int, default=5 * MOST, help=f"how many go through batches of {MOST:,}")
    asked = parser.parse_args()
    with site() as (host, port, process):
        print(f"load of the machine before: {os.getloadavg()[0]:.1f}")
        singles(host, port, process, asked.seconds)
        batches(host, port, process, asked.records)
        pages(host, port, asked.seconds)


if __name__ == "__main__":
    main()

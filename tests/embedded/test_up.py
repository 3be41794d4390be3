"""`manage.py up` as a person runs it: serves, stops, is killed, comes back."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[2]


class Up:
    """A running `up` with its own data folder, on a free port."""

    def __init__(self, data: Path, *arguments: str) -> None:
        environment = {name: value for name, value in os.environ.items() if not name.startswith(("PAIZHANG", "DJANGO"))}
        self.process = subprocess.Popen(
            [sys.executable, PROJECT / "manage.py", "up", "--port", "0", *arguments],
            cwd="/",
            env={**environment, "PAIZHANG_DATA": str(data)},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.said = ""

    def url(self) -> str:
        """The address it says it is ready on."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.said += line
            if found := re.match(r"ready: (http://127\.0\.0\.1:\d+/)", line):
                return found[1]
        raise AssertionError(f"it was never ready:\n{self.said}")

    def end(self, number: int) -> int:
        """Sends a signal; gives the status it ended with."""
        self.process.send_signal(number)
        said, _ = self.process.communicate(timeout=40)
        self.said += said
        return self.process.returncode


@pytest.fixture
def up(data: Path) -> Iterator[Callable[..., Up]]:
    """Starts one `up` after another on the same data folder; none outlives the test."""
    started: list[Up] = []

    def start(*arguments: str) -> Up:
        started.append(Up(data, *arguments))
        return started[-1]

    yield start
    for each in started:
        each.process.kill()
        each.process.wait()


@pytest.fixture
def data() -> Iterator[Path]:
    """A data folder the server's user can reach, unlike pytest's own."""
    with tempfile.TemporaryDirectory(prefix="paizhang-data-") as name:
        Path(name).chmod(0o711)
        yield Path(name) / "data"


def status(url: str) -> int:
    with urllib.request.urlopen(url, timeout=10) as answer:  # noqa: S310 - our own address
        return int(answer.status)


def test_up_serves_stops_and_comes_back(data: Path, up: Callable[..., Up]) -> None:
    first = up()
    url = first.url()
    assert status(url + "readyz") == 200
    assert status(url + "accounts/login/") == 200
    assert first.end(signal.SIGKILL) == -signal.SIGKILL
    secret = (data / "secret_key").read_text()
    second = up()
    assert status(second.url() + "readyz") == 200
    assert (data / "secret_key").read_text() == secret
    assert second.end(signal.SIGTERM) == 0
    assert "Traceback" not in first.said + second.said
    assert not (data / "postgres" / "postmaster.pid").exists()


def test_busy_port_is_said_before_anything_is_started(data: Path, up: Callable[..., Up]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        refused = up("--port", str(taken.getsockname()[1]))
        said, _ = refused.process.communicate(timeout=40)
    assert refused.process.returncode == 1
    assert "--port takes another port" in said
    assert "Traceback" not in said
    assert not (data / "postgres").exists()

"""`manage.py up` as a person runs it: serves, stops, is killed, comes back."""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from mahjong_site.embedded import layout

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


@pytest.fixture
def out_of_reach(tmp_path: Path) -> Iterator[Path]:
    """A data folder under pytest's own, which only we may enter; what was put elsewhere for it goes afterwards."""
    if os.getuid() != 0:
        pytest.skip("only root runs the server as another user")
    (tmp_path / "closed").mkdir(mode=0o700)
    data = tmp_path / "closed" / "data"
    yield data
    if (data / "postgres.at").exists():
        shutil.rmtree(layout.database_folder(data).parent)


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


def test_first_start_where_the_servers_user_cannot_enter(out_of_reach: Path) -> None:
    first = Up(out_of_reach, "--no-demo")
    try:
        assert status(first.url() + "readyz") == 200
    finally:
        assert first.end(signal.SIGTERM) == 0
    assert layout.database_folder(out_of_reach).is_relative_to(layout.SHARED_HOME)
    assert "Traceback" not in first.said


def test_a_data_folder_that_cannot_be_is_said_in_a_line(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    refused = Up(tmp_path / "file" / "data")
    said, _ = refused.process.communicate(timeout=40)
    assert refused.process.returncode == 1
    assert said.startswith("manage.py: cannot make the data folder")
    assert "Traceback" not in said


def test_busy_port_is_said_before_anything_is_started(data: Path, up: Callable[..., Up]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        refused = up("--port", str(taken.getsockname()[1]))
        said, _ = refused.process.communicate(timeout=40)
    assert refused.process.returncode == 1
    assert "--port takes another port" in said
    assert "Traceback" not in said
    assert not (data / "postgres").exists()

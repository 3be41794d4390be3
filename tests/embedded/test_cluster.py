"""The embedded PostgreSQL: starts, stops, survives, refuses."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from mahjong_site.embedded import cluster, layout, programs
from mahjong_site.embedded.programs import EmbeddedError

PROJECT = Path(__file__).resolve().parents[2]


@pytest.fixture
def data() -> Iterator[Path]:
    """A data folder the server's user can reach, unlike pytest's own."""
    with tempfile.TemporaryDirectory(prefix="paizhang-data-") as name:
        Path(name).chmod(0o711)
        yield Path(name) / "data"


def connect(data: Path, role: str = layout.OWNER_ROLE) -> psycopg.Connection:
    return psycopg.connect(
        host=str(layout.socket_folder(data)), user=role, dbname=layout.DATABASE, autocommit=True, connect_timeout=5
    )


def postmaster(data: Path) -> int:
    return int((layout.database_folder(data) / "postmaster.pid").read_text().split()[0])


def wait_until(condition, seconds: float = 20) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "waited too long"
        time.sleep(0.05)


def is_gone(pid: int) -> bool:
    """Whether no process of that number runs (one nobody has collected yet does not run)."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True


def test_rows_stay_and_one_process_serves(data: Path) -> None:
    with cluster.alone(data):
        connect(data).execute("CREATE TABLE kept (name text); INSERT INTO kept VALUES ('牌账'), ('ÄB')")
        assert layout.socket_folder(data).stat().st_mode & 0o777 == 0o700
        assert connect(data).execute("SHOW timezone").fetchone() == ("UTC",)
        assert connect(data).execute("SHOW listen_addresses").fetchone() == ("",)
        assert connect(data).execute("SELECT count(*) FROM kept WHERE lower(name) = 'äb'").fetchone() == (1,)
        other = subprocess.run(
            [sys.executable, PROJECT / "manage.py", "up", "--port", "0"],
            env={**os.environ, "PAIZHANG_DATA": str(data), "DJANGO_SETTINGS_MODULE": "mahjong_site.settings"},
            capture_output=True,
            text=True,
            check=False,
        )
        assert other.returncode == 1
        assert f"already served by process {os.getpid()}" in other.stderr
        assert "Traceback" not in other.stderr
        pid = postmaster(data)
    assert is_gone(pid)
    with cluster.alone(data):
        assert connect(data).execute("SELECT count(*) FROM kept").fetchone() == (2,)


def test_second_process_may_share(data: Path) -> None:
    with cluster.alone(data), cluster.shared(data):
        assert connect(data).execute("SELECT 1").fetchone() == (1,)
    with cluster.shared(data):
        assert connect(data).execute("SELECT 1").fetchone() == (1,)


def test_recovers_from_a_killed_server(data: Path) -> None:
    with cluster.alone(data):
        connect(data).execute("CREATE TABLE kept AS SELECT generate_series(1, 100)")
        os.kill(postmaster(data), signal.SIGKILL)
    with cluster.alone(data):
        assert connect(data).execute("SELECT count(*) FROM kept").fetchone() == (100,)


@pytest.mark.skipif(sys.platform != "linux", reason="PR_SET_PDEATHSIG is Linux's")
def test_no_server_outlives_its_killed_process(data: Path) -> None:
    code = (
        "import sys, time; from pathlib import Path; from mahjong_site.embedded import cluster\n"
        "with cluster.alone(Path(sys.argv[1])): print('ready', flush=True); time.sleep(60)"
    )
    with subprocess.Popen([sys.executable, "-c", code, data], stdout=subprocess.PIPE, cwd=PROJECT) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == b"ready\n"
        connect(data).execute("CREATE TABLE kept AS SELECT 1")
        pid = postmaster(data)
        child.kill()
    wait_until(lambda: is_gone(pid))
    with cluster.alone(data):
        assert connect(data).execute("SELECT count(*) FROM kept").fetchone() == (1,)


def test_pid_file_of_a_former_container_does_not_stop_it(data: Path) -> None:
    with cluster.alone(data):
        pass
    # The number is that of a living process which is no PostgreSQL.
    (layout.database_folder(data) / "postmaster.pid").write_text(f"{os.getpid()}\n/elsewhere\n0\n5432\n\n\n")
    with cluster.alone(data):
        assert connect(data).execute("SELECT 1").fetchone() == (1,)


def test_other_major_version_is_refused(data: Path) -> None:
    folder = cluster.at(data).folder
    folder.mkdir()
    (folder / "PG_VERSION").write_text("9\n")
    with pytest.raises(EmbeddedError, match="written by PostgreSQL 9, the programs in"), cluster.alone(data):
        pass
    assert (folder / "PG_VERSION").read_text() == "9\n"


def test_symbolic_link_for_the_socket_is_refused(data: Path) -> None:
    cluster.at(data)
    (data / "run").symlink_to("/tmp")  # noqa: S108
    with pytest.raises(EmbeddedError, match="symbolic link"), cluster.alone(data):
        pass


@pytest.mark.skipif(os.getuid() != 0, reason="only root can make a folder of another user")
def test_socket_folder_of_someone_else_is_refused(data: Path) -> None:
    cluster.at(data)
    (data / "run").mkdir()
    os.chown(data / "run", 12345, 12345)
    with pytest.raises(EmbeddedError, match="belongs to another user"), cluster.alone(data):
        pass


def test_failure_to_start_gives_the_servers_own_words(data: Path) -> None:
    with pytest.raises(EmbeddedError, match="no_such_setting"), cluster.at(data).serving(no_such_setting="1"):
        pass


def test_long_paths_get_a_short_socket_folder() -> None:
    deep = Path("/srv") / ("x" * 100)
    short = layout.socket_folder(deep)
    assert len(str(short / layout.SOCKET_NAME)) < layout.LONGEST_SOCKET
    assert short != layout.socket_folder(deep / "other")


def test_named_programs_are_used_or_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PG_BIN", str(tmp_path))
    with pytest.raises(EmbeddedError, match=str(tmp_path)):
        programs.find()


def test_programs_without_a_wheel(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PG_BIN", raising=False)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert all("site-packages" not in str(folder) for folder in programs.candidates())


@pytest.mark.skipif(os.getuid() != 0, reason="only root runs the server as another user")
def test_root_serves_from_a_folder_the_server_cannot_reach(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, data: Path
) -> None:
    monkeypatch.setattr(layout, "SHARED_HOME", data)
    monkeypatch.setattr(programs, "SHARED_HOME", data)
    (private := tmp_path / "home").mkdir(mode=0o700)
    with cluster.alone(private / ".data") as running:
        assert running.folder.is_relative_to(data)
        assert connect(private / ".data").execute("SELECT 1").fetchone() == (1,)
    assert private.stat().st_mode & 0o777 == 0o700

"""One PostgreSQL server that lives as long as the process that started it.

It listens on a unix socket in a folder of mode 0700 and nowhere else, so who may open the folder may log in. Whether
a server runs is asked of the server (`pg_isready`), never read from a pid file.
"""

from __future__ import annotations

import contextlib
import ctypes
import fcntl
import hashlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from mahjong_site.embedded import layout, programs, roles
from mahjong_site.embedded.programs import EmbeddedError, Programs

ACCEPTING, REJECTING = 0, 1
"""What `pg_isready` says of a server that works, and of one that is starting or stopping."""
START_SECONDS = 60.0
STOP_SECONDS = 30.0
SETTINGS = {"listen_addresses": "", "unix_socket_permissions": "0700", "timezone": "UTC", "log_timezone": "UTC"}
THROWAWAY = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off", "autovacuum": "off"}
PR_SET_PDEATHSIG = 1


@dataclass(frozen=True)
class Cluster:
    """A data folder of PostgreSQL, where its socket and its log go, and the programs that serve it."""

    programs: Programs
    folder: Path
    socket: Path
    log: Path

    def state(self) -> int:
        """The answer of `pg_isready`: `ACCEPTING`, `REJECTING`, or another number where nothing answers.

        Asked as ourselves: root may look into the socket folder of another user's running server.
        """
        command = self.programs.command("pg_isready", "-q", "-h", self.socket, "-t", "1")
        return subprocess.run(command, check=False).returncode

    def create(self) -> None:
        """Makes the data folder where there is none. Built aside and moved: a killed `initdb` leaves no half."""
        version = self.folder / "PG_VERSION"
        if version.exists():
            written = int(version.read_text())
            if written != self.programs.major:
                raise EmbeddedError(
                    f"{self.folder} was written by PostgreSQL {written}, the programs in {self.programs.folder} are "
                    f"{self.programs.major}. Set PG_BIN to the programs of {written}, or dump and restore."
                )
            return
        aside = self.folder.with_name("postgres.new")
        shutil.rmtree(aside, ignore_errors=True)
        self.programs.own(aside)
        # Plain C would know upper and lower case of ASCII only.
        provider = ["--locale-provider=builtin"] if self.programs.major >= 17 else []
        made = self.programs.run(
            "initdb", "-D", aside, "-U", layout.SUPERUSER, "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", *provider
        )
        if made.returncode:
            raise EmbeddedError(f"PostgreSQL's initdb failed:\n{made.stderr or made.stdout}")
        aside.rename(self.folder)

    @contextlib.contextmanager
    def serving(self, **settings: str) -> Iterator[None]:
        """The server, for the length of the block. The caller holds the folder's lock."""
        self.create()
        self._prepare_socket()
        self._stop_orphan()
        process = self._start({**SETTINGS, **settings})
        try:
            roles.establish(self.socket)
            yield
        finally:
            process.send_signal(signal.SIGINT)  # PostgreSQL's "fast" shutdown
            try:
                process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGQUIT)
                process.wait()

    def _prepare_socket(self) -> None:
        """A folder only the server's user can open; what stands there otherwise is refused."""
        if self.socket.is_symlink():
            raise EmbeddedError(f"{self.socket} is a symbolic link; remove it")
        self.programs.own(self.socket).chmod(0o700)

    def _stop_orphan(self) -> None:
        """Waits for, or stops, the server of a process that was killed; and drops its pid file if it is a ruin."""
        deadline = time.monotonic() + STOP_SECONDS
        while (state := self.state()) in (ACCEPTING, REJECTING) and time.monotonic() < deadline:
            if state == ACCEPTING:
                self.programs.run("pg_ctl", "stop", "-D", self.folder, "-m", "fast", "-t", "20")
            time.sleep(0.1)
        pid_file = self.folder / "postmaster.pid"
        with contextlib.suppress(OSError, ValueError, IndexError):
            pid = int(pid_file.read_text().splitlines()[0])
            # In a container that was started anew the old number may be any process, even this one.
            if "postgres" not in Path(f"/proc/{pid}/comm").read_text():
                pid_file.unlink()

    def _start(self, settings: dict[str, str]) -> subprocess.Popen[bytes]:
        options = [f"--{name}={value}" for name, value in settings.items()]
        command = self.programs.command(
            "postgres", "-D", self.folder, f"--unix_socket_directories={self.socket}", *options
        )
        deadline = time.monotonic() + START_SECONDS
        while True:
            with open(os.open(self.log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), "ab") as log:
                begin = log.tell()
                # A session of its own: Ctrl-C in a terminal is this process's affair. PGDATA & co. are not asked.
                process = subprocess.Popen(
                    command,
                    stdout=log,
                    stderr=log,
                    start_new_session=True,
                    preexec_fn=_dies_with_parent(),
                    **self.programs.identity(),
                )
            while process.poll() is None:
                if self.state() == ACCEPTING:
                    return process
                if time.monotonic() > deadline:
                    process.send_signal(signal.SIGQUIT)
                    process.wait()
                time.sleep(0.05)
            said = self.log.read_bytes()[begin:].decode(errors="replace")
            # The server of a killed process may need a moment to leave.
            if "postmaster.pid" not in said or time.monotonic() > deadline:
                raise EmbeddedError(f"PostgreSQL did not start. It says ({self.log}):\n{said.strip()}")
            time.sleep(0.2)


def _dies_with_parent() -> Callable[[], None] | None:
    """For the child of a fork on Linux: a fast shutdown when this process ends, however it ends."""
    if sys.platform != "linux":
        return None
    libc, parent = ctypes.CDLL(None), os.getpid()

    def ask() -> None:
        libc.prctl(PR_SET_PDEATHSIG, signal.SIGINT)
        if os.getppid() != parent:  # it ended before we asked
            os._exit(1)

    return ask


def at(data: Path) -> Cluster:
    """The cluster of a data folder, which is made where it is missing.

    Where root runs this and the server's user cannot reach the folder, the cluster goes under `layout.SHARED_HOME`
    and a pointer stays in the folder. Settings find the socket by that pointer, so this comes before they are read.

    Raises `EmbeddedError` where the folder cannot be made, or there are no programs.
    """
    found = programs.find()
    try:
        data.mkdir(mode=0o711, parents=True, exist_ok=True)
    except OSError as error:
        raise EmbeddedError(f"cannot make the data folder {data}: {error.strerror}; set PAIZHANG_DATA") from error
    if not programs.can_reach(found, data) and not (data / "postgres.at").exists():
        elsewhere = layout.SHARED_HOME / hashlib.sha256(os.fsencode(data)).hexdigest()[:12]
        elsewhere.mkdir(mode=0o711, parents=True, exist_ok=True)
        (data / "postgres.at").write_text(f"{elsewhere / 'postgres'}\n")
    return Cluster(found, layout.database_folder(data), layout.socket_folder(data), data / "postgres.log")


@contextlib.contextmanager
def locked(data: Path) -> Iterator[bool]:
    """The lock of the data folder for the length of the block; gives whether we have it.

    It goes with the process, however that ends. The number in the file is for people.
    """
    try:
        descriptor = os.open(data / "lock", os.O_RDWR | os.O_CREAT, 0o600)
    except PermissionError as error:
        raise EmbeddedError(f"{data} belongs to another user; run this as that user, or set PAIZHANG_DATA") from error
    with open(descriptor, "r+") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
            return
        file.truncate(0)
        file.write(f"{os.getpid()}\n")
        file.flush()
        yield True


@contextlib.contextmanager
def alone(data: Path) -> Iterator[Cluster]:
    """The running cluster of a data folder; refused (`EmbeddedError`) where another process runs it."""
    cluster = at(data)
    with locked(data) as ours:
        if not ours:
            holder = (data / "lock").read_text().strip()
            raise EmbeddedError(f"{data} is already served by process {holder}; stop it, or set PAIZHANG_DATA")
        with cluster.serving():
            yield cluster


@contextlib.contextmanager
def shared(data: Path) -> Iterator[Cluster]:
    """The running cluster of a data folder: the one another process runs, else our own for the block."""
    cluster = at(data)
    with locked(data) as ours:
        if ours:
            with cluster.serving():
                yield cluster
            return
    deadline = time.monotonic() + START_SECONDS
    while cluster.state() != ACCEPTING:
        if time.monotonic() > deadline:
            raise EmbeddedError(f"the PostgreSQL another process runs in {data} does not answer")
        time.sleep(0.1)
    yield cluster


@contextlib.contextmanager
def throwaway() -> Iterator[Cluster]:
    """A cluster for tests in a temporary folder: fast, without any care for a power cut, and gone afterwards."""
    found = programs.find()
    with tempfile.TemporaryDirectory(prefix="paizhang-test-") as name:
        home = Path(name)
        home.chmod(0o711)
        cluster = Cluster(found, home / "postgres", home / "run", home / "postgres.log")
        with cluster.serving(**THROWAWAY):
            yield cluster

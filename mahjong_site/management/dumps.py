"""PostgreSQL's own programs for backup and restore: those of the server's major version, on the owner's database."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.core.management import CommandError
from django.db import connections

from mahjong_site.embedded import programs, roles


@dataclass(frozen=True)
class Tools:
    """The programs in ``folder``, run as this user, with the connection in their environment."""

    folder: Path
    environment: dict[str, str]

    def run(
        self, name: str, *arguments: str | Path, heard: Callable[[str], None] = lambda line: None
    ) -> tuple[bool, str]:
        """Runs a program; ``heard`` gets each line it says. Gives whether it succeeded, and its last lines."""
        said: list[str] = []
        command = [str(self.folder / name), *map(str, arguments)]
        with subprocess.Popen(
            command,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
        ) as process:
            for line in process.stdout or ():
                heard(line)
                said = [*said[-9:], line]
        return process.returncode == 0, "".join(said).strip()


def tools() -> Tools:
    """The programs that fit the server the project works with.

    Raises:
        CommandError: there are none of its major version.
    """
    connection = connections[roles.owner_alias()]
    with connection.cursor() as cursor:
        cursor.execute("SHOW server_version_num")
        major = int(cursor.fetchone()[0]) // 10_000
    looked = []
    for folder in programs.candidates():
        if _major(folder / "pg_dump") == major:
            return Tools(folder, {**os.environ, "LC_MESSAGES": "C", **_address(connection.settings_dict)})
        looked.append(str(folder))
    raise CommandError(
        f"pg_dump of PostgreSQL {major}, the server's version, is needed (looked in: {', '.join(looked)}). "
        "Set PG_BIN to the folder of its programs."
    )


def _major(program: Path) -> int:
    try:
        said = subprocess.run([program, "--version"], capture_output=True, text=True, check=False).stdout
    except OSError:
        return 0
    found = re.search(r"\(PostgreSQL\) (\d+)", said)
    return int(found[1]) if found else 0


def _address(settings: dict[str, Any]) -> dict[str, str]:
    """The connection as libpq's variables: a password never stands on a command line."""
    names = {"HOST": "PGHOST", "PORT": "PGPORT", "NAME": "PGDATABASE", "USER": "PGUSER", "PASSWORD": "PGPASSWORD"}
    options = {"sslmode": "PGSSLMODE", "sslrootcert": "PGSSLROOTCERT", "sslcert": "PGSSLCERT", "sslkey": "PGSSLKEY"}
    told = {name: settings.get(key) for key, name in names.items()}
    told |= {name: settings.get("OPTIONS", {}).get(key) for key, name in options.items()}
    # Whoever still reads is waited for, but not for ever.
    return {name: str(value) for name, value in told.items() if value} | {"PGOPTIONS": "-c lock_timeout=10s"}

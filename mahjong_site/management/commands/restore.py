"""`manage.py restore FILE`: what `backup` wrote, into an empty database; or, said so, over what is there."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from django.core.management import BaseCommand, CommandError, CommandParser, call_command
from django.db import connections

from mahjong_site.embedded import roles
from mahjong_site.management.dumps import Tools, tools
from mahjong_site.management.progress import progress

MADE_BY_MIGRATE = {"django_migrations", "django_content_type", "auth_permission", "cache"}
"""Tables that have rows in a database nobody has used."""
BEFORE = "SET client_min_messages = error; DROP SCHEMA IF EXISTS public CASCADE"
AFTER = "ALTER SCHEMA public OWNER TO pg_database_owner; GRANT USAGE ON SCHEMA public TO PUBLIC"
"""As the schema is in a fresh database; the backup makes it without owner and privileges."""


class Command(BaseCommand):
    """All or nothing: everything is put back in one transaction. Then migrations, privileges, verification."""

    help = "Puts a backup back, migrates it to this version, and verifies its ledger. Stop the site first."

    def add_arguments(self, parser: CommandParser) -> None:
        """What to read, and whether it may replace what is there."""
        parser.add_argument("file", type=Path)
        parser.add_argument("--replace", action="store_true", help="delete what the database holds now")

    def handle(self, *args: Any, file: Path, replace: bool, **options: Any) -> None:
        """Reads the whole backup before anything is touched."""
        if not file.is_file():
            raise CommandError(f"{file}: no such file")
        pg = tools()
        if not replace and (used := _used_tables()):
            raise CommandError(
                f"the database is not empty (there are rows in {', '.join(used)}); --replace deletes what it holds"
            )
        with tempfile.TemporaryDirectory(prefix="paizhang-restore-") as folder:
            script = Path(folder) / "backup.sql"
            tables = _written(pg, file, script)
            for alias in connections:
                connections[alias].close()
            with progress("restoring", tables) as advance:
                done, said = pg.run(
                    "psql",
                    *("--no-psqlrc", "--set=ON_ERROR_STOP=1", "--single-transaction"),
                    *(f"--command={BEFORE}", f"--file={script}", f"--command={AFTER}"),
                    heard=lambda line: advance(line.startswith("COPY ")),
                )
        if not done:
            raise CommandError(f"nothing was changed. PostgreSQL says:\n{said}")
        call_command("migrate", interactive=False, verbosity=0)
        self.stdout.write(f"{file} is restored")
        call_command("verify_ledger", stdout=self.stdout)


def _used_tables() -> list[str]:
    """The tables with rows in them, but for what `migrate` writes."""
    connection = connections[roles.owner_alias()]
    with connection.cursor() as cursor:
        names = sorted(table.name for table in connection.introspection.get_table_list(cursor))
        used = []
        for name in names:
            if name not in MADE_BY_MIGRATE:
                cursor.execute(f"SELECT EXISTS (SELECT FROM {connection.ops.quote_name(name)})")  # noqa: S608 - a name
                if cursor.fetchone()[0]:
                    used.append(name)
        return used


def _written(pg: Tools, file: Path, script: Path) -> int:
    """Writes the backup as a script; gives how many tables it fills."""
    done, said = pg.run("pg_restore", "--no-owner", "--no-privileges", f"--file={script}", file)
    if not done:
        raise CommandError(f"{file} is no backup, or not a whole one; nothing was changed. pg_restore says:\n{said}")
    with script.open("rb") as lines:
        return sum(line.startswith(b"COPY ") for line in lines)

"""`manage.py backup FILE`: the whole database in one file, while the site runs."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from django.core.management import BaseCommand, CommandError, CommandParser
from django.db import connections

from mahjong_site.embedded import roles
from mahjong_site.management.dumps import tools
from mahjong_site.management.progress import progress


class Command(BaseCommand):
    """`pg_dump` of the server's version, in its custom format; one consistent moment."""

    help = "Writes the database to a file that `restore` reads. The site may go on running."

    def add_arguments(self, parser: CommandParser) -> None:
        """Where to write."""
        parser.add_argument("file", type=Path)

    def handle(self, *args: Any, file: Path, **options: Any) -> None:
        """Writes beside the file, and moves it there when all is in it. Only this user may read it."""
        if file.exists():
            raise CommandError(f"{file} is there already; name another file")
        pg = tools()
        connection = connections[roles.owner_alias()]
        with connection.cursor() as cursor:
            total = len(connection.introspection.get_table_list(cursor))
        aside = file.with_name(f"{file.name}.{os.getpid()}")
        try:
            os.close(os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        except OSError as error:
            raise CommandError(f"{aside}: {error.strerror}") from None
        try:
            with progress("backing up", total) as advance:
                done, said = pg.run(
                    "pg_dump",
                    *("--format=custom", "--schema=public", "--no-owner", "--no-privileges", "--verbose"),
                    f"--file={aside}",
                    heard=lambda line: advance("dumping contents of table" in line),
                )
            if not done:
                raise CommandError(f"pg_dump failed; it says:\n{said}")
            with aside.open("rb") as written:
                os.fsync(written.fileno())
            aside.rename(file)
        finally:
            aside.unlink(missing_ok=True)
        self.stdout.write(f"{file}: {file.stat().st_size} bytes")

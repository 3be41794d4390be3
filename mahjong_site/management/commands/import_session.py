"""`manage.py import_session FILE`: a session that was exported as JSON, with its own ids, times and chain."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.contrib.auth import get_user_model
from django.core.management import BaseCommand, CommandError, CommandParser

from mahjong_site.clubs.refusals import Refused
from mahjong_site.ledger.portable import import_session


class Command(BaseCommand):
    """Refuses what is here already, and what does not verify."""

    help = "Imports a session from the JSON file of an export; its club and players are made where they are missing."

    def add_arguments(self, parser: CommandParser) -> None:
        """The file, and who may see a club that is made."""
        parser.add_argument("file", type=Path)
        parser.add_argument("--owner", help="an account that becomes an owner of the session's club")
        parser.add_argument(
            "--other-engines",
            action="store_true",
            help="take what another version of the rules engine settled, as it settled it",
        )

    def handle(self, *args: Any, file: Path, owner: str | None, other_engines: bool, **options: Any) -> None:
        """Reads the file and writes the session, or nothing at all."""
        account = get_user_model().objects.filter(username=owner).first() if owner else None
        if owner and account is None:
            raise CommandError(f"there is no account {owner}")
        try:
            data = file.read_bytes()
        except OSError as error:
            raise CommandError(f"{file}: {error.strerror}") from None
        try:
            session = import_session(
                data=data, actor=None, owner_id=account.pk if account else None, other_engines=other_engines
            )
        except Refused as refused:
            raise CommandError("\n".join(f"{fault.path}: {fault.message}" for fault in refused.faults)) from None
        self.stdout.write(f"session {session.id}, {session.seq} entries")

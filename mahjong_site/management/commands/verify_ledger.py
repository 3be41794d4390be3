"""`manage.py verify_ledger`: is the ledger still what was posted?"""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.core.management import BaseCommand, CommandError, CommandParser
from django.db.models import Sum

from mahjong_site.ledger.models import Session
from mahjong_site.ledger.verify import Finding, verify_session
from mahjong_site.management.progress import progress


class Command(BaseCommand):
    """Exit status 0: all is well, or only an older engine settled otherwise; 1: there are faults."""

    help = (
        "Checks the hash chain and the sums of every session; works out every settlement and every deal again. A "
        "difference under the running engine's version fails; one under an older version is listed with both amounts."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """What to look at; everything unless told otherwise."""
        parser.add_argument("--club", type=UUID, help="only this club's sessions")
        parser.add_argument("--session", type=UUID, help="only this session")

    def handle(self, *args: Any, club: UUID | None, session: UUID | None, **options: Any) -> None:
        """Looks at session after session."""
        wanted = {name: value for name, value in (("club_id", club), ("id", session)) if value}
        sessions = Session.objects.filter(**wanted)
        keys = list(sessions.order_by("club_id", "created_at", "id").values_list("club_id", "id"))
        if wanted and not keys:
            raise CommandError("there is no such session")
        entries, findings = 0, dict.fromkeys(("fault", "changed"), 0)
        with progress("verifying", sessions.aggregate(entries=Sum("seq"))["entries"] or 0) as advance:
            for key in keys:
                for seen in verify_session(*key):
                    if isinstance(seen, Finding):
                        findings[seen.level] += 1
                        self.stdout.write(str(seen))
                    else:
                        entries += 1
                        advance(1)
        said = f"{len(keys)} sessions, {entries} entries: {findings['fault']} faults"
        if findings["changed"]:
            said += f", {findings['changed']} settled otherwise by an older engine"
        if findings["fault"]:
            raise CommandError(said)
        self.stdout.write(said)

"""What changed, told to every process that listens: ids only, the listener fetches.

Told after the commit, not in it: PostgreSQL lets transactions that notify commit only one after the other, each waiting
for the disk. Should a process die in between, its news is missed: who listens also asks from time to time.
"""

from __future__ import annotations

import json
from typing import Literal

from django.db import transaction

from mahjong_site.ledger.models import Session
from mahjong_site.ledger.rows import prepared

CHANNEL = "ledger"
What = Literal["entry", "seats", "status"]


def announce(session: Session, what: What) -> None:
    """Sends ``{"club", "session", "seq", "what"}`` on `CHANNEL` once the transaction has committed."""
    told = json.dumps({"club": str(session.club_id), "session": str(session.id), "seq": session.seq, "what": what})

    def tell() -> None:
        with prepared("SELECT pg_notify(%s, %s)", [CHANNEL, told]):
            pass

    # Robust: what was written stays written, whether or not anybody hears of it.
    transaction.on_commit(tell, robust=True)

"""What changed, told to every process that listens, when the transaction commits: ids only, the listener fetches."""

from __future__ import annotations

import json
from typing import Literal

from django.db import connection

from mahjong_site.ledger.models import Session

CHANNEL = "ledger"
What = Literal["entry", "seats", "status"]


def message(session: Session, what: What) -> str:
    """``{"club", "session", "seq", "what"}``."""
    return json.dumps({"club": str(session.club_id), "session": str(session.id), "seq": session.seq, "what": what})


def announce(session: Session, what: What) -> None:
    """Sends the `message` on `CHANNEL`."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_notify(%s, %s)", [CHANNEL, message(session, what)])

"""What changed, told to every process that listens, when the transaction commits: ids only, the listener fetches."""

from __future__ import annotations

import json
from typing import Literal

from django.db import connection

from mahjong_site.ledger.models import Session

CHANNEL = "ledger"


def announce(session: Session, what: Literal["entry", "seats", "status"]) -> None:
    """``{"club", "session", "seq", "what"}`` on `CHANNEL`."""
    told = {"club": str(session.club_id), "session": str(session.id), "seq": session.seq, "what": what}
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_notify(%s, %s)", [CHANNEL, json.dumps(told)])

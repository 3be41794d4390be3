"""The hash chain: what was written, in the order it was written, cannot be changed unseen.

Each entry's hash is SHA-256 over the hash before it and the canonical JSON of all that the entry says. The first one
follows the session's genesis: the hash of what was frozen when it was opened.
"""

from __future__ import annotations

import hashlib
import json
from datetime import UTC, datetime
from typing import Any

from mahjong_site.ledger.models import Entry, Session


def canonical(value: Any) -> bytes:
    """JSON with sorted keys and no spaces, UTF-8.

    >>> canonical({"b": 1, "a": "庄"}).decode()
    '{"a":"庄","b":1}'
    """
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def instant(moment: datetime) -> str:
    """A time in UTC, to the microsecond, as PostgreSQL keeps it."""
    return moment.astimezone(UTC).isoformat(timespec="microseconds")


def genesis(session: Session) -> bytes:
    """The hash the first entry follows: everything a session freezes."""
    return hashlib.sha256(
        canonical(
            {
                "club": str(session.club_id),
                "session": str(session.id),
                "rules": session.rules,
                "point_value": f"{session.point_value:.4f}",
                "currency": session.currency,
                "creator": str(session.creator_id),
                "time": instant(session.created_at),
            }
        )
    ).digest()


def entry_hash(entry: Entry) -> bytes:
    """The hash of an entry, from its ``prev_hash`` and all that it says."""
    said = {
        "club": str(entry.club_id),
        "session": str(entry.session_id),
        "id": str(entry.id),
        "seq": entry.seq,
        "kind": entry.kind,
        "hand": entry.hand_no,
        "dealer": entry.dealer,
        "streak": entry.streak,
        "seated_at": entry.seated_at,
        "seats": [str(player) for player in entry.seats],
        "record": entry.record,
        "settlement": entry.settlement,
        "engine": entry.engine,
        "choice": entry.choice,
        "reverses": entry.reverses_id and str(entry.reverses_id),
        "corrects": entry.corrects_id and str(entry.corrects_id),
        "reason": entry.reason,
        "author": {"id": str(entry.author_id), "name": entry.author_name},
        "time": instant(entry.posted_at),
        "client_key": entry.client_key,
    }
    return hashlib.sha256(bytes(entry.prev_hash) + canonical(said)).digest()

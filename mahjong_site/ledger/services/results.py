"""What posting answers."""

from __future__ import annotations

from dataclasses import dataclass

from mahjong_site.ledger.models import Entry, Session


@dataclass(frozen=True)
class Posted:
    """Written now. ``entry`` carries the client key; ``before``: what was written in front of it in the same
    transaction (the reversal of a correction, the first three shares of a table fee)."""

    entry: Entry
    session: Session
    before: tuple[Entry, ...] = ()


@dataclass(frozen=True)
class Replayed:
    """The same request came before: the entry it made then."""

    entry: Entry
    session: Session


@dataclass(frozen=True)
class Conflict:
    """Another was faster: ``entry`` is the first one the caller did not know of (None: he expected too many)."""

    entry: Entry | None
    session: Session


@dataclass(frozen=True)
class KeyReused:
    """The client key belongs to another request: the entry that one made."""

    entry: Entry
    session: Session


Result = Posted | Replayed | Conflict | KeyReused

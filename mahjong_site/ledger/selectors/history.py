"""The entries of a session, each amount with its explanation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from django.db import connection
from django.http import Http404

from mahjong_site.clubs.access import Action, Actor
from mahjong_site.ledger.access import access_session
from mahjong_site.ledger.models import HOUSE_SEAT, Session
from mahjong_site.ledger.selectors.scope import Person, rows
from scoring.texts import text

PAGE = 50
MOST = 200


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the arithmetic: ``op`` says what ``number`` does (``value``: it begins with it), the words say why."""

    id: str
    zh: str
    en: str
    op: Literal["value", "add", "times", "set"]
    number: str


@dataclass(frozen=True, slots=True)
class Share:
    """What one loser would have paid of an amount that another pays for all (承包)."""

    seat: int
    points: int
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Amount:
    """One transfer: who pays whom how many points, and why. Seats; 4 is the house. ``shares``: of a contract."""

    payer: int
    payee: int
    points: int
    why: str
    lines: tuple[Line, ...]
    shares: tuple[Share, ...]


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """An entry as the table sees it.

    ``players``: on seats 0–3 of its hand, under the names of today. ``points`` and ``cash`` (hundredths) by seat, as
    they stand in the legs; ``house``: what the house got. ``amounts``: every transfer with its arithmetic; a reversal
    has none, it takes back what entry ``reverses`` gave. ``reverses``, ``reversed_by``, ``corrects``, ``corrected_by``
    are sequences in the same session. ``record`` and ``settlement`` are the contract's, ``rules`` included.
    """

    id: UUID
    seq: int
    kind: str
    hand_no: int
    dealer: int
    streak: int
    players: tuple[Person, ...]
    record: Mapping[str, Any] | None
    settlement: Mapping[str, Any] | None
    choice: Mapping[str, Any] | None
    engine: str
    reason: str
    author: str
    posted_at: datetime
    points: tuple[int, int, int, int]
    cash: tuple[int, int, int, int]
    house: int
    reverses: int | None
    reversed_by: int | None
    corrects: int | None
    corrected_by: int | None
    amounts: tuple[Amount, ...]

    @property
    def counts(self) -> bool:
        """Whether it is a hand that was not reversed."""
        return self.kind == "hand" and self.reversed_by is None


_HISTORY = """
    SELECT e.id, e.seq, e.kind, e.hand_no, e.dealer, e.streak,
        (SELECT jsonb_agg(jsonb_build_array(p.id, p.name) ORDER BY u.seat)
            FROM unnest(e.seats) WITH ORDINALITY u(id, seat)
            LEFT JOIN clubs_alias a ON a.club_id = e.club_id AND a.guest_id = u.id
            JOIN clubs_player p ON p.club_id = e.club_id AND p.id = coalesce(a.player_id, u.id)),
        e.record, e.settlement, e.choice, e.engine, e.reason, e.author_name, e.posted_at,
        (SELECT jsonb_object_agg(l.seat, jsonb_build_array(l.points, l.cash)) FROM ledger_leg l
            WHERE l.club_id = e.club_id AND l.entry_id = e.id),
        original.seq, reversal.seq, wrong.seq, correction.seq
    FROM ledger_entry e
    LEFT JOIN ledger_entry original ON original.club_id = e.club_id AND original.session_id = e.session_id
        AND original.id = e.reverses_id
    LEFT JOIN ledger_entry reversal ON reversal.club_id = e.club_id AND reversal.session_id = e.session_id
        AND reversal.reverses_id = e.id
    LEFT JOIN ledger_entry wrong ON wrong.club_id = e.club_id AND wrong.session_id = e.session_id
        AND wrong.id = e.corrects_id
    LEFT JOIN ledger_entry correction ON correction.club_id = e.club_id AND correction.session_id = e.session_id
        AND correction.corrects_id = e.id
    WHERE e.club_id = %(club)s AND e.session_id = %(session)s AND e.seq BETWEEN %(first)s AND %(last)s
    ORDER BY e.seq DESC LIMIT %(limit)s
"""
_OPS: tuple[Literal["value", "add", "times", "set"], ...] = ("value", "add", "times", "set")
_LAST = 2**31 - 1


def history(
    *, actor: Actor, session_id: UUID, before: int | None = None, after: int = 0, limit: int = PAGE
) -> tuple[HistoryEntry, ...]:
    """The entries of a session, latest first: at most ``limit`` (up to `MOST`) with a sequence below ``before`` and
    above ``after``.

    Raises:
        Http404, PermissionDenied: as `access_session`.
    """
    session, _ = access_session(actor, session_id, Action.VIEW)
    last = _LAST if before is None else min(before - 1, _LAST)
    return _entries(session, max(after, 0) + 1, last, max(1, min(limit, MOST)))


def entry_at(*, actor: Actor, session_id: UUID, seq: int) -> HistoryEntry:
    """One entry. Raises: as `history`; Http404: there is none."""
    session, _ = access_session(actor, session_id, Action.VIEW)
    found = _entries(session, seq, seq, 1) if 0 < seq <= _LAST else ()
    if not found:
        raise Http404
    return found[0]


def all_entries(session: Session) -> Iterator[HistoryEntry]:
    """Every entry of a session that a door has given, in order; `MOST` are held at a time."""
    for first in range(1, session.seq + 1, MOST):
        yield from reversed(_entries(session, first, min(first + MOST - 1, session.seq), MOST))


def _entries(session: Session, first: int, last: int, limit: int) -> tuple[HistoryEntry, ...]:
    if first > last:
        return ()
    asked = {"club": session.club_id, "session": session.id, "first": first, "last": last, "limit": limit}
    with connection.cursor() as cursor:
        return tuple(_entry(row, session.rules) for row in rows(cursor, _HISTORY, asked))


def _entry(row: tuple[Any, ...], rules: Mapping[str, Any]) -> HistoryEntry:
    head, (players, record, settlement), facts, (legs, *links) = row[:6], row[6:9], row[9:14], row[14:]
    moved = {int(seat): amounts for seat, amounts in (legs or {}).items()}
    points, cash = zip(*(moved.get(seat, (0, 0)) for seat in range(HOUSE_SEAT + 1)), strict=True)
    told: list[Any] = [
        *head,
        tuple(Person(UUID(id), name) for id, name in players),
        record and {**record, "rules": rules},
        settlement and {**settlement, "rules": rules},
        *facts,
        points[:HOUSE_SEAT],
        cash[:HOUSE_SEAT],
        points[HOUSE_SEAT],
        *links,
        tuple(_amount(transfer) for transfer in settlement["transfers"]) if settlement else (),
    ]
    return HistoryEntry(*told)


def _amount(transfer: Mapping[str, Any]) -> Amount:
    payee = HOUSE_SEAT if transfer["to"] == "house" else transfer["to"]
    shares = tuple(Share(share["seat"], share["points"], _lines(share)) for share in transfer.get("shares", ()))
    return Amount(transfer["from"], payee, transfer["points"], transfer["why"], _lines(transfer), shares)


def _lines(priced: Mapping[str, Any]) -> tuple[Line, ...]:
    told = []
    for step in priced["steps"]:
        op = next(op for op in _OPS if step.get(op) is not None)
        told.append(Line(step["id"], *text("steps", step["id"]), op, step[op]))
    return tuple(told)

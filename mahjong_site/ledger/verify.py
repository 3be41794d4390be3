"""Whether the ledger still says what was posted: chain and sums; every settlement and every deal worked out anew."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Literal
from uuid import UUID

from django.db import connection, transaction

from mahjong_site.ledger.chain import entry_hash, genesis
from mahjong_site.ledger.hands import record_of
from mahjong_site.ledger.models import CENTS, HOUSE_SEAT, Entry, Leg, Session
from mahjong_site.ledger.replay import Replay, told
from scoring import ENGINE_VERSION, RecordError, settle

Level = Literal["fault", "changed"]
Shares = Mapping[int, tuple[int, int]]
"""Points and cash (hundredths) by seat; 4 is the house."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is not as it should be (*fault*); or a settlement of an older engine that the running one would
    settle otherwise (*changed*)."""

    level: Level
    session_id: UUID
    seq: int | None
    what: str

    def __str__(self) -> str:
        place = f"session {self.session_id}" + (f", entry {self.seq}" if self.seq else "")
        return f"{self.level}: {place}: {self.what}"


def verify_session(club_id: UUID, session_id: UUID) -> Iterator[Finding | Entry]:
    """Reads one session in one snapshot; gives each entry when it has been looked at, and what was found before it."""
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        session = Session.objects.get(club_id=club_id, id=session_id)
        legs: dict[UUID, dict[int, tuple[int, int]]] = {}
        for leg in Leg.objects.filter(club_id=club_id, session_id=session_id).iterator():
            legs.setdefault(leg.entry_id, {})[leg.seat] = (leg.points, leg.cash)
        if genesis(session) != bytes(session.genesis):
            yield Finding("fault", session.id, None, "what was frozen when it was opened has changed")
        seq, head, replay, engines = 0, bytes(session.genesis), Replay(session.rules), {ENGINE_VERSION}
        for entry in Entry.objects.filter(club_id=club_id, session_id=session_id).order_by("seq").iterator():
            engines.add(entry.engine)
            found = [
                *_chain(entry, seq, head),
                *_sums(entry, legs),
                *_settlement(entry, session.rules),
                *_deal(entry, replay, _level(engines)),
            ]
            yield from (Finding(level, session.id, entry.seq, what) for level, what in found)
            yield entry
            seq, head = entry.seq, bytes(entry.hash)
        if (seq, head) != (session.seq, bytes(session.head)):
            yield Finding(
                "fault", session.id, None, f"the session stands at entry {session.seq}, the last one is {seq}"
            )
        stands = (session.hand_no, session.dealer, session.streak)
        if not replay.leads_to(*stands):
            what = "the session stands at hand {}, dealer {}, streak {}; its entries lead to {}"
            yield Finding(_level(engines), session.id, None, what.format(*stands, told(replay.deals)))


Found = Iterator[tuple[Level, str]]


def _chain(entry: Entry, seq: int, head: bytes) -> Found:
    if entry.seq != seq + 1:
        yield "fault", f"follows entry {seq}"
    if bytes(entry.prev_hash) != head:
        yield "fault", "the chain is broken: it does not follow the hash before it"
    if entry_hash(entry) != bytes(entry.hash):
        yield "fault", "the chain is broken: its own hash is of something else"


def _sums(entry: Entry, legs: Mapping[UUID, Shares]) -> Found:
    shares = legs.get(entry.id, {})
    for number, what in enumerate(("points", "cash")):
        total = sum(share[number] for share in shares.values())
        if total:
            yield "fault", f"its {what} sum to {total}"
    if entry.kind == Entry.Kind.HAND:
        due = shares_of(entry.settlement or {})
    elif entry.reverses_id:
        due = {seat: (-points, -cash) for seat, (points, cash) in legs.get(entry.reverses_id, {}).items()}
    else:
        due = {}
    if due != shares:
        yield "fault", f"its legs are {_told(shares)}, and should be {_told(due)}"


def _settlement(entry: Entry, rules: Mapping[str, Any]) -> Found:
    if entry.kind != Entry.Kind.HAND:
        return
    level = _level({entry.engine})
    try:
        now = settled_anew(entry, rules)
    except RecordError as error:
        yield level, f"engine {entry.engine} settled it, {ENGINE_VERSION} refuses it: {error}"
        return
    if same_settlement(entry, now):
        return
    was, will = _told(shares_of(entry.settlement or {})), _told(shares_of(now))
    yield level, f"engine {entry.engine} settled it as {was}, {ENGINE_VERSION} as {will}"


def _deal(entry: Entry, replay: Replay, level: Level) -> Found:
    try:
        yield from ((level, what) for what in replay.follow(entry))
    except RecordError as error:
        yield level, f"who deals after its hand is not known: {error}"


def _level(engines: Set[str]) -> Level:
    """What a difference is where these engines settled: another version may settle otherwise."""
    return "fault" if engines <= {ENGINE_VERSION} else "changed"


def settled_anew(entry: Entry, rules: Mapping[str, Any]) -> dict[str, Any]:
    """An entry's settlement by the running engine, as it would be stored.

    Raises:
        scoring.RecordError: the running engine refuses the record.
    """
    return settle(record_of(entry, rules)).model_dump(mode="json", by_alias=True, exclude={"rules"})


def same_settlement(entry: Entry, now: Mapping[str, Any]) -> bool:
    """Whether an entry's settlement is this one, but for the name of an older engine."""
    was = entry.settlement or {}
    return {**was, "engine": entry.engine} == {**now, "engine": entry.engine} and was.get("engine") == entry.engine


def shares_of(settlement: Mapping[str, Any]) -> Shares:
    """What a settlement moves, by seat."""
    cash = [int(Decimal(amount) * CENTS) for amount in settlement.get("cash", ())]
    points = [*settlement.get("deltas", ()), settlement.get("house", 0)]
    shares = {seat: (point, cash[seat] if seat < HOUSE_SEAT else 0) for seat, point in enumerate(points)}
    return {seat: share for seat, share in shares.items() if any(share)}


def _told(shares: Shares) -> str:
    """``+40 −20 −10 −10``, the house and cash where there are any."""
    points = [f"{shares.get(seat, (0, 0))[0]:+d}" for seat in range(HOUSE_SEAT)]
    if HOUSE_SEAT in shares:
        points.append(f"house {shares[HOUSE_SEAT][0]:+d}")
    if any(cash for _, cash in shares.values()):
        points.append("cash " + " ".join(f"{shares.get(seat, (0, 0))[1] / CENTS:+.2f}" for seat in range(HOUSE_SEAT)))
    return " ".join(points)

"""What the ledger's tests share: a table to post at, and real records with their known answers."""

from __future__ import annotations

import itertools
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any
from uuid import UUID

from mahjong_site.clubs.access import Actor
from mahjong_site.ledger import services
from mahjong_site.ledger.models import Entry, Leg, Session
from scoring import parse_record, resolve_rules

CASES = Path(__file__).parent.parent / "data" / "score.jsonl"
NAMES = ["张三", "李四", "王五", "赵六"]

SMALL = {"kind": "win", "by": "self_draw", "winners": [{"seat": 1, "declared": ["small"]}]}
"""Seat 1 draws a small win himself."""


def win(seat: int, giver: int | None = None, **facts: Any) -> dict[str, Any]:
    """A declared small win, drawn or given."""
    how = {"by": "self_draw"} if giver is None else {"by": "discard", "from": giver}
    return {"kind": "win", **how, "winners": [{"seat": seat, "declared": ["small"]}], **facts}


@cache
def real_records(preset: str) -> Mapping[int, tuple[tuple[dict[str, Any], dict[str, Any]], ...]]:
    """By dealer: the facts of records of a preset with its own options, and the known answers.

    Who opened the table is left to the table: he may have changed places since.
    """
    found: dict[int, list[tuple[dict[str, Any], dict[str, Any]]]] = {seat: [] for seat in range(4)}
    for line in CASES.read_text("utf-8").splitlines():
        case = json.loads(line)
        if "answer" not in case:
            continue
        record = parse_record(case["request"])
        if record.rules is resolve_rules(preset) and record.creator in (None, 0):
            of_the_table = ("rules", "dealer", "creator")
            facts = {name: value for name, value in case["request"].items() if name not in of_the_table}
            found[record.dealer].append((facts, case["answer"]))
    return {dealer: tuple(records) for dealer, records in found.items()}


@dataclass
class Table:
    """A guest table and its owner, who posts with a fresh key and the right sequence unless told otherwise."""

    session: Session
    actor: Actor
    keys: Any = field(default_factory=lambda: map("key-{}".format, itertools.count()))

    @classmethod
    def open(
        cls, rules: str | Mapping[str, Any] = "changsha-classic", time_zone: str = "Asia/Shanghai", **terms: Any
    ) -> Table:
        terms = {"name": "周六", "rules": rules, "players": NAMES, "first_dealer": 0, **terms}
        session, _, token = services.open_guest_table(terms=services.Terms(**terms), time_zone=time_zone)
        return cls(session, Actor(tokens=(token,)))

    @property
    def now(self) -> Session:
        """The session as it stands."""
        return Session.objects.get(club_id=self.session.club_id, id=self.session.id)

    def ask(self, service: Any, **asked: Any) -> services.Result:
        """Calls a posting service."""
        seq = self.now.seq if "expected_seq" not in asked else asked.pop("expected_seq")
        key = asked.pop("client_key", None) or next(self.keys)
        return service(actor=self.actor, session_id=self.session.id, client_key=key, expected_seq=seq, **asked)

    def post(self, record: Mapping[str, Any], **asked: Any) -> Entry:
        """Posts a record that must be taken."""
        answer = self.ask(services.post_record, record=record, **asked)
        assert isinstance(answer, services.Posted), answer
        return answer.entry

    def deal(self) -> tuple[int, int | None, int]:
        """Hand number, dealer, streak."""
        now = self.now
        return now.hand_no, now.dealer, now.streak

    def totals(self) -> dict[UUID, tuple[int, int]]:
        """Points and cash of everybody, the house included, who moved at all."""
        sums: dict[UUID, tuple[int, int]] = {}
        for leg in Leg.objects.filter(club_id=self.session.club_id, session_id=self.session.id):
            points, cash = sums.get(leg.player_id, (0, 0))
            sums[leg.player_id] = (points + leg.points, cash + leg.cash)
        return {player: moved for player, moved in sums.items() if moved != (0, 0)}

    def points(self) -> list[int]:
        """Points of the four who sat down first, by seat."""
        seats = services.statements.seats_at(self.session, 1)
        totals = self.totals()
        return [totals.get(player, (0, 0))[0] for player in seats]

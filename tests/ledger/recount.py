"""The selectors' figures counted again in plain Python, entry by entry, from what was stored."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from uuid import UUID

from mahjong_site.clubs.models import Alias, Player
from mahjong_site.ledger.models import Entry, Leg, Session


@dataclass
class Recount:
    """Sums over sessions; players are those a guest counts for."""

    points: Counter[UUID] = field(default_factory=Counter)
    cash: Counter[UUID] = field(default_factory=Counter)
    sat: dict[UUID, list[bool]] = field(default_factory=lambda: defaultdict(list))
    """Hand by hand: whether he won it."""
    self_drawn: Counter[UUID] = field(default_factory=Counter)
    gave: Counter[UUID] = field(default_factory=Counter)
    openings: Counter[UUID] = field(default_factory=Counter)
    biggest: dict[UUID, int] = field(default_factory=dict)
    patterns: dict[UUID, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    taken: Counter[tuple[UUID, UUID]] = field(default_factory=Counter)

    @classmethod
    def of(cls, sessions: Iterable[Session]) -> Recount:
        """Counts sessions in the order they were opened."""
        told = cls()
        for session in sorted(sessions, key=lambda session: (session.created_at, session.id)):
            told.add(session)
        return told

    def add(self, session: Session) -> None:
        aliases = dict(Alias.objects.filter(club_id=session.club_id).values_list("guest_id", "player_id"))
        house = Player.objects.get(club_id=session.club_id, is_house=True).id

        def person(player: UUID) -> UUID:
            return aliases.get(player, player)

        for leg in Leg.objects.filter(session_id=session.id):
            self.points[person(leg.player_id)] += leg.points
            self.cash[person(leg.player_id)] += leg.cash
        entries = list(Entry.objects.filter(session_id=session.id).order_by("seq"))
        reversed_ids = {entry.reverses_id for entry in entries}
        hands: dict[int, list[Entry]] = defaultdict(list)
        for entry in entries:
            if entry.kind == "hand" and entry.id not in reversed_ids:
                hands[entry.hand_no].append(entry)
        for _, hand in sorted(hands.items()):
            won, drew, gave, sat = set(), set(), set(), set()
            for entry in hand:
                seats = [*map(person, entry.seats)]
                record, settlement = entry.record or {}, entry.settlement or {}
                received: Counter[UUID] = Counter()
                for transfer in settlement["transfers"]:
                    payee = house if transfer["to"] == "house" else seats[transfer["to"]]
                    received[payee] += transfer["points"]
                    self.taken[payee, seats[transfer["from"]]] += transfer["points"]
                if record["kind"] == "penalty":
                    continue
                sat |= set(seats)
                if record.get("from") is not None:
                    gave.add(seats[record["from"]])
                for win in settlement["wins"]:
                    winner = seats[win["seat"]]
                    self.patterns[winner].update(pattern["id"] for pattern in win["patterns"])
                    if win["size"] == "opening":
                        self.openings[winner] += 1
                        continue
                    won.add(winner)
                    if record.get("from") is None:
                        drew.add(winner)
                    self.biggest[winner] = max(self.biggest.get(winner, 0), received[winner])
            for player in sat:
                self.sat[player].append(player in won)
            self.self_drawn.update(drew)
            self.gave.update(gave)

    def longest_run(self, player: UUID) -> int:
        best = run = 0
        for won in self.sat[player]:
            run = run + 1 if won else 0
            best = max(best, run)
        return best

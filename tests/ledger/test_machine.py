"""A random evening against a plain Python model: the same totals, whatever is posted, taken back, swapped or moved."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    consumes,
    initialize,
    invariant,
    multiple,
    precondition,
    rule,
    run_state_machine_as_test,
)

from mahjong_site.clubs.access import Actor
from mahjong_site.clubs.models import Player, Role
from mahjong_site.clubs.refusals import Refused
from mahjong_site.clubs.services.links import make_link
from mahjong_site.ledger import services
from mahjong_site.ledger.models import Entry
from mahjong_site.ledger.portable import export_session, import_session
from mahjong_site.ledger.verify import Finding, verify_session
from scoring import PRESET_IDS
from tests.ledger.evenings import rows
from tests.ledger.tables import NAMES, Table, real_records

PEOPLE = [*NAMES, "钱七", "孙八"]
PICK = st.integers(0, 10_000)


@dataclass
class Hand:
    """What the model remembers of an entry: who won and lost what, who dealt, who sat there."""

    seq: int
    dealer: int
    seats: list[str]
    moved: Counter[str]
    asked: dict[str, Any]
    counts: bool = True


class Evening(RuleBasedStateMachine):
    """The model is a list of hands; totals are the sums over those that count."""

    hands = Bundle("hands")

    def __init__(self, empty_tables: Callable[[], None]) -> None:
        super().__init__()
        self.empty_tables = empty_tables

    @initialize(preset=st.sampled_from(PRESET_IDS), dealer=st.integers(0, 3))
    def open(self, preset: str, dealer: int) -> None:
        self.preset = preset
        self.table = Table.open(preset, first_dealer=dealer)
        self.seats, self.closed, self.posted = list(NAMES), False, []

    def moved(self, seats: list[str], answer: dict[str, Any]) -> Counter[str]:
        """Points by name, as the case file says."""
        moved = Counter(dict(zip(seats, answer["deltas"], strict=True)))
        moved["house"] = answer["house"]
        return moved

    def refused(self, code: str, service: Any, **asked: Any) -> None:
        with pytest.raises(Refused, match=code):
            self.table.ask(service, **asked)

    @rule(target=hands, pick=PICK)
    def post(self, pick: int) -> Any:
        now = self.table.now
        records = real_records(self.preset)[now.dealer]
        facts, answer = records[pick % len(records)]
        asked = {"record": facts, "client_key": f"post-{len(self.posted)}-{now.seq}", "expected_seq": now.seq}
        if self.closed:
            self.refused("session_closed", services.post_record, **asked)
            return multiple()
        entry = self.table.ask(services.post_record, **asked).entry
        hand = Hand(entry.seq, now.dealer, list(self.seats), self.moved(self.seats, answer), asked)
        self.posted.append(hand)
        assert self.table.now.hand_no == now.hand_no + answer["hand_ends"]
        return hand

    @rule(hand=hands)
    def post_again(self, hand: Hand) -> None:
        answer = self.table.ask(services.post_record, **hand.asked)
        assert isinstance(answer, services.Replayed)
        assert answer.entry.seq == hand.seq

    @rule(hand=hands)
    def post_late(self, hand: Hand) -> None:
        late = hand.asked | {"client_key": f"late-{hand.seq}", "expected_seq": hand.seq - 1}
        answer = self.table.ask(services.post_record, **late)
        assert isinstance(answer, services.Conflict)
        assert answer.entry is not None
        assert answer.entry.seq == hand.seq

    @rule(points=st.integers(1, 100))
    def table_fee(self, points: int) -> None:
        if self.closed:
            return self.refused("session_closed", services.post_table_fee, points=points)
        last = self.table.ask(services.post_table_fee, points=points).entry
        for seat, name in enumerate(self.seats):
            moved = Counter({name: -points, "house": points})
            self.posted.append(Hand(last.seq - 3 + seat, self.table.now.dealer, list(self.seats), moved, {}))
        return None

    @rule(hand=hands)
    def reverse(self, hand: Hand) -> None:
        asked = {"seq": hand.seq, "reason": "误记"}
        if self.closed or not hand.counts:
            return self.refused(
                "session_closed" if self.closed else "already_reversed", services.reverse_entry, **asked
            )
        before = self.table.now
        self.table.ask(services.reverse_entry, **asked)
        hand.counts = False
        assert self.table.now.hand_no in (before.hand_no, before.hand_no - 1)
        return None

    @rule(target=hands, hand=consumes(hands), pick=PICK)
    def correct(self, hand: Hand, pick: int) -> Any:
        records = real_records(self.preset)[hand.dealer]
        facts, answer = records[pick % len(records)]
        asked = {"seq": hand.seq, "record": facts, "reason": "更正"}
        if self.closed or not hand.counts:
            self.refused("session_closed" if self.closed else "already_reversed", services.correct_entry, **asked)
            return hand
        entry = self.table.ask(services.correct_entry, **asked).entry
        hand.counts = False
        right = Hand(entry.seq, hand.dealer, hand.seats, self.moved(hand.seats, answer), hand.asked)
        self.posted.append(right)
        return multiple()  # its key belongs to the correction; `post_again` is for posts

    @rule(people=st.permutations(PEOPLE))
    def sit(self, people: list[str]) -> None:
        if self.closed:
            with pytest.raises(Refused, match="session_closed"):
                services.seat_players(actor=self.table.actor, session_id=self.table.session.id, players=people[:4])
            return
        services.seat_players(actor=self.table.actor, session_id=self.table.session.id, players=people[:4])
        self.seats = people[:4]

    @rule(seat=st.integers(0, 3), other=st.integers(0, 3))
    def swap(self, seat: int, other: int) -> None:
        asked = {"actor": self.table.actor, "session_id": self.table.session.id, "seat": seat, "other": other}
        if self.closed:
            with pytest.raises(Refused, match="session_closed"):
                services.swap_seats(**asked)
            return
        services.swap_seats(**asked)
        self.seats[seat], self.seats[other] = self.seats[other], self.seats[seat]

    @precondition(lambda self: self.posted)
    @rule()
    def move_house(self) -> None:
        """To a file, and from there to an empty database; here it would be the same session twice."""
        before, said, totals = self.table.now, rows(self.table.session), self.table.totals()
        file = export_session(actor=self.table.actor, session_id=before.id)
        with pytest.raises(Refused, match="session_exists"):
            import_session(data=file, actor=self.table.actor)
        self.empty_tables()
        session = import_session(data=file, actor=None)
        _link, token = make_link(club_id=session.club_id, role=Role.OWNER, name="周六", lasts=None)
        self.table.actor = Actor(tokens=(token,))
        now = self.table.now
        assert (now.seq, bytes(now.head), now.status) == (before.seq, bytes(before.head), before.status)
        assert (now.hand_no, now.dealer, now.streak) == (before.hand_no, before.dealer, before.streak)
        assert rows(now) == said
        assert self.table.totals() == totals

    @rule(seat=st.integers(0, 3))
    def choose_dealer(self, seat: int) -> None:
        now = self.table.now
        during = services.desk.live(Entry.objects.filter(session_id=now.id, hand_no=now.hand_no))
        if self.closed or during:
            return self.refused("session_closed|hand_going_on", services.choose_dealer, seat=seat)
        self.table.ask(services.choose_dealer, seat=seat)
        assert self.table.deal() == (now.hand_no, seat, 0)
        return None

    @precondition(lambda self: len(self.posted) > 3)
    @rule()
    def close_and_reopen(self) -> None:
        service = services.reopen_session if self.closed else services.close_session
        service(actor=self.table.actor, session_id=self.table.session.id)
        self.closed = not self.closed

    @invariant()
    def totals_are_the_models(self) -> None:
        if not hasattr(self, "table"):
            return
        due: Counter[str] = Counter()
        for hand in self.posted:
            if hand.counts:
                due.update(hand.moved)
        names = {player.id: "house" if player.is_house else player.name for player in self.players()}
        points = {names[player]: moved[0] for player, moved in self.table.totals().items()}
        assert points == {name: moved for name, moved in due.items() if moved}
        assert sum(points.values()) == 0

    def players(self) -> list[Player]:
        return list(Player.objects.filter(club_id=self.table.session.club_id))

    def teardown(self) -> None:
        if hasattr(self, "table"):
            now = self.table.now
            assert [seen for seen in verify_session(now.club_id, now.id) if isinstance(seen, Finding)] == []


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("evenings", "steps"), [(5, 25), pytest.param(300, 50, marks=pytest.mark.long)], ids=["small", "full"]
)
def test_totals_equal_a_plain_model(evenings: int, steps: int, empty_tables: Callable[[], None]) -> None:
    run_state_machine_as_test(
        partial(Evening, empty_tables),
        settings=settings(max_examples=evenings, stateful_step_count=steps, deadline=None, suppress_health_check=[]),
    )

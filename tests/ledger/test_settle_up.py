"""Settle-up over real sessions: money, what is covered, paying, taking back."""

from __future__ import annotations

from collections import Counter
from decimal import Decimal
from typing import Any
from uuid import uuid4

import pytest
from django.core.exceptions import PermissionDenied
from django.http import Http404

from mahjong_site.clubs.access import Actor
from mahjong_site.clubs.models import Role
from mahjong_site.clubs.refusals import Refused
from mahjong_site.clubs.services.links import create_link
from mahjong_site.ledger import services
from mahjong_site.ledger import settle_up as settling
from tests.ledger.tables import NAMES, SMALL, Table, win


def owed(plan: settling.Plan) -> dict[str, int]:
    return {balance.player.name: balance.amount for balance in plan.balances if balance.amount}


def paid_out(made: settling.SettledUp) -> dict[str, int]:
    left: Counter[str] = Counter()
    for transfer in made.transfers:
        left[transfer.payer.name] -= transfer.amount
        left[transfer.payee.name] += transfer.amount
    return dict(left)


def refusal(code: str) -> object:
    return pytest.raises(Refused, match=code)


def settle(table: Table) -> settling.SettledUp:
    return settling.settle_up(actor=table.actor, session_ids=[table.session.id])


def another(table: Table, **options: object) -> Table:
    """A second session of the same club."""
    terms: Any = {"name": "周日", "rules": "changsha-classic", "players": NAMES, "first_dealer": 0, **options}
    session = services.open_session(actor=table.actor, club_id=table.session.club_id, terms=services.Terms(**terms))
    return Table(session, table.actor, table.keys)


def test_points_times_value(transactional_db: None) -> None:
    table = Table.open(point_value=Decimal("0.5"))
    table.post(SMALL)  # 0: −20, 1: +40, 2 and 3: −10
    plan = settling.plan_settle_up(actor=table.actor, session_ids=[table.session.id])
    assert owed(plan) == {"李四": 2000, "张三": -1000, "王五": -500, "赵六": -500}
    assert paid_out(settle(table)) == owed(plan)


def test_thirds_are_rounded_to_what_can_be_paid(transactional_db: None) -> None:
    table = Table.open(point_value=Decimal("0.3333"), currency="JPY")
    table.post(SMALL)
    plan = settling.plan_settle_up(actor=table.actor, session_ids=[table.session.id])
    assert [balance.exact for balance in plan.balances][:1] == [Decimal("13.332")]
    # 13.332, −6.666, −3.333, −3.333: down to 13, −7, −4, −4; two units are missing.
    assert owed(plan)["李四"] == 1300
    assert sum(owed(plan).values()) == 0
    assert all(amount % 100 == 0 for amount in owed(plan).values())
    assert sorted(owed(plan).values()) == [-700, -300, -300, 1300]


def test_side_cash_and_the_house(transactional_db: None) -> None:
    table = Table.open(rules={"preset": "changsha-liuqi", "options": {"fishing": True}})
    table.post(win(1, 0, side_bets=["2.50", "5", "0", "0"]))
    table.ask(services.post_table_fee, points=3)
    legs = {player: points * 100 + cash for player, (points, cash) in table.totals().items()}
    plan = settling.plan_settle_up(actor=table.actor, session_ids=[table.session.id])
    assert {balance.player.id: balance.amount for balance in plan.balances} == legs
    assert [balance.amount for balance in plan.balances if balance.player.is_house] == [1200]


def test_several_sessions_of_different_values(table: Table) -> None:
    second = another(table, point_value=Decimal("0.01"))
    table.post(SMALL)
    second.post(win(0, 1))  # the dealer wins 20 from seat 1
    sessions = [table.session.id, second.session.id]
    made = settling.settle_up(actor=table.actor, session_ids=sessions)
    assert paid_out(made) == {"李四": 3980, "张三": -1980, "王五": -1000, "赵六": -1000}
    assert {covered[0] for covered in made.sessions} == set(sessions)
    assert len(made.transfers) == 3


def test_only_what_came_after_the_last_one(table: Table) -> None:
    first = table.post(SMALL)
    assert paid_out(settle(table))["李四"] == 4000
    with refusal("nothing_to_settle"):
        settle(table)
    services.close_session(actor=table.actor, session_id=table.session.id)
    services.reopen_session(actor=table.actor, session_id=table.session.id)
    table.ask(services.reverse_entry, seq=first.seq, reason="看错了")
    assert paid_out(settle(table))["李四"] == -4000


def test_paid_in_parts_and_marked_twice(table: Table) -> None:
    table.post(SMALL)
    made = settle(table)
    named = {"actor": table.actor, "club_id": made.club_id, "settle_up_id": made.id}
    transfer = made.transfers[0]
    for _ in range(2):
        part = settling.mark_paid(**named, transfer_id=transfer.id, paid=500)
        assert part.open_amount == 4000 - 500
    with refusal("bad_amount"):
        settling.mark_paid(**named, transfer_id=transfer.id, paid=transfer.amount + 1)
    for each in made.transfers:
        told = settling.mark_paid(**named, transfer_id=each.id)
    assert told.open_amount == 0
    assert all(row.paid_at and row.marked_by == "周六" for row in told.transfers)
    with refusal("already_paid"):
        settling.cancel_settle_up(**named)
    undone = settling.mark_paid(**named, transfer_id=transfer.id, paid=0)
    assert undone.open_amount == transfer.amount
    with pytest.raises(Http404):
        settling.mark_paid(**named, transfer_id=uuid4())


def test_cancelled_covers_nothing(table: Table) -> None:
    table.post(SMALL)
    made = settle(table)
    named = {"actor": table.actor, "club_id": made.club_id, "settle_up_id": made.id}
    for _ in range(2):
        assert settling.cancel_settle_up(**named).open_amount == 0
    with refusal("settle_up_cancelled"):
        settling.mark_paid(**named, transfer_id=made.transfers[0].id)
    again = settle(table)
    assert paid_out(again) == paid_out(made)
    listed = settling.session_settle_ups(actor=table.actor, session_id=table.session.id)
    assert [one.id for one in listed] == [again.id, made.id]
    assert settling.settle_up_at(**{**named, "settle_up_id": again.id}) == again


def test_only_the_last_one_is_cancelled(table: Table) -> None:
    table.post(SMALL)
    first = settle(table)
    table.post(win(2, 3))
    settle(table)
    with refusal("settled_later"):
        settling.cancel_settle_up(actor=table.actor, club_id=first.club_id, settle_up_id=first.id)


def test_what_cannot_be_settled_together(table: Table) -> None:
    dollars = another(table, currency="USD")
    elsewhere = Table.open()
    for sessions, code in (
        ([], "no_sessions"),
        ([table.session.id, dollars.session.id], "several_currencies"),
        ([uuid4() for _ in range(201)], "no_sessions"),
    ):
        with refusal(code):
            settling.settle_up(actor=table.actor, session_ids=sessions)
    both = Actor(tokens=(*table.actor.tokens, *elsewhere.actor.tokens))
    with refusal("several_clubs"):
        settling.settle_up(actor=both, session_ids=[table.session.id, elsewhere.session.id])
    with pytest.raises(Http404):
        settling.settle_up(actor=table.actor, session_ids=[table.session.id, elsewhere.session.id])


def test_who_may(table: Table) -> None:
    table.post(SMALL)
    made = settle(table)
    second = another(table)
    second.post(SMALL)
    both = settling.settle_up(actor=table.actor, session_ids=[second.session.id])

    def holder(role: Role, session: object = None) -> Actor:
        named = {"actor": table.actor, "club_id": made.club_id, "role": role, "name": "链接", "session_id": session}
        return Actor(tokens=(create_link(**named)[1],))

    viewer, one_session = holder(Role.VIEWER), holder(Role.SCORER, table.session.id)
    assert settling.settle_up_at(actor=viewer, club_id=made.club_id, settle_up_id=made.id) == made
    with pytest.raises(PermissionDenied):
        settling.settle_up(actor=viewer, session_ids=[table.session.id])
    with pytest.raises(PermissionDenied):
        settling.cancel_settle_up(actor=viewer, club_id=made.club_id, settle_up_id=made.id)
    settling.mark_paid(actor=one_session, club_id=made.club_id, settle_up_id=made.id, transfer_id=made.transfers[0].id)
    for actor, settle_up_id in ((one_session, both.id), (Actor(), made.id), (table.actor, uuid4())):
        with pytest.raises(Http404):
            settling.settle_up_at(actor=actor, club_id=made.club_id, settle_up_id=settle_up_id)

"""An evening with everything in it, for what reads the ledger."""

from __future__ import annotations

from typing import Any

from mahjong_site.ledger import services
from mahjong_site.ledger.models import Entry, Leg, Session
from tests.ledger.tables import SMALL, Table, win

HOSTILE = ["=1+1", "<b>&\"'", "@SUM(A1)", "＋cmd|'/c'!A0 龘𠮷"]
"""Names that would be a formula, markup, a command."""


def opening(seat: int, *patterns: str) -> dict[str, Any]:
    """A declared opening win."""
    return {"kind": "opening", "winners": [{"seat": seat, "declared": list(patterns)}]}


def evening(**options: Any) -> Table:
    """changsha-liuqi with 钓鱼: an opening, wins, several winners, a correction, a reversal, a swap, a fifth player, a
    penalty, a fee; closed."""
    rules = {"preset": "changsha-liuqi", "options": {"fishing": True}}
    table = Table.open(**{"rules": rules, "first_dealer": None, **options})
    table.ask(services.roll_first_dealer, dice=[2, 3])  # seat 0
    table.post(opening(2, "four_of_a_kind"))
    table.post(win(1, 3, side_bets=["5", "2.50", "0", "0"]))
    wrong = table.post(SMALL)
    table.ask(services.correct_entry, seq=wrong.seq, record=win(1, 2), reason="其实是点炮")
    table.post({"kind": "win", "by": "discard", "from": 0, "winners": [win(2)["winners"][0], win(3)["winners"][0]]})
    taken_back = table.post(win(0, 1))
    table.ask(services.reverse_entry, seq=taken_back.seq, reason="看错")
    services.swap_seats(actor=table.actor, session_id=table.session.id, seat=0, other=2)
    table.post(win(0))
    players = services.statements.seats_at(table.session, table.now.seq + 1)
    services.seat_players(actor=table.actor, session_id=table.session.id, players=[*players[:3], "钱七"])
    table.post({"kind": "win", "by": "self_draw", "winners": [{"seat": 3, "declared": ["one_suit", "all_pungs"]}]})
    table.ask(services.post_penalty, seat=1, reason="false_win", points=9, to="others")
    table.ask(services.post_table_fee, points=2)
    services.close_session(actor=table.actor, session_id=table.session.id)
    return table


def rows(session: Session) -> tuple[list[tuple[Any, ...]], list[tuple[Any, ...]]]:
    """Everything that its entries and legs say."""
    here = {"club_id": session.club_id, "session_id": session.id}
    entries = [
        tuple(bytes(value) if isinstance(value, memoryview) else value for value in row)
        for row in Entry.objects.filter(**here).order_by("seq").values_list(*_said(Entry))
    ]
    return entries, list(Leg.objects.filter(**here).order_by("entry_id", "seat").values_list(*_said(Leg)))


def _said(model: Any) -> list[str]:
    return [field.attname for field in model._meta.concrete_fields]

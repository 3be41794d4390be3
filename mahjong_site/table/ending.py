"""The end of an evening: closing, who pays whom, what was paid, the numbers to take along."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from types import MappingProxyType
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.http import content_disposition_header
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from mahjong_site.calculator.words import fault_text, own, signed, tone
from mahjong_site.clubs.access import Action
from mahjong_site.clubs.refusals import Refused
from mahjong_site.ledger import exports
from mahjong_site.ledger.models import CENTS, Session
from mahjong_site.ledger.portable import export_session
from mahjong_site.ledger.selectors import Series, Statistics, entry_at, session_series, session_statistics
from mahjong_site.ledger.services import close_session, reopen_session
from mahjong_site.ledger.settle_up import (
    SettledUp,
    TransferRow,
    cancel_settle_up,
    mark_paid,
    plan_settle_up,
    session_settle_ups,
    settle_up,
)
from mahjong_site.table.book import columns, name_of, row
from mahjong_site.table.chat import evening_text, money, played, worth
from mahjong_site.table.desk import TablePage

JSON_TYPE = "application/json"


@require_safe
def end(request: HttpRequest, session_id: UUID) -> HttpResponse:
    """How it ended, or how it stands: totals, payments, chart, text, exports."""
    page = TablePage.open(request, session_id)
    figures = session_statistics(actor=page.actor, session_id=session_id)
    series = session_series(actor=page.actor, session_id=session_id)
    made = [one for one in session_settle_ups(actor=page.actor, session_id=session_id) if one.cancelled_at is None]
    plan = plan_settle_up(actor=page.actor, session_ids=[session_id])
    due = [
        (name_of(payment.payer), name_of(payment.payee), money(payment.amount, plan.currency))
        for payment in plan.payments
    ]
    settled = [_told(one) for one in made]
    played_points = [(total.player, total.points) for total in page.totals]
    owed = [row["words"] for one in reversed(settled) for row in one["rows"]] + [
        f"{payer} → {payee} {amount}" for payer, payee, amount in due
    ]
    hands = len(series.hands)
    context = {
        "page": page,
        "session": page.session,
        "preset_name": own(page.preset),
        "played": played(hands),
        "worth": worth(page.session),
        "totals": _totals(page, figures),
        "due": due,
        "unsettled": any(covered.after_seq < covered.through_seq for covered in plan.sessions),
        "settled": settled,
        "series": _table(series),
        "plot": _plot(series),
        "copy": evening_text(page.session, hands, played_points, owed, _biggest(page, figures)),
        "head": bytes(page.session.head).hex()[:16],
        "nav": "table",
    }
    return render(request, "table/end.html", context)


def _totals(page: TablePage, figures: Sequence[Statistics]) -> list[dict[str, Any]]:
    by_player = {one.player.id: one for one in figures}
    rows = []
    for total in page.totals:
        known = by_player.get(total.player.id)
        rows.append(
            {
                "name": name_of(total.player),
                "wins": known.wins if known else "",
                "gave": known.gave if known else "",
                "points": signed(total.points),
                "tone": tone(total.points),
                "cash": money(total.cash, page.session.currency) if total.cash else "",
            }
        )
    return rows


def _told(made: SettledUp) -> dict[str, Any]:
    """A settle-up as shown; whoever has paid something can no longer be made to forget it."""
    return {
        "id": made.id,
        "at": made.created_at,
        "rows": [_payment(transfer, made.currency) for transfer in made.transfers],
        "others": [name for _id, name, _seq in made.sessions] if len(made.sessions) > 1 else [],
        "may_cancel": not any(transfer.paid for transfer in made.transfers),
    }


def _payment(transfer: TransferRow, currency: str) -> dict[str, Any]:
    payer, payee, amount = name_of(transfer.payer), name_of(transfer.payee), money(transfer.amount, currency)
    return {
        "id": transfer.id,
        "payer": payer,
        "payee": payee,
        "amount": amount,
        "words": f"{payer} → {payee} {amount}",
        "done": transfer.paid == transfer.amount,
        "part": 0 < transfer.paid < transfer.amount,
        "paid": money(transfer.paid, currency),
        "open": money(transfer.amount - transfer.paid, currency),
        "most": f"{Decimal(transfer.amount) / CENTS:.2f}",
    }


def _biggest(page: TablePage, figures: Sequence[Statistics]) -> str:
    """The win that brought most, in a line."""
    wins = [one.biggest_win for one in figures if one.biggest_win is not None]
    if not wins:
        return ""
    best = max(wins, key=lambda win: win.points)
    entry = entry_at(actor=page.actor, session_id=page.session.id, seq=best.seq)
    told = row(entry, columns(page.totals), page.preset, {}, page.unsigned)
    number = _("Hand %(number)s") % {"number": entry.hand_no}
    return f"{number} {told.headline} {signed(best.points)}"


def _table(series: Series) -> dict[str, Any]:
    """The running totals as a table: a row a hand."""
    return {
        "people": [name_of(person) for person in series.players],
        "rows": [
            (hand, [(signed(line[place]), tone(line[place])) for line in series.lines])
            for place, hand in enumerate(series.hands)
        ],
    }


def _plot(series: Series) -> dict[str, Any]:
    """The same for the chart: it begins at nothing, before the first hand."""
    return {
        "hands": [0, *series.hands],
        "names": [name_of(person) for person in series.players],
        "lines": [[0, *line] for line in series.lines],
    }


# ---- what can be done


def _back(request: HttpRequest, session_id: UUID, act: Callable[[], object]) -> HttpResponse:
    """Does it, says why not where it is refused, and shows the page again."""
    try:
        act()
    except Refused as error:
        for fault in error.faults:
            messages.error(request, fault_text(fault))
    return redirect("table:end", session_id)


@require_POST
def close(request: HttpRequest, session_id: UUID) -> HttpResponse:
    """Closes the table and settles up."""
    page = TablePage.open(request, session_id, Action.CLOSE)

    def act() -> None:
        close_session(actor=page.actor, session_id=session_id)
        plan = plan_settle_up(actor=page.actor, session_ids=[session_id])
        if any(covered.after_seq < covered.through_seq for covered in plan.sessions):
            settle_up(actor=page.actor, session_ids=[session_id])

    return _back(request, session_id, act)


@require_POST
def reopen(request: HttpRequest, session_id: UUID) -> HttpResponse:
    """Opens it again: the owner may."""
    page = TablePage.open(request, session_id, Action.REOPEN)
    _back(request, session_id, lambda: reopen_session(actor=page.actor, session_id=session_id))
    return redirect("table:session", session_id)


@require_POST
def settle(request: HttpRequest, session_id: UUID) -> HttpResponse:
    """Settles up what is not settled yet."""
    page = TablePage.open(request, session_id, Action.SETTLE)
    return _back(request, session_id, lambda: settle_up(actor=page.actor, session_ids=[session_id]))


@require_POST
def unsettle(request: HttpRequest, session_id: UUID, settle_up_id: UUID) -> HttpResponse:
    """Takes a settle-up back."""
    page = TablePage.open(request, session_id, Action.SETTLE)
    asked: dict[str, Any] = {"club_id": page.session.club_id, "settle_up_id": settle_up_id}
    return _back(request, session_id, lambda: cancel_settle_up(actor=page.actor, **asked))


@require_POST
def paid(request: HttpRequest, session_id: UUID, settle_up_id: UUID, transfer_id: UUID) -> HttpResponse:
    """Says how much of a payment was made by now (``paid``, in the currency); all of it where nothing is said."""
    page = TablePage.open(request, session_id, Action.SETTLE)
    told = _cents(request.POST.get("paid", ""))
    asked: dict[str, Any] = {"settle_up_id": settle_up_id, "transfer_id": transfer_id, "paid": told}
    return _back(request, session_id, lambda: mark_paid(actor=page.actor, club_id=page.session.club_id, **asked))


def _cents(text: str) -> int | None:
    """Hundredths of what was typed; None: nothing was. What is no amount becomes one that is refused."""
    if not text.strip():
        return None
    try:
        cents = Decimal(text.strip().replace(",", ".")) * CENTS
    except InvalidOperation:
        return -1
    return int(cents) if cents.is_finite() and cents == cents.to_integral_value() and abs(cents) < 10**18 else -1


# ---- to take along

Maker = Callable[[exports.Source], bytes]


def _csv(table: Callable[[exports.Source], exports.Table]) -> Maker:
    return lambda source: exports.to_csv(table(source))


def _xlsx(source: exports.Source) -> bytes:
    return exports.to_xlsx([table(source) for table in exports.TABLES.values()])


def _json(source: exports.Source) -> bytes:
    return export_session(actor=source.actor, session_id=source.sessions[0].id)


EXPORTS: Mapping[str, tuple[str, Maker]] = MappingProxyType(
    {
        **{f"{name}.csv": (exports.CSV_TYPE, _csv(table)) for name, table in exports.TABLES.items()},
        "session.xlsx": (exports.XLSX_TYPE, _xlsx),
        "session.json": (JSON_TYPE, _json),
    }
)


@require_safe
def export(request: HttpRequest, session_id: UUID, name: str) -> HttpResponse:
    """The session as a file."""
    page = TablePage.open(request, session_id)
    if name not in EXPORTS:
        raise Http404
    kind, make = EXPORTS[name]
    source = exports.session_source(actor=page.actor, session_id=session_id)
    response = HttpResponse(make(source), content_type=kind)
    response["Content-Disposition"] = content_disposition_header(True, _file_name(page.session, name)) or ""
    response["X-Content-Type-Options"] = "nosniff"
    return response


def _file_name(session: Session, name: str) -> str:
    """周六老友局-2026-11-28-totals.csv; signs that a file system may not take become lines."""
    base = "".join(sign if sign.isalnum() else "-" for sign in session.name).strip("-") or "paizhang"
    return f"{base}-{localtime(session.created_at):%Y-%m-%d}-{name}"

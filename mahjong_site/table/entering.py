"""Entering a hand with its tiles: the calculator's hand entry, with the session's facts fixed, and posting it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from mahjong_site.calculator import state
from mahjong_site.calculator.outcome import judge, offer_of, to_record
from mahjong_site.calculator.page import Config, entry_context, result_context
from mahjong_site.calculator.presenters import Told
from mahjong_site.clubs.access import Action
from mahjong_site.ledger.selectors import entry_at
from mahjong_site.table.book import settlement_of, told_of
from mahjong_site.table.desk import TablePage, new_key, next_dealers, not_yet, posts_only
from mahjong_site.table.posting import Sent, answer, is_spent
from mahjong_site.table.posting import resolve as resolve_conflict
from mahjong_site.table.refill import entry_of, is_declared, same_money
from scoring import parse_record


def _config(page: TablePage, sent: Sent) -> Config:
    label = (
        _("Correct hand %(number)s") % {"number": sent.hand_no}
        if sent.correct is not None
        else _("Record hand %(number)s") % {"number": sent.hand_no or page.session.hand_no}
    )
    return Config(
        page_url=reverse("table:hand", args=[page.session.id]),
        result_url=reverse("table:hand-result", args=[page.session.id]),
        post_url=reverse("table:post", args=[page.session.id]),
        post_label=label,
        fixed_rules=True,
        fixed_names=True,
        fixed_dealer=sent.correct is None,
        extra=sent.fields(),
    )


def _read(params: QueryDict, page: TablePage, sent: Sent) -> state.Entry:
    entry = state.read(params, presets=(page.preset.id,))
    return page.fixed(entry, dealer=entry.dealer if sent.correct is not None else sent.dealer)


def _facts(entry: state.Entry) -> dict[str, Any]:
    """The record without what the ledger itself knows of the hand."""
    known = ("rules", "creator")
    return {name: fact for name, fact in to_record(entry, offer_of(entry)[0]).items() if name not in known}


def _inside(page: TablePage, sent: Sent, context: dict[str, Any]) -> dict[str, Any]:
    """The context of the hand entry with what only a table has: who deals next; and no word about examples."""
    settlement = context["outcome"].settlement
    choices = settlement.next_dealer_choices if settlement is not None and not sent.same else ()
    result = context["result"]
    if result["state"] == "empty" and context["entry"].kind == "win" and not context["entry"].winners:
        result = {**result, "headline": _("Who won?"), "spoken": _("Who won?")}
    return context | {
        "page": page,
        "session": page.session,
        "sent": sent,
        "result": result,
        "next_dealers": next_dealers(choices, page.names, sent.choose),
        "nav": "table",
    }


@require_safe
def hand(request: HttpRequest, session_id: UUID) -> HttpResponse:
    """The whole hand entry. ``?same=1``: a second win off the same kong, of the hand that ended last.

    Where the form is in the address, its ``key`` among it, the entry goes on from there, until it is in the book.
    """
    page = TablePage.open(request, session_id, Action.POST)
    if (elsewhere := not_yet(request, page)) is not None:
        return elsewhere
    sent = (
        Sent.read(request.GET, page) if "key" in request.GET else Sent.fresh(page, same=request.GET.get("same") == "1")
    )
    if is_spent(page, sent.key):
        return redirect(request.path)
    page = page.correcting(sent.correct)
    return _page(request, page, _read(request.GET, page, sent), sent)


@require_safe
def result(request: HttpRequest, session_id: UUID) -> HttpResponse:
    """What changed with the last tap."""
    page = TablePage.open(request, session_id, Action.POST)
    sent = Sent.read(request.GET, page)
    page = page.correcting(sent.correct)
    context = result_context(_read(request.GET, page, sent), _config(page, sent))
    return render(request, "table/hand_result.html", _inside(page, sent, context))


@require_safe
def correct(request: HttpRequest, session_id: UUID, seq: int) -> HttpResponse:
    """The hand entry, filled with a posted hand; a declared one goes to the quick entry."""
    page = TablePage.open(request, session_id, Action.REVERSE)
    wrong = entry_at(actor=page.actor, session_id=session_id, seq=seq)
    if not wrong.counts or not page.may_correct:
        messages.error(request, _("This entry cannot be corrected any more."))
        return redirect("table:entry", session_id, seq)
    record = parse_record(dict(wrong.record or {}))
    if is_declared(record):
        return redirect(f"{reverse('table:quick', args=[session_id])}?correct={seq}")
    page = replace(page, wrong=wrong)
    entry = page.fixed(entry_of(record), dealer=wrong.dealer)
    kept = same_money(judge(entry).settlement, settlement_of(wrong))
    return _page(request, page, entry, Sent.correction(page, wrong), lost=None if kept else told_of(wrong, page.preset))


def _page(
    request: HttpRequest,
    page: TablePage,
    entry: state.Entry,
    sent: Sent,
    *,
    faults: tuple[str, ...] = (),
    lost: Told | None = None,
    status: int = 200,
) -> HttpResponse:
    """``lost``: the hand as recorded, where not all of it could be filled in."""
    context = _inside(page, sent, entry_context(entry, _config(page, sent)))
    return render(request, "table/hand.html", context | {"faults": faults, "lost": lost}, status=status)


@posts_only("table:hand")
def post(request: HttpRequest, session_id: UUID) -> HttpResponse:
    """Posts what was entered, or corrects with it."""
    page = TablePage.open(request, session_id, Action.POST)
    sent = Sent.read(request.POST, page)
    page = page.correcting(sent.correct)
    entry = _read(request.POST, page, sent)
    if page.session.seq == sent.expected and judge(entry).settled is None:
        return _page(request, page, entry, sent, faults=(_("This hand is not complete yet."),), status=422)

    def again(faults: tuple[str, ...], status: int) -> HttpResponse:
        return _page(request, page, entry, replace(sent, key=new_key()), faults=faults, status=status)

    return answer(request, page, sent, _facts(entry), again=again)


@posts_only("table:session")
def resolve(request: HttpRequest, session_id: UUID) -> HttpResponse:
    """What the slower of two phones chose to do with its hand."""
    return resolve_conflict(request, TablePage.open(request, session_id, Action.POST))

"""Dice: who deals first, and which tiles a 开杠 turns up."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from mahjong_site.calculator.fields import number, read_seat
from mahjong_site.calculator.words import fault_text
from mahjong_site.clubs.access import Action
from mahjong_site.clubs.refusals import Refused
from mahjong_site.ledger.services import Conflict, KeyReused, choose_dealer, roll_first_dealer
from mahjong_site.table.desk import TablePage, new_key
from scoring import RecordError
from scoring.changsha.kong_dice import kong_dice


@require_http_methods(["GET", "HEAD", "POST"])
def dealer(request: HttpRequest, session_id: UUID) -> HttpResponse:
    """Rolls for the first dealer, or takes the one the table says."""
    page = TablePage.open(request, session_id, Action.POST)
    if request.method == "POST":
        return _set_dealer(request, page)
    context = {
        "page": page,
        "session": page.session,
        "seats": list(enumerate(page.names)),
        "first": page.session.hand_no == 1,
        "key": new_key(),
        "nav": "table",
    }
    return render(request, "table/dealer.html", context)


def _set_dealer(request: HttpRequest, page: TablePage) -> HttpResponse:
    common: dict[str, Any] = {
        "actor": page.actor,
        "session_id": page.session.id,
        "client_key": request.POST.get("key", ""),
        "expected_seq": number(request.POST.get("seq")) or 0,
    }
    seat = read_seat(request.POST.get("seat"))
    try:
        result = roll_first_dealer(**common) if seat is None else choose_dealer(seat=seat, **common)
    except Refused as error:
        for fault in error.faults:
            messages.error(request, fault_text(fault))
        return redirect("table:dealer", page.session.id)
    if isinstance(result, Conflict | KeyReused):
        messages.error(request, _("Somebody entered something at the same moment. Look again."))
    elif dice := (result.entry.record or {}).get("dice"):
        name = page.names[result.entry.dealer]
        messages.success(
            request, _("Dice %(dice)s: %(name)s deals") % {"dice": " + ".join(map(str, dice)), "name": name}
        )
    return redirect("table:session", page.session.id)


@require_safe
def kong_dice_page(request: HttpRequest, session_id: UUID) -> HttpResponse:
    """Which stack from the end, and which of its tiles."""
    page = TablePage.open(request, session_id)
    answer, faults = None, []
    stacks, dice = request.GET.get("stacks", ""), [pips for pips in request.GET.getlist("die") if pips in {*"123456"}]
    if stacks and dice:
        try:
            answer = kong_dice(
                page.preset,
                number(stacks) or 0,
                [int(pips) for pips in dice],
                top_gone=request.GET.get("top") == "1",
            )
        except RecordError as error:
            faults = [fault_text(fault) for fault in error.faults]
    context = {
        "page": page,
        "session": page.session,
        "answer": answer,
        "faults": faults,
        "stacks": stacks,
        "dice": [dice[0] if dice else "", dice[1] if len(dice) > 1 else ""],
        "pips": [*"123456"],
        "two": page.preset.data["patterns"].get("kong_dice", 1) == 2,
        "top_gone": request.GET.get("top") == "1",
        "nav": "table",
    }
    return render(request, "table/kong_dice.html", context, status=422 if faults else 200)

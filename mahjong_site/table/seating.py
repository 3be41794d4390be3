"""Who sits where, and who enters: changed from the next hand on."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from mahjong_site.calculator.fields import read_seat
from mahjong_site.calculator.words import fault_text
from mahjong_site.clubs.access import Action
from mahjong_site.clubs.models import Player
from mahjong_site.clubs.refusals import Refused
from mahjong_site.ledger.models import Session
from mahjong_site.ledger.services import seat_players, set_entry_mode, swap_seats
from mahjong_site.table.desk import TablePage


@require_http_methods(["GET", "HEAD", "POST"])
def seats(request: HttpRequest, session_id: UUID) -> HttpResponse:
    """Two change places (``swap`` twice), or somebody else sits down (four names, ``n0`` to ``n3``)."""
    page = TablePage.open(request, session_id, Action.SEAT)
    players = list(page.names)
    faults: list[str] = []
    if request.method == "POST":
        swapped = [seat for text in request.POST.getlist("swap") if (seat := read_seat(text)) is not None]
        try:
            if "n0" in request.POST:
                players = [request.POST.get(f"n{seat}", "") for seat in range(4)]
                seat_players(actor=page.actor, session_id=session_id, players=players)
                return redirect("table:session", session_id)
            if len(swapped) == 2:
                swap_seats(actor=page.actor, session_id=session_id, seat=swapped[0], other=swapped[1])
                return redirect("table:session", session_id)
            faults = [_("Tick the two who change places.")]
        except Refused as error:
            faults = [fault_text(fault) for fault in error.faults]
    known = Player.objects.filter(club_id=page.session.club_id, is_house=False).order_by("created_at")
    context = {
        "page": page,
        "session": page.session,
        "seats": list(zip(range(4), players, page.names, strict=True)),
        "known": list(known.values_list("name", flat=True)[:60]),
        "faults": faults,
        "nav": "table",
    }
    return render(request, "table/seats.html", context, status=422 if faults else 200)


@require_POST
def mode(request: HttpRequest, session_id: UUID) -> HttpResponse:
    """One keeps the score, or everybody enters."""
    page = TablePage.open(request, session_id, Action.SEAT)
    everybody = request.POST.get("mode") == Session.EntryMode.EVERYBODY
    wanted = Session.EntryMode.EVERYBODY if everybody else Session.EntryMode.SCORER
    try:
        set_entry_mode(actor=page.actor, session_id=session_id, entry_mode=wanted)
    except Refused as error:
        for fault in error.faults:
            messages.error(request, fault_text(fault))
    return redirect("table:invite" if page.may_invite else "table:session", session_id)

"""The page of a session: who sits where with what, and the book; and one hand of it, opened."""

from __future__ import annotations

from bisect import bisect_right
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from mahjong_site.calculator.fields import number
from mahjong_site.calculator.presenters import Picture, SeatView, Tag
from mahjong_site.calculator.words import fault_text, own, side, signed, tone
from mahjong_site.clubs.access import Action
from mahjong_site.clubs.refusals import Refused
from mahjong_site.ledger.selectors import entry_at, history, session_series
from mahjong_site.ledger.services import Conflict, KeyReused, reverse_entry
from mahjong_site.table.book import Row, columns, row, rows, signed_by
from mahjong_site.table.chat import hand_text
from mahjong_site.table.desk import TablePage, new_key

HANDS = 20


@require_safe
def session(request: HttpRequest, session_id: UUID) -> HttpResponse:
    """The session. ``?before=``: older hands."""
    page = TablePage.open(request, session_id)
    return render(request, "table/session.html", _context(page, request))


@require_safe
def live(request: HttpRequest, session_id: UUID) -> HttpResponse:
    """What changes while others enter: 204 while nothing has."""
    page = TablePage.open(request, session_id)
    seen = request.GET.get("v", "")
    if seen == version(page):
        return HttpResponse(status=204)
    since = number(seen.partition("-")[0])
    return render(request, "table/live.html", _context(page, request, since=since))


def version(page: TablePage) -> str:
    """Changes whenever the page must."""
    here = page.session
    seats = "".join(str(total.player.id)[:4] for total in page.seated)
    return f"{here.seq}-{here.status}-{here.entry_mode}-{here.dealer}-{seats}"


def _context(page: TablePage, request: HttpRequest, since: int | None = None) -> dict[str, object]:
    """``since``: the last entry that the visitor's page knew; what came after it is new to him."""
    before = number(request.GET.get("before"))
    entries = history(actor=page.actor, session_id=page.session.id, before=before, limit=HANDS + 1)
    people = columns(page.totals)
    book = rows(entries[:HANDS], people, page.preset, page.unsigned)
    known = page.session.seq if since is None else since
    return {
        "page": page,
        "session": page.session,
        "preset_name": own(page.preset),
        "picture": seats_picture(page),
        "people": people,
        "book": book,
        "older": entries[HANDS - 1].seq if len(entries) > HANDS else None,
        "known": known,
        "news": [_said(one, page) for one in reversed(book) if one.latest > known],
        "version": version(page),
        "nav": "table",
    }


def _said(row: Row, page: TablePage) -> str:
    """What somebody else did, to be read out."""
    words = _("%(headline)s: taken back") if row.undone else _("corrected: %(headline)s") if row.old else "%(headline)s"
    said = words % {"headline": row.headline}
    return _("%(name)s recorded: %(words)s") % {"name": row.by, "words": said} if row.by else said


def seats_picture(page: TablePage) -> Picture:
    """The four with their running totals, the dealer's seal and how often he has kept the deal."""
    here = page.session
    views = []
    for seat, total in enumerate(page.seated):
        deals = seat == here.dealer
        streak = Tag("text", _("dealt on %(times)s") % {"times": here.streak})
        views.append(
            SeatView(
                seat=seat,
                side=side(seat),
                name=total.player.name,
                amount=signed(total.points),
                tone=tone(total.points),
                wins=False,
                seals=(Tag("zhuang", "庄"),) if deals else (),
                tags=(streak,) if deals and here.streak else (),
            )
        )
    return Picture(tuple(views))


@require_safe
def entry(request: HttpRequest, session_id: UUID, seq: int) -> HttpResponse:
    """One hand with its arithmetic, and what can be done about it."""
    page = TablePage.open(request, session_id)
    found = entry_at(actor=page.actor, session_id=session_id, seq=seq)
    others = {
        linked: entry_at(actor=page.actor, session_id=session_id, seq=linked)
        for linked in (found.corrects, found.reversed_by)
        if linked is not None
    }
    people = columns(page.totals)
    opened = row(found, people, page.preset, others, page.unsigned)
    context = {
        "page": page,
        "session": page.session,
        "preset_name": own(page.preset),
        "people": people,
        "row": opened,
        "signed": signed_by(found, page.unsigned),
        "copy": _copy(page, opened) if opened.told else "",
        "key": new_key(),
        "nav": "table",
    }
    return render(request, "table/entry.html", context)


def _copy(page: TablePage, opened: Row) -> str:
    """The hand for a group chat, with the totals after it."""
    series = session_series(actor=page.actor, session_id=page.session.id)
    place = bisect_right(series.hands, opened.entry.hand_no) - 1
    totals = [
        (person, line[place] if place >= 0 else 0) for person, line in zip(series.players, series.lines, strict=True)
    ]
    return hand_text(page.session, opened, [player.name for player in opened.entry.players], totals)


@require_POST
def reverse_hand(request: HttpRequest, session_id: UUID, seq: int) -> HttpResponse:
    """Takes a hand back, with a reason."""
    page = TablePage.open(request, session_id, Action.REVERSE)
    try:
        result = reverse_entry(
            actor=page.actor,
            session_id=session_id,
            seq=seq,
            reason=request.POST.get("reason", ""),
            client_key=request.POST.get("key", ""),
            expected_seq=number(request.POST.get("seq")) or 0,
        )
    except Refused as error:
        for fault in error.faults:
            messages.error(request, fault_text(fault))
        return redirect("table:entry", session_id, seq)
    if isinstance(result, Conflict | KeyReused):
        messages.error(request, _("Somebody entered something at the same moment. Look again, then take it back."))
        return redirect("table:entry", session_id, seq)
    messages.success(request, _("Taken back."))
    return redirect("table:session", session_id)

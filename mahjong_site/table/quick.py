"""Quick entry: four rows of single taps, no tiles. The same settlement as with tiles."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from mahjong_site.calculator.fields import number
from mahjong_site.calculator.page import counter_words, event_words, pattern_name
from mahjong_site.calculator.presenters import Told, plain_picture, tell
from mahjong_site.calculator.situation import Offer
from mahjong_site.calculator.words import fault_text
from mahjong_site.clubs.access import Action
from mahjong_site.clubs.refusals import Refused
from mahjong_site.ledger.selectors import entry_at
from mahjong_site.ledger.services import preview_record
from mahjong_site.table import declared
from mahjong_site.table.book import settlement_of, told_of
from mahjong_site.table.declared import Declared
from mahjong_site.table.desk import TablePage, new_key, next_dealers, not_yet, posts_only
from mahjong_site.table.posting import Sent, answer, is_spent
from mahjong_site.table.refill import declared_of, same_money
from scoring import RecordError, Settlement, parse_record, resolve_rules, settle
from scoring.changsha.birds import origin, seat_of
from scoring.record import WinRecord
from scoring.tiles import Seat


@dataclass(frozen=True)
class Option:
    """One thing to tap: a field's name and value, its words, whether it is chosen.

    ``person``: the words are a name, which is cut where it is too long; other words take two lines instead.
    """

    name: str
    value: str
    words: str
    chosen: bool
    off: bool = False
    hint: str = ""
    person: bool = False


def _offer(page: TablePage) -> Offer:
    return Offer(resolve_rules(page.session.rules))


def _read(params: QueryDict, page: TablePage, sent: Sent) -> Declared:
    return declared.read(params, _offer(page), sent.dealer or 0)


@require_safe
def page(request: HttpRequest, session_id: UUID) -> HttpResponse:
    """The quick entry. ``?correct=<seq>``: filled with a declared hand that was wrong. The address as at `hand`."""
    table = TablePage.open(request, session_id, Action.POST)
    if (elsewhere := not_yet(request, table)) is not None:
        return elsewhere
    wrong = number(request.GET.get("correct"))
    if "key" not in request.GET and wrong is not None:
        return _correction(request, session_id, wrong)
    sent = Sent.read(request.GET, table) if "key" in request.GET else Sent.fresh(table)
    if is_spent(table, sent.key):
        return redirect(request.path)
    table = table.correcting(sent.correct)
    return _page(request, table, _read(request.GET, table, sent), sent)


def _correction(request: HttpRequest, session_id: UUID, seq: int) -> HttpResponse:
    table = TablePage.open(request, session_id, Action.REVERSE)
    found = entry_at(actor=table.actor, session_id=session_id, seq=seq)
    record = parse_record(dict(found.record or {})) if found.counts else None
    if not isinstance(record, WinRecord):
        return redirect("table:entry", session_id, seq)
    table = replace(table, wrong=found)
    posted = settlement_of(found)
    told = declared_of(record, posted)
    kept = same_money(_settled(table, told, found.dealer), posted)
    lost = None if kept else told_of(found, table.preset)
    return _page(request, table, told, Sent.correction(table, found), lost=lost)


def _settled(table: TablePage, told: Declared, dealer: Seat) -> Settlement | None:
    """What the taps settle to; None where they are refused."""
    facts = {**declared.to_record(told, _offer(table)), "rules": table.session.rules, "dealer": dealer}
    try:
        return settle(parse_record(facts))
    except RecordError:
        return None


@require_safe
def result(request: HttpRequest, session_id: UUID) -> HttpResponse:
    """What changed with the last tap."""
    table = TablePage.open(request, session_id, Action.POST)
    sent = Sent.read(request.GET, table)
    table = table.correcting(sent.correct)
    told = _read(request.GET, table, sent)
    return render(request, "table/quick_result.html", _context(table, told, sent))


@posts_only("table:quick")
def post(request: HttpRequest, session_id: UUID) -> HttpResponse:
    """Posts what was tapped."""
    table = TablePage.open(request, session_id, Action.POST)
    sent = Sent.read(request.POST, table)
    table = table.correcting(sent.correct)
    told = _read(request.POST, table, sent)
    if not told.said:
        return _page(request, table, told, sent, faults=(_("This hand is not complete yet."),), status=422)

    def again(faults: tuple[str, ...], status: int) -> HttpResponse:
        return _page(request, table, told, replace(sent, key=new_key()), faults=faults, status=status)

    return answer(request, table, sent, declared.to_record(told, _offer(table)), again=again)


def _page(
    request: HttpRequest,
    table: TablePage,
    told: Declared,
    sent: Sent,
    *,
    faults: tuple[str, ...] = (),
    lost: Told | None = None,
    status: int = 200,
) -> HttpResponse:
    """``lost``: the hand as recorded, where not all of it could be filled in."""
    context = _context(table, told, sent) | {"faults": faults, "lost": lost}
    return render(request, "table/quick.html", context, status=status)


def _context(table: TablePage, told: Declared, sent: Sent) -> dict[str, Any]:
    offer = _offer(table)
    return {
        "page": table,
        "session": table.session,
        "sent": sent,
        "told_fields": told,
        "rows": _rows(table, offer, told),
        "changsha": offer.changsha,
        "nav": "table",
    } | _result(table, offer, told, sent)


def _result(table: TablePage, offer: Offer, told: Declared, sent: Sent) -> dict[str, Any]:
    """The picture and the verdict as things stand."""
    names, dealer = table.names, sent.dealer or 0
    if not told.said:
        picture = plain_picture(names, dealer, told.winners, told.giver)
        return {"picture": picture, "headline": _next_words(told), "told": None}
    record = {**declared.to_record(told, offer), "dealer": dealer}
    try:
        settlement = preview_record(actor=table.actor, session_id=table.session.id, record=record, dealer=dealer)
    except (RecordError, Refused) as error:
        words = tuple(dict.fromkeys(fault_text(fault) for fault in error.faults))
        picture = plain_picture(names, dealer, told.winners, told.giver)
        asked = any(fault.code == "missing" and fault.path.endswith("ready") for fault in error.faults)
        return {"picture": picture, "headline": words[0], "told": None, "refused": words, "asks_ready": asked}
    seen = tell(parse_record({**record, "rules": table.session.rules}), settlement, names, table.preset)
    dealers = next_dealers(settlement.next_dealer_choices, names, sent.choose)
    return {"picture": seen.picture, "headline": seen.headline, "told": seen, "next_dealers": dealers}


def _next_words(told: Declared) -> str:
    if not told.winners:
        return _("Who won?")
    return _("How?") if told.giver is None or (told.giver in told.winners and not told.self_draw) else _("With what?")


def _rows(table: TablePage, offer: Offer, told: Declared) -> dict[str, Any]:
    names = table.names
    who = [Option("w", str(seat), name, seat in told.winners, person=True) for seat, name in enumerate(names)]
    how = [_how(told, seat, name) for seat, name in enumerate(names)]
    return {
        "who": who,
        "how": how,
        "what": [(names[seat], _patterns(offer, told, seat)) for seat in told.winners or (0,)],
        "events": [
            Option("ev", event, event_words(event), chosen=event == ("rob_kong" if told.robbed else told.event))
            for event in declared.events(offer, told)
        ],
        "double": [
            Option(f"kt{seat}", "1", _("%(name)s: both kong tiles") % {"name": names[seat]}, seat in told.kong_tiles)
            for seat in told.winners
            if offer.changsha and offer.kong_tiles == 2 and told.event.startswith("kong")
        ],
        "birds": _birds(offer, told, names) if offer.changsha else [],
        "sides": [] if offer.changsha else _sides(offer, told, names),
        "low": Option("low", "1", _("only the last tile was left in the wall"), told.low)
        if offer.changsha and offer.birds and told.event != "last_tile"
        else None,
        "dead": [
            Option(f"dead{seat}", "1", _("%(name)s made a dice kong without being ready") % {"name": name}, True)
            for seat, name in enumerate(names)
            if seat in told.dead
        ],
        "bets": list(enumerate(zip(names, told.bets, strict=True))) if offer.options.get("fishing") else [],
    }


def _how(told: Declared, seat: Seat, name: str) -> Option:
    wins = seat in told.winners
    words = _("Self-draw") if wins else name
    return Option(
        "by",
        str(seat),
        words,
        told.giver == seat,
        off=wins and len(told.winners) > 1,
        hint="" if wins else _("Deals in"),
        person=not wins,
    )


def _patterns(offer: Offer, told: Declared, seat: Seat) -> list[Option]:
    is_small = seat in told.small and not told.patterns[seat]
    small = Option(f"p{seat}", "small", pattern_name(offer, "small"), is_small)
    return [
        small,
        *(Option(f"p{seat}", name, pattern_name(offer, name), name in told.patterns[seat]) for name in offer.shapes),
    ]


def _birds(offer: Offer, told: Declared, names: tuple[str, ...]) -> list[dict[str, Any]]:
    """One grid a bird, four columns headed by the seat that the numbers point at, the dealer first."""
    if not offer.birds:
        return []
    start = origin(offer.options["bird_origin"], told.dealer, told.winners or (told.dealer,), told.giver)
    order = [seat_of(number, start) for number in range(1, 5)]
    heads = [(names[seat], seat == told.dealer) for seat in order]
    grids = []
    for place in range(declared.bird_room(offer, told)):
        chosen = told.birds[place] if place < len(told.birds) else None
        numbers = [Option("bird", str(number), str(number), number == chosen) for number in range(1, 10)]
        none = Option("bird", "0", _("none"), chosen is None and told.no_bird)
        grids.append({"place": place, "heads": heads, "numbers": numbers, "none": none})
    return grids


def _sides(offer: Offer, told: Declared, names: tuple[str, ...]) -> list[dict[str, Any]]:
    """Wuhan: what each of the four has open, the winner too; hard or soft, ready, the third opening."""
    words = counter_words(offer)
    return [
        {
            "seat": seat,
            "name": name,
            "wins": seat in told.winners,
            "counts": [(field, label, told.counters[seat].get(field, 0)) for field, label in words],
            "soft": seat in told.soft,
            "ready": told.ready[seat],
            "gives": seat == told.giver and seat not in told.winners,
            "asks_third": seat in told.winners and "one_suit" in told.patterns[seat],
            "third": told.third[seat],
            "others": [(other, names[other]) for other in range(4) if other != seat],
        }
        for seat, name in enumerate(names)
    ]

"""Opening a table: four names, a preset, what a point is worth, start."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal, InvalidOperation
from uuid import UUID
from zoneinfo import ZoneInfo

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from mahjong_site.calculator import options as option_fields
from mahjong_site.calculator.fields import read_seat
from mahjong_site.calculator.words import fault_text, own
from mahjong_site.clubs.access import LEAST_ROLE, Action, clubs_of, living_link, rank
from mahjong_site.clubs.models import Club, Player
from mahjong_site.clubs.refusals import Refused
from mahjong_site.ledger.models import Session
from mahjong_site.ledger.services import Terms, open_guest_table, open_session
from mahjong_site.limits.allowances import limited
from mahjong_site.table.visitor import actor, remember, tokens
from scoring import RecordError, all_presets, preset, resolve_rules

CURRENCIES = ("CNY", "HKD", "USD", "EUR")
PRESET_IDS = tuple(one.id for one in all_presets())


@dataclass(frozen=True)
class NewTable:
    """The form as sent."""

    name: str = ""
    rules: str = PRESET_IDS[0]
    options: dict[str, str] = field(default_factory=dict)
    players: tuple[str, str, str, str] = ("", "", "", "")
    point_value: str = "1"
    currency: str = CURRENCIES[0]
    dealer: str = ""
    everybody: bool = False
    club: str = ""

    @classmethod
    def read(cls, sent: QueryDict) -> NewTable:
        """The form's fields; what makes no sense in a choice counts as not given."""
        rules = sent.get("rules", "")
        return cls(
            name=sent.get("name", "").strip(),
            rules=rules if rules in PRESET_IDS else PRESET_IDS[0],
            options={name[2:]: str(sent[name]) for name in sent if name.startswith("o.")},
            players=(sent.get("n0", ""), sent.get("n1", ""), sent.get("n2", ""), sent.get("n3", "")),
            point_value=sent.get("point_value", "1").strip(),
            currency=sent.get("currency", CURRENCIES[0]),
            dealer=sent.get("dealer", ""),
            everybody=sent.get("everybody") == "1",
            club=sent.get("club", ""),
        )

    @property
    def first_dealer(self) -> int | None:
        """The seat that deals first; None: roll for it."""
        return read_seat(self.dealer)


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """The tables this browser knows, and those of the account's clubs: the way back."""
    return render(request, "table/home.html", {"tables": _tables(request), "nav": "table"})


@require_http_methods(["GET", "HEAD", "POST"])
@limited("table")
def new(request: HttpRequest) -> HttpResponse:
    """The form; sent, it opens a guest table, or a session of a club the account keeps."""
    if request.method != "POST":
        return _form(request, NewTable.read(request.GET))
    form = NewTable.read(request.POST)
    try:
        return _open(request, form)
    except (Refused, RecordError) as error:
        return _form(request, form, [fault_text(fault) for fault in error.faults], status=422)


@require_safe
def options(request: HttpRequest) -> HttpResponse:
    """The options of the preset chosen in the form."""
    return render(request, "table/new_options.html", _option_context(NewTable.read(request.GET)))


def _open(request: HttpRequest, form: NewTable) -> HttpResponse:
    rules = {"preset": form.rules, "options": option_fields.chosen(preset(form.rules), form.options)}
    try:
        value = Decimal(form.point_value)
    except InvalidOperation:
        raise Refused.because("bad_point_value", "point_value") from None
    name = form.name or date_format(_today(form), "MONTH_DAY_FORMAT")
    mode = Session.EntryMode.EVERYBODY if form.everybody else Session.EntryMode.SCORER
    terms = Terms(
        name=name,
        rules=rules,
        players=form.players,
        point_value=value,
        currency=form.currency,
        entry_mode=mode,
        first_dealer=form.first_dealer,
    )
    if form.club:
        session = open_session(actor=actor(request), club_id=_uuid(form.club), terms=terms)
        return redirect("table:session", session.id)
    session, _link, token = open_guest_table(terms=terms)
    return remember(request, redirect("table:session", session.id), token)


def _today(form: NewTable) -> date:
    """The day where the table stands: in its club, or, of a table of its own, as its new club has it."""
    club = Club.objects.filter(id=_uuid(form.club)).first() if form.club else Club()
    return timezone.localdate(timezone=ZoneInfo((club or Club()).time_zone))


def _uuid(text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError:
        raise Refused.because("unknown_player", "club") from None


def _form(request: HttpRequest, form: NewTable, faults: list[str] | None = None, status: int = 200) -> HttpResponse:
    keeps = [
        (club, _regulars(club.id))
        for club, role in clubs_of(actor(request))
        if not club.hidden and rank(role) >= rank(LEAST_ROLE[Action.OPEN])
    ]
    context = {
        "form": form,
        "faults": faults or [],
        "presets": [(one.id, own(one)) for one in all_presets()],
        "seats": list(zip(range(4), form.players, (_("Me"), _("Right"), _("Across"), _("Left")), strict=True)),
        "currencies": CURRENCIES,
        "clubs": keeps,
        "nav": "table",
    }
    return render(request, "table/new.html", context | _option_context(form), status=status)


def _regulars(club_id: UUID) -> list[str]:
    """Names to offer while typing."""
    players = Player.objects.filter(club_id=club_id, is_house=False).order_by("created_at")
    return list(players.values_list("name", flat=True)[:60])


def _option_context(form: NewTable) -> dict[str, object]:
    base = preset(form.rules)
    try:
        chosen = resolve_rules({"preset": base.id, "options": option_fields.chosen(base, form.options)})
    except RecordError:
        chosen = resolve_rules(base.id)
    return {"options": option_fields.controls(base, chosen.options), "source": own(base)}


def _tables(request: HttpRequest) -> list[dict[str, object]]:
    """Sessions reachable from here, latest first: through the browser's links, then through clubs."""
    found: dict[UUID, Session] = {}
    who = actor(request)
    for token in tokens(request):
        link = living_link(token)
        if link is not None:
            rows = Session.objects.filter(club_id=link.club_id).select_related("club")
            if link.session_id is not None:
                rows = rows.filter(id=link.session_id)
            found |= {session.id: session for session in rows.order_by("-created_at")[:5]}
    for club, _role in clubs_of(who):
        found |= {
            session.id: session
            for session in Session.objects.filter(club_id=club.id).select_related("club").order_by("-created_at")[:10]
        }
    ordered = sorted(found.values(), key=lambda session: session.created_at, reverse=True)
    return [
        {
            "session": session,
            "preset": own(preset(session.rules["preset"])),
            "day": timezone.localdate(session.created_at, ZoneInfo(session.club.time_zone)),
        }
        for session in ordered
    ]

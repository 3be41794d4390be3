"""What every page of a table begins with: the session, what the visitor may do there, who sits where."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, wraps
from uuid import UUID
from zoneinfo import ZoneInfo

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from mahjong_site.calculator import options
from mahjong_site.calculator.state import Entry
from mahjong_site.clubs.access import Action, Actor, Grant
from mahjong_site.clubs.models import Club, JoinLink, Role
from mahjong_site.ledger.access import access_session, everybody_enters
from mahjong_site.ledger.models import Entry as LedgerEntry
from mahjong_site.ledger.models import Session
from mahjong_site.ledger.selectors import HistoryEntry, Person, Total, entry_at, session_totals
from mahjong_site.table.visitor import actor
from scoring import Preset, preset
from scoring.tiles import Seat


@dataclass(frozen=True)
class TablePage:
    """A session as one visitor sees it."""

    actor: Actor
    session: Session
    grant: Grant
    wrong: HistoryEntry | None = None
    """The hand that is corrected, where one is: who sat there then is who it is about."""

    @classmethod
    def open(cls, request: HttpRequest, session_id: UUID, action: Action = Action.VIEW) -> TablePage:
        """The page, if the visitor may do that in the session. Raises: as `access_session`."""
        who = actor(request)
        session, grant = access_session(who, session_id, action)
        timezone.activate(ZoneInfo(Club.objects.values_list("time_zone", flat=True).get(id=session.club_id)))
        return cls(who, session, grant)

    def correcting(self, seq: int | None) -> TablePage:
        """The page of a correction of that entry; itself where there is none."""
        if seq is None or (self.wrong is not None and self.wrong.seq == seq):
            return self
        return replace(self, wrong=entry_at(actor=self.actor, session_id=self.session.id, seq=seq))

    def may(self, action: Action) -> bool:
        """Whether the visitor's role is enough."""
        return self.grant.may(action, everybody_enters=everybody_enters(self.session))

    @property
    def may_post(self) -> bool:
        """Whether he may enter hands now."""
        return self.session.status == Session.Status.OPEN and self.may(Action.POST)

    @property
    def may_correct(self) -> bool:
        """Whether he may correct and take back hands now."""
        return self.session.status == Session.Status.OPEN and self.may(Action.REVERSE)

    @property
    def may_seat(self) -> bool:
        """Whether he may change seats and who enters, now."""
        return self.session.status == Session.Status.OPEN and self.may(Action.SEAT)

    @property
    def may_close(self) -> bool:
        """Whether he may close it now."""
        return self.session.status == Session.Status.OPEN and self.may(Action.CLOSE)

    @property
    def may_settle(self) -> bool:
        """Whether he may settle up and mark payments."""
        return self.may(Action.SETTLE)

    @property
    def may_reopen(self) -> bool:
        """Whether he may open it again now."""
        return self.session.status == Session.Status.CLOSED and self.may(Action.REOPEN)

    @property
    def may_invite(self) -> bool:
        """Whether he may make and revoke links."""
        return self.may(Action.MANAGE)

    @property
    def preset(self) -> Preset:
        """The rule set played."""
        return preset(self.session.rules["preset"])

    @cached_property
    def totals(self) -> tuple[Total, ...]:
        """Everybody's running totals."""
        return session_totals(actor=self.actor, session_id=self.session.id)

    @cached_property
    def seated(self) -> tuple[Total, Total, Total, Total]:
        """The four who sit there for the next hand, by seat."""
        by_seat = {total.seat: total for total in self.totals if total.seat is not None}
        return by_seat[0], by_seat[1], by_seat[2], by_seat[3]

    @property
    def players(self) -> tuple[Person, ...]:
        """Who plays the hand that is entered, by seat."""
        return self.wrong.players if self.wrong is not None else tuple(total.player for total in self.seated)

    @property
    def names(self) -> tuple[str, str, str, str]:
        """Their names, by seat."""
        one, two, three, four = (player.name for player in self.players)
        return one, two, three, four

    @cached_property
    def unsigned(self) -> frozenset[int]:
        """Entries made through the link that opened a table of friends: it bears the table's name, no person's."""
        club = self.session.club_id
        opened_by = JoinLink.objects.filter(club_id=club, club__hidden=True, role=Role.OWNER, session_id__isnull=True)
        made = LedgerEntry.objects.filter(
            club_id=club, session_id=self.session.id, author_id__in=opened_by.values("id")
        )
        return frozenset(made.values_list("seq", flat=True))

    @property
    def creator_seat(self) -> Seat:
        """Where the one who opened the table sits; 0 once he has left."""
        seats = [player.id for player in self.players]
        return seats.index(self.session.creator_id) if self.session.creator_id in seats else 0

    def fixed(self, entry: Entry, dealer: Seat | None = None) -> Entry:
        """An entry with the facts that the session decides: rules, names, dealer, creator."""
        return entry.with_(
            rules=self.preset.id,
            options=options.fields_of(self.preset, self.session.rules["options"]),
            names=self.names,
            dealer=self.session.dealer if dealer is None else dealer,
            creator=self.creator_seat,
        )


def not_yet(request: HttpRequest, page: TablePage) -> HttpResponse | None:
    """Where to go instead while no hand can be entered: the session is closed, or nobody deals yet."""
    if page.session.status != Session.Status.OPEN:
        messages.error(request, _("This table is closed."))
        return redirect("table:session", page.session.id)
    return redirect("table:dealer", page.session.id) if page.session.dealer is None else None


def next_dealers(choices: Sequence[Seat], names: Sequence[str], chosen: Seat | None) -> list[tuple[Seat, str, bool]]:
    """Who may deal next, and whether he was chosen; nobody where the rule leaves no choice."""
    return [(seat, names[seat], seat == chosen) for seat in choices] if len(choices) > 1 else []


View = Callable[[HttpRequest, UUID], HttpResponse]


def new_key() -> str:
    """A fresh client key: one for every form that posts, so that a double tap posts once."""
    return uuid.uuid4().hex


def posts_only(home: str) -> Callable[[View], View]:
    """For a view that only takes POST: whoever comes back to its address (a reload, the switch of the language) is
    brought to the page ``home`` of the table instead of a dead end."""

    def decorate(view: View) -> View:
        @require_http_methods(["GET", "HEAD", "POST"])
        @wraps(view)
        def posted(request: HttpRequest, session_id: UUID) -> HttpResponse:
            return view(request, session_id) if request.method == "POST" else redirect(home, session_id)

        return posted

    return decorate

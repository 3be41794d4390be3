"""The pages of a club, for those who belong to it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from functools import wraps
from typing import Any, Concatenate, ParamSpec
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from mahjong_site.accounts import services as accounts
from mahjong_site.accounts.views import in_words
from mahjong_site.calculator.words import signed, tone
from mahjong_site.clubs.access import Action, Actor, access_club, clubs_of, living_link
from mahjong_site.clubs.models import Role
from mahjong_site.clubs.refusals import Refused
from mahjong_site.clubs.selectors import ALWAYS, club_links, club_members, club_seasons, season_days
from mahjong_site.clubs.services import clubs, links, members
from mahjong_site.ledger.selectors import club_sessions, leaderboard
from mahjong_site.limits.allowances import limited

LASTS = timedelta(days=7)
SESSIONS = 20
ROLES = {
    Role.VIEWER: gettext_lazy("may look"),
    Role.PLAYER: gettext_lazy("player"),
    Role.SCORER: gettext_lazy("keeps the score"),
    Role.OWNER: gettext_lazy("owner"),
}

P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, UUID, P], HttpResponse]


def _actor(request: HttpRequest) -> Actor:
    return Actor(user_id=request.user.pk)


def _changes(view: View[P]) -> View[P]:
    """A form of the club's page: sent by somebody signed in; refused, the page says why."""

    @wraps(view)
    def answered(request: HttpRequest, club_id: UUID, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        try:
            return view(request, club_id, *args, **kwargs)
        except Refused as refused:
            messages.error(request, in_words(refused))
            return redirect("clubs:club", club_id)

    return login_required(require_POST(answered))


def _role(request: HttpRequest) -> Role:
    """The role of the form. Raises: PermissionDenied: there is no such role."""
    try:
        return Role(request.POST.get("role", ""))
    except ValueError:
        raise PermissionDenied from None


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@limited("table")
def home(request: HttpRequest) -> HttpResponse:
    """The account's clubs; sent, the form makes one."""
    if request.method == "POST":
        try:
            made = clubs.create_club(user_id=int(str(request.user.pk)), name=request.POST.get("name", ""))
        except Refused as refused:
            messages.error(request, in_words(refused))
        else:
            return redirect("clubs:club", made.id)
    mine = [(club, ROLES[role]) for club, role in clubs_of(_actor(request)) if not club.hidden]
    return render(request, "clubs/home.html", {"clubs": mine, "nav": "clubs"})


@login_required
@require_safe
def club(request: HttpRequest, club_id: UUID) -> HttpResponse:
    """The club. ``?season=``: the board of a season."""
    return _page(request, club_id)


def _page(request: HttpRequest, club_id: UUID, **more: Any) -> HttpResponse:
    who = _actor(request)
    found, grant = access_club(who, club_id, Action.VIEW)
    seasons = club_seasons(actor=who, club_id=club_id)
    chosen = next((season for season in seasons if str(season.id) == request.GET.get("season")), None)
    days = season_days(actor=who, club_id=club_id, season_id=chosen.id) if chosen else ALWAYS
    board = leaderboard(actor=who, club_id=club_id, days=days)
    manages = grant.may(Action.MANAGE)
    helped = accounts.helped_members(club_id) if manages else set()
    context = {
        "club": found,
        "role": ROLES[Role(grant.role)],
        "manages": manages,
        "opens": grant.may(Action.OPEN),
        "seasons": seasons,
        "season": chosen,
        "board": board,
        "standings": [(one, signed(one.points), tone(one.points)) for one in board.standings],
        "sessions": club_sessions(actor=who, club_id=club_id, days=days, limit=SESSIONS),
        "members": [
            (member, ROLES[member.role], member.user_id in helped)
            for member in club_members(actor=who, club_id=club_id)
        ],
        "links": [(link, ROLES[link.role]) for link in club_links(actor=who, club_id=club_id)] if manages else [],
        "roles": ROLES.items(),
        "nav": "clubs",
        **more,
    }
    return render(request, "clubs/club.html", context)


@_changes
def set_member(request: HttpRequest, club_id: UUID) -> HttpResponse:
    """Adds an account, or changes a member's role."""
    username = request.POST.get("username", "").replace("\x00", "")
    members.add_member(actor=_actor(request), club_id=club_id, username=username, role=_role(request))
    messages.success(request, _("Saved."))
    return redirect("clubs:club", club_id)


@_changes
def remove_member(request: HttpRequest, club_id: UUID, member_id: UUID) -> HttpResponse:
    """Ends a membership."""
    members.remove_member(actor=_actor(request), club_id=club_id, member_id=member_id)
    messages.success(request, _("No longer a member. What was played stays."))
    return redirect("clubs:club", club_id)


@_changes
@never_cache
def help_member(request: HttpRequest, club_id: UUID, member_id: UUID) -> HttpResponse:
    """Shows a link for a new password, to an owner whom the member has allowed to help."""
    path = accounts.help_member(actor=_actor(request), club_id=club_id, member_id=member_id)
    return _page(request, club_id, reset=request.build_absolute_uri(path))


@_changes
@never_cache
def make_link(request: HttpRequest, club_id: UUID) -> HttpResponse:
    """Makes a join link and shows it, this once."""
    role = _role(request)
    name = request.POST.get("name", "").strip() or str(ROLES[role])
    _link, token = links.create_link(actor=_actor(request), club_id=club_id, role=role, name=name, lasts=LASTS)
    return _page(request, club_id, made=request.build_absolute_uri(reverse("clubs:join", args=[token])))


@_changes
def revoke_link(request: HttpRequest, club_id: UUID, link_id: UUID) -> HttpResponse:
    """Revokes a join link."""
    links.revoke_link(actor=_actor(request), club_id=club_id, link_id=link_id)
    messages.success(request, _("The link works no more."))
    return redirect("clubs:club", club_id)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@limited("join")
def join(request: HttpRequest, token: str) -> HttpResponse:
    """Says which club the link opens; one tap makes the account a member."""
    link = living_link(token)
    if link is None or link.session_id is not None or link.club.hidden:
        raise Http404
    if request.method == "POST":
        member = links.join_by_link(user_id=int(str(request.user.pk)), token=token)
        return redirect("clubs:club", member.club_id)
    return render(request, "clubs/join.html", {"club": link.club, "role": ROLES[Role(link.role)], "nav": "clubs"})

"""Joining a table by a link or its QR code, and making such links."""

from __future__ import annotations

from ipaddress import ip_address
from urllib.parse import urlsplit
from uuid import UUID

import segno
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.http import require_http_methods

from mahjong_site.calculator.words import fault_text
from mahjong_site.clubhouse.views import ROLES
from mahjong_site.clubs.access import Action, living_link
from mahjong_site.clubs.models import JoinLink, Role
from mahjong_site.clubs.refusals import Refused
from mahjong_site.clubs.services.links import create_link, revoke_link
from mahjong_site.ledger.models import Session
from mahjong_site.limits.allowances import limited
from mahjong_site.table.desk import TablePage
from mahjong_site.table.visitor import remember

GUESTS = (Role.VIEWER, Role.PLAYER, Role.SCORER)
"""What a link to one table may make of a guest."""


@require_http_methods(["GET", "HEAD", "POST"])
@limited("join")
def join(request: HttpRequest, token: str) -> HttpResponse:
    """Says what the link opens; one tap keeps it in this browser."""
    link = living_link(token)
    if link is None:
        raise Http404
    session = _session_of(link)
    if session is None:
        raise Http404
    if request.method == "POST":
        return remember(request, redirect("table:session", session.id), token)
    context = {"link": link, "session": session, "role": ROLES[Role(link.role)], "nav": "table"}
    return render(request, "table/join.html", context)


def _session_of(link: JoinLink) -> Session | None:
    """The link's session; of a whole club's link the latest."""
    rows = Session.objects.filter(club_id=link.club_id)
    if link.session_id is not None:
        rows = rows.filter(id=link.session_id)
    return rows.order_by("-created_at").first()


@require_http_methods(["GET", "HEAD", "POST"])
def invite(request: HttpRequest, session_id: UUID) -> HttpResponse:
    """Links to this session, by role. A new one is shown this once, as text and as a QR code."""
    page = TablePage.open(request, session_id, Action.MANAGE)
    made: tuple[str, SafeString] | None = None
    if request.method == "POST":
        try:
            made = _change(request, page)
        except Refused as error:
            for fault in error.faults:
                messages.error(request, fault_text(fault))
        if made is None:
            return redirect("table:invite", session_id)
    links = JoinLink.objects.filter(
        club_id=page.session.club_id, session_id=session_id, revoked_at__isnull=True
    ).order_by("-created_at")
    context = {
        "page": page,
        "session": page.session,
        "links": [(link, ROLES[Role(link.role)]) for link in links],
        "roles": [(role.value, ROLES[role]) for role in GUESTS],
        "made": made,
        "only_here": _only_here(request),
        "everybody": page.session.entry_mode == Session.EntryMode.EVERYBODY,
        "nav": "table",
    }
    return render(request, "table/invite.html", context)


def _change(request: HttpRequest, page: TablePage) -> tuple[str, SafeString] | None:
    if revoked := request.POST.get("revoke"):
        try:
            link_id = UUID(revoked)
        except ValueError:
            raise Refused.because("unknown_link", "revoke") from None
        revoke_link(actor=page.actor, club_id=page.session.club_id, link_id=link_id)
        return None
    role = request.POST.get("role", "")
    if role not in GUESTS:
        return None
    _link, token = create_link(
        actor=page.actor,
        club_id=page.session.club_id,
        role=Role(role),
        name=request.POST.get("name", ""),
        session_id=page.session.id,
    )
    address = request.build_absolute_uri(reverse("table:join", args=[token]))
    return address, qr(address)


def _only_here(request: HttpRequest) -> bool:
    """Whether this machine alone can open the address the site is asked under."""
    host = urlsplit(f"//{request.get_host()}").hostname or ""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def qr(text: str) -> SafeString:
    """A QR code as inline SVG without styles, dark on white."""
    code = segno.make(text, error="m")
    return mark_safe(code.svg_inline(scale=5, border=3, dark="#000", light="#fff", omitsize=True))  # noqa: S308 - segno's own SVG, the text is not in it

"""The account page: password, tokens, clubs, who may help."""

from __future__ import annotations

import contextlib
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from mahjong_site.accounts import services
from mahjong_site.accounts.forms import TokenForm
from mahjong_site.clubs.access import Actor, clubs_of
from mahjong_site.clubs.refusals import Refused
from mahjong_site.clubs.services.clubs import claim_guest_table


def _page(request: HttpRequest, form: TokenForm, *, status: int = 200, **more: Any) -> HttpResponse:
    user_id = _user_id(request)
    trusted = services.trusted_clubs_of(user_id)
    clubs = [(club, club.id in trusted) for club, _role in clubs_of(Actor(user_id)) if not club.hidden]
    context = {"tokens": services.tokens_of(user_id), "clubs": clubs, "token_form": form, "nav": "account", **more}
    return render(request, "account/page.html", context, status=status)


@login_required
@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """The account page."""
    return _page(request, TokenForm())


@login_required
@require_POST
@never_cache
def make_token(request: HttpRequest) -> HttpResponse:
    """Makes a token and shows it, this once."""
    form = TokenForm(request.POST)
    if not form.is_valid():
        return _page(request, form, status=422)
    try:
        _token, text = services.make_token(user=request.user, **form.cleaned_data)  # type: ignore[arg-type]
    except Refused as refused:
        form.add_error("name", in_words(refused))
        return _page(request, form, status=422)
    except PermissionDenied:
        form.add_error(None, _("Revoke one first: an account has at most %(most)d.") % {"most": services.MOST_TOKENS})
        return _page(request, form, status=422)
    return _page(request, TokenForm(), made=text)


@login_required
@require_POST
def revoke_token(request: HttpRequest, public_id: str) -> HttpResponse:
    """Ends a token."""
    services.revoke_token(user_id=_user_id(request), public_id=public_id)
    messages.success(request, _("The token works no more."))
    return redirect("account")


@login_required
@require_POST
def trusted_clubs(request: HttpRequest) -> HttpResponse:
    """Keeps which clubs may help with a forgotten password."""
    chosen = set()
    for text in request.POST.getlist("club"):
        with contextlib.suppress(ValueError):
            chosen.add(UUID(text))
    services.choose_trusted_clubs(user_id=_user_id(request), club_ids=chosen)
    messages.success(request, _("Saved."))
    return redirect("account")


@login_required
@require_POST
def claim(request: HttpRequest) -> HttpResponse:
    """Links a guest table to the account by the table's owner link."""
    token = request.POST.get("link", "").strip().rstrip("/").rsplit("/", 1)[-1]
    try:
        claim_guest_table(user_id=_user_id(request), token=token)
    except Refused as refused:
        messages.error(request, in_words(refused))
    else:
        messages.success(request, _("The table is yours now."))
    return redirect("account")


def in_words(refused: Refused) -> str:
    """Why, in the language of the page."""
    chinese = (get_language() or "zh").startswith("zh")
    return "; ".join(fault.message_zh if chinese else fault.message for fault in refused.faults)


def _user_id(request: HttpRequest) -> int:
    return int(str(request.user.pk))

"""The hand entry as a page, its live result, and the choice of light or dark."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST, require_safe

from scoring import all_presets

from . import state
from .page import Config, entry_context, result_context

THEMES = ("auto", "dark", "light")
YEAR = 365 * 24 * 3600


def _config() -> Config:
    return Config(page_url=reverse("calculator:hand"), result_url=reverse("calculator:result"))


def _entry(request: HttpRequest) -> state.Entry:
    return state.read(request.GET, presets=tuple(preset.id for preset in all_presets()))


@require_safe
def hand(request: HttpRequest) -> HttpResponse:
    """The whole page. Its address carries the hand, so it works without JavaScript and can be shared."""
    return render(request, "calculator/hand.html", entry_context(_entry(request), _config()) | {"nav": "hand"})


@require_safe
def result(request: HttpRequest) -> HttpResponse:
    """What changed with the last tap: the parts of the page that depend on the entry."""
    return render(request, "entry/result.html", result_context(_entry(request), _config()))


@require_POST
def theme(request: HttpRequest) -> HttpResponse:
    """Keeps light, dark or the system's choice in a cookie; without a value, the next of the three."""
    now = request.COOKIES.get("theme", "auto")
    wanted = request.POST.get("theme", "")
    if wanted not in THEMES:
        wanted = THEMES[(THEMES.index(now) + 1) % len(THEMES)] if now in THEMES else "dark"
    back = request.POST.get("next", "")
    if not url_has_allowed_host_and_scheme(back, {request.get_host()}, require_https=request.is_secure()):
        back = "/"
    response = redirect(back)
    response.set_cookie("theme", wanted, max_age=YEAR, samesite="Lax", secure=request.is_secure())
    return response

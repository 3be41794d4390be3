"""Allowances by name, one for each who asks, be it a token, an account or an address; shared by pages and API."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, wraps
from typing import Any, Concatenate, ParamSpec, TypeAlias

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from mahjong_site.limits.rates import Rate, take

P = ParamSpec("P")
View: TypeAlias = Callable[Concatenate[HttpRequest, P], HttpResponse]
READING = {"GET", "HEAD", "OPTIONS"}


@cache
def rate_of(scope: str) -> Rate:
    """The rate of an allowance, from ``settings.API_RATES``."""
    return Rate.parse(settings.API_RATES[scope])


def take_for(request: Any, scope: str) -> int:
    """Takes one from the allowance of who asks: 0, or the seconds until there is one again.

    ``request``: Django's, or one of the REST framework with what it was authenticated by.
    """
    return take(f"{scope}:{_who(request)}", rate_of(scope))


def limited(scope: str | Callable[[HttpRequest], str], *, reading: bool = False) -> Callable[[View[P]], View[P]]:
    """For a page whose forms take from an allowance; looking at it is free, unless ``reading`` takes too.

    ``scope`` may depend on what is asked. Used up: 429, and when to come again.
    """

    def decorate(view: View[P]) -> View[P]:
        @wraps(view)
        def asked(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
            free = request.method in READING and not reading
            name = scope if isinstance(scope, str) else scope(request)
            seconds = 0 if free else take_for(request, name)
            if not seconds:
                return view(request, *args, **kwargs)
            refused = render(request, "429.html", status=429)
            refused["Retry-After"] = str(seconds)
            return refused

        return asked

    return decorate


def _who(request: Any) -> str:
    if token := getattr(getattr(request, "auth", None), "public_id", None):
        return f"token:{token}"
    if request.user.is_authenticated:
        return f"user:{request.user.pk}"
    return f"address:{request.META.get('REMOTE_ADDR', '')}"

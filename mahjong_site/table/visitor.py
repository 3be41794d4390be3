"""Who looks at a table: an account, or the links this browser has opened, or both.

The tokens of opened links are kept in one signed cookie, the latest first, so that a phone stays at its tables.
"""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse

from mahjong_site.clubs.access import Actor

COOKIE = "tables"
MOST = 24
YEAR = 365 * 24 * 3600
_SEPARATOR = ","


def tokens(request: HttpRequest) -> tuple[str, ...]:
    """The tokens of the links this browser has opened."""
    kept = request.get_signed_cookie(COOKIE, default="", salt=COOKIE) or ""
    return tuple(token for token in kept.split(_SEPARATOR) if token)


def actor(request: HttpRequest) -> Actor:
    """Who asks."""
    return Actor(user_id=request.user.pk if request.user.is_authenticated else None, tokens=tokens(request))


def remember(request: HttpRequest, response: HttpResponse, token: str) -> HttpResponse:
    """The response, which keeps one more link in this browser."""
    kept = dict.fromkeys((token, *tokens(request)))
    response.set_signed_cookie(
        COOKIE,
        _SEPARATOR.join([*kept][:MOST]),
        salt=COOKIE,
        max_age=YEAR,
        httponly=True,
        samesite="Lax",
        secure=request.is_secure(),
    )
    return response

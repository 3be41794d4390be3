"""Throttling: an allowance for each endpoint and each who asks, be it a token, an account or an address."""

from __future__ import annotations

from functools import cache

from django.conf import settings
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle
from rest_framework.views import APIView

from mahjong_site.accounts.authentication import LinkToken
from mahjong_site.accounts.models import ApiToken
from mahjong_site.limits.rates import Rate, take


@cache
def rate_of(scope: str) -> Rate:
    """The rate of an endpoint's ``rate``, from ``settings.API_RATES``."""
    return Rate.parse(settings.API_RATES[scope])


class Throttle(BaseThrottle):
    """Counts in PostgreSQL (`mahjong_site.limits`)."""

    def allow_request(self, request: Request, view: APIView) -> bool:
        """Whether there is one left for the view's attribute ``rate``."""
        scope = view.rate  # type: ignore[attr-defined]
        self.seconds = take(f"api:{scope}:{_who(request)}", rate_of(scope))
        return not self.seconds

    def wait(self) -> float:
        """Seconds until there is one again."""
        return self.seconds


def _who(request: Request) -> str:
    if isinstance(request.auth, ApiToken | LinkToken):
        return f"token:{request.auth.public_id}"
    if request.user.is_authenticated:
        return f"user:{request.user.pk}"
    return f"address:{request.META.get('REMOTE_ADDR', '')}"

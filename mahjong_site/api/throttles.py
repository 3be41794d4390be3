"""Throttling: an allowance for each endpoint and each who asks (`mahjong_site.limits`)."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle
from rest_framework.views import APIView

from mahjong_site.limits.allowances import take_for


class Throttle(BaseThrottle):
    """Counts in PostgreSQL, together with the pages."""

    def allow_request(self, request: Request, view: APIView) -> bool:
        """Whether there is one left for the view's attribute ``rate``."""
        self.seconds = take_for(request, view.rate)  # type: ignore[attr-defined]
        return not self.seconds

    def wait(self) -> float:
        """Seconds until there is one again."""
        return self.seconds

"""Figures for Prometheus: requests by view, how long they take, what is being answered."""

from __future__ import annotations

import ipaddress
from typing import Final

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.crypto import constant_time_compare
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST, Counter, Gauge, Histogram, generate_latest

REQUESTS: Final = Counter("paizhang_requests_total", "Requests answered.", ["method", "view", "status"])
SECONDS: Final = Histogram(
    "paizhang_request_seconds",
    "Seconds until an answer begins.",
    ["view"],
    buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.25, 0.5, 1, 2.5, 10),
)
IN_FLIGHT: Final = Gauge("paizhang_requests_in_flight", "Requests being answered.")


@require_safe
@never_cache
def metrics(request: HttpRequest) -> HttpResponse:
    """This process's figures: for this machine, or with ``PAIZHANG_METRICS_TOKEN`` as a bearer token.

    Raises:
        Http404: for anybody else.
    """
    if not _may_see(request):
        raise Http404
    return HttpResponse(generate_latest(), content_type=CONTENT_TYPE_LATEST)


def _may_see(request: HttpRequest) -> bool:
    token: str = settings.METRICS_TOKEN
    if token:
        return constant_time_compare(request.headers.get("Authorization", ""), f"Bearer {token}")
    try:
        return ipaddress.ip_address(request.META.get("REMOTE_ADDR", "")).is_loopback
    except ValueError:
        return False

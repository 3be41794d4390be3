"""Every request: an id, a line in the log, its place in the figures."""

from __future__ import annotations

import logging
import re
import time
import uuid
from collections.abc import Callable
from typing import Final

from django.http import HttpRequest
from django.http.response import HttpResponseBase

from mahjong_site.observability.logs import request_id
from mahjong_site.observability.metrics import IN_FLIGHT, REQUESTS, SECONDS

logger = logging.getLogger("paizhang.requests")

HEADER: Final = "X-Request-ID"
_ID: Final = re.compile(r"[A-Za-z0-9._-]{1,64}", re.ASCII)
_METHODS: Final = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}


class Observed:
    """First of all middleware. A proxy's ``X-Request-ID`` is kept, so that its log and ours can be read together."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """The answer, with the request's id."""
        began = _begin(request)
        with IN_FLIGHT.track_inprogress():
            response = self.get_response(request)
        return _end(request, response, began)


def _begin(request: HttpRequest) -> float:
    given = request.headers.get(HEADER, "")
    request_id.set(given if _ID.fullmatch(given) else uuid.uuid4().hex)
    return time.perf_counter()


def _end(request: HttpRequest, response: HttpResponseBase, began: float) -> HttpResponseBase:
    took = time.perf_counter() - began
    match = request.resolver_match
    view = match.view_name if match and match.view_name else "none"
    # Methods and views are few; what a stranger makes up must not become a label.
    method = request.method if request.method in _METHODS else "other"
    REQUESTS.labels(method, view, response.status_code).inc()
    SECONDS.labels(view).observe(took)
    response[HEADER] = request_id.get()
    told = {
        "method": method,
        "path": request.path,
        "status": response.status_code,
        "milliseconds": round(took * 1000, 1),
    }
    logger.info("%s %s", method, view, extra=told)
    return response

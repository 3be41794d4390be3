"""Errors as answers: RFC 9457 problems with the contract's ``errors``, in the language asked for."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from django.core.exceptions import PermissionDenied
from django.db import InterfaceError, OperationalError
from django.http import Http404, HttpResponse
from django.utils.translation import gettext_lazy as _
from psycopg_pool import PoolTimeout
from pydantic import ValidationError
from pydantic_core import to_json
from rest_framework import exceptions

from mahjong_site.clubs.refusals import Refused
from scoring import RecordError
from scoring.reading import faults_of

CONTENT_TYPE = "application/problem+json"
TYPES = "/api/v1/docs/#problem-"

logger = logging.getLogger(__name__)


class Kind(NamedTuple):
    """A kind of problem: its status, and its title in the language asked for."""

    status: int
    title: Any


KINDS: Mapping[str, Kind] = MappingProxyType(
    {
        "malformed": Kind(400, _("The request is malformed.")),
        "unauthenticated": Kind(401, _("This needs a token or a browser session.")),
        "forbidden": Kind(403, _("Your role does not allow this.")),
        "not-found": Kind(404, _("There is no such thing here, or it is not yours to see.")),
        "method-not-allowed": Kind(405, _("This address does not answer that method.")),
        "conflict": Kind(409, _("Somebody else was faster.")),
        "too-large": Kind(413, _("The request is too large.")),
        "unsupported-media-type": Kind(415, _("The body has to be JSON.")),
        "refused": Kind(422, _("The rules refuse this.")),
        "key-reused": Kind(422, _("This Idempotency-Key belongs to another request.")),
        "too-many-requests": Kind(429, _("Too many requests; see Retry-After.")),
        "internal": Kind(500, _("Something went wrong here.")),
        "unavailable": Kind(503, _("The database is busy; see Retry-After.")),
    }
)
"""Every kind of problem by the last part of its ``type``."""

MALFORMED = frozenset({"invalid", "bad_tile"})
"""Codes of the contract that make a request malformed (400) rather than refused (422)."""

MISSING = frozenset(
    {
        ("unknown_entry", "seq"),
        ("unknown_link", "link_id"),
        ("unknown_member", "member_id"),
        ("unknown_player", "player_id"),
    }
)
"""Refusals that say that what the address names is not there."""

RETRY_SOON = "1"


class TooLarge(Exception):
    """A body with more than ``limit`` of ``unit``."""

    def __init__(self, limit: int, unit: str = "bytes") -> None:
        self.limit, self.unit = limit, unit
        super().__init__(f"more than {limit} {unit}")


def problem(
    kind: str, *, errors: Iterable[Mapping[str, Any]] = (), headers: Mapping[str, str] | None = None, **members: Any
) -> HttpResponse:
    """The answer of a problem; ``members`` are extension members of its own."""
    status, title = KINDS[kind]
    body: dict[str, Any] = {"type": TYPES + kind, "title": str(title), "status": status}
    if listed := list(errors):
        body["errors"] = listed
    return HttpResponse(to_json(body | members), status=status, content_type=CONTENT_TYPE, headers=headers)


def faulty(errors: list[dict[str, Any]], **members: Any) -> HttpResponse:
    """400 where a fault makes the request malformed, else 422."""
    malformed = any(error["code"] in MALFORMED for error in errors)
    return problem("malformed" if malformed else "refused", errors=errors, **members)


def answer_to(error: Exception, context: Mapping[str, Any]) -> HttpResponse | None:
    """DRF's exception handler: every exception of a view becomes a problem."""
    match error:
        case Refused() if MISSING.intersection((fault.code, fault.path) for fault in error.faults):
            return problem("not-found")
        case Refused() if error.faults[0].code == "session_busy":
            return problem("unavailable", errors=error.to_json()["errors"], headers={"Retry-After": RETRY_SOON})
        case RecordError() | Refused():
            return faulty(error.to_json()["errors"])
        case ValidationError():
            return faulty([one.to_json() for one in faults_of(error)])
        case TooLarge():
            return problem("too-large", limit=error.limit, unit=error.unit)
        case Http404() | exceptions.NotFound():
            return problem("not-found")
        case exceptions.NotAuthenticated() | exceptions.AuthenticationFailed():
            return problem("unauthenticated", headers={"WWW-Authenticate": "Token"})
        case PermissionDenied() | exceptions.PermissionDenied():
            return problem("forbidden")
        case exceptions.MethodNotAllowed():
            return problem("method-not-allowed")
        case exceptions.UnsupportedMediaType():
            return problem("unsupported-media-type")
        case exceptions.Throttled():
            return problem("too-many-requests", headers={"Retry-After": str(int(getattr(error, "wait", None) or 1))})
        case OperationalError() | InterfaceError() | PoolTimeout():
            logger.warning("database: %s", error)
            return problem("unavailable", headers={"Retry-After": RETRY_SOON})
    logger.exception("unexpected error", exc_info=error)
    return problem("internal")

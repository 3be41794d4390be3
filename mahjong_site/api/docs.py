"""The documentation page, Swagger UI and the OpenAPI document."""

from __future__ import annotations

from functools import cache
from typing import Any

import yaml
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import translation
from django.views.decorators.http import require_safe
from drf_spectacular.generators import SchemaGenerator
from pydantic_core import to_json

from mahjong_site.api.events import STREAMS_EACH
from mahjong_site.api.problems import KINDS
from mahjong_site.ledger.services.desk import MOST_ENTRIES


@cache
def document() -> dict[str, Any]:
    """The OpenAPI document."""
    with translation.override("en"):
        found: dict[str, Any] = SchemaGenerator().get_schema(request=None, public=True)
    return found


@cache
def document_json() -> bytes:
    """The document as JSON."""
    return to_json(document(), indent=1)


def document_yaml() -> str:
    """The document as YAML, as it is committed in ``openapi.yaml``."""
    return yaml.safe_dump(yaml.safe_load(document_json()), allow_unicode=True, sort_keys=False, width=120)


@require_safe
def openapi(request: HttpRequest) -> HttpResponse:
    """The OpenAPI document."""
    return HttpResponse(document_json(), content_type="application/json")


@require_safe
def swagger(request: HttpRequest) -> HttpResponse:
    """Swagger UI, from this site alone."""
    return render(request, "api/swagger.html")


@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """How to use the API."""
    context = {
        "kinds": KINDS,
        "rates": settings.API_RATES,
        "streams": STREAMS_EACH,
        "entries": f"{MOST_ENTRIES:,}",
        "site": request.build_absolute_uri("/").rstrip("/"),
        "nav": "api",
    }
    return render(request, "api/docs.html", context)

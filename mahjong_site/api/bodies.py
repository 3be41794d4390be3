"""Bodies in and out: raw JSON, so that the engine's models parse it once, and answers with ETags."""

from __future__ import annotations

import hashlib
from typing import Any, Final, TypeVar

from django.http import HttpRequest, HttpResponse, QueryDict
from django.utils.cache import get_conditional_response, patch_vary_headers
from pydantic import BaseModel
from pydantic_core import to_json
from rest_framework.exceptions import UnsupportedMediaType
from rest_framework.request import Request

from mahjong_site.api.problems import TooLarge
from scoring.faults import RecordError, fault
from scoring.reading import MAX_BYTES, read_json

M = TypeVar("M", bound=BaseModel)

JSON: Final = "application/json"
NDJSON: Final = "application/x-ndjson"


def body(request: Request, media_type: str = JSON, *, limit: int = MAX_BYTES) -> bytes:
    """The bytes of the body. DRF's parsers stay out of it: they take a chunked body for an empty one.

    Raises:
        rest_framework.exceptions.UnsupportedMediaType: it is of another type.
        TooLarge: it has more than ``limit`` bytes.
    """
    if content_type(request) != media_type:
        raise UnsupportedMediaType(request.content_type)
    data: bytes = stream(request).read(limit + 1)
    if len(data) > limit:
        raise TooLarge(limit)
    return data


def content_type(request: Request) -> str:
    """The media type of the body, without parameters."""
    return (request.content_type or "").split(";")[0].strip().lower()


def stream(request: Request) -> HttpRequest:
    """The body as a file, which can be read once."""
    return request._request


def told(request: Request, model: type[M]) -> M:
    """The body as a model.

    Raises:
        RecordError: it is no strict JSON (a name that stands twice would be settled one way or the other).
        pydantic.ValidationError: it is no such model.
    """
    data = body(request)
    read_json(data)
    return model.model_validate_json(data)


def asked(request: Request, model: type[M]) -> M:
    """The query parameters as a model; a list where the model has one.

    Raises:
        pydantic.ValidationError: a parameter is missing, unknown or out of range.
        RecordError: one that is no list is given twice.
    """
    query: QueryDict = request.query_params
    many = {name for name, field in model.model_fields.items() if getattr(field.annotation, "__origin__", None) is list}
    twice = [name for name in query if name not in many and len(query.getlist(name)) > 1]
    if twice:
        raise RecordError([fault("invalid", "value", name, en="given twice") for name in twice])
    return model.model_validate({name: query.getlist(name) if name in many else query[name] for name in query})


def answer(request: HttpRequest | Request, value: Any, *, status: int = 200) -> HttpResponse:
    """The JSON of a value, or the bytes of one; 304 where the reader has it already."""
    text = value if isinstance(value, bytes) else to_json(value, by_alias=True)
    response = HttpResponse(text, status=status, content_type=JSON)
    if request.method not in ("GET", "HEAD"):
        return response
    etag = f'"{hashlib.blake2b(text, digest_size=16).hexdigest()}"'
    response["ETag"] = etag
    response["Cache-Control"] = "no-cache, private"
    patch_vary_headers(response, ["Authorization", "Cookie"])
    return get_conditional_response(request, etag=etag, response=response) or response

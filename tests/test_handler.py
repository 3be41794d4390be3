"""Answering under ASGI: one thread a request, streams piece by piece."""

from __future__ import annotations

import asyncio
import io
import threading
import urllib.request
import warnings
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

import pytest
from django.core.handlers.asgi import ASGIRequest
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.urls import path

from mahjong_site.handler import OneThread
from tests.conftest import LiveServer

Answer = TypeVar("Answer")


def answer(coroutine: Coroutine[Any, Any, Answer]) -> Answer:
    """What a coroutine returns; in a thread of its own, since this one may be the loop of a browser."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, coroutine).result()


SEEN: list[threading.Thread] = []


def middleware(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Notes the thread."""

    def answered(request: HttpRequest) -> HttpResponse:
        SEEN.append(threading.current_thread())
        return get_response(request)

    return answered


def view(request: HttpRequest) -> HttpResponse:
    """Notes the thread."""
    SEEN.append(threading.current_thread())
    return HttpResponse()


urlpatterns = [path("", view)]


def test_one_thread_from_the_first_middleware_to_the_view(settings: Any) -> None:
    SEEN.clear()
    own = f"{__name__}.middleware"
    settings.MIDDLEWARE, settings.ROOT_URLCONF = [own, *settings.MIDDLEWARE, own], __name__
    scope = {"type": "http", "method": "GET", "path": "/", "headers": [(b"host", b"localhost")]}
    response = answer(OneThread().get_response_async(ASGIRequest(scope, io.BytesIO())))
    assert response.status_code == 200
    assert len(SEEN) == 3
    assert len(set(SEEN)) == 1


def test_a_plain_iterator_is_sent_as_it_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []

    def pieces() -> Iterator[bytes]:
        for number in range(3):
            made.append(number)
            yield b"%d" % number

    async def ask() -> tuple[bytes, list[int], bytes]:
        handler = OneThread()
        monkeypatch.setattr(handler, "get_response", lambda request: StreamingHttpResponse(pieces()))
        response = await handler.get_response_async(HttpRequest())
        stream: AsyncIterator[bytes] = aiter(response)  # type: ignore[arg-type]
        return await anext(stream), list(made), b"".join([piece async for piece in stream])

    assert answer(ask()) == (b"0", [0], b"12")


def test_files_are_streamed(live_site: LiveServer) -> None:
    file = next(Path("static/css").glob("*.css"))
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        with urllib.request.urlopen(f"{live_site.url}/static/css/{file.name}") as response:  # noqa: S310 - http
            assert response.read() == file.read_bytes()
    assert [str(one.message) for one in warned if "StreamingHttpResponse" in str(one.message)] == []

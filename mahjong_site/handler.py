"""How a request is answered under ASGI: in one thread, from the first middleware to the view."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

from asgiref.sync import sync_to_async
from django.core.handlers.asgi import ASGIHandler
from django.http import HttpRequest
from django.http.response import HttpResponseBase, StreamingHttpResponse


class OneThread(ASGIHandler):
    """Django's handler for middleware and views that are all synchronous.

    Its own would change threads on the way in and out of each of them, which costs more than what they do.
    """

    def load_middleware(self, is_async: bool = False) -> None:
        """A synchronous chain."""
        super().load_middleware(is_async=False)

    async def get_response_async(self, request: HttpRequest) -> HttpResponseBase:
        """What the chain answers; of a stream that is a plain iterator no more than a piece is held."""
        response: HttpResponseBase = await sync_to_async(self.get_response)(request)
        if isinstance(response, StreamingHttpResponse) and not response.is_async:
            response.streaming_content = _piecewise(iter(response))
        return response


async def _piecewise(content: Iterator[bytes]) -> AsyncIterator[bytes]:
    following = sync_to_async(lambda: next(content, None))
    while (piece := await following()) is not None:
        yield piece

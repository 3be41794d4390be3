"""Bodies too large are refused while they come in, before Django keeps them on disk."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from typing import Any, Final

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Any, Any, Any], Awaitable[None]]

MIB: Final = 1024 * 1024
MOST: Final = 2 * MIB
MOST_AT: Final[Mapping[str, int]] = {"/api/v1/score/batch": 64 * MIB}
"""Bytes of a body, for any address and for those that take more."""


class _TooLarge(Exception):
    pass


def bounded(application: Application) -> Application:
    """The application, which is not told of bodies above the limit of their address: they are answered with 413."""

    async def limited(scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await application(scope, receive, send)
            return
        most = MOST_AT.get(scope["path"], MOST)
        if _announced(scope) > most:
            await _refuse(send, most)
            return
        left = most

        async def counted() -> Message:
            nonlocal left
            message = await receive()
            left -= len(message.get("body", b""))
            if left < 0:
                raise _TooLarge
            return message

        try:
            await application(scope, counted, send)
        except _TooLarge:
            await _refuse(send, most)

    return limited


def _announced(scope: Mapping[str, Any]) -> int:
    for name, value in scope["headers"]:
        if name == b"content-length" and value.isdigit():
            return int(value)
    return 0


async def _refuse(send: Send, most: int) -> None:
    problem = {
        "type": "/api/v1/docs/#problem-too-large",
        "title": f"请求太大。The request is larger than {most} bytes.",
        "status": 413,
        "limit": most,
        "unit": "bytes",
    }
    headers = [(b"content-type", b"application/problem+json"), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": 413, "headers": headers})
    await send({"type": "http.response.body", "body": json.dumps(problem, ensure_ascii=False).encode()})

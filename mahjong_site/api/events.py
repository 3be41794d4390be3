"""Server-sent events: what happens in a session, as it happens."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any, Final
from uuid import UUID

from asgiref.sync import sync_to_async
from django.core.exceptions import PermissionDenied
from django.db import DatabaseError, connection
from django.http import Http404, HttpResponse, StreamingHttpResponse
from rest_framework.exceptions import Throttled
from rest_framework.request import Request

from mahjong_site.accounts.authentication import LinkToken
from mahjong_site.api.people import LedgerEndpoint, actor
from mahjong_site.api.schema import described
from mahjong_site.clubs.access import Action, Actor
from mahjong_site.ledger.access import access_session
from mahjong_site.ledger.listening import Slots, hub
from scoring.faults import RecordError, fault

PING: Final = 15.0
"""Seconds between signs of life; with each, whether the reader may still see the session is asked again."""
MOST_CAUGHT_UP: Final = 1_000
"""Entries told one by one to who comes back; of more, the last only."""
STREAMS_EACH: Final = 8

slots = Slots(STREAMS_EACH)


class Events(LedgerEndpoint):
    """The events of a session."""

    rate = "streams"

    @described("events", zh="实时事件", tag="entries", media={"text/event-stream": {"type": "string"}})
    def get(self, request: Request, session_id: UUID) -> HttpResponse | StreamingHttpResponse:
        """Streams what happens: `entry` with its `seq` as id, `seats`, `status`. Fetch what you need to know of it.

        With `Last-Event-ID` entries posted since then are told first. A comment every 15 seconds is a sign of life.
        """
        who = actor(request)
        session, _ = access_session(who, session_id, Action.VIEW)
        last = _last_seen(request)
        slot = slots.take(_person(request))
        if slot is None:
            raise Throttled(wait=PING)
        # The pool's connection goes back now, not when the stream ends.
        if not connection.in_atomic_block:
            connection.close()
        stream = _stream(who, session_id, session.seq if last is None else min(last, session.seq), slot)
        headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
        return StreamingHttpResponse(stream, content_type="text/event-stream; charset=utf-8", headers=headers)


def _person(request: Request) -> str:
    return request.auth.public_id if isinstance(request.auth, LinkToken) else f"user:{request.user.pk}"


def _last_seen(request: Request) -> int | None:
    text = request.headers.get("Last-Event-ID", "")
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 11):
        raise RecordError([fault("invalid", "value", "Last-Event-ID", en="not an id of these events")])
    return int(text)


async def _stream(who: Actor, session_id: UUID, last: int, slot: int) -> AsyncIterator[bytes]:
    try:
        async with hub().subscribed(session_id) as queue:
            yield b"retry: 2000\n\n"
            told: dict[str, Any] = {"what": "unknown"}
            while True:
                if told["what"] in ("ping", "unknown"):
                    now = await _seq_now(who, session_id)
                    if now is None:
                        return
                else:
                    now = told["seq"]
                for seq in range(max(last, now - MOST_CAUGHT_UP) + 1, now + 1):
                    yield _event("entry", seq, seq)
                last = max(last, now)
                if told["what"] in ("seats", "status"):
                    yield _event(told["what"], now)
                try:
                    told = await asyncio.wait_for(queue.get(), PING)
                except TimeoutError:
                    told = {"what": "ping"}
                    yield b": still here\n\n"
    finally:
        await asyncio.shield(sync_to_async(slots.give_back, thread_sensitive=False)(slot))


def _event(what: str, seq: int, event_id: int | None = None) -> bytes:
    head = f"id: {event_id}\n" if event_id is not None else ""
    return f"{head}event: {what}\ndata: {json.dumps({'seq': seq})}\n\n".encode()


async def _seq_now(who: Actor, session_id: UUID) -> int | None:
    """The sequence of the last entry; None where the session may not be seen any more."""
    return await sync_to_async(_ask_seq, thread_sensitive=False)(who, session_id)


def _ask_seq(who: Actor, session_id: UUID) -> int | None:
    try:
        session, _ = access_session(who, session_id, Action.VIEW)
        return session.seq
    except (Http404, PermissionDenied, DatabaseError):
        return None
    finally:
        connection.close()

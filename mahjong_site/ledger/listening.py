"""What `mahjong_site.ledger.notify` announces, heard once a process and handed to everybody who listens there.

One connection LISTENs for as long as anybody does. When it breaks, whoever listens is told to look again, as something
may have gone unheard. Who keeps a stream open holds a *slot*, an advisory lock, so that all processes count together
and a process that dies gives its slots back.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
import logging
import threading
from collections.abc import AsyncIterator
from typing import Any, Final
from uuid import UUID

import psycopg
from django.db import connections

from mahjong_site.ledger.notify import CHANNEL

logger = logging.getLogger(__name__)

AGAIN: Final = 1.0
"""Seconds until a broken connection is made again."""
QUEUE: Final = 256
"""Messages that may wait for a slow listener; when there are more, he is told to look again instead."""

LOOK_AGAIN: Final[dict[str, Any]] = {"what": "unknown"}
"""Something may have changed."""


def _address() -> dict[str, Any]:
    """How to connect beside Django's pool."""
    told = connections["default"].get_connection_params()
    return {name: value for name, value in told.items() if name in ("host", "port", "dbname", "user", "password")} | {
        name: value for name, value in told.items() if name.startswith("ssl")
    }


class Hub:
    """The listeners of one event loop, by session."""

    def __init__(self) -> None:
        self._queues: dict[str, set[asyncio.Queue[dict[str, Any]]]] = {}
        self._task: asyncio.Task[None] | None = None
        self._listening = asyncio.Event()

    @contextlib.asynccontextmanager
    async def subscribed(self, session_id: UUID) -> AsyncIterator[asyncio.Queue[dict[str, Any]]]:
        """A queue of the session's messages (`notify.message`), from now on."""
        queue: asyncio.Queue[dict[str, Any]] = asyncio.Queue(QUEUE)
        self._queues.setdefault(str(session_id), set()).add(queue)
        if self._task is None:
            self._task = asyncio.create_task(self._listen())
        try:
            with contextlib.suppress(TimeoutError):  # it is told to look again once the connection is there
                await asyncio.wait_for(self._listening.wait(), 5)
            yield queue
        finally:
            queues = self._queues[str(session_id)]
            queues.discard(queue)
            if not queues:
                del self._queues[str(session_id)]
            if not self._queues and self._task is not None:
                self._task.cancel()
                self._task = None
                self._listening.clear()

    async def _listen(self) -> None:
        while True:
            try:
                async with await psycopg.AsyncConnection.connect(**_address(), autocommit=True) as connection:
                    await connection.execute(f"LISTEN {CHANNEL}")
                    self._listening.set()
                    self._tell_all()
                    async for heard in connection.notifies():
                        told = json.loads(heard.payload)
                        for queue in self._queues.get(told["session"], ()):
                            _put(queue, told)
            except psycopg.Error as error:
                logger.warning("the connection that listens broke: %s", error)
            await asyncio.sleep(AGAIN)

    def _tell_all(self) -> None:
        for queues in self._queues.values():
            for queue in queues:
                _put(queue, LOOK_AGAIN)


def _put(queue: asyncio.Queue[dict[str, Any]], told: dict[str, Any]) -> None:
    if queue.full():
        while not queue.empty():
            queue.get_nowait()
        told = LOOK_AGAIN
    queue.put_nowait(told)


_hubs: dict[asyncio.AbstractEventLoop, Hub] = {}


def hub() -> Hub:
    """The hub of the running loop: a process that serves has one."""
    loop = asyncio.get_running_loop()
    if loop not in _hubs:
        for gone in [other for other in _hubs if other.is_closed()]:
            del _hubs[gone]
        _hubs[loop] = Hub()
    return _hubs[loop]


class Slots:
    """So many at once for each who asks, counted by all processes: advisory locks on one connection."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._held: set[int] = set()
        self._connection: psycopg.Connection | None = None

    def take(self, who: str) -> int | None:
        """A slot, to be given back; None where all are taken."""
        digest = hashlib.sha256(f"slots:{who}".encode()).digest()
        first = int.from_bytes(digest[:8], "big", signed=True) & ~0xFF
        with self._lock:
            for slot in range(first, first + self._most):
                if slot not in self._held and self._ask("pg_try_advisory_lock", slot):
                    self._held.add(slot)
                    return slot
        return None

    def give_back(self, slot: int) -> None:
        """Frees a slot."""
        with self._lock:
            self._held.discard(slot)
            self._ask("pg_advisory_unlock", slot)

    def _ask(self, function: str, slot: int) -> bool:
        try:
            if self._connection is None or self._connection.closed:
                self._connection = psycopg.connect(**_address(), autocommit=True)
            row = self._connection.execute(f"SELECT {function}(%s)", [slot]).fetchone()
            return bool(row and row[0])
        except psycopg.Error as error:
            # Its locks are gone with it. A limit that cannot be counted must not stop anybody.
            logger.warning("the connection that counts streams broke: %s", error)
            self._connection = None
            return True

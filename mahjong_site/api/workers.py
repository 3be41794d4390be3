"""The processes that settle batches, so that the web process is left to pages; nothing of Django is loaded there.

They are started with the first batch and stand behind everything else that wants a core.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Final

from scoring import RecordError, score_json

AHEAD: Final = 2
"""Chunks of a batch under way for each process: the one it works on and its next."""
NICE: Final = 5


def settled(records: Sequence[bytes], between: bytes) -> bytes:
    """The answers to some records."""
    return between.join(map(answer_of, records))


def answer_of(record: bytes) -> bytes:
    """The settlement of one record, which may be a line with its end; or its errors."""
    try:
        return score_json(record.rstrip(b"\n"))
    except RecordError as error:
        return json.dumps(error.to_json(), ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


class Workers:
    """Some processes; where one is killed all are started anew, and what they had is settled again."""

    def __init__(self, processes: int) -> None:
        self.processes = processes
        self._lock = threading.Lock()
        self._pool: ProcessPoolExecutor | None = None

    def in_order(self, chunks: Iterable[Sequence[bytes]], between: bytes) -> Iterator[bytes]:
        """`settled` for chunk after chunk; some are under way, none is asked for that is not wanted soon.

        Raises:
            BrokenProcessPool: the processes were killed twice over the same chunk.
        """
        under_way: deque[tuple[Sequence[bytes], Future[bytes]]] = deque()
        try:
            for records in chunks:
                under_way.append((records, self._begin(records, between)))
                if len(under_way) == AHEAD * self.processes:
                    yield self._end(*under_way.popleft(), between)
            while under_way:
                yield self._end(*under_way.popleft(), between)
        finally:  # who asked may have gone away
            for _, begun in under_way:
                begun.cancel()

    def _begin(self, records: Sequence[bytes], between: bytes) -> Future[bytes]:
        with self._lock:
            if self._pool:
                try:
                    return self._pool.submit(settled, records, between)
                except BrokenProcessPool:
                    pass
            context = multiprocessing.get_context("spawn")  # threads run here: a fork could catch them half-way
            self._pool = ProcessPoolExecutor(self.processes, context, _be_a_worker)
            return self._pool.submit(settled, records, between)

    def _end(self, records: Sequence[bytes], begun: Future[bytes], between: bytes) -> bytes:
        try:
            return begun.result()
        except BrokenProcessPool:
            return self._begin(records, between).result()


def _be_a_worker() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the web process's, which then ends this one
    os.nice(NICE)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    if parent := multiprocessing.parent_process():
        parent.join()
        os._exit(0)  # it was killed; the executor's own loop would wait for it for ever

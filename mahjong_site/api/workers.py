"""The processes for what takes long, batches and expected values, so that the web process is left to pages.

Nothing of Django is loaded there. They are started when first needed, and stand behind everything else that wants a
core.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Final, TypeVar

from scoring import Fault, RecordError, score_json
from scoring.analysis import analyze_json

A = TypeVar("A")
T = TypeVar("T")

AHEAD: Final = 2
"""Pieces of work under way for each process: the one it is at and its next."""
NICE: Final = 5


def settled(records: Sequence[bytes]) -> list[bytes]:
    """The answers to some records."""
    return list(map(answer_of, records))


def answer_of(record: bytes) -> bytes:
    """The settlement of one record, which may be a line with its end; or its errors."""
    try:
        return score_json(record.rstrip(b"\n"))
    except RecordError as error:
        return json.dumps(error.to_json(), ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


def analysed(request: bytes) -> bytes | tuple[Fault, ...]:
    """The answer to a request for an analysis, or its faults: as values, since they go from process to process."""
    try:
        return json.dumps(analyze_json(request), ensure_ascii=False, separators=(",", ":")).encode()
    except RecordError as error:
        return error.faults


class Workers:
    """Some processes; where one is killed all are started anew, and what they had is done again."""

    def __init__(self, processes: int) -> None:
        self.processes = processes
        self._lock = threading.Lock()
        self._pool: ProcessPoolExecutor | None = None

    def call(self, work: Callable[[A], T], asked: A) -> T:
        """What ``work``, a function of a module, makes of ``asked``.

        Raises:
            BrokenProcessPool: the processes were killed twice over it.
        """
        return self._end(self._begin(work, asked), work, asked)

    def in_order(self, work: Callable[[A], T], several: Iterable[A]) -> Iterator[T]:
        """`call` for one after the other; some are under way, none is asked for that is not wanted soon.

        Raises: as `call`.
        """
        under_way: deque[tuple[Future[T], A]] = deque()
        try:
            for asked in several:
                under_way.append((self._begin(work, asked), asked))
                if len(under_way) == AHEAD * self.processes:
                    begun, asked = under_way.popleft()
                    yield self._end(begun, work, asked)
            while under_way:
                begun, asked = under_way.popleft()
                yield self._end(begun, work, asked)
        finally:  # who asked may have gone away
            for begun, _ in under_way:
                begun.cancel()

    def _begin(self, work: Callable[[A], T], asked: A) -> Future[T]:
        with self._lock:
            if self._pool:
                try:
                    return self._pool.submit(work, asked)
                except BrokenProcessPool:
                    pass
            context = multiprocessing.get_context("spawn")  # threads run here: a fork could catch them half-way
            self._pool = ProcessPoolExecutor(self.processes, context, _be_a_worker)
            return self._pool.submit(work, asked)

    def _end(self, begun: Future[T], work: Callable[[A], T], asked: A) -> T:
        try:
            return begun.result()
        except BrokenProcessPool:
            return self._begin(work, asked).result()


def _be_a_worker() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the web process's, which then ends this one
    os.nice(NICE)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    if parent := multiprocessing.parent_process():
        parent.join()
        os._exit(0)  # it was killed; the executor's own loop would wait for it for ever

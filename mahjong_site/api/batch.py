"""Many records in one request, in bounded memory.

The body is split into records while it is read, one a line of a temporary file; so the status is right before the
first answer is sent. Then other processes settle them some at a time, and what they answer is handed on.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterable, Iterator
from typing import IO, Final, Protocol

from mahjong_site.api.problems import TooLarge
from mahjong_site.api.workers import Workers, settled
from scoring import RecordError
from scoring.faults import fault
from scoring.reading import MAX_BYTES

MOST_RECORDS: Final = 10_000
MOST_BYTES: Final = 64 * 1024 * 1024
CHUNK: Final = 64 * 1024
IN_MEMORY: Final = 1024 * 1024
TOGETHER: Final = 32 * 1024
"""Bytes of records that are settled together, up to the end of a record."""

_SPACE: Final = b" \t\r\n"


class Readable(Protocol):
    """Something to read a body from."""

    def read(self, size: int, /) -> bytes:
        """At most ``size`` bytes; none at the end."""


# --- In --------------------------------------------------------------------------------------------------------------


def spooled(records: Iterable[bytes]) -> IO[bytes]:
    """The records, one a line, in a temporary file to be read from its start.

    Raises:
        RecordError: ``invalid``, and what ``records`` raises: the body is no list of records.
        TooLarge: more than `MOST_RECORDS`, or `MOST_BYTES`.
    """
    file = tempfile.SpooledTemporaryFile(IN_MEMORY)  # noqa: SIM115 - closed by who reads it
    try:
        for count, record in enumerate(records):
            if count == MOST_RECORDS:
                raise TooLarge(MOST_RECORDS, "records")
            # A line break in valid JSON is a space between its parts.
            file.write(record.replace(b"\n", b" ") + b"\n")
    except BaseException:
        file.close()
        raise
    file.seek(0)
    return file


def chunks(source: Readable) -> Iterator[bytes]:
    """The body piece by piece. Raises: TooLarge."""
    size = 0
    while piece := source.read(CHUNK):
        size += len(piece)
        if size > MOST_BYTES:
            raise TooLarge(MOST_BYTES)
        yield piece


def lines(source: Readable) -> Iterator[bytes]:
    """The records of NDJSON; blank lines are none. Of a record that is too long only as much as shows it."""
    rest = b""
    for piece in chunks(source):
        *whole, last = piece.split(b"\n")
        for line in whole:
            rest += line[: MAX_BYTES + 1 - len(rest)]
            if rest.strip(_SPACE):
                yield rest
            rest = b""
        rest += last[: MAX_BYTES + 1 - len(rest)]
    if rest.strip(_SPACE):
        yield rest


_STRING: Final = rb'(?:[^"\\]++|\\.)*+'
_UP_TO_A_COMMA: Final = re.compile(rb'(?:[^"\[\]{},]++|"' + _STRING + rb'")*+', re.DOTALL)
_UP_TO_A_BRACKET: Final = re.compile(rb'(?:[^"\[\]{}]++|"' + _STRING + rb'")*+', re.DOTALL)
_REST_OF_A_STRING: Final = re.compile(_STRING, re.DOTALL)


def elements(source: Readable) -> Iterator[bytes]:
    """The elements of a JSON array as they stand, valid or not: what is between its commas.

    Of an element that is too long only as much as shows it.

    Raises:
        RecordError: ``invalid``: the body is no array, or ends within it.
    """
    splitter = _Splitter()
    for piece in chunks(source):
        yield from splitter.feed(piece)
    if not splitter.closed:
        raise _no_array("the array has no end")


class _Splitter:
    """Cuts a JSON array, piece by piece; every byte is looked at once."""

    def __init__(self) -> None:
        self.closed = False
        self._depth = 0
        self._in_string = False
        self._first = True
        self._element = b""
        self._rest = b""

    def feed(self, piece: bytes) -> Iterator[bytes]:
        """The elements that end in this piece."""
        text, at, begin = self._rest + piece, 0, 0
        self._rest = b""
        while at < len(text):
            if self._in_string:
                at = self._after_string(text, at)
                if self._in_string:
                    break
                continue
            skip = _UP_TO_A_BRACKET if self._depth > 1 else _UP_TO_A_COMMA
            at = skip.match(text, at).end()  # type: ignore[union-attr]  # it can be empty
            if at == len(text):
                break
            mark = text[at : at + 1]
            at += 1
            if mark == b'"':  # a string that goes on in the next piece
                self._in_string = True
            elif self._depth == 0:
                if mark != b"[" or self.closed or text[begin : at - 1].strip(_SPACE):
                    raise _no_array("the body has to be one JSON array")
                self._depth, begin = 1, at
            elif mark in b"[{":
                self._depth += 1
            elif mark == b"," or self._depth == 1:
                self._take(text[begin : at - 1])
                yield from self._cut(last=mark != b",")
                begin = at
            else:
                self._depth -= 1
        self._take(text[begin : len(text) - len(self._rest)])
        if self._depth == 0 and self._element.strip(_SPACE):
            raise _no_array("the body has to be one JSON array")

    def _after_string(self, text: bytes, at: int) -> int:
        at = _REST_OF_A_STRING.match(text, at).end()  # type: ignore[union-attr]  # it can be empty
        if at == len(text):
            return at
        if text[at : at + 1] == b"\\":  # what it escapes is in the next piece
            self._rest = text[at:]
            return at
        self._in_string = False
        return at + 1

    def _take(self, text: bytes) -> None:
        self._element += text[: MAX_BYTES + 1 - len(self._element)]

    def _cut(self, *, last: bool) -> Iterator[bytes]:
        element, self._element = self._element, b""
        empty = last and self._first and not element.strip(_SPACE)
        self._first = False
        if last:
            self.closed, self._depth = True, 0
        if not empty:
            yield element


def _no_array(why: str) -> RecordError:
    return RecordError([fault("invalid", "json", en=why)])


# --- Out -------------------------------------------------------------------------------------------------------------


def answers(file: IO[bytes], workers: Workers, *, array: bool) -> Iterator[bytes]:
    """The answers to spooled records, some at a time, as NDJSON or as a JSON array."""
    with file:
        parts = workers.in_order(settled, iter(lambda: file.readlines(TOGETHER), []))
        if array:
            yield b"["
            for number, part in enumerate(parts):
                yield (b"," if number else b"") + b",".join(part)
            yield b"]"
        else:
            for part in parts:
                yield b"\n".join([*part, b""])

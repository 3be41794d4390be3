"""`settle`: a hand record in, its settlement out. The one entry point of the engine."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from scoring.changsha import opening_record
from scoring.changsha import settle as changsha
from scoring.checks import Faults, check_shared_fields
from scoring.faults import Fault, RecordError
from scoring.penalties import settle_penalty
from scoring.reading import read_json
from scoring.record import (
    ExhaustedRecord,
    HandRecord,
    OpeningRecord,
    PenaltyRecord,
    Settlement,
    WinRecord,
    read_record,
)
from scoring.tiles import Seat
from scoring.wuhan import settle as wuhan

_BY_KIND: Final[Mapping[tuple[str, type[HandRecord]], Callable[[Any, Faults], Settlement]]] = {
    ("changsha", WinRecord): changsha.settle_win,
    ("changsha", OpeningRecord): opening_record.settle_openings,
    ("changsha", ExhaustedRecord): changsha.settle_exhausted,
    ("changsha", PenaltyRecord): settle_penalty,
    ("wuhan", WinRecord): wuhan.settle_win,
    ("wuhan", OpeningRecord): wuhan.settle_openings,
    ("wuhan", ExhaustedRecord): wuhan.settle_exhausted,
    ("wuhan", PenaltyRecord): settle_penalty,
}


def settle(record: HandRecord) -> Settlement:
    """Who pays whom, and why.

    >>> record = parse_record({"rules": "changsha-classic", "kind": "win", "dealer": 0, "by": "self_draw",
    ...     "winners": [{"seat": 1, "concealed": "123m456p789s234s2p", "win_on": ["2p"]}], "birds": ["6s"]})
    >>> settle(record).deltas
    (-40, 80, -20, -20)

    Raises:
        RecordError: the rules refuse the record; all faults at once.
    """
    faults: Faults = []
    check_shared_fields(record, faults)
    return _BY_KIND[record.rules.family, type(record)](record, faults)


def parse_record(data: bytes | str | Mapping[str, Any]) -> HandRecord:
    """A record from JSON text or from plain values.

    A malformed record is refused with what the rules say against the rest of it as well, so that nobody has to mend
    and send it twice.

    Raises:
        RecordError: it is malformed, or names unknown rules or options; all faults at once.
    """
    try:
        return read_record(data)
    except RecordError as error:
        raise RecordError([*error.faults, *_faults_of_the_rest(data, error.faults)]) from None


_ENTRIES: Final = ("winners", "birds", "bird_dice", "side_bets")
"""Parts of a record that can be left out without changing what the rules say of the other parts."""


def _faults_of_the_rest(data: bytes | str | Mapping[str, Any], malformed: Sequence[Fault]) -> list[Fault]:
    """What the rules refuse in a record once its malformed parts are taken out, away from where they stood."""
    broken = [fault.path for fault in malformed if fault.reason != "unknown_field"]
    if not all(fault.path for fault in malformed) or any(path.split(".")[0] not in _ENTRIES for path in broken):
        return []
    try:
        rest = copy.deepcopy(dict(data)) if isinstance(data, Mapping) else read_json(data)
        for path in sorted({fault.path for fault in malformed}, reverse=True):
            _take_out(rest, path.split("."))
        settle(read_record(rest))
    except RecordError as error:
        return [fault for fault in error.faults if not any(_holds(fault.path, path) for path in broken)]
    except (LookupError, TypeError, ValueError):  # a malformed part that cannot be taken out alone
        pass
    return []


def _holds(path: str, broken: str) -> bool:
    """Whether what is said of a path may come from the broken part that was taken out of it."""
    part = _entry(path)
    return part == _entry(broken)[: len(part)]


def _entry(path: str) -> list[str]:
    """The part of the record that a path is in: one winner, or one field."""
    return path.split(".")[: 2 if path.startswith("winners.") else 1]


def _take_out(value: Any, path: Sequence[str]) -> None:
    """Deletes what the path leads to, or the innermost list entry or field on the way that is there."""
    key: Any = int(path[0]) if isinstance(value, list) else path[0]
    if len(path) > 1 and isinstance(value[key], dict | list):
        _take_out(value[key], path[1:])
    else:
        del value[key]


def score_json(data: bytes | str) -> bytes:
    """JSON text of a record in, JSON text of its settlement out.

    Raises:
        RecordError: it is malformed or refused.
    """
    return settle(parse_record(data)).to_json()


def next_dealer(records: Sequence[HandRecord]) -> tuple[Seat, ...]:
    """The seats that may deal next after all records of one hand, in order; none where the hand goes on.

    Two win records of one hand are two wins off one kong: its maker deals next (rule book 2.2, "Robbing").

    Raises:
        RecordError: a record is refused.
    """
    wins = [record for record in records if isinstance(record, WinRecord)]
    makers = {record.from_ for record in wins if record.by == "rob_kong" or "kong_discard" in record.events}
    if len(wins) > 1 and len(makers) == 1:
        return tuple(seat for seat in makers if seat is not None)
    ended = [settlement for settlement in map(settle, records) if settlement.hand_ends]
    return ended[-1].next_dealer_choices if ended else ()

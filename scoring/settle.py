"""`settle`: a hand record in, its settlement out. The one entry point of the engine."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from scoring.changsha import settle as changsha
from scoring.faults import RecordError
from scoring.penalties import settle_penalty
from scoring.record import (
    ExhaustedRecord,
    HandRecord,
    OpeningRecord,
    PenaltyRecord,
    Settlement,
    WinRecord,
    parse_record,
)
from scoring.tiles import Seat
from scoring.wuhan import settle as wuhan

_BY_KIND: Final[Mapping[tuple[str, type[HandRecord]], Callable[[Any], Settlement]]] = {
    ("changsha", WinRecord): changsha.settle_win,
    ("changsha", OpeningRecord): changsha.settle_openings,
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
    return _BY_KIND[record.rules.family, type(record)](record)


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


__all__ = ["RecordError", "next_dealer", "score_json", "settle"]

"""`settle`: a hand record in, its settlement out. The one entry point of the engine."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from pydantic import ValidationError

from scoring.changsha import opening_record
from scoring.changsha import settle as changsha
from scoring.checks import Faults, check_shared_fields
from scoring.faults import Fault, RecordError
from scoring.penalties import settle_penalty
from scoring.reading import MOST_FAULTS, Place, faults_of, places_of, plain_values
from scoring.record import (
    ExhaustedRecord,
    HandRecord,
    OpeningRecord,
    PenaltyRecord,
    Settlement,
    WinRecord,
    validated,
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

    A malformed record is refused with what the rules say against the rest of it as well, as far as that is certain, so
    that nobody has to mend and send it twice.

    Raises:
        RecordError: it is malformed (``invalid``, ``bad_tile``), or names unknown rules or options; all faults at once.
    """
    value = plain_values(data)
    try:
        return validated(value)
    except ValidationError as error:
        raise RecordError([*faults_of(error), *_faults_of_the_rest(value, error)]) from None


_SEPARATE: Final = frozenset({"birds", "bird_dice", "side_bets"})
"""Parts of a record that can be left out without changing what the rules say of the other parts."""


def _faults_of_the_rest(value: Any, error: ValidationError) -> list[Fault]:
    """What the rules refuse in a record once its malformed parts are left out, where they do not bear on it.

    Of a malformed winner his seat is left, so that the others stay where they are. What his tiles decide is not said:
    what is said of him, of all winners together, of the birds, and whether another's win is large enough.
    """
    places = places_of(error)
    if len(places) > MOST_FAULTS:  # it is wrong everywhere
        return []
    untold: set[str] = set()
    for place, unknown in places:
        part = place[0] if place else None
        if unknown:
            value = _without(value, place)
        elif part == "winners" and len(place) > 2:
            value = _with_seat_alone(value, place[1])
            untold |= {"winners", f"winners.{place[1]}", "birds", "below_minimum"}
        elif part in _SEPARATE:
            value = _without(value, place[:1])
            untold.add(str(part))
        else:
            return []
    try:
        settle(validated(value))
    except ValidationError:  # a winner's seat, or what was never there
        pass
    except RecordError as refused:
        return [found for found in refused.faults if untold.isdisjoint((_entry(found.path), found.code))]
    return []


def _entry(path: str) -> str:
    """The part of the record that a path is in: one winner, or one field."""
    return ".".join(path.split(".")[: 2 if path.startswith("winners.") else 1])


def _without(value: Any, place: Place) -> Any:
    """A copy without the field at that place."""
    key, rest = place[0], place[1:]
    if isinstance(value, Mapping):
        left = ((name, part) for name, part in value.items() if rest or name != key)
        return {name: _without(part, rest) if name == key else part for name, part in left}
    return [_without(part, rest) if index == key else part for index, part in enumerate(value)]


def _with_seat_alone(value: Mapping[str, Any], winner: int | str) -> dict[str, Any]:
    """A copy in which nothing but the seat is said of that winner."""
    winners = [
        {name: part for name, part in one.items() if name == "seat"} if index == winner else one
        for index, one in enumerate(value["winners"])
    ]
    return {**value, "winners": winners}


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

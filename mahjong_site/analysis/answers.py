"""From a question to what the engine answers: nothing yet, a hand still short, refused, waits or discards."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from django.utils.translation import gettext as _

from mahjong_site.calculator import options
from mahjong_site.calculator.outcome import offer_of
from mahjong_site.calculator.situation import Offer
from mahjong_site.calculator.state import SEATS
from mahjong_site.calculator.words import fault_text
from scoring import Fault, RecordError
from scoring.analysis import analyze
from scoring.analysis.contract import Analysis, AnalysisIn, Drawing, Price, Refused, Throwing, read_request
from scoring.tiles import Seat

from .question import FEWEST_DRAWS, MOST_DRAWS, Question

State: TypeAlias = Literal["empty", "short", "refused", "drawing", "throwing"]
FIELDS: Final = {
    "concealed": "hand",
    "melds": "hand",
    "laid_out": "hand",
    "indicator": "indicator",
    "seen": "seen",
    "draws": "draws",
    "passed": "passed",
    "players": "players",
    "rules": "rules",
}
"""Beside which field a fault is shown, by the first part of its path."""
MAY_BE_LEFT_OUT: Final = frozenset({"laid_out", "indicator", "seen", "draws", "passed", "players"})
TO_COME: Final = frozenset({"wrong_tile_count", "missing"})
"""Faults that only say of an unfinished hand that something was not entered yet."""


class Said(NamedTuple):
    """A fault in words, and the field it stands beside."""

    field: str
    words: str


@dataclass(frozen=True)
class Answer:
    """What came of a question. ``by_giver``: what each wait pays when that seat throws it."""

    state: State
    question: Question
    offer: Offer
    faults: tuple[Said, ...] = ()
    analysis: Drawing | Throwing | None = None
    by_giver: Mapping[Seat, Mapping[str, Price | Refused]] | None = None

    @property
    def beside(self) -> dict[str, list[str]]:
        """The faults by the field they stand beside."""
        found: dict[str, list[str]] = {}
        for fault in self.faults:
            found.setdefault(fault.field, []).append(fault.words)
        return found


def answer(question: Question) -> Answer:
    """The answer to a question. Never raises for anything a person entered."""
    offer, bad_options = offer_of(question.entry)
    shortest = options.fields_of(offer.preset, options.chosen(offer.preset, question.entry.options))
    question = question.with_(entry=question.entry.with_(options=shortest))
    faults = [Said("rules", fault_text(fault)) for fault in bad_options]
    faults += [Said("hand", fault_text(problem)) for problem in question.line.problems]
    unfinished = question.missing > 0 or question.line.hand is None
    # The preset's own options stand in for those that are wrong.
    asked = _asked(question.request(offer) | ({"rules": offer.preset.id} if bad_options else {}))
    if isinstance(asked, list):
        faults += [_said(fault) for fault in asked if not (unfinished and fault.code in TO_COME)]
    if faults or isinstance(asked, list):
        unasked: State = "short" if question.line.text or question.seen else "empty"
        return Answer("refused" if faults else unasked, question, offer, tuple(dict.fromkeys(faults)))
    request, analysis = asked
    if isinstance(analysis, Throwing):
        return Answer("throwing", question, offer, analysis=analysis)
    return Answer("drawing", question, offer, analysis=analysis, by_giver=_by_giver(request, analysis))


def _asked(given: Mapping[str, Any]) -> tuple[AnalysisIn, Analysis] | list[Fault]:
    """The engine's answer to a request, or all its faults.

    The engine does not judge a hand while another field cannot be read; such fields are left out for a second look,
    which asks for faults alone: nothing is expected of it.
    """
    faults: list[Fault] = []
    try:
        request = read_request(given)
    except RecordError as error:
        faults += error.faults
        broken = {_field(fault) for fault in faults}.intersection(MAY_BE_LEFT_OUT) | {"draws"}
        given = {name: value for name, value in given.items() if name not in broken}
        try:
            request = read_request(given)
        except RecordError:
            return faults
    try:
        analysis = analyze(request)
    except RecordError as error:
        told = {fault.path for fault in faults}
        return faults + [fault for fault in error.faults if fault.path not in told]
    return faults or (request, analysis)


def _by_giver(request: AnalysisIn, analysis: Drawing) -> dict[Seat, dict[str, Price | Refused]]:
    """What each wait pays, by who throws it; the engine's answer is for one giver."""
    if not analysis.waits:
        return {}
    plain = request.model_copy(update={"draws": None})
    givers = [seat for seat in SEATS if seat != request.seat]
    asked: dict[Seat, Any] = {giver: analyze(plain.model_copy(update={"from_": giver})) for giver in givers}
    return {giver: {wait.tile: wait.discard for wait in said.waits} for giver, said in asked.items()}


def _field(fault: Fault) -> str:
    return fault.path.split(".", maxsplit=1)[0]


def _said(fault: Fault) -> Said:
    field = FIELDS.get(_field(fault), "hand")
    if field == "draws":
        return Said(field, _("From %(fewest)s to %(most)s draws.") % {"fewest": FEWEST_DRAWS, "most": MOST_DRAWS})
    return Said(field, fault_text(fault))

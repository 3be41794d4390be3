"""Everything the templates of the analysis need."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

from django.urls import reverse
from django.utils.translation import get_language, ngettext, override, pgettext
from django.utils.translation import gettext as _

from mahjong_site.calculator import keypad, options
from mahjong_site.calculator.page import Config, counter_words, losers
from mahjong_site.calculator.state import SEATS, Entry, readable
from mahjong_site.calculator.words import listed, own, seat_names
from scoring import all_presets
from scoring.analysis.contract import Drawing, Refused, Throwing
from scoring.tiles import Seat

from . import addresses, presenters
from .answers import Answer, answer
from .question import FEWEST_DRAWS, MOST_DRAWS, Question
from .words import tiles_words

LAST_SEAL: Final = "摸"
"""The fourteenth tile is the one just drawn."""
FOLDED: Final = ("seen", "draws", "passed", "players")
"""Fields that stand behind the fold; a fault opens it."""
EXAMPLES: Final = (
    Question(Entry("changsha-classic", winners=(0,)).with_line(0, "555p6p777s[222s][888m]")),
    Question(Entry("changsha-classic", winners=(0,)).with_line(0, "123m456p789s22s45p+8m")),
    Question(Entry("wuhan-laizi", winners=(0,), indicator="4p").with_line(0, "234s679m88p[111m][999s]")),
)


def page_context(question: Question) -> dict[str, Any]:
    """The context of ``analysis/component.html``: what `answer_context` gives, and what no tap changes."""
    context = answer_context(question)
    said: Answer = context["answer"]
    entry, offer = context["entry"], said.offer
    modes = keypad.hand_modes() + ([] if offer.changsha else [keypad.laid_mode()])
    return context | {
        "lines": keypad.lines(entry, offer, context["names"], LAST_SEAL),
        "last_seal": LAST_SEAL,
        "fewest_draws": FEWEST_DRAWS,
        "most_draws": MOST_DRAWS,
        "modes": [*modes, ("seen", pgettext("mode", "Seen"))],
        "keys": keypad.keys(offer),
        "presets": [(one, own(one), addresses.with_rules(said.question, one.id)) for one in all_presets()],
        "preset_name": own(offer.preset),
        "options": options.controls(offer.preset, offer.options),
        "examples": _examples(get_language() or "") if said.state == "empty" else (),
    }


def answer_context(question: Question) -> dict[str, Any]:
    """The context of ``analysis/answer.html``: the parts that follow every tap."""
    said = answer(question)
    question, offer = said.question, said.offer
    entry = question.entry
    names = seat_names(entry.names)
    headline = _headline(said)
    return {
        "config": Config(reverse("analysis:page"), reverse("analysis:answer")),
        "answer": said,
        "question": question,
        "entry": entry,
        "offer": offer,
        "names": names,
        "seats": _seats(question, names),
        "address": question.query(),
        "bird_room": 0,
        "indicator": entry.indicator if len(readable(entry.indicator)) == 1 else "",
        "marks": keypad.marks(entry, offer),
        "counters": counter_words(offer),
        "losers": losers(entry, offer, names, _asked_ready(said)),
        "headline": headline,
        "faults": said.beside,
        "facts": _facts_words(said),
        "open_facts": not said.beside.keys().isdisjoint(FOLDED),
        "settle_address": addresses.settled(question),
        **_shown(said, names),
    }


def _shown(said: Answer, names: tuple[str, ...]) -> dict[str, Any]:
    """The rows of an answer."""
    analysis = said.analysis
    if isinstance(analysis, Drawing):
        waiting = analysis.shanten == 0
        return {
            "waits": presenters.wait_rows(said, analysis, names),
            "accepts": () if waiting else presenters.tiles_left(analysis.accepts, said.question),
            "figures": presenters.own_figures(analysis),
            "tiles": sum(accept.left for accept in analysis.accepts),
        }
    if isinstance(analysis, Throwing):
        rows = presenters.discard_rows(said, analysis)
        weighed = any(row.expected for row in rows)
        return {
            "win": presenters.win_now(said, analysis.win, names),
            "discards": rows,
            "weighed": weighed,
            "steps_back": weighed and not said.question.detours and presenters.steps_back(analysis),
        }
    return {}


def _headline(said: Answer) -> str:
    question = said.question
    match said.state:
        case "refused":
            return said.faults[0].words
        case "empty" | "short" if not said.offer.changsha and not question.entry.indicator:
            return _("First the tile turned up: it says what is wild.")
        case "empty":
            return _("Tap the tiles of your hand.")
        case "short":
            count = question.missing
            return ngettext("%(count)s tile to go", "%(count)s tiles to go", count) % {"count": count}
    return presenters.reached(said)


def _facts_words(said: Answer) -> str:
    """What is set behind the fold: own draws left, tiles seen, detours."""
    question = said.question
    parts = []
    if question.draws:
        parts.append(_("%(count)s draws left") % {"count": question.draws})
    if seen := readable(question.seen):
        count = len(seen)
        parts.append(ngettext("%(count)s tile seen", "%(count)s tiles seen", count) % {"count": count})
    if question.detours:
        parts.append(_("with detours"))
    return listed(parts)


def _seats(question: Question, names: tuple[str, ...]) -> list[dict[str, Any]]:
    entry = question.entry
    return [
        {
            "seat": seat,
            "name": names[seat],
            "given": entry.names[seat],
            "asks": seat == question.seat,
            "dealer": seat == entry.dealer,
            "laid": entry.laid[seat],
            "passed": entry.passed[seat],
            "passed_big": entry.passed_big[seat],
        }
        for seat in SEATS
    ]


def _asked_ready(said: Answer) -> set[Seat]:
    """Whom a price depends on: whether he was ready is asked of him alone."""
    asked = {seat for seat in SEATS if said.question.entry.ready[seat] is not None}
    for giver, prices in (said.by_giver or {}).items():
        if any(isinstance(price, Refused) and _misses_ready(price) for price in prices.values()):
            asked.add(giver)
    return asked


def _misses_ready(price: Refused) -> bool:
    return any(fault.code == "missing" and fault.path.endswith("ready") for fault in price.errors)


@cache
def _examples(language: str) -> tuple[dict[str, Any], ...]:
    """The examples with what is said of them, worked out once a language."""
    with override(language):
        return tuple(_example(example, answer(example)) for example in EXAMPLES)


def _example(example: Question, said: Answer) -> dict[str, Any]:
    analysis = said.analysis
    accepts = analysis.discards[0].accepts if isinstance(analysis, Throwing) else analysis.accepts if analysis else ()
    return {
        "address": example.query(),
        "title": _("What do I throw") if isinstance(analysis, Throwing) else _("What am I waiting for"),
        "rules": own(said.offer.preset),
        "amount": tiles_words(sum(accept.left for accept in accepts)),
    }

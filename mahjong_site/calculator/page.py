"""Everything the templates of the hand entry need: one component, on the home page and inside a session.

A page that embeds it gives a `Config` (what is fixed, where the form goes) and an `Entry`; `entry_context` gives the
context of ``entry/component.html`` and, for each change, of ``entry/result.html``.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import cache
from typing import Any
from urllib.parse import urlencode

from django.utils.translation import get_language, ngettext, override, pgettext
from django.utils.translation import gettext as _

from scoring import Fault, Preset, all_presets
from scoring.settlement import pattern_out
from scoring.tiles import Seat

from . import keypad, options, presenters
from .examples import EXAMPLES
from .fixes import false_win, fixes
from .outcome import Outcome, judge
from .situation import Offer
from .state import SEATS, Entry, readable
from .waits import ready, waits
from .words import fault_text, listed, own, seat_names, side


@dataclass(frozen=True)
class Config:
    """How the entry is embedded.

    ``post_url`` empty: nothing can be recorded here. Fixed facts are shown and cannot be changed; ``post_label`` names
    the button, ``extra`` are hidden fields to be sent along when posting.
    """

    page_url: str
    result_url: str
    post_url: str = ""
    post_label: str = ""
    fixed_rules: bool = False
    fixed_names: bool = False
    fixed_dealer: bool = False
    extra: tuple[tuple[str, str], ...] = ()

    @property
    def shareable(self) -> bool:
        """Whether the address follows the entry."""
        return not self.post_url


def entry_context(entry: Entry, config: Config) -> dict[str, Any]:
    """The context of ``entry/component.html``: what `result_context` gives, and what no tap changes."""
    context = result_context(entry, config)
    entry, offer, names = context["entry"], context["offer"], context["names"]
    return context | {
        "lines": keypad.lines(entry, offer, names),
        "modes": _modes(entry, offer),
        "keys": keypad.keys(offer),
        "presets": [(preset, own(preset), _with_rules(entry, preset)) for preset in all_presets()],
        "preset_name": own(offer.preset),
        "options": options.controls(offer.preset, offer.options),
        "examples": _examples(get_language() or "")
        if config.shareable and context["outcome"].state == "empty" and entry.kind == "win"
        else (),
    }


def result_context(entry: Entry, config: Config) -> dict[str, Any]:
    """The context of ``entry/result.html``: the parts that follow every tap."""
    outcome = judge(entry)
    entry, offer = outcome.entry, outcome.offer
    names = seat_names(entry.names)
    return {
        "config": config,
        "entry": entry,
        "offer": offer,
        "outcome": outcome,
        "names": names,
        "result": _result(outcome, names),
        "address": entry.query(),
        "bird_room": offer.bird_room(entry),
        "kinds": [(kind, _kind_words(kind), _switch(entry, kind)) for kind in offer.kinds],
        "seats": _seats(outcome, names),
    } | _FACTS[entry.kind](outcome, names)


def _win_facts(outcome: Outcome, names: tuple[str, ...]) -> dict[str, Any]:
    entry, offer = outcome.entry, outcome.offer
    return {
        "events": [(event, event_words(event)) for event in offer.events(entry.with_(event=""))],
        "can_rob": offer.can_rob(entry),
        "indicator": entry.indicator if len(readable(entry.indicator)) == 1 else "",
        "marks": keypad.marks(entry, offer),
        "counters": counter_words(offer),
        "losers": losers(entry, offer, names, _asked_ready(outcome)),
    }


def _opening_facts(outcome: Outcome, names: tuple[str, ...]) -> dict[str, Any]:
    entry, offer = outcome.entry, outcome.offer
    declared = [
        (seat, names[seat], [(name, pattern_name(offer, name), name in entry.declared[seat]) for name in known])
        for seat in entry.winners
        if (known := offer.openings(entry, seat))
    ]
    return {"dice": _dice(entry, offer), "declared": declared}


def _exhausted_facts(outcome: Outcome, names: tuple[str, ...]) -> dict[str, Any]:
    return {
        "last_tile_rows": [
            ("taken_by", _("took the last tile")),
            ("refused_from", _("all refused; first asked")),
            ("replaced_by", _("drew it after a kong")),
        ]
    }


def _penalty_facts(outcome: Outcome, names: tuple[str, ...]) -> dict[str, Any]:
    receivers = [("house", _("the house")), ("others", _("the others"))]
    return {
        "penalty_reasons": _penalty_reasons(outcome.offer),
        "penalty_to": receivers + [(str(seat), names[seat]) for seat in SEATS],
    }


_FACTS: dict[str, Callable[[Outcome, tuple[str, ...]], dict[str, Any]]] = {
    "win": _win_facts,
    "opening": _opening_facts,
    "exhausted": _exhausted_facts,
    "penalty": _penalty_facts,
}


# ---- the result


def _result(outcome: Outcome, names: tuple[str, ...]) -> dict[str, Any]:
    entry = outcome.entry
    shown: dict[str, Any]
    if outcome.settled:
        told = presenters.tell(*outcome.settled, names, outcome.offer.preset)
        shown = {"state": "settled", "told": told, "picture": told.picture}
        return shown | {"headline": told.headline, "spoken": told.spoken}
    picture = presenters.plain_picture(names, entry.dealer, entry.winners, entry.from_seat)
    shown = {"state": outcome.state, "picture": picture, "faults": [], "fixes": (), "waits": ()}
    match outcome.state:
        case "empty":
            headline = _empty_words(outcome)
        case "unreadable":
            problems = [problem for seat in entry.winners for problem in entry.lines[seat].problems]
            shown["faults"] = [fault_text(problem) for problem in problems]
            headline = shown["faults"][0]
        case "short":
            found = waits(outcome, names)
            headline = found.headline if found else _short_words(outcome, names)
            if found:
                shown |= {"waits": found, "picture": found.picture, "aside": _("1 tile to go")}
        case _:
            shown["faults"] = list(dict.fromkeys(_fault_words(fault, outcome, names) for fault in outcome.faults))
            shown |= {"fixes": fixes(outcome), "false_win": false_win(outcome)}
            headline = shown["faults"][0]
    return shown | {"headline": headline, "spoken": headline}


def _fault_words(fault: Fault, outcome: Outcome, names: tuple[str, ...]) -> str:
    """A fault in words; with several winners it says whose."""
    words = fault_text(fault)
    place = fault.path.split(".")
    if place[0] == "winners" and len(place) > 1 and len(outcome.entry.winners) > 1:
        return f"{names[outcome.entry.winners[int(place[1])]]}: {words}"
    return words


def _empty_words(outcome: Outcome) -> str:
    entry = outcome.entry
    match entry.kind:
        case "opening":
            return _("Who has an opening win? Enter the tiles.")
        case "exhausted":
            return _("Nobody won. Who had the last tile?")
        case "penalty":
            return _("Who pays how much, and to whom?")
    if not outcome.offer.changsha and not entry.indicator:
        return _("First the tile turned up: it says what is wild.")
    return _("Who won? Tap a name, or look at an example.") if not entry.winners else _("Now the tiles.")


def _short_words(outcome: Outcome, names: tuple[str, ...]) -> str:
    short = outcome.short or {}
    if len(outcome.entry.winners) > 1:
        one_by_one = ({"name": names[seat], "count": count} for seat, count in short.items())
        return listed([_("%(name)s: %(count)s to go") % words for words in one_by_one])
    (count,) = short.values()
    to_go = ngettext("%(count)s tile to go", "%(count)s tiles to go", count) % {"count": count}
    distance, _tiles = ready(outcome)
    if distance is None:
        return to_go
    if distance == 0:
        return f"{to_go} · " + _("ready, but no win here")
    return f"{to_go} · " + _("not ready: %(count)s to change") % {"count": distance}


# ---- the controls


def _seats(outcome: Outcome, names: tuple[str, ...]) -> list[dict[str, Any]]:
    entry = outcome.entry
    single = len(entry.winners) == 1
    seats = []
    for seat in SEATS:
        wins = seat in entry.winners
        seats.append(
            {
                "seat": seat,
                "name": names[seat],
                "given": entry.names[seat],
                "side": side(seat),
                "wins": wins,
                "dealer": seat == entry.dealer,
                "gives": (wins and entry.self_draw) or (not wins and seat == entry.giver),
                "how": _("Self-draw") if wins else _("Deals in") if not entry.robbed else _("Robbed"),
                "cannot_give": wins and not single,
                "passed": entry.passed[seat],
                "passed_big": entry.passed_big[seat],
                "dead": seat in entry.dead,
                "laid": entry.laid[seat],
                "bet": entry.bets[seat],
            }
        )
    return seats


def _modes(entry: Entry, offer: Offer) -> list[tuple[str, str]]:
    if entry.kind == "opening":
        modes = keypad.hand_modes()[:1]
    else:
        modes = [*keypad.hand_modes(), ("win", pgettext("mode", "Win"))]
    if offer.changsha:
        modes.append(("bird", pgettext("mode", "Bird")))
    elif entry.kind == "win":
        modes.append(keypad.laid_mode())
    return modes


def losers(entry: Entry, offer: Offer, names: tuple[str, ...], asked: Collection[Seat] = ()) -> list[dict[str, Any]]:
    """Wuhan: a row for each of the other three, with counters; ``asked`` has to say whether he was ready."""
    if offer.changsha or entry.kind != "win":
        return []
    return [
        {
            "seat": seat,
            "name": names[seat],
            "dealer": seat == entry.dealer,
            "counts": [(name, words, entry.counters[seat][name]) for name, words in counter_words(offer)],
            "ready": entry.ready[seat],
            "ask_ready": seat in asked,
        }
        for seat in SEATS
        if seat not in (entry.winners or (0,))
    ]


def _asked_ready(outcome: Outcome) -> tuple[Seat, ...]:
    """Who gave the tile, where it matters whether he was ready."""
    giver = outcome.entry.from_seat
    asked = any(fault.code == "missing" and fault.path.endswith("ready") for fault in outcome.faults)
    return () if giver is None or not (asked or outcome.entry.ready[giver] is not None) else (giver,)


def counter_words(offer: Offer) -> list[tuple[str, str]]:
    """The counters of a Wuhan player and their heads; 癞子 apart only where the rules tell them apart."""
    counters = [
        ("op", _("opened")),
        ("ek", _("exp. kong")),
        ("ck", _("dark kong")),
        ("lo", pgettext("counter", "laid")),
        ("lw", pgettext("counter", "wilds")),
    ]
    return counters if offer.counts_wilds else counters[:-1]


def event_words(event: str) -> str:
    """An event as the button that names it says it, in the language of the page."""
    words = {
        "heaven": _("Heaven"),
        "earth": _("Earth"),
        "last_tile": _("Last tile"),
        "kong_draw": _("Kong tile drawn"),
        "kong_discard": _("Kong tile thrown"),
        "rob_kong": _("Robbed kong"),
    }
    return words[event]


def pattern_name(offer: Offer, pattern: str) -> str:
    """A pattern in the language of the page."""
    return own(pattern_out(offer.rules.family, pattern, 1))


def _kind_words(kind: str) -> str:
    return {
        "win": _("A win"),
        "opening": _("Opening win"),
        "exhausted": _("Nobody wins"),
        "penalty": _("Penalty"),
    }[kind]


def _dice(entry: Entry, offer: Offer) -> list[str]:
    """The dice of an opening as typed, one for each bird."""
    thrown = [str(pips) for pips in entry.dice]
    return (thrown + [""] * offer.birds)[: offer.birds]


def _penalty_reasons(offer: Offer) -> list[tuple[str, str]]:
    left = [("left", _("left the table"))] if offer.options["leave_penalty"] else []
    return [*left, ("false_win", _("false win")), ("other", _("other"))]


# ---- addresses


def _kept(entry: Entry) -> list[tuple[str, str]]:
    """What stays when the kind of record or the rule set changes."""
    return [(name, value) for name, value in entry.fields() if name in ("n0", "n1", "n2", "n3", "dealer")]


def _switch(entry: Entry, kind: str) -> str:
    rules = [(name, value) for name, value in entry.fields() if name == "rules" or name.startswith("o.")]
    return "?" + urlencode([*rules, ("kind", kind), *_kept(entry)])


def _with_rules(entry: Entry, preset: Preset) -> str:
    return "?" + urlencode([("rules", preset.id), *_kept(entry)])


@cache
def _examples(language: str) -> tuple[dict[str, Any], ...]:
    """The examples with what they pay, worked out once a language."""
    shown = []
    with override(language):
        for example in EXAMPLES:
            outcome = judge(example)
            if outcome.settlement is None:
                continue
            win = outcome.settlement.wins[0]
            shown.append(
                {
                    "address": example.query(),
                    "title": presenters.pattern_words(win),
                    "rules": own(outcome.offer.preset),
                    "amount": presenters.signed(outcome.settlement.deltas[win.seat]),
                }
            )
    return tuple(shown)

"""Everything the templates of the hand entry need: one component, on the home page and inside a session.

A page that embeds it gives a `Config` (what is fixed, where the form goes) and an `Entry`; `entry_context` gives the
context of ``entry/component.html`` and, for each change, of ``entry/result.html``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any
from urllib.parse import urlencode

from django.utils.translation import get_language, ngettext, override, pgettext
from django.utils.translation import gettext as _

from scoring import Fault, Preset, all_presets
from scoring.hand import Hand
from scoring.settlement import pattern_out
from scoring.tiles import NAMES, Seat, Tile
from scoring.wuhan.rules import wuhan_rules
from scoring.wuhan.specials import specials

from . import options, presenters
from .examples import EXAMPLES
from .fixes import false_win, fixes
from .outcome import Outcome, judge
from .situation import Offer
from .state import SEATS, Entry, readable
from .waits import ready, waits
from .words import fault_text, listed, own, seat_names, side, tile_name


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


@dataclass(frozen=True)
class TileView:
    """A tile that a tap takes away: its code, its name, a mark (癞, 皮, 杠) and where it stands."""

    code: str
    name: str
    mark: str
    drop: str
    at: int


@dataclass(frozen=True)
class Group:
    """Tiles that stand together in the picture of the hand, under one seal or none."""

    kind: str
    seal: str
    tiles: tuple[TileView, ...]


def entry_context(entry: Entry, config: Config) -> dict[str, Any]:
    """The context of ``entry/component.html``: what `result_context` gives, and what no tap changes."""
    context = result_context(entry, config)
    entry, offer, names = context["entry"], context["offer"], context["names"]
    return context | {
        "lines": _lines(entry, offer, names),
        "modes": _modes(entry, offer),
        "keys": _keys(offer),
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
        "events": [(event, _event_words(event)) for event in offer.events(entry.with_(event=""))],
        "can_rob": offer.can_rob(entry),
        "indicator": entry.indicator if len(readable(entry.indicator)) == 1 else "",
        "marks": _marks(entry, offer),
        "counters": counter_words(offer),
        "losers": _losers(outcome, names),
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


def _lines(entry: Entry, offer: Offer, names: tuple[str, ...]) -> list[dict[str, Any]]:
    shown = entry.winners or (0,)
    return [
        {
            "seat": seat,
            "name": names[seat],
            "shown": seat in shown,
            "text": entry.lines[seat].canonical.replace(" ", "") if entry.lines[seat].hand else entry.lines[seat].text,
            "groups": _groups(entry, offer, seat, birds=seat == shown[0]),
        }
        for seat in SEATS
    ]


def _groups(entry: Entry, offer: Offer, seat: Seat, *, birds: bool) -> list[Group]:
    hand = entry.lines[seat].hand or Hand(())
    marks = {tile: mark.sign for mark in _marks(entry, offer) for tile in mark.tiles}

    def group(kind: str, seal: str, drop: str, tiles: Iterable[Tile], at: int | None = None) -> Group:
        views = (
            TileView(NAMES[tile], tile_name(tile), marks.get(tile, ""), drop, place if at is None else at)
            for place, tile in enumerate(tiles)
        )
        return Group(kind, seal, tuple(views))

    groups = [group("", "", "concealed", sorted(hand.concealed))]
    groups += [
        group("meld", _("dark") if meld.kind == "concealed_kong" else "", "melds", meld.tiles, at)
        for at, meld in enumerate(hand.melds)
    ]
    groups.append(group("won", "胡", "won", hand.win_on))
    groups.append(group("laid", _("laid"), f"laid{seat}", sorted(readable(entry.laid[seat]))))
    if birds and offer.bird_room(entry):
        groups.append(group("bird", _("bird"), "birds", sorted(entry.bird_tiles)))
    return [one for one in groups if one.tiles]


@dataclass(frozen=True)
class Mark:
    """Special tiles of Wuhan: the character on them, their kinds, in words, and the class of the mark."""

    sign: str
    tiles: tuple[Tile, ...]
    words: str
    kind: str


def _marks(entry: Entry, offer: Offer) -> list[Mark]:
    """癞子, 皮 and kong tiles; none until the indicator is known."""
    indicator = () if offer.changsha else readable(entry.indicator)
    if len(indicator) != 1:
        return []
    found = specials(offer.rules, indicator[0])
    kong_tiles = wuhan_rules(offer.rules).kong_tiles
    marks = (
        Mark("癞", (found.wild,), _("wild"), ""),
        Mark("皮", tuple(sorted(found.kong_tiles - kong_tiles)), _("skin, a kong tile"), "k"),
        Mark("杠", tuple(sorted(kong_tiles)), _("kong tile"), "k"),
    )
    return [mark for mark in marks if mark.tiles]


def _modes(entry: Entry, offer: Offer) -> list[tuple[str, str]]:
    if entry.kind == "opening":
        modes = [("hand", pgettext("mode", "Hand"))]
    else:
        modes = [
            ("hand", pgettext("mode", "Hand")),
            ("chow", pgettext("mode", "Chow")),
            ("pong", pgettext("mode", "Pong")),
            ("exposed_kong", pgettext("mode", "Kong")),
            ("added_kong", pgettext("mode", "Add")),
            ("concealed_kong", pgettext("mode", "Dark")),
            ("win", pgettext("mode", "Win")),
        ]
    if offer.changsha:
        modes.append(("bird", pgettext("mode", "Bird")))
    elif entry.kind == "win":
        modes.append(("laid", pgettext("mode", "Laid")))
    return modes


@cache
def _key_codes(suits: str) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(f"{rank}{suit}" for rank in range(1, 8 if suit == "z" else 10)) for suit in suits)


def _keys(offer: Offer) -> tuple[tuple[str, ...], ...]:
    return _key_codes(offer.suits)


def _losers(outcome: Outcome, names: tuple[str, ...]) -> list[dict[str, Any]]:
    """Wuhan: a row a loser, with counters; whether he was ready is asked only where it matters."""
    entry = outcome.entry
    if outcome.offer.changsha or entry.kind != "win":
        return []
    asked = any(fault.code == "missing" and fault.path.endswith("ready") for fault in outcome.faults)
    return [
        {
            "seat": seat,
            "name": names[seat],
            "dealer": seat == entry.dealer,
            "counts": [(name, words, entry.counters[seat][name]) for name, words in counter_words(outcome.offer)],
            "ready": entry.ready[seat],
            "ask_ready": seat == entry.from_seat and (asked or entry.ready[seat] is not None),
        }
        for seat in SEATS
        if seat not in (entry.winners or (0,))
    ]


def _event_words(event: str) -> str:
    words = {
        "heaven": _("Heaven"),
        "earth": _("Earth"),
        "last_tile": _("Last tile"),
        "kong_draw": _("Kong tile drawn"),
        "kong_discard": _("Kong tile thrown"),
    }
    return words[event]


def pattern_name(offer: Offer, pattern: str) -> str:
    """A pattern in the language of the page."""
    return own(pattern_out(offer.rules.family, pattern, 1))


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

"""What would make a refused hand right: small changes of the entry, each tried with the engine before it is offered."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from django.utils.translation import gettext as _

from scoring import Fault
from scoring.analysis.shanten import discards, kinds_of
from scoring.hand import Hand
from scoring.notation import format_hand, format_tiles, parse_tiles
from scoring.tiles import JIANG, NAMES, Seat, Tile, rank, suit

from .outcome import Outcome, judge, won_hand
from .state import SEATS, Entry, readable
from .words import seat_names, short_tile_name, signed

MOST: Final = 4
NOT_REALLY_WON: Final = frozenset(
    {"pair_not_jiang", "not_a_win", "dead_hand", "passed_win", "not_opened", "below_minimum"}
)
"""Refusals after which the table may want to record a false win (诈胡)."""


@dataclass(frozen=True)
class Fix:
    """One way out: what it is, the address that has it, the tiles it is about, and what the hand would then bring."""

    label: str
    address: str
    tiles: tuple[str, ...] = ()
    amount: str = ""


@dataclass(frozen=True)
class _Try:
    """A changed entry to be tried; ``open_ended`` ones are offered although something is still to be entered."""

    label: str
    entry: Entry
    tiles: tuple[str, ...] = ()
    open_ended: bool = False


_Finder: TypeAlias = Callable[[Outcome, Fault], Iterable[_Try]]


def fixes(outcome: Outcome) -> tuple[Fix, ...]:
    """The nearest ways to make a refused hand right, at most four."""
    tries = [one for fault in outcome.faults for one in _FINDERS.get(fault.code, _nothing)(outcome, fault)]
    found = [fix for one in tries if (fix := _tried(one))]
    return tuple(dict.fromkeys(found))[:MOST]


def false_win(outcome: Outcome) -> str:
    """The address where this claim is recorded as a false win; empty where that is not the matter."""
    if not outcome.entry.winners or not any(fault.code in NOT_REALLY_WON for fault in outcome.faults):
        return ""
    claimed = str(outcome.entry.winners[0])
    penalty = {"seat": claimed, "reason": "false_win", "points": "", "to": "others"}
    kept = Entry(rules=outcome.entry.rules, options=outcome.entry.options, names=outcome.entry.names)
    return kept.with_(kind="penalty", penalty=penalty, dealer=outcome.entry.dealer).query()


def _tried(one: _Try) -> Fix | None:
    outcome = judge(one.entry)
    if outcome.settlement is None:
        return Fix(one.label, one.entry.query(), one.tiles) if one.open_ended else None
    gains = sum(outcome.settlement.deltas[seat] for seat in one.entry.winners)
    return Fix(one.label, one.entry.query(), one.tiles, signed(gains))


def _seat(outcome: Outcome, fault: Fault) -> Seat:
    """The winner a fault is about."""
    place = fault.path.split(".")
    index = int(place[1]) if place[0] == "winners" and len(place) > 1 else 0
    return outcome.entry.winners[index]


def _nothing(outcome: Outcome, fault: Fault) -> Iterator[_Try]:
    yield from ()


def _other_pair(outcome: Outcome, fault: Fault) -> Iterator[_Try]:
    """The pair may have been entered wrongly: the 将 tiles of its suit."""
    seat = _seat(outcome, fault)
    hand = won_hand(outcome.entry, seat)
    for pair in _pairs(fault):
        for other in sorted(JIANG, key=lambda tile: (suit(tile) != suit(pair), abs(rank(tile) - rank(pair)), tile)):
            if suit(other) == suit(pair):
                changed = Hand(_swapped(hand.concealed, pair, other), hand.melds, _swapped(hand.win_on, pair, other))
                entry = outcome.entry.with_line(seat, format_hand(changed))
                yield _Try("", entry, (NAMES[other], NAMES[other]))


def _pairs(fault: Fault) -> tuple[Tile, ...]:
    tiles = parse_tiles(str(fault.detail.get("pair", "")).replace("/", " "))
    return tuple(dict.fromkeys(tiles))


def _swapped(tiles: tuple[Tile, ...], old: Tile, new: Tile) -> tuple[Tile, ...]:
    return tuple(new if tile == old else tile for tile in tiles)


def _missing(outcome: Outcome, fault: Fault) -> Iterator[_Try]:
    entry, names = outcome.entry, seat_names(outcome.entry.names)
    if fault.reason == "from":
        for seat in SEATS:
            if seat not in entry.winners:
                yield _Try(_("%(name)s gave it") % {"name": names[seat]}, entry.with_(giver=seat), open_ended=True)
    elif fault.reason == "third_opening":
        winner = _seat(outcome, fault)
        hand = entry.lines[winner].hand or Hand(())
        third = [place for place, meld in enumerate(hand.melds) if meld.is_exposed][2]
        for seat in SEATS:
            if seat != winner:
                melds = list(hand.melds)
                melds[third] = melds[third]._replace(taken_from=seat)
                line = format_hand(hand._replace(melds=tuple(melds)))
                label = _("the third opening came from %(name)s") % {"name": names[seat]}
                yield _Try(label, entry.with_line(winner, line), open_ended=True)


def _fewer_birds(outcome: Outcome, fault: Fault) -> Iterator[_Try]:
    birds = outcome.entry.bird_tiles[: int(fault.detail.get("most", 0))]
    yield _Try(_("without the birds too many"), outcome.entry.with_(birds=format_tiles(birds)))


def _without_event(outcome: Outcome, fault: Fault) -> Iterator[_Try]:
    yield _Try(_("without the event"), outcome.entry.with_(event=""))


def _opened(outcome: Outcome, fault: Fault) -> Iterator[_Try]:
    """One opening of a loser more may reach the minimum."""
    names = seat_names(outcome.entry.names)
    for seat in SEATS:
        if seat not in outcome.entry.winners and not outcome.entry.counters[seat].get("op"):
            counters = list(outcome.entry.counters)
            counters[seat] = {**counters[seat], "op": 1}
            yield _Try(_("%(name)s had opened") % {"name": names[seat]}, outcome.entry.with_(counters=tuple(counters)))


def _lay_out(outcome: Outcome, fault: Fault) -> Iterator[_Try]:
    """A kong tile still held belongs on the table."""
    seat = _seat(outcome, fault)
    hand = won_hand(outcome.entry, seat)
    for tile in parse_tiles(str(fault.detail.get("tile", "")))[:1]:
        if tile in hand.concealed:
            place = hand.concealed.index(tile)
            rest = hand._replace(concealed=hand.concealed[:place] + hand.concealed[place + 1 :])
            laid = list(outcome.entry.laid)
            laid[seat] += NAMES[tile]
            label = _("lay out %(tile)s") % {"tile": short_tile_name(tile)}
            yield _Try(
                label, outcome.entry.with_line(seat, format_hand(rest)).with_(laid=tuple(laid)), (NAMES[tile],), True
            )


def _other_tile(outcome: Outcome, fault: Fault) -> Iterator[_Try]:
    """One tile entered wrongly: those that complete the hand, neighbours of the one they replace first."""
    seat = _seat(outcome, fault)
    entry, offer = outcome.entry, outcome.offer
    hand = won_hand(entry, seat)
    indicator = readable(entry.indicator)
    if len(hand.concealed) + len(hand.win_on) + 3 * len(hand.melds) != 14 or (
        len(indicator) != 1 and not offer.changsha
    ):
        return
    tiles = hand.concealed + hand.win_on
    laid = () if offer.changsha else readable(entry.laid[seat])
    found = discards(offer.rules, tiles, hand.melds, laid, None if offer.changsha else indicator[0])
    swaps = [(one.tile, new) for one in found if one.shanten == 0 for new in kinds_of(one.accepts)]
    for old, new in sorted(swaps, key=lambda swap: (suit(swap[0]) != suit(swap[1]), abs(swap[0] - swap[1])))[:MOST]:
        place = tiles.index(old)
        changed = (*tiles[:place], new, *tiles[place + 1 :])
        kept = len(hand.concealed)
        line = format_hand(Hand(changed[:kept], hand.melds, changed[kept:]))
        label = _("%(old)s is really %(new)s") % {"old": short_tile_name(old), "new": short_tile_name(new)}
        yield _Try(label, entry.with_line(seat, line))


_FINDERS: Final[Mapping[str, _Finder]] = {
    "pair_not_jiang": _other_pair,
    "not_a_win": _other_tile,
    "missing": _missing,
    "too_many_birds": _fewer_birds,
    "event_not_allowed": _without_event,
    "below_minimum": _opened,
    "kong_tile_in_hand": _lay_out,
}

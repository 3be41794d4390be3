"""From what was entered to what the engine says: nothing yet, a hand still short, refused, or settled."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from scoring import Fault, HandRecord, RecordError, Settlement, parse_record, resolve_rules, settle
from scoring.hand import Hand
from scoring.notation import format_tiles
from scoring.rules import Preset, Rules, preset
from scoring.tiles import NAMES, Seat

from . import options
from .fields import number, read_seat
from .situation import Offer
from .state import COUNTERS, SEATS, Entry, readable

State: TypeAlias = Literal["empty", "unreadable", "short", "refused", "settled"]


@dataclass(frozen=True)
class Outcome:
    """What came of an entry: ``short`` says tiles missing by winner, ``faults`` why it was refused."""

    state: State
    entry: Entry
    offer: Offer
    settled: tuple[HandRecord, Settlement] | None = None
    faults: tuple[Fault, ...] = ()
    short: Mapping[Seat, int] | None = None

    @property
    def settlement(self) -> Settlement | None:
        """Who pays whom, where it is settled."""
        return self.settled[1] if self.settled else None


def judge(entry: Entry) -> Outcome:
    """The outcome of an entry. Never raises for anything a person entered."""
    offer, bad_options = offer_of(entry)
    shortest = options.fields_of(offer.preset, options.chosen(offer.preset, entry.options))
    entry = offer.possible(entry).with_(options=shortest)
    if entry.untouched or (entry.kind in ("win", "opening") and not _said(entry)):
        return Outcome("empty", entry, offer, faults=bad_options)
    if entry.kind in ("win", "opening"):
        if any(entry.lines[seat].hand is None for seat in entry.winners):
            return Outcome("unreadable", entry, offer)
        short = {seat: count for seat in entry.winners if (count := _missing(entry, seat)) > 0}
        if short:
            return Outcome("short", entry, offer, short=short, faults=bad_options)
    if bad_options:
        return Outcome("refused", entry, offer, faults=bad_options)
    try:
        record = parse_record(to_record(entry, offer))
        return Outcome("settled", entry, offer, (record, settle(record)))
    except RecordError as error:
        # Of a hand nobody won, or a penalty, what was not tapped yet is no fault.
        waiting = entry.kind in ("exhausted", "penalty") and {fault.code for fault in error.faults} == {"missing"}
        return Outcome("empty" if waiting else "refused", entry, offer, faults=error.faults)


def _said(entry: Entry) -> bool:
    """Whether any tile was entered, or an opening declared."""
    return any(line.text for line in entry.lines) or any(entry.declared)


def offer_of(entry: Entry) -> tuple[Offer, tuple[Fault, ...]]:
    """The rules an entry names, and what is wrong with its options (the preset's own then stand in)."""
    base = preset(entry.rules)
    try:
        return Offer(resolve_rules(rules_spec(base, entry))), ()
    except RecordError as error:
        return Offer(resolve_rules(base.id)), error.faults


def rules_spec(base: Preset, entry: Entry) -> str | dict[str, Any]:
    """The contract's ``rules``."""
    changed = options.chosen(base, entry.options)
    return {"preset": base.id, "options": changed} if changed else base.id


def to_record(entry: Entry, offer: Offer) -> dict[str, Any]:
    """The contract's record of an entry whose hands can be read."""
    rules: Rules = offer.rules
    record: dict[str, Any] = {"rules": rules_spec(rules.preset, entry), "kind": entry.kind, "dealer": entry.dealer}
    if entry.creator and offer.room:
        record["creator"] = entry.creator
    if any(entry.bets) and offer.options.get("fishing"):
        record["side_bets"] = [bet or "0" for bet in entry.bets]
    return record | _PARTS[entry.kind](entry, offer)


def _win(entry: Entry, offer: Offer) -> dict[str, Any]:
    record: dict[str, Any] = {
        "by": entry.by,
        "from": entry.from_seat,
        "winners": [_winner(entry, offer, seat) for seat in entry.winners],
    }
    if entry.event:
        record["events"] = [entry.event]
    if offer.changsha:
        if entry.birds and offer.birds and entry.event != "last_tile":
            record["birds"] = _each(entry.birds)
        if entry.low:
            record["last_wall_tile_only"] = True
    else:
        if entry.indicator:
            record["indicator"] = entry.indicator
        record["players"] = players_of(entry, offer)
    return record


def _winner(entry: Entry, offer: Offer, seat: Seat) -> dict[str, Any]:
    hand = won_hand(entry, seat)
    winner: dict[str, Any] = {
        "seat": seat,
        "concealed": format_tiles(hand.concealed),
        "melds": melds_of(hand),
        "win_on": [NAMES[tile] for tile in hand.win_on],
    }
    if seat in entry.dead and offer.changsha:
        winner["unready_kong"] = True
    if entry.laid[seat] and not offer.changsha:
        winner["laid_out"] = entry.laid[seat]
    if entry.passed[seat] and not entry.self_draw:
        winner["passed"] = passed_of(entry, offer, seat)
    return winner


def melds_of(hand: Hand) -> list[dict[str, Any]]:
    """The contract's ``melds``."""
    return [
        {"kind": meld.kind, "tiles": format_tiles(meld.tiles)}
        | ({} if meld.taken_from is None else {"from": meld.taken_from})
        | ({"dice": True} if meld.dice else {})
        for meld in hand.melds
    ]


def passed_of(entry: Entry, offer: Offer, seat: Seat) -> list[Any]:
    """The contract's ``passed``: tiles that a seat let go."""
    big = entry.passed_big[seat]
    return [{"tile": tile, "big": big} if offer.room else tile for tile in _each(entry.passed[seat])]


def players_of(entry: Entry, offer: Offer) -> list[dict[str, Any]]:
    """The contract's ``players``, of Wuhan: what those who did not win have opened and laid out."""
    return [_player(entry, seat, offer) for seat in SEATS if seat not in entry.winners]


def _player(entry: Entry, seat: Seat, offer: Offer) -> dict[str, Any]:
    counts = dict(entry.counters[seat])
    counts["op"] = max(counts["op"], counts["ek"])  # a kong of either kind is an opening too
    if not offer.counts_wilds:
        counts.pop("lw")
    player: dict[str, Any] = {"seat": seat} | {COUNTERS[name]: count for name, count in counts.items()}
    if entry.ready[seat] is not None:
        player["ready"] = entry.ready[seat]
    return player


def _opening(entry: Entry, offer: Offer) -> dict[str, Any]:
    record: dict[str, Any] = {"winners": [_opener(entry, offer, seat) for seat in entry.winners]}
    if entry.dice and offer.bird_dice:
        record["bird_dice"] = list(entry.dice)
    elif entry.birds and offer.birds:
        record["birds"] = _each(entry.birds)
    return record


def _opener(entry: Entry, offer: Offer, seat: Seat) -> dict[str, Any]:
    """What was declared, or tiles: fewer than were dealt are those laid open, where such may be given."""
    hand = entry.lines[seat].hand or Hand(())
    tiles = hand.concealed + hand.win_on
    opener: dict[str, Any] = {"seat": seat}
    if declared := entry.declared[seat]:
        opener["declared"] = [name for name in offer.openings(entry, seat) if name in declared]
    if tiles or not declared:
        opener["shown" if entry.shown and len(tiles) < _dealt(entry, seat) else "concealed"] = format_tiles(tiles)
    return opener


def _dealt(entry: Entry, seat: Seat) -> int:
    return 13 + (seat == entry.dealer)


def _exhausted(entry: Entry, offer: Offer) -> dict[str, Any]:
    what, _, whose = entry.last.partition(":")
    return {"last_tile": {what: read_seat(whose)}} if what else {}


def _penalty(entry: Entry, offer: Offer) -> dict[str, Any]:
    given = entry.penalty
    penalty: dict[str, Any] = {"seat": read_seat(given.get("seat")) or 0, "reason": given.get("reason") or "other"}
    if points := given.get("points"):
        penalty["points"] = points if (told := number(points)) is None else told
    if to := given.get("to"):
        penalty["to"] = to if (receiver := read_seat(to)) is None else receiver
    return {"penalty": penalty}


_PARTS = {"win": _win, "opening": _opening, "exhausted": _exhausted, "penalty": _penalty}


def won_hand(entry: Entry, seat: Seat) -> Hand:
    """The hand of a winner. A whole hand typed without a mark was completed by its last tile."""
    hand = entry.lines[seat].hand or Hand(())
    if hand.win_on or not hand.concealed or _tiles(hand) < 14:
        return hand
    return hand._replace(concealed=hand.concealed[:-1], win_on=hand.concealed[-1:])


def _tiles(hand: Hand) -> int:
    """Tiles of a hand, a kong counted as three, a second winning tile not at all."""
    return len(hand.concealed) + 3 * len(hand.melds) + min(len(hand.win_on), 1)


def _missing(entry: Entry, seat: Seat) -> int:
    hand = entry.lines[seat].hand or Hand(())
    if entry.kind == "opening":
        wanted = 0 if entry.declared[seat] else 1 if entry.shown else _dealt(entry, seat)
        return wanted - len(hand.concealed) - len(hand.win_on)
    return 14 - _tiles(hand)


def _each(text: str) -> list[str]:
    """Tiles as the contract's list; a text that cannot be read as one item, for the engine to name."""
    return [NAMES[tile] for tile in readable(text)] or [text]

"""A declared win as quick entry fields: what the table already knows, no tiles (contract, "Declared wins").

Fields: ``w`` (repeated) winners, ``by`` giver (a winner's own seat: self-draw), ``rob``, ``ev`` event, ``p<seat>``
(repeated) shape patterns of a winner, ``kt<seat>`` two kong tiles, ``bird<n>`` numbers 1–9; in Wuhan
``soft<seat>``, counters ``op ek ck lo lw`` and ``ready`` with the seat behind, ``third<seat>`` who gave the third
opening.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from mahjong_site.calculator.situation import Offer
from mahjong_site.calculator.state import COUNTERS, EVENTS, SEATS, Params
from scoring.checks import SHAPE_PATTERNS
from scoring.record import WinRecord
from scoring.tiles import Seat, rank

BIRD_SUITS = "mps"


@dataclass(frozen=True)
class Declared:
    """What was tapped. Immutable."""

    winners: tuple[Seat, ...] = ()
    giver: Seat | None = None
    robbed: bool = False
    event: str = ""
    patterns: tuple[frozenset[str], ...] = (frozenset(),) * 4
    small: frozenset[Seat] = frozenset()
    kong_tiles: frozenset[Seat] = frozenset()
    birds: tuple[int, ...] = ()
    no_bird: bool = False
    soft: frozenset[Seat] = frozenset()
    counters: tuple[Mapping[str, int], ...] = ({}, {}, {}, {})
    ready: tuple[bool | None, ...] = (None, None, None, None)
    third: tuple[Seat | None, ...] = (None, None, None, None)
    dealer: Seat = 0

    @property
    def self_draw(self) -> bool:
        """Whether the one winner drew the tile himself."""
        return len(self.winners) == 1 and self.giver == self.winners[0]

    @property
    def by(self) -> str:
        """The contract's ``by``."""
        return "self_draw" if self.self_draw else "rob_kong" if self.robbed else "discard"

    @property
    def said(self) -> bool:
        """Whether everything a settlement needs was tapped: who, how, and what."""
        if not self.winners or self.giver is None or (self.giver in self.winners and not self.self_draw):
            return False
        return all(self.patterns[seat] or seat in self.small or self.event or self.robbed for seat in self.winners)


def read(params: Params, offer: Offer, dealer: Seat) -> Declared:
    """What the fields say; what this rule set or situation cannot have counts as not given."""
    winners = tuple(seat for seat in SEATS if str(seat) in params.getlist("w"))
    giver = _seat(params.get("by"))
    shapes = shape_patterns(offer)
    picked = [params.getlist(f"p{seat}") for seat in SEATS]
    birds = [params.get(f"bird{place}") or "" for place in range(offer.birds)]
    told = Declared(
        winners=winners,
        giver=giver,
        dealer=dealer,
        patterns=tuple(frozenset(name for name in names if name in shapes) for names in picked),
        small=frozenset(seat for seat in SEATS if "small" in picked[seat]),
        kong_tiles=frozenset(seat for seat in SEATS if params.get(f"kt{seat}") == "1"),
        birds=tuple(int(text) for text in birds if text in {*"123456789"}),
        no_bird="0" in birds,
        soft=frozenset(seat for seat in SEATS if params.get(f"soft{seat}") == "1"),
        counters=tuple({name: _count(params.get(f"{name}{seat}")) for name in COUNTERS} for seat in SEATS),
        ready=tuple({"1": True, "0": False}.get(params.get(f"ready{seat}") or "") for seat in SEATS),
        third=tuple(_seat(params.get(f"third{seat}")) for seat in SEATS),
    )
    told = replace(told, robbed=params.get("ev") == "rob_kong" and not told.self_draw)
    event = params.get("ev") or ""
    allowed = {name for name, _ in events(offer, told)}
    return replace(told, event=event if event in EVENTS and event in allowed else "")


def shape_patterns(offer: Offer) -> tuple[str, ...]:
    """Patterns of the tiles alone that this table plays, in the preset's order."""
    luxury = offer.options.get("luxury_pairs", False)
    return tuple(
        name
        for name in offer.preset.data["patterns"]["big"]
        if name in SHAPE_PATTERNS and (name != "luxury_pairs" or luxury)
    )


def events(offer: Offer, told: Declared) -> tuple[tuple[str, str], ...]:
    """Events that may be declared now, with the pattern each makes; robbing a kong among them."""
    known = offer.preset.data["patterns"]["big"]
    drawn = (("heaven", "heaven"), ("last_tile", "last_tile_draw"), ("kong_draw", "kong_draw"))
    given = (
        ("earth", "earth"),
        ("last_tile", "last_tile_discard"),
        ("kong_discard", "kong_discard"),
        ("rob_kong", "rob_kong"),
    )
    return tuple(
        (event, pattern)
        for event, pattern in (drawn if told.self_draw else given)
        if pattern in known
        and (event != "heaven" or told.dealer in told.winners)
        and (event != "earth" or (told.giver == told.dealer and told.dealer not in told.winners))
    )


def to_record(told: Declared, offer: Offer) -> dict[str, Any]:
    """The contract's record, without ``rules`` and ``dealer``."""
    record: dict[str, Any] = {
        "kind": "win",
        "by": told.by,
        "from": None if told.self_draw else told.giver,
        "winners": [_winner(told, offer, seat) for seat in told.winners],
    }
    if told.event:
        record["events"] = [told.event]
    if offer.changsha:
        if told.birds:
            record["birds"] = bird_tiles(told.birds)
    else:
        record["players"] = [_player(told, seat) for seat in SEATS if seat not in told.winners]
    return record


def bird_tiles(numbers: tuple[int, ...]) -> list[str]:
    """Tiles of these numbers; only the number points at a seat, so suits are taken in turn."""
    return [f"{number}{BIRD_SUITS[numbers[:place].count(number) % 3]}" for place, number in enumerate(numbers)]


def _winner(told: Declared, offer: Offer, seat: Seat) -> dict[str, Any]:
    order = shape_patterns(offer)
    winner: dict[str, Any] = {"seat": seat, "declared": sorted(told.patterns[seat], key=order.index)}
    if offer.changsha:
        if seat in told.kong_tiles and told.event.startswith("kong") and offer.kong_tiles == 2:
            winner["win_tiles"] = 2
        return winner
    winner |= {"hard": seat not in told.soft} | _counts(told, seat)
    if told.third[seat] is not None:
        winner["third_open_from"] = told.third[seat]
    return winner


def _player(told: Declared, seat: Seat) -> dict[str, Any]:
    player: dict[str, Any] = {"seat": seat} | _counts(told, seat)
    return player | ({} if told.ready[seat] is None else {"ready": told.ready[seat]})


def _counts(told: Declared, seat: Seat) -> dict[str, int]:
    counts = dict(told.counters[seat])
    counts["op"] = max(counts.get("op", 0), counts.get("ek", 0))  # a kong of either kind is an opening too
    return {COUNTERS[name]: count for name, count in counts.items()}


def of_record(record: WinRecord) -> Declared:
    """The fields that give a declared record, for correcting it."""
    winners = tuple(winner.seat for winner in record.winners)
    patterns, small, kong_tiles, soft = [frozenset[str]()] * 4, set(), set(), set()
    counters: list[Mapping[str, int]] = [{}] * 4
    third: list[Seat | None] = [None] * 4
    ready: list[bool | None] = [None] * 4
    for winner in record.winners:
        names = frozenset(winner.declared or ()) - {"small"}
        patterns[winner.seat] = names
        small |= set() if names else {winner.seat}
        kong_tiles |= {winner.seat} if winner.win_tiles == 2 else set()
        soft |= {winner.seat} if winner.hard is False else set()
        third[winner.seat] = winner.third_open_from
        counters[winner.seat] = {name: getattr(winner, field) or 0 for name, field in COUNTERS.items()}
    for player in record.players:
        counters[player.seat] = {name: getattr(player, field) or 0 for name, field in COUNTERS.items()}
        ready[player.seat] = player.ready
    return Declared(
        winners=winners,
        giver=record.from_ if record.from_ is not None else winners[0],
        robbed=record.by == "rob_kong",
        event=record.events[0] if record.events else "",
        patterns=tuple(patterns),
        small=frozenset(small),
        kong_tiles=frozenset(kong_tiles),
        birds=tuple(rank(tile) for tile in record.birds),
        soft=frozenset(soft),
        counters=tuple(counters),
        ready=tuple(ready),
        third=tuple(third),
        dealer=record.dealer,
    )


def _seat(text: str | None) -> Seat | None:
    return int(text) if text in ("0", "1", "2", "3") else None


def _count(text: str | None) -> int:
    return min(int(text), 16) if text and text.isascii() and text.isdigit() and len(text) < 4 else 0

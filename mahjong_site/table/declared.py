"""A declared win as quick entry fields: what the table already knows, no tiles (contract, "Declared wins").

Fields: ``w`` (repeated) winners, ``by`` giver (a winner's own seat: self-draw), ``rob``, ``ev`` event, ``p<seat>``
(repeated) shape patterns of a winner, ``kt<seat>`` two kong tiles, ``bird<n>`` numbers 1–9; in Wuhan
``soft<seat>``, counters ``op ek ck lo lw`` and ``ready`` with the seat behind, ``third<seat>`` who gave the third
opening; in Changsha ``low`` only 海底 left, ``dead<seat>`` an unready 开杠, ``bet<seat>`` side bets.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from mahjong_site.calculator.fields import read_count, read_seat
from mahjong_site.calculator.situation import Offer
from mahjong_site.calculator.state import COUNTERS, EVENTS, NOTHING_OPEN, SEATS, Params
from scoring.tiles import Seat

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
    low: bool = False
    dead: frozenset[Seat] = frozenset()
    bets: tuple[str, ...] = ("",) * 4
    soft: frozenset[Seat] = frozenset()
    counters: tuple[Mapping[str, int], ...] = (NOTHING_OPEN,) * 4
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
    def staked(self) -> bool:
        """Whether there are side bets."""
        return any(self.bets)

    @property
    def said(self) -> bool:
        """Whether everything a settlement needs was tapped: who, how, and what."""
        if not self.winners or self.giver is None or (self.giver in self.winners and not self.self_draw):
            return False
        return all(self.patterns[seat] or seat in self.small or self.event or self.robbed for seat in self.winners)


def read(params: Params, offer: Offer, dealer: Seat) -> Declared:
    """What the fields say; what this rule set or situation cannot have counts as not given."""
    winners = tuple(seat for seat in SEATS if str(seat) in params.getlist("w"))
    giver = read_seat(params.get("by"))
    shapes = offer.shapes
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
        low=params.get("low") == "1",
        dead=frozenset(seat for seat in SEATS if params.get(f"dead{seat}") == "1"),
        bets=tuple((params.get(f"bet{seat}") or "").strip()[:12] for seat in SEATS),
        counters=tuple({name: read_count(params.get(f"{name}{seat}")) for name in COUNTERS} for seat in SEATS),
        ready=tuple({"1": True, "0": False}.get(params.get(f"ready{seat}") or "") for seat in SEATS),
        third=tuple(read_seat(params.get(f"third{seat}")) for seat in SEATS),
    )
    told = replace(told, robbed=params.get("ev") == "rob_kong" and not told.self_draw)
    event = params.get("ev") or ""
    allowed = set(events(offer, told))
    return replace(told, event=event if event in EVENTS and event in allowed else "")


def events(offer: Offer, told: Declared) -> tuple[str, ...]:
    """Events that may be declared now; robbing a kong among them."""
    by = "self_draw" if told.self_draw else "discard"
    known = offer.events_of(by, told.winners, told.giver, told.dealer)
    return (*known, "rob_kong") if offer.robs and not told.self_draw else known


def bird_room(offer: Offer, told: Declared) -> int:
    """How many birds may be given: one where 海底 is the only tile that can be (2.5)."""
    one = told.low or told.event == "last_tile"
    return min(offer.birds, 1) if one else offer.birds


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
        if birds := told.birds[: bird_room(offer, told)]:
            record["birds"] = bird_tiles(birds)
        if told.low:
            record["last_wall_tile_only"] = True
        if told.staked and offer.options["fishing"]:
            record["side_bets"] = [bet or "0" for bet in told.bets]
    else:
        record["players"] = [_player(told, seat) for seat in SEATS if seat not in told.winners]
    return record


def bird_tiles(numbers: tuple[int, ...]) -> list[str]:
    """Tiles of these numbers; only the number points at a seat, so suits are taken in turn."""
    return [f"{number}{BIRD_SUITS[numbers[:place].count(number) % 3]}" for place, number in enumerate(numbers)]


def _winner(told: Declared, offer: Offer, seat: Seat) -> dict[str, Any]:
    winner: dict[str, Any] = {"seat": seat, "declared": [name for name in offer.shapes if name in told.patterns[seat]]}
    if offer.changsha:
        if seat in told.kong_tiles and told.event.startswith("kong") and offer.kong_tiles == 2:
            winner["win_tiles"] = 2
        if seat in told.dead:
            winner["unready_kong"] = True
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
    counts["op"] = max(counts["op"], counts["ek"])  # a kong of either kind is an opening too
    return {COUNTERS[name]: count for name, count in counts.items()}

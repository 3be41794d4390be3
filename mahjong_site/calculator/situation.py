"""What a rule set and a situation allow to be entered: the page shows nothing else (rule book 2.2, 2.5, 3.2)."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from scoring import Preset, Rules
from scoring.changsha.rules import changsha_rules
from scoring.checks import SHAPE_PATTERNS
from scoring.hand import Hand
from scoring.tiles import Seat

from .state import Entry, Kind

_EVENT_PATTERNS = {
    ("self_draw", "heaven"): "heaven",
    ("self_draw", "last_tile"): "last_tile_draw",
    ("self_draw", "kong_draw"): "kong_draw",
    ("discard", "earth"): "earth",
    ("discard", "last_tile"): "last_tile_discard",
    ("discard", "kong_discard"): "kong_discard",
}
"""The pattern that each event makes, by how the hand was won."""


@dataclass(frozen=True)
class Offer:
    """What may be entered under some rules."""

    rules: Rules

    @property
    def preset(self) -> Preset:
        """The rule set without its options."""
        return self.rules.preset

    @property
    def options(self) -> Mapping[str, Any]:
        """All options, resolved."""
        return self.rules.options

    @property
    def changsha(self) -> bool:
        """Of the Changsha family; else Wuhan."""
        return self.rules.family == "changsha"

    @property
    def _patterns(self) -> Mapping[str, Any]:
        patterns: Mapping[str, Any] = self.preset.data["patterns"]
        return patterns

    @property
    def suits(self) -> str:
        """Letters of the suits in play; Wuhan has the honours."""
        return "mps" if self.changsha else "mpsz"

    @property
    def birds(self) -> int:
        """How many bird tiles may be turned up."""
        return int(self.options.get("birds", 0))

    def bird_room(self, entry: Entry) -> int:
        """How many bird tiles may be entered now: a win on 海底 has its own, a last tile left is one (2.5)."""
        if not self.changsha or entry.event == "last_tile":
            return 0
        return min(self.birds, 1) if entry.low and entry.kind == "win" else self.birds

    @property
    def kong_tiles(self) -> int:
        """How many tiles a 开杠 turns up."""
        return int(self._patterns.get("kong_tiles", 1))

    @cached_property
    def kinds(self) -> tuple[Kind, ...]:
        """Kinds of record; Wuhan knows no opening wins."""
        return ("win", "opening", "exhausted", "penalty") if self.changsha else ("win", "exhausted", "penalty")

    @property
    def bird_dice(self) -> bool:
        """Whether openings may give dice instead of bird tiles."""
        return self.preset.opening_dice and self.birds > 0

    @property
    def room(self) -> bool:
        """The room's rules: the table's creator matters, and how big a win was that was let go."""
        return self.preset.passed_with_size

    @property
    def counts_wilds(self) -> bool:
        """Whether it matters how many of a loser's laid-out tiles are 癞子."""
        return not self.changsha and (self.options["laid_out_wild_factor"] != 2 or self.options["laid_out_opens"])

    @property
    def robs(self) -> bool:
        """Whether a kong may be robbed."""
        return "rob_kong" in self._patterns["big"]

    @property
    def shapes(self) -> tuple[str, ...]:
        """Patterns of the tiles alone that this table plays, in the preset's order."""
        luxury = self.options.get("luxury_pairs", False)
        return tuple(
            name for name in self._patterns["big"] if name in SHAPE_PATTERNS and (name != "luxury_pairs" or luxury)
        )

    def openings(self, entry: Entry, seat: Seat) -> tuple[str, ...]:
        """Opening patterns a seat may declare; the dealer 天胡 too where it is played so, then with its shapes."""
        if not self.changsha:
            return ()
        heaven = seat == entry.dealer and changsha_rules(self.rules).openings_end_hand
        shapes = self.shapes if heaven and "heaven" in entry.declared[seat] else ()
        return (*self._patterns["opening"], *(("heaven",) if heaven else ()), *shapes)

    def can_rob(self, entry: Entry) -> bool:
        """Whether another's kong tile may have been the winning tile."""
        return bool(entry.winners) and not (entry.self_draw or entry.event) and self.robs

    def events_of(self, by: str, winners: Collection[Seat], giver: Seat | None, dealer: Seat) -> tuple[str, ...]:
        """Events of a win by who won and who gave the tile, in the order they are shown."""
        sits_right = {"heaven": dealer in winners, "earth": giver == dealer and dealer not in winners}
        return tuple(
            event
            for (how, event), pattern in _EVENT_PATTERNS.items()
            if how == by and pattern in self._patterns["big"] and sits_right.get(event, True)
        )

    def events(self, entry: Entry) -> tuple[str, ...]:
        """Events the record may have, in the order they are shown."""
        if not entry.winners:
            return ()
        known = self.events_of(entry.by, entry.winners, entry.from_seat, entry.dealer)
        return tuple(event for event in known if self._tiles_allow(event, entry))

    def _tiles_allow(self, event: str, entry: Entry) -> bool:
        hands = [entry.lines[seat].hand or Hand(()) for seat in entry.winners]
        if event in ("heaven", "earth"):
            return not any(hand.melds for hand in hands)
        if event == "kong_draw":
            laid = any(entry.laid[seat] for seat in entry.winners)
            unknown = any(not hand.win_on for hand in hands)
            return unknown or laid or any(meld.is_kong for hand in hands for meld in hand.melds)
        return True

    def possible(self, entry: Entry) -> Entry:
        """The entry without what this rule set or situation cannot have."""
        kind = entry.kind if entry.kind in self.kinds else "win"
        entry = entry.with_(kind=kind, robbed=entry.robbed and entry.giver not in (None, *entry.winners))
        event = entry.event
        if entry.robbed:
            event = ""
        elif event.startswith("kong"):
            event = "kong_draw" if entry.self_draw else "kong_discard"
        declared = tuple(
            names.intersection(self.openings(entry, seat))
            if kind == "opening" and seat in entry.winners
            else frozenset()
            for seat, names in enumerate(entry.declared)
        )
        event = event if event in self.events(entry.with_(event="")) else ""
        return entry.with_(event=event, declared=declared)

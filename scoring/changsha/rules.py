"""What a Changsha table plays by: the numbers of a preset's TOML and its resolved options, typed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, NamedTuple, TypeAlias

from scoring.rules import Rules

EventPair: TypeAlias = Literal["any", "jiang"]


class Pay(NamedTuple):
    """One row of the payment table (rule book 2.3): ``added`` comes after the birds."""

    base: int
    dealer: int
    added: int = 0


@dataclass(frozen=True, eq=False, slots=True)
class ChangshaRules:
    """A Changsha table's rules. Field names are those of the TOML and of the options (rule book 2 and 6).

    Compared as one object, which is quick where it keys a cache; `changsha_rules` remembers it.
    """

    pay: Mapping[tuple[str, str], Pay]
    all_in: frozenset[str]
    big: frozenset[str]
    opening: tuple[str, ...]
    order: Mapping[str, int]
    counted: int | None
    kong_tiles: int
    openings_end_hand: bool
    opening_dice: bool
    last_tile_counts_all_birds: bool
    passed_strictly_bigger: bool
    birds: int
    bird_effect: str
    bird_origin: str
    event_pair: Mapping[str, EventPair]
    dealer_bonus: str | None
    dealer_deals_in_big: int | None
    opening_stack: bool
    quad_is_triplet: bool
    luxury_pairs: bool
    all_melded_self_draw: bool | None
    fishing: bool
    fishing_doubles: bool


@lru_cache(maxsize=512)
def changsha_rules(rules: Rules) -> ChangshaRules:
    """The typed rules of a Changsha table."""
    data, options = rules.preset.data, rules.options
    patterns, pay = data["patterns"], data["pay"]
    known = (*patterns["big"], *patterns["opening"])
    return ChangshaRules(
        pay={
            (size, by): Pay(row["base"], row["dealer"], row.get("added", 0))
            for size in ("small", "big")
            for by, row in pay[size].items()
        },
        all_in=frozenset(pay.get("all_in", {}).get("events", ())),
        big=frozenset(patterns["big"]),
        opening=tuple(patterns["opening"]),
        order={name: place for place, name in enumerate(known)},
        counted=patterns.get("counted"),
        kong_tiles=patterns["kong_tiles"],
        openings_end_hand=data["next_dealer"]["openings"] != "goes_on",
        opening_dice=rules.preset.opening_dice,
        last_tile_counts_all_birds=patterns.get("last_tile_counts_all_birds", False),
        passed_strictly_bigger=rules.preset.passed_with_size,
        birds=options["birds"],
        bird_effect=options["bird_effect"],
        bird_origin=options["bird_origin"],
        event_pair=options["event_pair"],
        dealer_bonus=options.get("dealer_bonus"),
        dealer_deals_in_big=options.get("dealer_deals_in_big"),
        opening_stack=options["opening_stack"],
        quad_is_triplet=options["quad_is_triplet"],
        luxury_pairs=options.get("luxury_pairs", False),
        all_melded_self_draw=options.get("all_melded_self_draw"),
        fishing=options.get("fishing", False),
        fishing_doubles=options.get("fishing_doubles", False),
    )

"""What a Wuhan table plays by: the numbers of a preset's TOML and its resolved options, typed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from scoring.notation import parse_tiles
from scoring.rules import Rules
from scoring.tiles import Tile


class Pay(NamedTuple):
    """Base and the factors that depend on the size of the win (rule book 3.3)."""

    base: int
    self_draw: Fraction
    gave: Fraction
    dealer: int


class Caps(NamedTuple):
    """封顶, 金顶, 阳光顶, 三阳开泰 (3.4)."""

    cap: int
    gold: int
    sun: int
    three_suns: int


@dataclass(frozen=True, eq=False, slots=True)
class WuhanRules:
    """A Wuhan table's rules. Field names are those of the TOML and of the options (rule book 3 and 6).

    Compared as one object, which is quick where it keys a cache; `wuhan_rules` remembers it.
    """

    pay: Mapping[str, Pay]
    opened: int
    hard: int
    laid_out: int
    big: tuple[str, ...]
    order: Mapping[str, int]
    kong_tiles: frozenset[Tile]
    ring: tuple[Tile, ...]
    indicator_is_skin: bool
    any_pass_refuses: bool
    open_each: bool
    exposed_kong: int
    concealed_kong: int
    laid_out_wild: int
    all_melded_self_draw: bool
    event_self_draw_bonus: bool
    minimum: int
    minimum_counts: str
    caps: Caps | None
    three_suns_when: str
    laid_out_opens: bool
    claim_order: str


@lru_cache(maxsize=512)
def wuhan_rules(rules: Rules) -> WuhanRules:
    """The typed rules of a Wuhan table."""
    data, options = rules.preset.data, rules.options
    factors, specials = data["pay"]["factors"], data["specials"]
    return WuhanRules(
        pay={
            size: Pay(row["base"], Fraction(row["self_draw"]), Fraction(row["gave"]), row["dealer"])
            for size, row in data["pay"].items()
            if size in ("small", "big")
        },
        opened=factors["opened"],
        hard=factors["hard"],
        laid_out=factors["laid_out"],
        big=tuple(data["patterns"]["big"]),
        order={name: place for place, name in enumerate(data["patterns"]["big"])},
        kong_tiles=frozenset(tile for text in specials["kong_tiles"] for tile in parse_tiles(text)),
        ring=parse_tiles(specials["ring"]),
        indicator_is_skin=specials["indicator_is_skin"],
        any_pass_refuses=data["passed"]["any_refuses"],
        open_each=options["open_factor"] == "each",
        exposed_kong=options["kong_factors"]["exposed"],
        concealed_kong=options["kong_factors"]["concealed"],
        laid_out_wild=options["laid_out_wild_factor"],
        all_melded_self_draw=options["all_melded_self_draw"],
        event_self_draw_bonus=options["event_self_draw_bonus"],
        minimum=options["minimum"],
        minimum_counts=options["minimum_counts"],
        caps=Caps(**options["caps"]) if options["caps"] is not None else None,
        three_suns_when=options["three_suns_when"],
        laid_out_opens=options["laid_out_opens"],
        claim_order=options["claim_order"],
    )

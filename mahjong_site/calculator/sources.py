"""Which sentences of the source, and which decisions of ours (定), stand behind a step of the arithmetic."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from scoring import Preset

_PLACES: Final[Mapping[str, tuple[str, ...]]] = {
    "base": ("pay.{size}.{by}", "pay.{size}"),
    "dealer": ("pay.{size}.{by}", "pay.{size}", "big: options.dealer_bonus"),
    "patterns": ("patterns",),
    "openings": ("options.opening_stack",),
    "bird": ("options.bird_effect", "options.bird_origin"),
    "self_draw": ("pay.{size}.self_draw", "pay.{size}"),
    "all_in": ("pay.all_in",),
    "winner_opened": ("options.open_factor", "pay.factors"),
    "winner_exposed_kongs": ("options.kong_factors",),
    "winner_concealed_kongs": ("options.kong_factors",),
    "winner_laid_out": ("pay.factors",),
    "winner_laid_out_wilds": ("options.laid_out_wild_factor",),
    "hard": ("pay.factors",),
    "loser_opened": ("options.open_factor", "pay.factors"),
    "loser_exposed_kongs": ("options.kong_factors",),
    "loser_concealed_kongs": ("options.kong_factors",),
    "loser_laid_out": ("pay.factors",),
    "loser_laid_out_wilds": ("options.laid_out_wild_factor",),
    "gave": ("pay.{size}",),
    "cap": ("options.caps",),
    "gold": ("options.caps", "options.three_suns_when"),
    "sun": ("options.caps",),
    "three_suns": ("options.caps", "options.three_suns_when"),
    "share": ("contract",),
    "penalty": ("options.leave_penalty",),
    "next_dealer": ("next_dealer",),
    "overruled": ("options.claim_order",),
}
"""Where in a preset's file each step's sentences stand; ``{size}`` is small or big, ``{by}`` how it was won; a place
after ``big:`` is looked at for big wins only."""


@dataclass(frozen=True)
class Source:
    """A sentence of the source, and whether our reading of it is a decision."""

    sentence: str
    decision: bool


def sources(preset: Preset, step: str, *, size: str = "small", by: str = "discard") -> tuple[Source, ...]:
    """The sentences behind a step, without repeats; none where the preset has none."""
    found = []
    for place in _PLACES.get(step, ()):
        only, _, place = place.rpartition(": ")
        if only not in ("", size):
            continue
        part = _part(preset.data, place.format(size=size, by="discard" if by == "rob_kong" else by))
        if part and "source" in part:
            found.append(Source(part["source"], bool(part.get("decision", False))))
    return tuple(dict.fromkeys(found))


def _part(data: Mapping[str, Any], place: str) -> Mapping[str, Any] | None:
    part: Any = data
    for key in place.split("."):
        part = part.get(key) if isinstance(part, Mapping) else None
    return part if isinstance(part, Mapping) else None

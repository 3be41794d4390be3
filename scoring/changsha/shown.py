"""What a Changsha settlement shows of a win: its patterns and how the hand reads."""

from __future__ import annotations

from collections.abc import Sequence

from scoring.changsha.pricing import Win
from scoring.changsha.rules import ChangshaRules
from scoring.layout import Kind, lay_out
from scoring.record import ReadingOut, WinOut
from scoring.settlement import pattern_out, reading_out
from scoring.tiles import Seat, Tile


def win_out(rules: ChangshaRules, seat: Seat, win: Win) -> WinOut:
    """A win, its patterns in the preset's order."""
    patterns = sorted(win.patterns, key=lambda item: rules.order[item[0]]) or [("small", 1)]
    opening = patterns[0][0] in rules.opening
    return WinOut(
        seat=seat,
        size="opening" if opening else "big" if win.patterns else "small",
        paid=win.paid or 1,
        patterns=tuple(pattern_out("changsha", name, count) for name, count in patterns),
        reading=_reading_out(win),
    )


def _reading_out(win: Win) -> ReadingOut | None:
    reading = win.reading
    if reading is None:
        return None
    melds: list[Sequence[Tile]] = [meld.tiles for meld in win.melds]
    if reading.shape == "standard":
        kind: Kind = "pungs" if reading.pungs else "jiang_pair" if reading.jiang_pair else "any_pair"
        layout = lay_out(win.tiles, 0, kind)
        return reading_out("standard", [*layout.sets, *melds], layout.pair)
    in_order = sorted(win.tiles)
    if reading.shape == "seven_pairs":
        return reading_out("seven_pairs", [(tile, tile) for tile in in_order[::2]])
    return reading_out("all_jiang", [*((tile,) for tile in in_order), *melds])

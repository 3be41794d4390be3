"""What a Wuhan settlement shows of a win: its patterns, and how the hand reads, 癞子 included."""

from __future__ import annotations

from collections.abc import Sequence

from scoring.hand import Hand
from scoring.layout import Kind, lay_out
from scoring.record import ReadingOut, WinOut
from scoring.settlement import pattern_out, reading_out
from scoring.tiles import EAST, Seat, Tile
from scoring.wuhan.readings import Reading
from scoring.wuhan.table import Claim, Table


def win_out(table: Table, seat: Seat, claim: Claim) -> WinOut:
    """A win, its patterns in the preset's order."""
    names = sorted(claim.patterns, key=table.rules.order.__getitem__)
    reading = None
    if claim.reading is not None and claim.hand is not None and table.specials is not None:
        reading = _reading_out(claim.reading, claim.hand, table.specials.wild)
    return WinOut(
        seat=seat,
        size="big" if names else "small",
        paid=len(names) or 1,
        patterns=tuple(pattern_out("wuhan", name, 1) for name in names or ("small",)),
        reading=reading,
    )


def _reading_out(reading: Reading, hand: Hand, wild: Tile) -> ReadingOut:
    """The sets and the pair; in a hard reading each 癞子 stands for itself."""
    tiles = (*hand.concealed, *hand.win_on)
    wilds = tiles.count(wild)
    melds: list[Sequence[Tile]] = [meld.tiles for meld in hand.melds]
    body = tiles if reading.hard else tuple(tile for tile in tiles if tile != wild)
    standing = 0 if reading.hard else wilds
    spare = _spare(reading, (*body, *(tile for meld in melds for tile in meld))) if standing else wild
    if reading.shape == "standard":
        kind: Kind = "pungs" if reading.pungs else "any_pair" if "one_suit" in reading.patterns else "jiang_pair"
        layout = lay_out(body, standing, kind, spare)
        sets, pair, stands_for = [*layout.sets, *melds], layout.pair, layout.stands_for
    else:
        stands_for = (spare,) * standing
        sets, pair = [*((tile,) for tile in sorted((*body, *stands_for))), *melds], ()
    if reading.hard:
        stands_for = (wild,) * wilds
    return reading_out(reading.shape, sets, pair, wild=wild, stands_for=stands_for, hard=reading.hard)


def _spare(reading: Reading, every: Sequence[Tile]) -> Tile:
    """What 癞子 that fill a set or a pair of their own are shown as: a 将 tile of the hand's suit, in 风一色 东."""
    if "all_winds" in reading.patterns:
        return EAST
    return next((tile // 9 * 9 + 1 for tile in every if tile < EAST), 1)

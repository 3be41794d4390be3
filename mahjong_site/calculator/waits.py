"""A hand that lacks one tile: what it waits for, and what each wait would bring."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from django.utils.translation import gettext as _

from scoring.hand import Hand
from scoring.notation import format_hand
from scoring.tiles import COPIES, KINDS, NAMES, SUIT_KINDS, Seat, Tile

from . import presenters
from .outcome import Outcome, judge
from .state import SEATS, Entry, readable
from .words import listed, short_tile_name, signed


@dataclass(frozen=True)
class Wait:
    """One tile: copies left, the patterns, what a self-draw brings, what a discard brings, and the address with it."""

    code: str
    name: str
    left: int
    patterns: str
    amount: str
    how: str
    words: str
    address: str
    gain: int


@dataclass(frozen=True)
class Waits:
    """All waits, best first; ``picture`` is the first one's, as if it had been drawn."""

    rows: tuple[Wait, ...]
    picture: presenters.Picture

    @property
    def headline(self) -> str:
        """听 3 种 11 张: 6 筒, 4 筒, 7 筒."""
        shown = [row.name for row in self.rows[:9]]
        words = {"kinds": len(self.rows), "tiles": sum(row.left for row in self.rows), "names": listed(shown)}
        return _("Ready: %(kinds)s kinds, %(tiles)s tiles: %(names)s") % words


def waits(outcome: Outcome, names: tuple[str, ...]) -> Waits | None:
    """The waits of a winner who lacks exactly the winning tile; None if nothing would complete the hand."""
    entry = outcome.entry
    if entry.kind != "win" or len(entry.winners) != 1 or dict(outcome.short or {}) != {entry.winners[0]: 1}:
        return None
    (winner,) = entry.winners
    hand = entry.lines[winner].hand
    if hand is None or hand.win_on:
        return None
    entry = entry.with_(birds="", event="", robbed=False)
    known = _known(entry, winner, hand)
    rows = []
    pictures = {}
    for tile in range(SUIT_KINDS if outcome.offer.changsha else KINDS):
        if known[tile] >= COPIES:
            continue
        completed = entry.with_line(winner, format_hand(hand._replace(win_on=(tile,))))
        drawn = judge(completed.with_(giver=winner))
        thrown = {seat: judge(completed.with_(giver=seat)) for seat in SEATS if seat != winner} if _worth(drawn) else {}
        row = _row(drawn, thrown, winner, tile, COPIES - known[tile], names)
        if row:
            rows.append(row)
            pictures[row.code] = _picture(drawn if drawn.settlement else next(o for o in thrown.values() if o.settlement), names)
    rows.sort(key=lambda row: (-row.gain, row.code))
    return Waits(tuple(rows), pictures[rows[0].code]) if rows else None


def _known(entry: Entry, winner: Seat, hand: Hand) -> Counter[Tile]:
    """Copies that cannot come any more: in the hand, its melds, laid out, or the indicator."""
    tiles = [*hand.concealed, *(tile for meld in hand.melds for tile in meld.tiles), *readable(entry.laid[winner])]
    return Counter([*tiles, *readable(entry.indicator)])


def _worth(drawn: Outcome) -> bool:
    """Whether a discard is worth looking at: the shape is complete, however it would be won."""
    return drawn.settlement is not None or all(fault.code not in ("not_a_win", "pair_not_jiang") for fault in drawn.faults)


def _row(
    drawn: Outcome, thrown: dict[Seat, Outcome], winner: Seat, tile: Tile, left: int, names: tuple[str, ...]
) -> Wait | None:
    gains = {seat: outcome.settlement.deltas[winner] for seat, outcome in thrown.items() if outcome.settlement}
    best = drawn if drawn.settlement else next((outcome for outcome in thrown.values() if outcome.settlement), None)
    if best is None or best.settlement is None:
        return None
    gain = best.settlement.deltas[winner]
    words = [_("%(count)s left") % {"count": left}]
    amounts = set(gains.values())
    if drawn.settlement and len(amounts) == 1:
        words.append(_("on a discard %(points)s") % {"points": amounts.pop()})
    elif drawn.settlement and gains:
        words.append(listed([_("%(name)s’s discard %(points)s") % {"name": names[seat], "points": gains[seat]} for seat in gains]))
    return Wait(
        code=NAMES[tile],
        name=short_tile_name(tile),
        left=left,
        patterns=presenters.pattern_words(best.settlement.wins[0]),
        amount=signed(gain),
        how=_("Self-draw") if drawn.settlement else _("discard"),
        words=" · ".join(words),
        address=best.entry.query(),
        gain=gain,
    )


def _picture(outcome: Outcome, names: tuple[str, ...]) -> presenters.Picture:
    assert outcome.record is not None
    assert outcome.settlement is not None
    return presenters.settled_picture(outcome.record, outcome.settlement, names, maybe=True)

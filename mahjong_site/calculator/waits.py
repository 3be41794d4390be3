"""A hand that lacks one tile: what it waits for, and what each wait would bring."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from django.utils.translation import gettext as _

from scoring.analysis.shanten import kinds_of, situation
from scoring.hand import Hand
from scoring.notation import format_hand
from scoring.tiles import COPIES, NAMES, Seat, Tile

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
    distance, tiles = ready(outcome)
    if distance != 0:
        return None
    (winner,) = outcome.entry.winners
    hand = outcome.entry.lines[winner].hand or Hand(())
    entry = outcome.entry.with_(birds="", event="", robbed=False)
    known = _known(entry, winner, hand)
    rows: list[Wait] = []
    pictures: dict[str, presenters.Picture] = {}
    for tile in tiles:
        completed = entry.with_line(winner, format_hand(hand._replace(win_on=(tile,))))
        drawn = judge(completed.with_(giver=winner))
        thrown = {seat: judge(completed.with_(giver=seat)) for seat in SEATS if seat != winner}
        best = next((one for one in (drawn, *thrown.values()) if one.settled), None)
        if best and best.settled:
            record, settlement = best.settled
            gains = {seat: one.settlement.deltas[winner] for seat, one in thrown.items() if one.settlement}
            words = [_("%(count)s left") % {"count": COPIES - known[tile]}]
            if drawn.settled and gains:
                words.append(discard_words(gains, entry.dealer, names))
            row = Wait(
                code=NAMES[tile],
                name=short_tile_name(tile),
                left=COPIES - known[tile],
                patterns=presenters.pattern_words(settlement.wins[0]),
                amount=signed(settlement.deltas[winner]),
                how=_("Self-draw") if drawn.settled else _("discard"),
                words=" · ".join(words),
                address=best.entry.query(),
                gain=settlement.deltas[winner],
            )
            rows.append(row)
            pictures[row.code] = presenters.settled_picture(record, settlement, names, maybe=True)
    rows.sort(key=lambda row: (-row.gain, row.code))
    return Waits(tuple(rows), pictures[rows[0].code]) if rows else None


def ready(outcome: Outcome) -> tuple[int | None, tuple[Tile, ...]]:
    """How far a hand without its winning tile is from being ready (0: ready), and the tiles that bring it nearer.

    None where that cannot be said: several winners, more than one tile missing, no indicator yet.
    """
    entry, offer = outcome.entry, outcome.offer
    indicator = readable(entry.indicator)
    short = dict(outcome.short or {})
    if entry.kind != "win" or len(entry.winners) != 1 or short != {entry.winners[0]: 1}:
        return None, ()
    hand = entry.lines[entry.winners[0]].hand
    if hand is None or hand.win_on or (len(indicator) != 1 and not offer.changsha):
        return None, ()
    laid = () if offer.changsha else readable(entry.laid[entry.winners[0]])
    now = situation(offer.rules, hand.melds, laid, None if offer.changsha else indicator[0])
    distance, mask = now.accepts(now.tiles(hand.concealed))
    return distance, tuple(kinds_of(mask))


def _known(entry: Entry, winner: Seat, hand: Hand) -> Counter[Tile]:
    """Copies that cannot come any more: in the hand, its melds, laid out, or the indicator."""
    tiles = [*hand.concealed, *(tile for meld in hand.melds for tile in meld.tiles), *readable(entry.laid[winner])]
    return Counter([*tiles, *readable(entry.indicator)])


def discard_words(gains: dict[Seat, int], dealer: Seat, names: tuple[str, ...]) -> str:
    """点炮 60, 庄点 70; by name only where they differ otherwise."""
    others = {gain for seat, gain in gains.items() if seat != dealer}
    if len(others) == 1:
        (gain,) = others
        words = _("on a discard %(points)s") % {"points": gain}
        if gains.get(dealer, gain) == gain:
            return words
        return listed([words, _("the dealer’s %(points)s") % {"points": gains[dealer]}])
    return listed([_("%(name)s’s discard %(points)s") % {"name": names[seat], "points": gains[seat]} for seat in gains])

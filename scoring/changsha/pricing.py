"""What a Changsha hand is worth: its patterns, and how many of them are paid (rule book 2.2 and 2.3)."""

from __future__ import annotations

from typing import NamedTuple

from scoring.changsha.patterns import PAIR_RULE, NoReading, Patterns, Reading, best_reading, size
from scoring.changsha.rules import ChangshaRules
from scoring.checks import Faults
from scoring.faults import fault
from scoring.hand import Hand, Meld
from scoring.layout import lay_out
from scoring.notation import format_tiles
from scoring.tiles import NAMES, Tile


class Win(NamedTuple):
    """One win as priced: all patterns that hold, and how many of them are paid (0: a small win)."""

    patterns: Patterns
    paid: int
    reading: Reading | None = None
    tiles: tuple[Tile, ...] = ()
    melds: tuple[Meld, ...] = ()


def win_of(patterns: Patterns, rules: ChangshaRules) -> Win:
    """A win the table declared: these patterns, no tiles."""
    return Win(patterns, counted(patterns, rules))


def counted(patterns: Patterns, rules: ChangshaRules) -> int:
    """How many big patterns are paid: all, or no more than the rules say (2.3)."""
    number = size(patterns)
    return number if rules.counted is None else min(number, rules.counted)


def price(hand: Hand, by: str, event: str | None, rules: ChangshaRules) -> Win | NoReading:
    """The win a complete hand makes on its first winning tile; `better_tile` tries both of two kong tiles.

    ``by`` is the record's; ``event`` the pattern it makes (a value of `EVENT_PATTERNS`), None without one.
    """
    event_pair = rules.event_pair[PAIR_RULE[event]] if event else None
    tiles = (*hand.concealed, *hand.win_on[:1])
    reading = best_reading(tiles, hand.melds, rules, event_pair, others_tile=by != "self_draw")
    if isinstance(reading, NoReading):
        return reading
    patterns = (*reading.patterns, (event, len(hand.win_on))) if event else reading.patterns
    return Win(patterns, counted(patterns, rules), reading, tiles, hand.melds)


def better_tile(hand: Hand, by: str, event: str | None, rules: ChangshaRules, path: str, faults: Faults) -> Win | None:
    """The better of the winning tiles, each of which must complete the hand; the event counts once for each (2.2).

    Faults, at ``path``: ``pair_not_jiang`` (诈胡), ``not_a_win``.
    """
    wins: list[Win] = []
    for place, tile in enumerate(hand.win_on):
        first = hand._replace(win_on=(tile, *hand.win_on[:place], *hand.win_on[place + 1 :])) if place else hand
        win = price(first, by, event, rules)
        if isinstance(win, Win):
            wins.append(win)
        elif win.complete_but_pair:
            layout = lay_out((*hand.concealed, tile), 0, "any_pair")
            faults.append(fault("pair_not_jiang", "pair", path, pair=format_tiles(layout.pair[:1])))
        else:
            faults.append(fault("not_a_win", "incomplete", path, tile=NAMES[tile]))
    if len(wins) < len(hand.win_on):
        return None
    return wins[0] if len(wins) == 1 else max(wins, key=lambda win: size(win.patterns))

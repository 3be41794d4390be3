"""One winner's claim in Changsha: by its tiles, or as the table declared it (rule book 2.1, 2.2 and 2.7)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from scoring import checks
from scoring.changsha.checks import check_suits, most_win_tiles
from scoring.changsha.patterns import Patterns
from scoring.changsha.pricing import Win, better_tile, win_of
from scoring.changsha.rules import ChangshaRules
from scoring.checks import Faults
from scoring.faults import fault
from scoring.hand import Hand
from scoring.record import PassedIn, WinnerIn, WinRecord

NO_MELDS: Final = frozenset({"heaven", "earth"})
"""Events that need a winner without melds."""


def claim(
    record: WinRecord,
    rules: ChangshaRules,
    index: int,
    hand: Hand | None,
    event: str | None,
    faults: Faults,
) -> Win | None:
    """The win of ``record.winners[index]``, whose tiles are ``hand``; None with the faults said."""
    winner, path = record.winners[index], f"winners.{index}"
    check_suits([passed.tile for passed in winner.passed], f"{path}.passed", faults)
    if hand is None:
        return _declared(record, rules, winner, event, path, faults) if winner.declared is not None else None
    before = len(faults)
    in_hand, win_path = checks.hand_paths(winner, path)
    checks.check_melds(hand.melds, winner.seat, checks.meld_paths(winner, hand, path), faults)
    checks.check_hand_size(hand, in_hand, faults)
    check_suits(hand.concealed, in_hand, faults)
    check_suits(hand.win_on, win_path, faults)
    if event in NO_MELDS and hand.melds:
        faults.append(fault("event_not_allowed", "melded", "events.0"))
    if event == "kong_draw" and not any(meld.is_kong for meld in hand.melds):
        faults.append(fault("event_not_allowed", "no_kong", "events.0"))
    readable = (
        len(faults) == before and 1 <= len(hand.win_on) <= most_win_tiles(rules, event) and not checks.overfull(hand)
    )
    win = better_tile(hand, record.by, event, rules, win_path, faults) if readable else None
    _check_passed(record, rules, winner, hand, win, path, faults)
    if readable and winner.unready_kong and not (event == "last_tile_draw" and (win is None or _false_pair(win))):
        faults.append(fault("dead_hand", "unready_kong", f"{path}.unready_kong"))
    return win


def _false_pair(win: Win) -> bool:
    """Standard with a pair that is not 将: how even a dead hand wins by drawing 海底 (2.2, "Dead hand")."""
    return win.reading is not None and win.reading.shape == "standard" and not win.reading.jiang_pair


def _check_passed(
    record: WinRecord, rules: ChangshaRules, winner: WinnerIn, hand: Hand, win: Win | None, path: str, faults: Faults
) -> None:
    """漏胡; in room 跟胡: a win on another's tile must be bigger than every one let go (2.7)."""
    if not winner.passed or record.by == "self_draw":
        return
    if not rules.passed_strictly_bigger:
        if any(passed.tile in hand.win_on for passed in winner.passed):
            faults.append(fault("passed_win", "tile", f"{path}.passed"))
        return
    check_passed_sizes(winner.passed, rules, f"{path}.passed", faults)
    most = max((passed.big for passed in winner.passed if passed.big is not None), default=-1)
    if win is not None and win.paid <= most:
        faults.append(fault("passed_win", "not_bigger", f"{path}.passed", passed=most, now=win.paid))


def check_passed_sizes(passed: Sequence[PassedIn], rules: ChangshaRules, path: str, faults: Faults) -> None:
    """How big each win let go was must be said where only a bigger one may follow it."""
    if rules.passed_strictly_bigger:
        faults += [
            fault("missing", "passed_size", f"{path}.{place}") for place, one in enumerate(passed) if one.big is None
        ]


# --- Declared wins ---------------------------------------------------------------------------------------------------


def _declared(
    record: WinRecord, rules: ChangshaRules, winner: WinnerIn, event: str | None, path: str, faults: Faults
) -> Win | None:
    """A win the table declared: shape patterns, and the event's own."""
    declared, where = winner.declared or (), f"{path}.declared"
    can_be_priced = checks.check_declared(declared, known_shapes(rules) | {"small"}, where, faults)
    if event in NO_MELDS and "all_melded" in declared:
        faults.append(fault("event_not_allowed", "melded", "events.0"))
    if "all_melded" in declared and record.by == "self_draw" and rules.all_melded_self_draw is False:
        faults.append(fault("incompatible_patterns", "all_melded_self_draw", where))
    drawn_last = event == "last_tile_draw" and not {"seven_pairs", "all_jiang"} & set(declared)
    if winner.unready_kong and not drawn_last:
        faults.append(fault("dead_hand", "unready_kong", f"{path}.unready_kong"))
    if not can_be_priced:
        return None
    shapes = shapes_of(declared)
    return win_of((*shapes, (event, winner.win_tiles)) if event else shapes, rules)


def known_shapes(rules: ChangshaRules) -> frozenset[str]:
    """The patterns of the tiles alone that can be declared here."""
    known = rules.big & checks.SHAPE_PATTERNS
    return known if rules.luxury_pairs else known - {"luxury_pairs"}


def shapes_of(declared: Sequence[str]) -> Patterns:
    """Declared names as patterns; ``small`` is none, and an event is counted by the record's."""
    return tuple((name, 1) for name in declared if name in checks.SHAPE_PATTERNS)

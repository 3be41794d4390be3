"""One winner's claim in Wuhan: by its tiles, or as the table declared it (rule book 3.2 and 3.4)."""

from __future__ import annotations

from typing import Final

from scoring import checks
from scoring.checks import Faults
from scoring.faults import fault
from scoring.hand import Hand
from scoring.layout import lay_out
from scoring.notation import format_tiles
from scoring.record import WinnerIn
from scoring.tiles import NAMES, Seat, Tile
from scoring.wuhan.checks import (
    check_counts,
    check_laid_out,
    check_laid_out_wilds,
    check_melds,
    check_told_by_tiles,
)
from scoring.wuhan.fan import winner_fan
from scoring.wuhan.readings import readings
from scoring.wuhan.specials import Specials
from scoring.wuhan.table import Claim, Table, priced

UNREADABLE: Final = frozenset({"bad_meld", "wrong_tile_count", "kong_tile_in_hand", "bad_win_tile"})
"""Faults after which reading the hand would say nothing new."""


def claim(table: Table, index: int, hand: Hand | None, faults: Faults) -> Claim | None:
    """The claim of ``record.winners[index]``, whose tiles are ``hand``; None with the faults said."""
    record, special = table.record, table.specials
    winner, path = record.winners[index], f"winners.{index}"
    check_laid_out(winner.laid_out, special, path, faults)
    if hand is None:
        return _declared(table, winner, path, faults) if winner.declared is not None else None
    before = len(faults)
    in_hand, win_path = checks.hand_paths(winner, path)
    paths = checks.meld_paths(winner, hand, path)
    check_told_by_tiles(winner, path, faults)
    check_laid_out_wilds(winner, path, faults)
    if len(hand.win_on) != 1:
        faults.append(fault("wrong_tile_count", "win_on", win_path, held=len(hand.win_on), wanted=1))
    check_melds(hand.melds, winner.seat, paths, special, faults)
    checks.check_hand_size(hand, in_hand, faults)
    if table.event == "kong_draw" and not winner.laid_out and not any(meld.is_kong for meld in hand.melds):
        faults.append(fault("event_not_allowed", "no_kong", "events.0"))
    if record.by != "self_draw" and winner.passed and table.rules.any_pass_refuses:
        faults.append(fault("passed_win", "any", f"{path}.passed"))
    if not any(meld.is_exposed for meld in hand.melds):
        faults.append(fault("not_opened", "opened", path))
    if special is None:
        return None
    _check_special_tiles(record.by, special, hand, in_hand, win_path, faults)
    if any(found.code in UNREADABLE for found in faults[before:]) or checks.overfull(hand):
        return None
    return _best(table, winner.seat, hand, special.wild, win_path, faults)


def _check_special_tiles(by: str, special: Specials, hand: Hand, in_hand: str, win_path: str, faults: Faults) -> None:
    """Kong tiles must be laid out before winning; neither they nor 癞子 are won from another (3.1)."""
    held = (*hand.concealed, *hand.win_on) if by == "self_draw" else hand.concealed
    still = sorted(special.kong_tiles.intersection(held))
    if still:
        faults.append(fault("kong_tile_in_hand", "held", in_hand, tile=format_tiles(still)))
    if by != "self_draw":
        barred = [tile for tile in hand.win_on if tile in special.barred]
        faults += [fault("bad_win_tile", "special", win_path, tile=NAMES[tile]) for tile in barred]


def _best(table: Table, seat: Seat, hand: Hand, wild: Tile, path: str, faults: Faults) -> Claim | None:
    """The reading that collects most before caps and contract; among equals the hard one, then more patterns (3.2)."""
    tiles = (*hand.concealed, *hand.win_on)
    wilds = tiles.count(wild)
    exposed = len(hand.melds) == 4 and all(meld.is_exposed for meld in hand.melds)
    all_melded = exposed and (table.record.by != "self_draw" or table.rules.all_melded_self_draw)
    read = readings(tiles, hand.melds, wild, all_melded=all_melded)
    claims = [priced(table, seat, reading.patterns, reading.hard, reading, hand) for reading in read.found]
    legal = [one for one in claims if one.patterns or wilds < 2]
    if legal:
        return max(legal, key=_worth) if len(legal) > 1 else legal[0]
    if claims:
        faults.append(fault("two_wilds_small", "wilds", path, wilds=wilds))
    elif read.complete_but_pair:
        body = [tile for tile in tiles if tile != wild]
        layout = lay_out(body, wilds, "any_pair")
        faults.append(fault("pair_not_jiang", "pair", path, pair=format_tiles(layout.pair[:1])))
    else:
        faults.append(fault("not_a_win", "incomplete", path, tile=format_tiles(hand.win_on)))
    return None


def _worth(one: Claim) -> tuple[int, bool, int]:
    return sum(owed.points for owed in one.owed.values()), one.win.hard, len(one.patterns)


def _declared(table: Table, winner: WinnerIn, path: str, faults: Faults) -> Claim | None:
    """A win the table declared: shape patterns, hard or soft, and counts."""
    declared, where = winner.declared or (), f"{path}.declared"
    check_counts(winner, path, faults)
    if winner.win_tiles != 1:
        faults.append(fault("wrong_tile_count", "win_on", f"{path}.win_tiles", held=winner.win_tiles, wanted=1))
    if winner.hard is None:
        faults.append(fault("missing", "hard", f"{path}.hard"))
    if not winner.opened:
        faults.append(fault("not_opened", "opened", f"{path}.opened"))
    if winner.third_open_from == winner.seat:
        faults.append(fault("invalid", "third_from_self", f"{path}.third_open_from"))
    known = checks.SHAPE_PATTERNS.intersection(table.rules.big) | {"small"}
    can_be_priced = checks.check_declared(declared, known, where, faults)
    if "all_melded" in declared:
        if winner.opened != 4:
            faults.append(fault("incompatible_patterns", "all_melded_opened", where))
        if table.record.by == "self_draw" and not table.rules.all_melded_self_draw:
            faults.append(fault("incompatible_patterns", "all_melded_self_draw", where))
    if not can_be_priced:
        return None
    return priced(table, winner.seat, tuple(name for name in declared if name != "small"), bool(winner.hard))


def check_minimum(table: Table, seat: Seat, one: Claim, path: str, faults: Faults) -> None:
    """起胡: tested before caps and contract (3.4)."""
    rules = table.rules
    if not rules.minimum:
        return
    amounts = [owed.points for owed in one.owed.values()]
    reached = {
        "any_loser": max(amounts),
        "every_loser": min(amounts),
        "winner_fan": winner_fan(rules, one.win, table.sides[seat]),
    }[rules.minimum_counts]
    if reached < rules.minimum:
        faults.append(fault("below_minimum", rules.minimum_counts, path, reached=reached, needed=rules.minimum))

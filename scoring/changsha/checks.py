"""What a Changsha record can have: suits only, as many winning tiles as the rules know, four of a kind."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from scoring import checks
from scoring.changsha.patterns import EVENT_PATTERNS
from scoring.changsha.rules import ChangshaRules
from scoring.checks import Faults
from scoring.faults import fault
from scoring.hand import Hand
from scoring.record import WinRecord
from scoring.tiles import COPIES, NAMES, SUIT_KINDS, Tile


def check_suits(tiles: Iterable[Tile], path: str, faults: Faults) -> None:
    """In Changsha there are no honours; the highest kind is named."""
    highest = max(tiles, default=0)
    if highest >= SUIT_KINDS:
        faults.append(fault("tile_not_in_rules", "honour", path, tile=NAMES[highest]))


def event_pattern(record: WinRecord, faults: Faults) -> str | None:
    """The pattern that the record's event makes, if this record can have it. 天胡 is the dealer's, 地胡 never."""
    event = checks.check_single_event(record, faults)
    pattern = EVENT_PATTERNS.get((record.by, event))
    if event is not None and pattern is None:
        faults.append(fault("event_not_allowed", "by", "events.0", event=event, by=record.by))
    if event == "heaven" and any(winner.seat != record.dealer for winner in record.winners):
        faults.append(fault("event_not_allowed", "heaven_dealer", "events.0"))
    if event == "earth" and pattern and (record.from_ is not None and record.from_ != record.dealer):
        faults.append(fault("event_not_allowed", "earth_dealer", "events.0"))
    if event == "earth" and any(winner.seat == record.dealer for winner in record.winners):
        faults.append(fault("event_not_allowed", "earth_dealer_wins", "events.0"))
    return pattern


def most_win_tiles(rules: ChangshaRules, event: str | None) -> int:
    """How many tiles can be won on: as many as 开杠 turns up."""
    return rules.kong_tiles if event in ("kong_draw", "kong_discard") else 1


def check_win_tiles(
    record: WinRecord, rules: ChangshaRules, hands: Sequence[Hand | None], event: str | None, faults: Faults
) -> None:
    """One winning tile; two only where 开杠 turned up two. All winners win on the tile or tiles that were given."""
    most = most_win_tiles(rules, event)
    for index, (winner, hand) in enumerate(zip(record.winners, hands, strict=True)):
        number = winner.win_tiles if hand is None else len(hand.win_on)
        if not 1 <= number <= most:
            name = "hand" if winner.hand is not None else "win_on" if hand is not None else "win_tiles"
            faults.append(fault("wrong_tile_count", "win_on", f"winners.{index}.{name}", held=number, wanted=most))
    if len(hands) > 1 and len(turned_up(hands)) > most:
        faults.append(fault("invalid", "different_win_tiles", "winners"))


def turned_up(hands: Sequence[Hand | None]) -> list[Tile]:
    """The tiles won on, each as often as the winner who won on most copies of it: one tile for several winners."""
    tiles: list[Tile] = []
    for hand in hands:
        if hand is not None:
            for tile in hand.win_on:
                tiles += [tile] * (hand.win_on.count(tile) - tiles.count(tile))
    return tiles


def check_copies(record: WinRecord, hands: Sequence[Hand | None], faults: Faults) -> None:
    """The winning tile is one tile, even for several winners; a kong maker holds the other three of a robbed one."""
    groups: list[tuple[Sequence[Tile], str]] = []
    for index, hand in enumerate(hands):
        if hand is not None:
            groups.append((hand.concealed, f"winners.{index}.concealed"))
            groups += [(meld.tiles, f"winners.{index}.melds.{place}") for place, meld in enumerate(hand.melds)]
    tiles = turned_up(hands)
    if record.by == "rob_kong":
        tiles = [tile for tile in dict.fromkeys(tiles) for _ in range(COPIES)]
    groups += [(tiles, "winners"), (record.birds, "birds")]
    checks.check_copies(groups, faults)

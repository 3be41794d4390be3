"""扎鸟: which birds count, which seats they point at, and what a hit does (rule book 2.5)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from math import comb, prod
from typing import TypeAlias

from scoring.changsha.checks import check_suits
from scoring.changsha.rules import ChangshaRules, changsha_rules
from scoring.checks import Faults, winner_hands
from scoring.faults import fault
from scoring.hand import Hand
from scoring.record import OpeningRecord, WinRecord
from scoring.tiles import SUIT_KINDS, Seat, Tile, rank

Hits: TypeAlias = tuple[int, int, int, int]
"""How many birds point at each seat."""


def seat_of(number: int, origin: Seat) -> Seat:
    """The seat a bird of that rank (or a die) points at: 1, 5, 9 the origin; 2, 6 its 下家; 3, 7; 4, 8.

    >>> seat_of(6, origin=0), seat_of(9, origin=2)
    (1, 2)
    """
    return (origin + number - 1) % 4


def hits(birds: Iterable[Tile], dice: Iterable[int], origin: Seat, weight: int = 1) -> Hits:
    """How many birds point at each seat; each bird counts ``weight`` times."""
    counts = [0, 0, 0, 0]
    for number in (*map(rank, birds), *dice):
        counts[seat_of(number, origin)] += weight
    return (counts[0], counts[1], counts[2], counts[3])


def by_seat(unseen: Sequence[int], origin: Seat) -> Hits:
    """How many of these tiles (given by kind) would point at each seat as birds.

    >>> by_seat([4] * 27, origin=0)
    (36, 24, 24, 24)
    """
    counts = [0, 0, 0, 0]
    for kind, number in enumerate(unseen[:SUIT_KINDS]):
        counts[seat_of(rank(kind), origin)] += number
    return (counts[0], counts[1], counts[2], counts[3])


def chances(number: int, unseen: Hits) -> Iterator[tuple[Hits, float]]:
    """Where that many birds may point, drawn without replacement from unseen tiles that point there (`by_seat`).

    With fewer tiles left each of them is a bird.

    >>> [(counts, round(chance, 3)) for counts, chance in chances(1, (2, 0, 1, 1))]
    [((0, 0, 0, 1), 0.25), ((0, 0, 1, 0), 0.25), ((1, 0, 0, 0), 0.5)]
    """
    number = min(number, sum(unseen))
    ways = comb(sum(unseen), number)
    for own, second, third in product(range(number + 1), repeat=3):
        counts = own, second, third, number - own - second - third
        if counts[3] >= 0:
            chance = prod(map(comb, unseen, counts)) / ways
            if chance:
                yield counts, chance


def effect(rules: ChangshaRules, payer: Seat, winner: Seat, counts: Hits) -> int:
    """What the amount between these two is multiplied by: birds on the winner or on that payer hit."""
    hit = counts[payer] + counts[winner]
    return 2**hit if rules.bird_effect == "double" else 1 + hit


def win_hits(record: WinRecord, rules: ChangshaRules, hands: Sequence[Hand | None], faults: Faults) -> Hits:
    """Where the birds of a win point: those turned up, or 海底 itself, which the record does not list again.

    With only 海底 left that one tile is the bird; in liuqi such a tile counts as often as option `birds` says.
    """
    check_suits(record.birds, "birds", faults)
    if record.bird_dice:
        faults.append(fault("not_in_rules", "bird_dice", "bird_dice"))
    on_last_tile = "last_tile" in record.events
    last_tile = _last_tile(record, hands)
    one_tile = on_last_tile or record.last_wall_tile_only
    once = min(rules.birds, 1) if one_tile else rules.birds
    # A declared win has no winning tile to take 海底 from, so its record gives it, whether it counts or not.
    most, reason = (0, "last_tile") if last_tile else (1 if on_last_tile else once, "number")
    if len(record.birds) > most:
        faults.append(fault("too_many_birds", reason, "birds", given=len(record.birds), most=most))
    weight = 1 if not one_tile else rules.birds if rules.last_tile_counts_all_birds else once
    winners = [winner.seat for winner in record.winners]
    return hits(last_tile or record.birds, (), origin(rules.bird_origin, record.dealer, winners, record.from_), weight)


def _last_tile(record: WinRecord, hands: Sequence[Hand | None]) -> tuple[Tile, ...]:
    """海底 itself, where a hand was won on it and its tiles are known."""
    if "last_tile" not in record.events:
        return ()
    return next((hand.win_on[:1] for hand in hands if hand is not None and hand.win_on), ())


def origin(bird_origin: str, dealer: Seat, winners: Sequence[Seat], giver: Seat | None) -> Seat:
    """Birds are counted from the dealer; by option from the winner, or from the giver when several win.

    >>> origin("dealer", 2, [1], None), origin("winner", 2, [1], 3), origin("winner", 2, [0, 1], 3)
    (2, 1, 3)
    """
    if bird_origin == "dealer":
        return dealer
    return winners[0] if len(winners) == 1 or giver is None else giver


def birds_with_seats(record: WinRecord | OpeningRecord, winner: Seat) -> tuple[tuple[int, Seat], ...]:
    """Number and seat of each bird that is looked at for a winner, in the order given; no birds played, none looked at.

    The numbers are ranks of tiles, or dice. 海底 stands once, however often it counts (2.5).
    """
    rules = changsha_rules(record.rules)
    if not rules.birds:
        return ()
    if isinstance(record, OpeningRecord):
        start = origin(rules.bird_origin, record.dealer, [winner], None)
        return tuple((number, seat_of(number, start)) for number in (*map(rank, record.birds), *record.bird_dice))
    start = origin(rules.bird_origin, record.dealer, [one.seat for one in record.winners], record.from_)
    tiles = _last_tile(record, winner_hands(record, [])) or record.birds
    return tuple((rank(tile), seat_of(rank(tile), start)) for tile in tiles)


def opening_hits(record: OpeningRecord, rules: ChangshaRules, opener: Seat) -> Hits:
    """Where the birds of an opening win point: counted from the dealer, or by option from the opener."""
    return hits(record.birds, record.bird_dice, origin(rules.bird_origin, record.dealer, [opener], None))


def check_opening_birds(record: OpeningRecord, rules: ChangshaRules, faults: Faults) -> None:
    """Birds entered with the openings: as many tiles as birds, in liuqi as many dice instead (2.4)."""
    check_suits(record.birds, "birds", faults)
    if record.bird_dice and not rules.opening_dice:
        faults.append(fault("not_in_rules", "bird_dice", "bird_dice"))
    if record.birds and record.bird_dice:
        faults.append(fault("invalid", "birds_and_dice", "bird_dice"))
    for name, given in (("birds", len(record.birds)), ("bird_dice", len(record.bird_dice))):
        if given > rules.birds:
            faults.append(fault("too_many_birds", "number", name, given=given, most=rules.birds))

"""A Wuhan record's settlement: check everything, read the hands, pay (rule book 3)."""

from __future__ import annotations

from scoring import checks
from scoring.checks import Faults
from scoring.faults import RecordError, fault
from scoring.record import ExhaustedRecord, HandRecord, OpeningRecord, Settlement, WinRecord
from scoring.settlement import settlement
from scoring.tiles import Seat
from scoring.wuhan.checks import (
    check_copies,
    check_kong_maker,
    check_players,
    event_pattern,
    special_tiles,
)
from scoring.wuhan.claims import check_minimum, claim
from scoring.wuhan.contract import contractor
from scoring.wuhan.rules import WuhanRules, wuhan_rules
from scoring.wuhan.shown import win_out
from scoring.wuhan.sides import sides
from scoring.wuhan.table import Table
from scoring.wuhan.transfers import transfers


def settle_win(record: WinRecord, faults: Faults) -> Settlement:
    """The settlement of a win; of several claims the first in turn (3.6), all of which must be legal.

    Raises:
        RecordError: all faults of the record.
    """
    rules = wuhan_rules(record.rules)
    checks.check_foreign_fields(record, faults)
    checks.check_seats(record, faults)
    event = event_pattern(record, faults)
    hands = checks.winner_hands(record, faults)
    special = special_tiles(record, hands, faults)
    check_players(record, special, faults)
    check_kong_maker(record, hands, faults)
    check_copies(record, hands, faults)
    table = Table(record, rules, special, sides(record, hands, special.wild if special else None), event)
    claims = [claim(table, index, hand, faults) for index, hand in enumerate(hands)]
    for index, (winner, one) in enumerate(zip(record.winners, claims, strict=True)):
        if one is not None:
            check_minimum(table, winner.seat, one, f"winners.{index}", faults)
    first = _first_in_turn(record, rules)
    won = claims[first]
    paying = contractor(record, first, won, faults) if won is not None else None
    if faults or won is None:
        raise RecordError(faults)
    seat = record.winners[first].seat
    return settlement(
        record,
        wins=[win_out(table, seat, won)],
        transfers=transfers(table, seat, won, paying),
        overruled=sorted(winner.seat for winner in record.winners if winner.seat != seat),
        next_dealers=next_dealers(record, seat),
    )


def _first_in_turn(record: WinRecord, rules: WuhanRules) -> int:
    """一炮单响: the first counter-clockwise from the dealer, himself included; by option the first after the giver.

    Given as his place among the record's winners (3.6).
    """
    start = record.dealer
    if rules.claim_order == "giver" and record.from_ is not None:
        start = record.from_ + 1
    return min(range(len(record.winners)), key=lambda index: (record.winners[index].seat - start) % 4)


def settle_openings(record: OpeningRecord, faults: Faults) -> Settlement:
    """There is no 起手胡 in Wuhan.

    Raises:
        RecordError: ``not_in_rules``, and the faults found before.
    """
    raise RecordError([*faults, fault("not_in_rules", "openings", "kind")])


def settle_exhausted(record: ExhaustedRecord, faults: Faults) -> Settlement:
    """A hand nobody won: nothing is paid and the dealer stays (3.7).

    Raises:
        RecordError: ``not_in_rules`` for what Wuhan has no use for, and the faults found before.
    """
    if record.last_tile is not None:
        faults.append(fault("not_in_rules", "field", "last_tile", field="last_tile"))
    if faults:
        raise RecordError(faults)
    return settlement(record, next_dealers=next_dealers(record, None))


def next_dealers(record: HandRecord, winner: Seat | None) -> tuple[Seat, ...]:
    """Whether the deal stays or passes to the dealer's 下家, by who won (3.7): the table ``[next_dealer]``."""
    what = "nobody_wins" if winner is None else "dealer_wins" if winner == record.dealer else "other_wins"
    stays = record.rules.preset.data["next_dealer"][what] == "dealer"
    return (record.dealer if stays else (record.dealer + 1) % 4,)

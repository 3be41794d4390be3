"""A Changsha record's settlement: check everything, read the hands, pay (rule book 2)."""

from __future__ import annotations

from functools import cache, lru_cache
from operator import itemgetter

from scoring import checks
from scoring.changsha import birds, next_dealer, payments
from scoring.changsha.birds import Hits
from scoring.changsha.checks import check_copies, check_win_tiles, event_pattern
from scoring.changsha.claims import claim
from scoring.changsha.fishing import stakes
from scoring.changsha.rules import ChangshaRules, changsha_rules
from scoring.changsha.shown import win_out
from scoring.checks import Faults
from scoring.faults import RecordError
from scoring.record import ExhaustedRecord, Settlement, TransferOut, WinRecord
from scoring.settlement import SEATS, settlement
from scoring.tiles import Seat


def settle_win(record: WinRecord, faults: Faults) -> Settlement:
    """The settlement of a win: each winner against the one who gave the tile, or against the other three.

    Raises:
        RecordError: all faults of the record.
    """
    rules = changsha_rules(record.rules)
    checks.check_foreign_fields(record, faults)
    checks.check_seats(record, faults)
    event = event_pattern(record, faults)
    hands = checks.winner_hands(record, faults)
    check_win_tiles(record, rules, hands, event, faults)
    wins = [claim(record, rules, index, hand, event, faults) for index, hand in enumerate(hands)]
    counts = birds.win_hits(record, rules, hands, faults)
    check_copies(record, hands, faults)
    if faults:
        raise RecordError(faults)
    by_seat = ((winner.seat, win) for winner, win in zip(record.winners, wins, strict=True) if win is not None)
    claimed = sorted(by_seat, key=itemgetter(0))
    giver = record.from_
    transfers: list[TransferOut] = []
    cash = [0, 0, 0, 0]
    for seat, win in claimed:
        transfers += collected(rules, win.paid, seat, giver, record.dealer, counts, event)
        if record.side_bets is not None:
            for payer in _payers(seat, giver):
                times = birds.effect(rules, payer, seat, counts) * max(win.paid, 1)
                stake = stakes(record.side_bets, rules, payer, seat, times)
                cash[payer] -= stake
                cash[seat] += stake
    return settlement(
        record,
        wins=[win_out(rules, seat, win) for seat, win in claimed],
        transfers=transfers,
        cash=cash,
        next_dealers=next_dealer.after_win(record.rules, [seat for seat, _ in claimed], giver),
    )


@cache
def _payers(winner: Seat, giver: Seat | None) -> tuple[Seat, ...]:
    """The one who gave the tile, or all three others."""
    return tuple(seat for seat in SEATS if seat != winner) if giver is None else (giver,)


def collected(
    rules: ChangshaRules,
    paid: int,
    winner: Seat,
    giver: Seat | None,
    dealer: Seat,
    counts: Hits,
    event: str | None = None,
) -> list[TransferOut]:
    """What a winner with ``paid`` big patterns (0: a small win) is paid, birds pointing at seats as ``counts`` says."""
    transfers: list[TransferOut] = []
    by: payments.By = "self_draw" if giver is None else "discard"
    for payer in _payers(winner, giver):
        bird = birds.effect(rules, payer, winner, counts)
        if event in rules.all_in:  # 大包干
            transfers.append(payments.all_in_payment(rules, payer, winner, dealer, bird))
        else:
            transfers.append(payments.win_payment(rules, by, paid, payer, winner, dealer, bird))
    return transfers


@lru_cache(maxsize=1 << 12)
def drawn_in_the_mean(
    rules: ChangshaRules, paid: int, winner: Seat, dealer: Seat, unseen: tuple[int, int, int, int]
) -> float:
    """What a self-drawn win brings in the mean before its birds are turned, which any of the unseen tiles may be.

    ``unseen`` says how many of those tiles point at each seat (`birds.by_seat`).
    """
    return sum(
        chance * sum(one.points for one in collected(rules, paid, winner, None, dealer, counts))
        for counts, chance in birds.chances(rules.birds, unseen)
    )


def settle_exhausted(record: ExhaustedRecord, faults: Faults) -> Settlement:
    """A hand nobody won: nothing is paid, the deal moves by what became of 海底 (2.8).

    Raises:
        RecordError: ``missing`` where it is not said, and the faults found before.
    """
    dealers = next_dealer.after_exhausted(record, faults)
    if faults:
        raise RecordError(faults)
    return settlement(record, next_dealers=dealers)

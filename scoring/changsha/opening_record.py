"""The opening wins of one deal, settled (rule book 2.4)."""

from __future__ import annotations

from operator import itemgetter

from scoring import checks
from scoring.changsha import birds, next_dealer, payments
from scoring.changsha.checks import check_suits
from scoring.changsha.claims import known_shapes, shapes_of
from scoring.changsha.openings import opening_patterns
from scoring.changsha.pricing import Win, price, win_of
from scoring.changsha.rules import ChangshaRules, changsha_rules
from scoring.changsha.shown import win_out
from scoring.checks import Faults
from scoring.faults import RecordError, fault
from scoring.hand import Hand
from scoring.record import OpenerIn, OpeningRecord, Settlement, TransferOut
from scoring.settlement import SEATS, settlement
from scoring.tiles import Seat, Tile


def settle_openings(record: OpeningRecord, faults: Faults) -> Settlement:
    """The settlement of the opening wins of one deal (2.4); the dealer's 天胡 among them where the hand ends.

    Raises:
        RecordError: all faults of the record.
    """
    rules = changsha_rules(record.rules)
    checks.check_distinct([winner.seat for winner in record.winners], "winners", faults)
    wins = [_opening(record, rules, index, faults) for index in range(len(record.winners))]
    birds.check_opening_birds(record, rules, faults)
    groups = [
        (winner.concealed or winner.shown or (), f"winners.{index}") for index, winner in enumerate(record.winners)
    ]
    checks.check_copies([*groups, (record.birds, "birds")], faults)
    if faults:
        raise RecordError(faults)
    by_seat = ((winner.seat, win) for winner, win in zip(record.winners, wins, strict=True) if win is not None)
    found = sorted(by_seat, key=itemgetter(0))
    return settlement(
        record,
        wins=[win_out(rules, seat, win) for seat, win in found],
        transfers=[transfer for seat, win in found for transfer in _transfers(record, rules, seat, win)],
        next_dealers=next_dealer.after_openings(record, rules),
    )


def _transfers(record: OpeningRecord, rules: ChangshaRules, seat: Seat, win: Win) -> list[TransferOut]:
    """The other three pay; 天胡 is paid as the dealer's big self-draw."""
    counts = birds.opening_hits(record, rules, seat)
    transfers = []
    for payer in SEATS:
        if payer == seat:
            continue
        bird = birds.effect(rules, payer, seat, counts)
        if any(name == "heaven" for name, _ in win.patterns):
            transfers.append(payments.win_payment(rules, "self_draw", win.paid, payer, seat, record.dealer, bird))
        else:
            transfers.append(payments.opening_payment(rules, win.paid, payer, seat, record.dealer, bird))
    return transfers


def _opening(record: OpeningRecord, rules: ChangshaRules, index: int, faults: Faults) -> Win | None:
    """One opener's win, or None with the faults said."""
    opener, path = record.winners[index], f"winners.{index}"
    given = [name for name in ("concealed", "shown", "declared") if getattr(opener, name) is not None]
    if not given:
        faults.append(fault("missing", "tiles", f"{path}.concealed"))
        return None
    if len(given) > 1:
        faults += [fault("invalid", "opening_given_twice", f"{path}.{name}") for name in given[1:]]
        return None
    if opener.declared is not None:
        return _declared(record, rules, opener, f"{path}.declared", faults)
    return _of_tiles(record, rules, opener, f"{path}.{given[0]}", faults)


def _of_tiles(record: OpeningRecord, rules: ChangshaRules, opener: OpenerIn, path: str, faults: Faults) -> Win | None:
    """The patterns of the whole hand, the dealer's 天胡 before them; of tiles ``shown`` those that they can prove."""
    shown = opener.concealed is None
    tiles: tuple[Tile, ...] = opener.concealed or opener.shown or ()
    dealt = checks.HAND_TILES + (opener.seat == record.dealer)
    before = len(faults)
    if len(tiles) > dealt or (len(tiles) < dealt and not shown):
        faults.append(fault("wrong_tile_count", "opening", path, held=len(tiles), wanted=dealt))
    check_suits(tiles, path, faults)
    if len(faults) > before or checks.overfull(Hand(tiles)):
        return None
    if not shown and opener.seat == record.dealer and rules.openings_end_hand:
        heaven = price(Hand(tiles[:-1], (), tiles[-1:]), "self_draw", "heaven", rules)
        if isinstance(heaven, Win):
            return heaven
    patterns = opening_patterns(tiles, rules, shown=shown)
    if not patterns:
        faults.append(fault("no_opening", "tiles", path))
        return None
    return _opening_win(patterns, rules)


def _opening_win(patterns: tuple[str, ...], rules: ChangshaRules) -> Win:
    """Several patterns add up, or count as one by option `opening_stack`."""
    return Win(tuple((name, 1) for name in patterns), len(patterns) if rules.opening_stack else 1)


def _declared(record: OpeningRecord, rules: ChangshaRules, opener: OpenerIn, path: str, faults: Faults) -> Win | None:
    """Opening patterns as the table declared them; the dealer of classic and bbs may declare 天胡 with its shapes."""
    declared = opener.declared or ()
    heaven = "heaven" in declared
    if heaven and opener.seat != record.dealer:
        faults.append(fault("event_not_allowed", "heaven_dealer", path))
    elif heaven and not rules.openings_end_hand:
        faults.append(fault("event_not_allowed", "heaven_goes_on", path))
    known = {*rules.opening, "heaven"} | (known_shapes(rules) if heaven else frozenset())
    if not checks.check_declared(declared, known, path, faults):
        return None
    if heaven:
        return win_of((*shapes_of(declared), ("heaven", 1)), rules)
    if not declared:
        faults.append(fault("no_opening", "declared", path))
        return None
    return _opening_win(declared, rules)

"""A posted record as what was entered, so that a correction starts from the hand as it stands.

Not every record can be said in the fields of a page: whoever refills one compares what it settles to (`same_money`)
and says so where that is something else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from mahjong_site.calculator.options import fields_of
from mahjong_site.calculator.state import COUNTERS, NOTHING_OPEN, SEATS, Entry, Line
from mahjong_site.table.declared import Declared
from scoring import HandRecord, Settlement
from scoring.changsha.birds import birds_with_seats
from scoring.checks import SHAPE_PATTERNS, winner_hands
from scoring.hand import Hand
from scoring.notation import format_hand, format_tiles
from scoring.record import ExhaustedRecord, OpeningRecord, PenaltyRecord, WinnerIn, WinOut, WinRecord
from scoring.tiles import COPIES, Seat
from scoring.wuhan.sides import sides
from scoring.wuhan.specials import specials


def same_money(one: Settlement | None, other: Settlement) -> bool:
    """Whether both pay the same for the same: points, cash, and the patterns of every win."""
    return one is not None and _told(one) == _told(other)


def _told(settlement: Settlement) -> tuple[object, ...]:
    wins = [
        (win.seat, win.size, win.paid, sorted((pattern.id, pattern.count) for pattern in win.patterns))
        for win in settlement.wins
    ]
    return settlement.deltas, settlement.house, settlement.cash, wins


def is_declared(record: HandRecord) -> bool:
    """Whether any win of the record was declared without tiles: the quick entry has it."""
    return isinstance(record, WinRecord) and any(winner.declared is not None for winner in record.winners)


# ---- with tiles


def entry_of(record: HandRecord) -> Entry:
    """The hand entry that gives this record. A declared win has no tiles here: `declared_of` reads those."""
    base = Entry(
        rules=record.rules.preset.id,
        options=fields_of(record.rules.preset, record.rules.options),
        dealer=record.dealer,
        creator=record.creator or 0,
        bets=_bets(record),
    )
    match record:
        case WinRecord():
            return _win(base, record)
        case OpeningRecord():
            return _opening(base, record)
        case ExhaustedRecord():
            return base.with_(kind="exhausted", last=_last(record))
        case PenaltyRecord():
            penalty = record.penalty
            given = {"seat": penalty.seat, "reason": penalty.reason, "points": penalty.points, "to": penalty.to}
            texts = {name: "" if value is None else str(value) for name, value in given.items()}
            return base.with_(kind="penalty", penalty=texts)
    return base


def _bets(record: HandRecord) -> tuple[str, str, str, str]:
    if record.side_bets is None:
        return ("", "", "", "")
    one, two, three, four = (str(bet) for bet in record.side_bets)
    return one, two, three, four


def _win(base: Entry, record: WinRecord) -> Entry:
    hands = _hands(record)
    lines = list(base.lines)
    for seat, hand in hands.items():
        lines[seat] = Line.read(format_hand(hand))
    told = {winner.seat: winner for winner in record.winners}
    return base.with_(
        winners=tuple(hands),
        giver=_giver(record),
        robbed=record.by == "rob_kong",
        event=record.events[0] if record.events else "",
        lines=tuple(lines),
        birds=format_tiles(record.birds),
        low=record.last_wall_tile_only,
        indicator="" if record.indicator is None else format_tiles([record.indicator]),
        laid=tuple(_laid(record, told[seat], hands[seat]) if seat in told else "" for seat in SEATS),
        passed=tuple(format_tiles(one.tile for one in told[seat].passed) if seat in told else "" for seat in SEATS),
        passed_big=tuple(
            max((one.big or 0 for one in told[seat].passed), default=0) if seat in told else 0 for seat in SEATS
        ),
        dead=_dead(record),
        counters=_counters(record),
        ready=_ready(record),
    )


def _giver(record: WinRecord) -> Seat:
    return record.from_ if record.from_ is not None else record.winners[0].seat


def _dead(record: WinRecord) -> frozenset[Seat]:
    return frozenset(winner.seat for winner in record.winners if winner.unready_kong)


def _ready(record: WinRecord) -> tuple[bool | None, ...]:
    said = {player.seat: player.ready for player in record.players}
    return tuple(said.get(seat) for seat in SEATS)


def _counters(record: WinRecord) -> tuple[Mapping[str, int], ...]:
    """Wuhan: what each seat has open, counted where the record gives tiles. Nothing in Changsha."""
    if record.rules.family == "changsha":
        return (NOTHING_OPEN,) * 4
    wild = None if record.indicator is None else specials(record.rules, record.indicator).wild
    found = sides(record, winner_hands(record, []), wild)
    counts = []
    for seat in SEATS:
        side = found[seat]._asdict()
        side["laid_out"] += side["laid_out_wilds"]  # the contract counts 癞子 among what is laid out
        counts.append({field: side[name] for field, name in COUNTERS.items()})
    return tuple(counts)


def _hands(record: WinRecord) -> Mapping[Seat, Hand]:
    """Each winner's tiles, none where his win was declared."""
    found = zip(record.winners, winner_hands(record, []), strict=True)
    return {winner.seat: Hand(()) if hand is None else hand for winner, hand in found}


def _laid(record: WinRecord, winner: WinnerIn, hand: Hand) -> str:
    """What a winner laid out, as tiles. A number says only how many are 癞子; all kong tiles are worth the same."""
    laid = winner.laid_out or ()
    if not isinstance(laid, int):
        return format_tiles(laid)
    if record.indicator is None:
        return ""
    special = specials(record.rules, record.indicator)
    seen = Counter([record.indicator, *hand.concealed, *hand.win_on])
    kongs = [tile for tile in sorted(special.kong_tiles, reverse=True) for _ in range(COPIES - seen[tile])]
    wilds = min(winner.laid_out_wilds, laid)
    return format_tiles([*kongs[: laid - wilds], *[special.wild] * wilds])


def _opening(base: Entry, record: OpeningRecord) -> Entry:
    lines, declared = list(base.lines), list(base.declared)
    for winner in record.winners:
        lines[winner.seat] = Line.read(format_tiles(winner.concealed or winner.shown or ()))
        declared[winner.seat] = frozenset(winner.declared or ())
    return base.with_(
        kind="opening",
        winners=tuple(winner.seat for winner in record.winners),
        birds=format_tiles(record.birds),
        dice=record.bird_dice,
        shown=any(winner.shown is not None for winner in record.winners),
        lines=tuple(lines),
        declared=tuple(declared),
    )


def _last(record: ExhaustedRecord) -> str:
    if record.last_tile is None:
        return ""
    ((what, seat),) = record.last_tile.model_dump(exclude_none=True).items()
    return f"{what}:{seat}"


# ---- declared


def declared_of(record: WinRecord, posted: Settlement) -> Declared:
    """The taps that give this record. A winner with tiles among declared ones is told by what his hand was paid for."""
    changsha = record.rules.family == "changsha"
    paid = {win.seat: win for win in posted.wins}
    hands = _hands(record)
    patterns = {winner.seat: _patterns(winner, paid.get(winner.seat)) for winner in record.winners}
    return Declared(
        winners=tuple(patterns),
        giver=_giver(record),
        robbed=record.by == "rob_kong",
        event=record.events[0] if record.events else "",
        patterns=tuple(patterns.get(seat, frozenset()) for seat in SEATS),
        small=frozenset(seat for seat, names in patterns.items() if not names),
        kong_tiles=frozenset(winner.seat for winner in record.winners if _won_on_two(winner, hands[winner.seat])),
        birds=tuple(number for number, _ in birds_with_seats(record, record.winners[0].seat)) if changsha else (),
        low=record.last_wall_tile_only,
        dead=_dead(record),
        bets=_bets(record),
        soft=frozenset(winner.seat for winner in record.winners if _is_soft(winner, paid.get(winner.seat))),
        counters=_counters(record),
        ready=_ready(record),
        third=_by_seat({winner.seat: _third_opening(winner, hands[winner.seat]) for winner in record.winners}),
        dealer=record.dealer,
    )


def _patterns(winner: WinnerIn, win: WinOut | None) -> frozenset[str]:
    names = winner.declared if winner.declared is not None else [one.id for one in win.patterns] if win else ()
    return SHAPE_PATTERNS.intersection(names or ())


def _won_on_two(winner: WinnerIn, hand: Hand) -> bool:
    return winner.win_tiles == 2 or len(hand.win_on) == 2


def _is_soft(winner: WinnerIn, win: WinOut | None) -> bool:
    if winner.declared is not None:
        return winner.hard is False
    return win is not None and win.reading is not None and win.reading.hard is False


def _third_opening(winner: WinnerIn, hand: Hand) -> Seat | None:
    opened = [meld.taken_from for meld in hand.melds if meld.is_exposed]
    return opened[2] if len(opened) > 2 else winner.third_open_from


def _by_seat(values: Mapping[Seat, Any]) -> tuple[Any, ...]:
    return tuple(values.get(seat) for seat in SEATS)

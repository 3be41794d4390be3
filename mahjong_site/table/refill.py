"""A posted record as what was entered, so that a correction starts from the hand as it stands."""

from __future__ import annotations

from typing import Any

from mahjong_site.calculator.options import fields_of
from mahjong_site.calculator.state import COUNTERS, Entry, Line
from scoring import HandRecord
from scoring.hand import Hand
from scoring.notation import format_hand, format_tiles
from scoring.record import ExhaustedRecord, OpeningRecord, PenaltyRecord, WinnerIn, WinRecord


def entry_of(record: HandRecord) -> Entry:
    """The hand entry that gives this record. Declared wins have no tiles: `mahjong_site.table.quick` reads those."""
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


def is_declared(record: HandRecord) -> bool:
    """Whether any win of the record was declared without tiles."""
    return isinstance(record, WinRecord) and any(winner.declared is not None for winner in record.winners)


def _bets(record: HandRecord) -> tuple[str, str, str, str]:
    if record.side_bets is None:
        return ("", "", "", "")
    one, two, three, four = (str(bet) for bet in record.side_bets)
    return one, two, three, four


def _win(base: Entry, record: WinRecord) -> Entry:
    seats = tuple(winner.seat for winner in record.winners)
    entry = base.with_(
        winners=seats,
        giver=record.from_ if record.from_ is not None else seats[0],
        robbed=record.by == "rob_kong",
        event=record.events[0] if record.events else "",
        birds=format_tiles(record.birds),
        low=record.last_wall_tile_only,
        indicator="" if record.indicator is None else format_tiles([record.indicator]),
        dead=frozenset(winner.seat for winner in record.winners if winner.unready_kong),
    )
    for winner in record.winners:
        entry = entry.with_line(winner.seat, format_hand(_hand(winner)))
        passed = format_tiles(one.tile for one in winner.passed)
        big = max((one.big or 0 for one in winner.passed), default=0)
        laid = format_tiles(winner.laid_out) if isinstance(winner.laid_out, tuple) else ""
        entry = entry.with_(
            passed=_put(entry.passed, winner.seat, passed),
            passed_big=_put(entry.passed_big, winner.seat, big),
            laid=_put(entry.laid, winner.seat, laid),
        )
    for player in record.players:
        counts = {field: getattr(player, name) or 0 for field, name in COUNTERS.items()}
        entry = entry.with_(
            counters=_put(entry.counters, player.seat, counts), ready=_put(entry.ready, player.seat, player.ready)
        )
    return entry


def _hand(winner: WinnerIn) -> Hand:
    if winner.hand is not None:
        return winner.hand
    return Hand(winner.concealed or (), tuple(meld.meld() for meld in winner.melds), winner.win_on)


def _opening(base: Entry, record: OpeningRecord) -> Entry:
    entry = base.with_(
        kind="opening",
        winners=tuple(winner.seat for winner in record.winners),
        birds=format_tiles(record.birds),
        dice=record.bird_dice,
        shown=any(winner.shown is not None for winner in record.winners),
    )
    lines = list(entry.lines)
    for winner in record.winners:
        lines[winner.seat] = Line.read(format_tiles(winner.concealed or winner.shown or ()))
    return entry.with_(lines=tuple(lines))


def _last(record: ExhaustedRecord) -> str:
    if record.last_tile is None:
        return ""
    ((what, seat),) = record.last_tile.model_dump(exclude_none=True).items()
    return f"{what}:{seat}"


def _put(values: tuple[Any, ...], seat: int, value: Any) -> tuple[Any, ...]:
    return (*values[:seat], value, *values[seat + 1 :])

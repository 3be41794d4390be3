"""What a person reads in a terminal: an explanation in Chinese with English beside, aligned with wide characters.

The command line's ``--pretty``. Only this module knows `rich`.
"""

from __future__ import annotations

import io
import json
import shutil
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, Literal, TypeAlias

from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from scoring.faults import RecordError
from scoring.notation import format_tiles, parse_tiles, to_chinese
from scoring.record import (
    HandRecord,
    OpenerIn,
    OpeningRecord,
    PatternOut,
    ReadingOut,
    Settlement,
    Step,
    TransferOut,
    WinnerIn,
    WinOut,
    WinRecord,
)
from scoring.rules import Family, resolve_rules
from scoring.settle import parse_record, settle
from scoring.settlement import SEATS, pattern_out
from scoring.steps import result
from scoring.texts import text
from scoring.tiles import Seat, Tile

Language: TypeAlias = Literal["zh", "en"]

_BOTH: Final[tuple[Language, Language]] = ("zh", "en")

PLAIN_WIDTH: Final = 110
"""Columns where the answer goes to a file."""


def pretty_score(line: bytes) -> bytes:
    """JSON text of a record in, its settlement explained, UTF-8, ending in a line feed.

    Raises:
        RecordError: the record is malformed or refused; `pretty_faults` explains it.
    """
    record = parse_record(line)
    return _printed(_settlement(record, settle(record)))


def pretty_analysis(line: bytes) -> bytes:
    """JSON text of a request for the analysis in; shanten, accepts and priced waits, or discards, explained.

    Raises:
        RecordError: the request is malformed or refused.
    """
    from scoring.analysis import analyze_json  # its tables are larger; scoring alone does not need them

    answer = analyze_json(line)
    return _printed(_analysis(answer, resolve_rules(json.loads(line)["rules"]).family))


def pretty_faults(error: RecordError) -> bytes:
    """What is wrong with a record, and what would make it right."""
    return _printed(_faults(error.to_json()["errors"]))


def _printed(parts: Iterable[RenderableType]) -> bytes:
    """The parts below one another; in colour where standard output is a terminal."""
    terminal = sys.stdout.isatty()
    console = Console(
        file=io.StringIO(),
        width=shutil.get_terminal_size((PLAIN_WIDTH, 24)).columns if terminal else PLAIN_WIDTH,
        force_terminal=terminal,
        color_system="auto" if terminal else None,
        markup=False,
        highlight=False,
        emoji=False,
    )
    with console.capture() as captured:
        for part in parts:
            console.print(part)
    lines = (line.rstrip() for line in captured.get().splitlines())
    return ("\n".join(lines) + "\n").encode()


# --- Words -----------------------------------------------------------------------------------------------------------


def _word(language: Language, key: str, **values: object) -> str:
    words: str = getattr(text("pretty", key), language)
    return words.format(**values)


def _both(key: str, **values: object) -> str:
    """``自摸 self-draw``."""
    return f"{_word('zh', key, **values)} {_word('en', key, **values)}"


def _seat(language: Language, seat: Seat, dealer: Seat) -> str:
    """``座0 (庄)``, ``seat 0 (dealer)``."""
    name = _word(language, "seat", seat=seat)
    return f"{name} ({_word(language, 'dealer')})" if seat == dealer else name


def _table(*columns: str, numbers: Sequence[str] = ()) -> Table:
    """An empty table; columns by their words, those of ``numbers`` to the right."""
    table = Table(header_style="bold")
    for key in columns:
        table.add_column(_both(key), justify="right" if key in numbers else "left")
    return table


def _line(zh: str, en: str, style: str = "") -> Text:
    """Chinese first, English beside it, a dot between."""
    return Text.assemble((zh, style), (f" · {en}", "dim"))


def _said(key: str, style: str = "", **values: object) -> Text:
    return _line(_word("zh", key, **values), _word("en", key, **values), style)


def _tiles(key: str, tiles: Sequence[Tile]) -> Text:
    return _line(f"{_word('zh', key)} {to_chinese(tiles)}", f"{_word('en', key)} {format_tiles(tiles)}")


def _seats(key: str, seats: Sequence[Seat], dealer: Seat, between: str) -> Text:
    zh, en = (
        f"{_word(language, key)}: {between.join(_seat(language, seat, dealer) for seat in seats)}" for language in _BOTH
    )
    return _line(zh, en)


def _names(patterns: Iterable[PatternOut]) -> tuple[str, str]:
    """``清一色 + 杠上开花 ×2`` in both languages."""
    patterns = tuple(patterns)
    times = [f" ×{pattern.count}" if pattern.count > 1 else "" for pattern in patterns]
    return (
        " + ".join(pattern.zh + number for pattern, number in zip(patterns, times, strict=True)),
        " + ".join(pattern.en + number for pattern, number in zip(patterns, times, strict=True)),
    )


def _signed(points: int) -> str:
    return f"{points:+d}" if points else "0"


# --- Settlements -----------------------------------------------------------------------------------------------------


def _settlement(record: HandRecord, settlement: Settlement) -> Iterator[RenderableType]:
    rules = record.rules.preset
    yield _line(rules.name_zh, rules.name_en, "bold")
    if not settlement.wins:
        yield _said("penalty" if settlement.transfers else "exhausted")
    for win in settlement.wins:
        yield from _win(record, win)
    if settlement.overruled:
        yield _seats("overruled", settlement.overruled, record.dealer, " ")
    if isinstance(record, WinRecord | OpeningRecord) and record.birds:
        yield _tiles("birds", record.birds)
    if settlement.transfers:
        yield _payments(settlement.transfers, record.dealer)
    yield _balance(settlement, record.dealer)
    yield _next_dealer(settlement, record.dealer)


def _win(record: HandRecord, win: WinOut) -> Iterator[RenderableType]:
    """Who won how, the patterns, the hand."""
    heads = []
    for language, patterns in zip(_BOTH, _names(win.patterns), strict=True):
        size = f"{_word(language, win.size)}{f' ×{win.paid}' if win.paid > 1 else ''}: "
        how = [_seat(language, win.seat, record.dealer), *_how(language, record)]
        heads.append(f"{' '.join(how)}  {'' if win.size == 'small' else size}{patterns}")
    yield Text(heads[0], "bold")
    yield Text(heads[1], "dim")
    for hand in _hand(record, win):
        yield Padding(hand, (0, 0, 0, 2))


def _how(language: Language, record: HandRecord) -> list[str]:
    """Self-drawn, or from whom."""
    if not isinstance(record, WinRecord):
        return []
    giver = "" if record.from_ is None else _seat(language, record.from_, record.dealer)
    return [_word(language, record.by, giver=giver)]


def _hand(record: HandRecord, win: WinOut) -> Iterator[RenderableType]:
    """The tiles of a win, laid out; those shown of an opening."""
    if isinstance(record, OpeningRecord):
        opener = next(winner for winner in record.winners if winner.seat == win.seat)
        yield from _opening_tiles(opener)
    if isinstance(record, WinRecord) and win.reading is None:
        yield _said("declared")
    if isinstance(record, WinRecord) and win.reading is not None:
        winner = next(winner for winner in record.winners if winner.seat == win.seat)
        yield from _laid_out(winner, win.reading)


def _opening_tiles(opener: OpenerIn) -> Iterator[RenderableType]:
    tiles = opener.concealed if opener.concealed is not None else opener.shown
    if tiles is None:
        yield _said("declared")
    else:
        yield _tiles("hand" if opener.concealed is not None else "shown", tiles)


def _laid_out(winner: WinnerIn, reading: ReadingOut) -> Iterator[RenderableType]:
    """Sets, pair and melds, in Chinese and as text; what the 癞子 stand for; hard or soft."""
    melds = winner.hand.melds if winner.hand is not None else tuple(meld.meld() for meld in winner.melds)
    own = list(reading.sets)
    for meld in melds:
        own.remove(format_tiles(meld.tiles))
    for language in _BOTH:
        written = to_chinese if language == "zh" else format_tiles
        parts = [written(parse_tiles(tiles)) for tiles in own]
        if reading.pair is not None:
            parts.append(f"{_word(language, 'pair')} {written(parse_tiles(reading.pair))}")
        parts += [f"[{_word(language, meld.kind)} {written(meld.tiles)}]" for meld in melds]
        yield Text(f"{_word(language, 'hand')}  {'  '.join(parts)}", "" if language == "zh" else "dim")
    if reading.hard is not None:
        meanings = "  ".join(f"{kind} → {tiles}" for kind, tiles in reading.wild.items())
        for_wilds = [f"  {_word(language, 'wild')} {meanings}" if meanings else "" for language in _BOTH]
        size = "hard" if reading.hard else "soft"
        yield _line(*(_word(language, size) + wild for language, wild in zip(_BOTH, for_wilds, strict=True)))


def _payments(transfers: Sequence[TransferOut], dealer: Seat) -> Table:
    """Who pays whom how much, and how that comes about."""
    table = _table("payer", "receiver", "points", "arithmetic", numbers=("points",))
    for transfer in transfers:
        to = _both("house") if transfer.to == "house" else _seat("zh", transfer.to, dealer)
        lines = [arithmetic(transfer.steps, transfer.points, language) for language in _BOTH]
        if transfer.shares:
            lines = [f"{_word(language, 'contract')}: {line}" for language, line in zip(_BOTH, lines, strict=True)]
        for share in transfer.shares:
            lines += [
                f"  {_seat(language, share.seat, dealer)}: {arithmetic(share.steps, share.points, language)}"
                for language in _BOTH
            ]
        cell = Text("\n").join(Text(line, "" if place % 2 == 0 else "dim") for place, line in enumerate(lines))
        table.add_row(_seat("zh", transfer.from_, dealer), to, str(transfer.points), cell)
    return table


def arithmetic(steps: Sequence[Step], points: int, language: Language) -> str:
    """The lines of a payment as one expression.

    >>> from scoring.steps import step
    >>> lines = step("base", "value", 60), step("dealer", "add", 10), step("bird", "times", 2)
    >>> arithmetic(lines, 140, "zh")
    '(60 + 庄 10) × 2 中鸟 = 140'
    """
    words, is_sum = "", False
    for place, line in enumerate(steps):
        label: str = getattr(text("steps", line.id), language)
        if line.value is not None:
            words = line.value if line.id == "base" else f"{label} {line.value}"
        elif line.add is not None:
            words, is_sum = f"{words} + {label} {line.add}", True
        elif line.times is not None:
            words, is_sum = f"{f'({words})' if is_sum else words} × {line.times} {label}", False
        else:
            words = f"{words} = {result(tuple(steps[:place]))} → {label}"
    return words if len(steps) == 1 else f"{words} = {points}"


def _balance(settlement: Settlement, dealer: Seat) -> Table:
    """What each seat won or lost, the house, and cash where there is any."""
    has_cash = any(float(amount) for amount in settlement.cash)
    table = _table("player", "result", *(("cash",) if has_cash else ()), numbers=("result", "cash"))
    for seat in SEATS:
        cash = (settlement.cash[seat],) if has_cash else ()
        table.add_row(_seat("zh", seat, dealer), _signed(settlement.deltas[seat]), *cash)
    if settlement.house:
        table.add_row(_both("house"), _signed(settlement.house))
    return table


def _next_dealer(settlement: Settlement, dealer: Seat) -> Text:
    if not settlement.hand_ends:
        return _said("goes_on")
    return _seats("next_dealer", settlement.next_dealer_choices, dealer, f" {_both('or')} ")


# --- Faults ----------------------------------------------------------------------------------------------------------


def _faults(errors: Sequence[Mapping[str, Any]]) -> Iterator[RenderableType]:
    yield _said("refused", "bold red")
    for number, error in enumerate(errors, 1):
        yield Text(f"{number}. {error['message_zh']}")
        yield Text(f"   {error['message']}")
        yield Text(f"   {' · '.join(filter(None, (error['path'], error['code'])))}", "dim")


# --- Analysis --------------------------------------------------------------------------------------------------------


def _analysis(answer: Mapping[str, Any], family: Family) -> Iterator[RenderableType]:
    key = {-1: "complete", 0: "ready"}.get(answer["shanten"], "away")
    yield _said(key, "bold", shanten=answer["shanten"])
    if "discards" in answer:
        if answer["win"] is not None:
            yield Text(f"{_both('win_now')}: {_win_now(answer['win'], family)}")
        yield _discards(answer["discards"])
    else:
        yield Text(f"{_both('accepts')}: {_kinds(answer['accepts'])}")
        if answer["waits"]:
            yield _waits(answer["waits"], family)
        if "expected" in answer:
            expected, wins = _outlook(answer)
            yield Text(f"{_both('expected')}: {expected}  {_both('win_probability')}: {wins}")
        if "calls" in answer:
            yield from _calls(answer["calls"], family)


def _win_now(win: Mapping[str, Any], family: Family) -> str:
    if "errors" in win:
        return _reasons(win["errors"])
    patterns = [pattern for one in win["wins"] for pattern in one["patterns"]]
    return f"{_pattern_names(patterns, family)} ({', '.join(map(_signed, win['deltas']))})"


def _kinds(kinds: Sequence[Mapping[str, Any]]) -> str:
    """``二万 2m ×3``, with how many are left."""
    named = (f"{_tile(one['tile'])} ×{one['left']}" for one in kinds)
    return "  ".join(named) or _both("nothing")


def _tile(name: str) -> str:
    return f"{to_chinese(parse_tiles(name))} {name}"


def _waits(waits: Sequence[Mapping[str, Any]], family: Family) -> Table:
    table = _table("waits", "left", "self_draw", "discard_win", numbers=("left",))
    for wait in waits:
        table.add_row(
            _tile(wait["tile"]), str(wait["left"]), _price(wait["self_draw"], family), _price(wait["discard"], family)
        )
    return table


def _price(price: Mapping[str, Any], family: Family) -> str:
    """What a win would bring, or why there is none."""
    if "errors" in price:
        return _reasons(price["errors"])
    return f"{_signed(price['total'])}  {_pattern_names(price['patterns'], family)}"


def _reasons(errors: Sequence[Mapping[str, Any]]) -> str:
    return "\n".join(f"{error['message_zh']} {error['message']}" for error in errors)


def _pattern_names(patterns: Sequence[Mapping[str, Any]], family: Family) -> str:
    return " ".join(_names(pattern_out(family, one["id"], one.get("count", 1)) for one in patterns))


def _discards(discards: Sequence[Mapping[str, Any]]) -> Table:
    ahead = ("expected", "win_probability") if any("expected" in one for one in discards) else ()
    table = _table("throw", "shanten", "left", *ahead, "accepts", numbers=("shanten", "left", *ahead))
    for one in discards:
        tile = f"{_both('lay_out')} {_tile(one['tile'])}" if one.get("lay_out") else _tile(one["tile"])
        outlook = _outlook(one) if ahead else ()
        table.add_row(tile, str(one["shanten"]), str(one["left"]), *outlook, _kinds(one["accepts"]))
    return table


def _calls(calls: Sequence[Mapping[str, Any]], family: Family) -> Iterator[RenderableType]:
    """What a win on the called tile brings, and of everything else to do with it what comes then."""
    ahead = ("expected", "win_probability") if any("expected" in one for one in calls) else ()
    table = _table("call", "throw", "shanten", "left", *ahead, numbers=("shanten", "left", *ahead))
    for one in calls:
        if "price" in one:
            yield Text(f"{_both('win_now')}: {_price(one['price'], family)}")
            continue
        made = f"{_both(one['call'])}  {one['tiles']}" if "tiles" in one else _both(one["call"])
        thrown = _tile(one["discard"]) if "discard" in one else "–"
        table.add_row(made, thrown, str(one["shanten"]), str(one["left"]), *(_outlook(one) if ahead else ()))
    yield table


def _outlook(one: Mapping[str, Any]) -> tuple[str, str]:
    """Mean points and the chance to win; a dash each where the hand was not looked into."""
    if "expected" not in one:
        return "–", "–"
    return f"{one['expected']:.2f}", f"{one['win_probability']:.1%}"

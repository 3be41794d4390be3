"""From the engine's answer to what a person sees: rows, amounts, shares of a bar. No amount of their own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import gettext as _

from mahjong_site.calculator.presenters import pattern_words
from mahjong_site.calculator.state import SEATS
from mahjong_site.calculator.waits import discard_words
from mahjong_site.calculator.words import fault_text, listed, short_tile_name, signed, tone
from scoring.analysis.contract import Accept, DiscardOut, Drawing, Price, Refused, Throwing, Wait
from scoring.hand import Hand
from scoring.notation import format_hand
from scoring.record import Settlement
from scoring.tiles import NAMES

from .addresses import drawn, settled, thrown
from .answers import Answer
from .question import Question
from .words import decimal, kinds_words, percent, shanten_words

SHOWN: Final = 7
"""So many tiles fit beside a discard on a phone; the rest is a number until the row is opened."""


@dataclass(frozen=True)
class TileLeft:
    """A tile that helps, copies left, and the address of the hand with it."""

    code: str
    name: str
    left: int
    address: str = ""


@dataclass(frozen=True)
class Paid:
    """One way to win on a tile: what each seat gets or pays, or why it is refused."""

    how: str
    amounts: tuple[tuple[str, str], ...] = ()
    refused: tuple[str, ...] = ()


@dataclass(frozen=True)
class WaitRow:
    """A tile that wins: ``amount`` of the best way, ``words`` and why it is no more beside it, every way in full."""

    tile: TileLeft
    title: str
    amount: str
    how: str
    words: str
    reasons: tuple[str, ...]
    ways: tuple[Paid, ...]
    address: str


@dataclass(frozen=True)
class Bar:
    """A number and its share of the largest it compares with, 0–100."""

    text: str
    share: int


@dataclass(frozen=True)
class DiscardRow:
    """A tile to throw and the hand after it. ``sum`` tells the tiles left, ``per_win`` the mean points of a win."""

    tile: TileLeft
    lay_out: bool
    shanten: str
    ready: bool
    accepts: tuple[TileLeft, ...]
    left: Bar
    sum: str
    expected: Bar | None
    chance: Bar | None
    per_win: str
    highest: bool

    @property
    def shown(self) -> tuple[TileLeft, ...]:
        """The accepts that have room in the row."""
        return self.accepts[:SHOWN]

    @property
    def more(self) -> int:
        """How many kinds have none."""
        return max(len(self.accepts) - SHOWN, 0)


def tiles_left(accepts: Iterable[Accept], question: Question | None = None) -> tuple[TileLeft, ...]:
    """Tiles that help, those with most copies left first; with a question, each leads to the hand with it."""
    ordered = sorted(accepts, key=lambda accept: -accept.left)
    return tuple(_tile_left(accept, question) for accept in ordered)


def _tile_left(accept: Accept, question: Question | None = None) -> TileLeft:
    tile = NAMES.index(accept.tile)
    address = drawn(question, tile) if question and accept.left else ""
    return TileLeft(accept.tile, short_tile_name(tile), accept.left, address)


def wait_rows(answer: Answer, analysis: Drawing, names: Sequence[str]) -> tuple[WaitRow, ...]:
    """The waits: those that pay most first, those of which no copy is left last."""
    rows = [(wait, _wait_row(wait, answer, names)) for wait in analysis.waits]
    rows.sort(key=lambda one: (one[0].left == 0, -_best(one[0]), one[0].tile))
    return tuple(row for _wait, row in rows)


def _best(wait: Wait) -> int:
    return max(one.total if isinstance(one, Price) else 0 for one in (wait.self_draw, wait.discard))


def _wait_row(wait: Wait, answer: Answer, names: Sequence[str]) -> WaitRow:
    question = answer.question
    tile = NAMES.index(wait.tile)
    thrown_by = {giver: prices[wait.tile] for giver, prices in (answer.by_giver or {}).items()}
    gains = {giver: price.total for giver, price in thrown_by.items() if isinstance(price, Price)}
    first = next((one for one in (wait.self_draw, *thrown_by.values()) if isinstance(one, Price)), None)
    ways = [_paid(_("Self-draw"), wait.self_draw)]
    ways += [_paid(_("%(name)s throws") % {"name": names[giver]}, price) for giver, price in thrown_by.items()]
    own_draw = isinstance(wait.self_draw, Price)
    if not gains:
        words = _("only by self-draw") if own_draw else _("no win")
    elif own_draw:
        words = discard_words(gains, question.entry.dealer, tuple(names))
    else:
        words = _("only on a discard")
    return WaitRow(
        tile=_tile_left(wait),
        title=pattern_words(first) if first else short_tile_name(tile),
        amount=signed(first.total) if first else "",
        how=(_("Self-draw") if own_draw else _("discard")) if first else "",
        words=words,
        reasons=tuple(dict.fromkeys(reason for way in ways for reason in way.refused)),
        ways=_merged(ways),
        address=settled(question, tile) if first else "",
    )


def _paid(how: str, price: Price | Refused) -> Paid:
    if isinstance(price, Refused):
        return Paid(how, refused=tuple(dict.fromkeys(fault_text(one) for one in price.errors)))
    return Paid(how, tuple((signed(delta), tone(delta)) for delta in price.deltas))


def _merged(ways: Sequence[Paid]) -> tuple[Paid, ...]:
    """Three discards that are refused for the same reasons are one line."""
    own_draw, *discards = ways
    reasons = {way.refused for way in discards}
    if len(discards) > 1 and len(reasons) == 1 and discards[0].refused:
        return own_draw, Paid(_("A discard"), refused=discards[0].refused)
    return tuple(ways)


def discard_rows(answer: Answer, analysis: Throwing) -> tuple[DiscardRow, ...]:
    """What may be thrown, in the engine's order."""
    found = analysis.discards
    most_left = {shanten: max(one.left for one in found if one.shanten == shanten) for shanten in _distances(found)}
    expected = {one.tile: one.expected for one in found if one.expected is not None}
    chances = {one.tile: one.win_probability for one in found if one.win_probability is not None}
    highest = max(expected.values(), default=0.0)
    several = len({round(value, 1) for value in expected.values()}) > 1
    rows = []
    for one in found:
        tile = NAMES.index(one.tile)
        accepts = tiles_left(one.accepts)
        points, chance = expected.get(one.tile), chances.get(one.tile)
        address = thrown(answer.question, tile, lay_out=one.lay_out)
        rows.append(
            DiscardRow(
                tile=TileLeft(one.tile, short_tile_name(tile), 0, address),
                lay_out=one.lay_out,
                shanten=shanten_words(one.shanten),
                ready=one.shanten == 0,
                accepts=accepts,
                left=_bar(str(one.left), one.left, most_left[one.shanten]),
                sum=" + ".join(str(accept.left) for accept in accepts),
                expected=None if points is None else _bar(decimal(points), points, highest),
                chance=None if chance is None else _bar(percent(chance), chance, max(chances.values())),
                per_win=_per_win(points, chance),
                highest=several and points is not None and points == highest > 0,
            )
        )
    return tuple(rows)


def steps_back(analysis: Throwing) -> bool:
    """Whether a discard that takes the hand a step back is left without figures."""
    nearest = min(_distances(analysis.discards), default=0)
    return any(one.shanten > nearest and one.expected is None for one in analysis.discards)


def _distances(found: Iterable[DiscardOut]) -> set[int]:
    """Only tiles left at the same distance compare."""
    return {one.shanten for one in found}


def _bar(text: str, value: float, most: float) -> Bar:
    return Bar(text, round(100 * max(value, 0) / most) if most > 0 else 0)


def _per_win(points: float | None, chance: float | None) -> str:
    """Mean points of a win, where one is likely enough to speak of."""
    return f"{points / chance:.1f}" if points is not None and chance else ""


def own_figures(analysis: Drawing) -> dict[str, str]:
    """Expected points and chance of a hand of 13, where the engine gives them."""
    points, chance = analysis.expected, analysis.win_probability
    if points is None or chance is None:
        return {}
    return {
        "expected": decimal(points),
        "tone": "up" if points > 0 else "nil",
        "chance": percent(chance),
        "per_win": _per_win(points, chance),
    }


def win_now(answer: Answer, win: Settlement | Refused | None, names: Sequence[str]) -> Mapping[str, Any] | None:
    """A hand of 14 that is complete: what it pays by self-draw, or why it is refused."""
    if win is None:
        return None
    if isinstance(win, Refused):
        return {"refused": tuple(dict.fromkeys(fault_text(one) for one in win.errors))}
    seat = answer.question.seat
    *_rest, last = answer.question.concealed
    whole = Hand(answer.question.concealed[:-1], answer.question.hand.melds)
    complete = Question(answer.question.entry.with_line(seat, format_hand(whole)))
    return {
        "patterns": pattern_words(win.wins[0]),
        "amount": signed(win.deltas[seat]),
        "pays": [(names[other], signed(win.deltas[other]), tone(win.deltas[other])) for other in SEATS],
        "address": settled(complete, last),
    }


def reached(answer: Answer) -> str:
    """One line that says it: the shanten, and what helps."""
    analysis = answer.analysis
    if isinstance(analysis, Drawing):
        return _drawing_words(analysis)
    if not isinstance(analysis, Throwing):
        return ""
    if analysis.win is not None:
        if isinstance(analysis.win, Refused):
            return _("Complete, but no win")
        words = {
            "patterns": pattern_words(analysis.win.wins[0]),
            "amount": signed(analysis.win.deltas[answer.question.seat]),
        }
        return _("A win: %(patterns)s %(amount)s") % words
    best = analysis.discards[0]
    words = {
        "tile": short_tile_name(NAMES.index(best.tile)),
        "state": shanten_words(best.shanten),
        "tiles": kinds_words(len(best.accepts), best.left),
    }
    if best.lay_out:
        return _("Lay out %(tile)s: %(state)s, %(tiles)s") % words
    return _("Throw %(tile)s: %(state)s, %(tiles)s") % words


def _drawing_words(analysis: Drawing) -> str:
    words = {
        "state": shanten_words(analysis.shanten),
        "tiles": kinds_words(len(analysis.accepts), sum(accept.left for accept in analysis.accepts)),
        "names": listed([short_tile_name(NAMES.index(accept.tile)) for accept in analysis.accepts[:9]]),
    }
    if analysis.shanten == 0 and not any(accept.left for accept in analysis.accepts):
        return _("Ready for %(names)s, but none is left") % words
    if analysis.shanten == 0:
        return _("Ready for %(tiles)s: %(names)s") % words
    return _("%(state)s · helped by %(tiles)s") % words

"""Where a tap leads: the hand with a tile more or less, under other rules, or settled."""

from __future__ import annotations

from django.urls import reverse

from mahjong_site.calculator.state import readable
from scoring.hand import Hand
from scoring.notation import format_hand, format_tiles
from scoring.tiles import Tile

from .question import Question


def drawn(question: Question, tile: Tile) -> str:
    """The address of a hand of 13 with one more tile drawn."""
    return _with_hand(question, question.hand._replace(win_on=(tile,))).query()


def thrown(question: Question, tile: Tile, *, lay_out: bool) -> str:
    """The address of a hand of 14 after a tile was thrown, which everybody has then seen, or laid out.

    What was let go before its draw no longer binds.
    """
    rest = list(question.concealed)
    rest.remove(tile)
    unbound = question.with_(entry=question.entry.with_(passed=("",) * 4, passed_big=(0,) * 4))
    after = _with_hand(unbound, Hand(tuple(rest), question.hand.melds))
    if not lay_out:
        return after.with_(seen=_and(question.seen, tile)).query()
    laid = list(question.entry.laid)
    laid[question.seat] = _and(laid[question.seat], tile)
    return after.with_(entry=after.entry.with_(laid=tuple(laid))).query()


def settled(question: Question, tile: Tile | None = None) -> str:
    """The address where the hand entry settles the hand as it is, or as won by drawing this tile."""
    entry = question.entry
    if tile is not None:
        line = format_hand(question.hand._replace(win_on=(tile,)))
        entry = entry.with_line(question.seat, line).with_(giver=question.seat)
    return reverse("calculator:hand") + entry.query()


def with_rules(question: Question, rules: str) -> str:
    """The address of the same hand under another rule set."""
    return question.with_(entry=question.entry.with_(rules=rules, options={})).query()


def _with_hand(question: Question, hand: Hand) -> Question:
    return question.with_(entry=question.entry.with_line(question.seat, format_hand(hand)))


def _and(text: str, tile: Tile) -> str:
    return format_tiles((*readable(text), tile))

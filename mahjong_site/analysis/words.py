"""Distances, counts, points and chances as people say them, in the language of the request."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from mahjong_site.calculator.words import MINUS, english, spaced

_NUMERALS: Final = "零一二三四五六七八九十"


def shanten_words(shanten: int) -> str:
    """听牌, 一向听, 成牌.

    >>> from django.utils.translation import override
    >>> with override("en"):
    ...     [shanten_words(shanten) for shanten in (-1, 0, 1, 2)]
    ['complete', 'ready', '1 from ready', '2 from ready']
    """
    if shanten < 0:
        return _("complete")
    if shanten == 0:
        return pgettext("shanten", "ready")
    number = str(shanten) if english() or shanten >= len(_NUMERALS) else _NUMERALS[shanten]
    return _("%(number)s from ready") % {"number": number}


def kinds_words(kinds: int, tiles: int) -> str:
    """3 种 11 张."""
    count = ngettext("%(count)s kind", "%(count)s kinds", kinds) % {"count": kinds}
    return spaced([count, tiles_words(tiles)])


def tiles_words(tiles: int) -> str:
    """11 张."""
    return ngettext("%(count)s tile", "%(count)s tiles", tiles) % {"count": tiles}


def decimal(points: float) -> str:
    """Points with one decimal and a sign.

    >>> decimal(12.34), decimal(-0.51), decimal(0.01)
    ('+12.3', '−0.5', '0.0')
    """
    text = f"{points:+.1f}".replace("-", MINUS)
    return text[1:] if text[1:] == "0.0" else text


def percent(share: float) -> str:
    """A probability as people say it; small ones with a decimal.

    >>> percent(0.384), percent(0.012), percent(0.0004), percent(0.0), percent(0.9999)
    ('38%', '1.2%', '<0.1%', '0%', '>99%')
    """
    if 0 < share < 0.0005:
        return "<0.1%"
    if 0.995 <= share < 1:
        return ">99%"
    return f"{100 * share:.1f}%" if 0 < share < 0.0995 else f"{100 * share:.0f}%"

"""Texts made for a group chat: one hand with the totals after it, and the whole evening."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from mahjong_site.calculator.words import english, own, signed
from mahjong_site.ledger.models import CENTS, Session
from mahjong_site.ledger.selectors import Person
from mahjong_site.table.book import Row, name_of
from scoring import preset

GAP = "  "
YUAN = "CNY"


def money(cents: int | Decimal, currency: str) -> str:
    """Hundredths of a currency as people say them.

    >>> from django.utils.translation import override
    >>> with override("zh-hans"):
    ...     money(15000, "CNY"), money(1250, "CNY"), money(-700, "HKD")
    ('150 元', '12.5 元', '−7 HKD')
    """
    amount = f"{abs(Decimal(cents)) / CENTS:f}"
    if "." in amount:
        amount = amount.rstrip("0").rstrip(".")
    return f"{'−' if cents < 0 else ''}{amount} {'元' if currency == YUAN and not english() else currency}"


def worth(session: Session) -> str:
    """1 分 = 1 元."""
    return _("1 point = %(money)s") % {"money": money(session.point_value * CENTS, session.currency)}


def played(count: int) -> str:
    """24 手."""
    return ngettext("%(count)s hand", "%(count)s hands", count) % {"count": count}


def hand_text(session: Session, row: Row, names: Sequence[str], totals: Iterable[tuple[Person, int]]) -> str:
    """One hand: where, what, who won and lost, and how it stands after it. ``totals``: points after the hand."""
    points = sorted(zip(names, row.entry.points, strict=True), key=lambda one: -one[1])
    number = _("Hand %(number)s") % {"number": row.entry.hand_no}
    return "\n".join(
        (
            " · ".join(("牌账", session.name, own(preset(session.rules["preset"])), worth(session))),
            f"{number}{GAP}{row.headline}",
            GAP.join(f"{name} {signed(moved)}" for name, moved in points),
            _("Totals") + GAP + _standing(totals),
        )
    )


def evening_text(
    session: Session, hands: int, totals: Iterable[tuple[Person, int]], payments: Iterable[str], biggest: str
) -> str:
    """The evening: totals, who pays whom, the biggest hand."""
    rules = own(preset(session.rules["preset"]))
    lines = [" · ".join(("牌账", session.name, rules, played(hands), worth(session))), _standing(totals), *payments]
    if biggest:
        lines.append(_("Biggest hand: %(hand)s") % {"hand": biggest})
    return "\n".join(lines)


def _standing(totals: Iterable[tuple[Person, int]]) -> str:
    ordered = sorted(totals, key=lambda one: -one[1])
    return GAP.join(f"{name_of(person)} {signed(points)}" for person, points in ordered)

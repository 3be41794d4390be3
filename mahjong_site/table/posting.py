"""Posting from a page: once, however often it is tapped; and what the slower of two phones is shown."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.contrib import messages
from django.core import signing
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from mahjong_site.calculator.fields import number, read_seat
from mahjong_site.calculator.presenters import Told, tell
from mahjong_site.calculator.words import fault_text
from mahjong_site.clubs.refusals import Refused
from mahjong_site.ledger.hands import deal_of
from mahjong_site.ledger.models import Entry as LedgerEntry
from mahjong_site.ledger.selectors import HistoryEntry, entry_at
from mahjong_site.ledger.services import (
    Conflict,
    KeyReused,
    Result,
    correct_entry,
    post_record,
    preview_record,
)
from mahjong_site.table.book import dealer_words, signed_by, told_of
from mahjong_site.table.desk import TablePage, new_key
from scoring import RecordError, parse_record

Again = Callable[[tuple[str, ...], int], HttpResponse]
"""Shows the form again, with faults and a status."""

LONGEST_REASON = 200
ONE_DAY = 24 * 3600


@dataclass(frozen=True)
class Sent:
    """What travels with an entry: its key, the last entry its page knew, and what it is to become.

    ``correct``: the entry it replaces, with a ``reason``; ``same``: it belongs to the hand that ended last;
    ``choose``: who deals next where the rule leaves a choice, None: one is drawn.
    """

    key: str
    expected: int
    hand_no: int
    dealer: int | None
    correct: int | None = None
    reason: str = ""
    same: bool = False
    choose: int | None = None

    @classmethod
    def fresh(cls, page: TablePage, *, same: bool = False) -> Sent:
        """For a new entry of the hand being played, or of the one that ended last."""
        here = page.session
        last = _last_deal(page) if same else None
        hand_no, dealer = (last[0], last[1]) if last else (here.hand_no, here.dealer)
        return cls(new_key(), here.seq, hand_no, dealer, same=last is not None)

    @classmethod
    def correction(cls, page: TablePage, wrong: HistoryEntry) -> Sent:
        """For the right record in place of a wrong one."""
        return cls(new_key(), page.session.seq, wrong.hand_no, wrong.dealer, correct=wrong.seq)

    @classmethod
    def read(cls, params: QueryDict, page: TablePage) -> Sent:
        """As the form sent it back."""
        return cls(
            key=params.get("key", "").replace("\x00", ""),
            expected=number(params.get("seq")) or 0,
            hand_no=number(params.get("hand_no")) or page.session.hand_no,
            dealer=page.session.dealer if (dealer := read_seat(params.get("dealer0"))) is None else dealer,
            correct=number(params.get("correct")) or None,
            reason=params.get("reason", "")[:LONGEST_REASON],
            same=params.get("same") == "1",
            choose=read_seat(params.get("next")),
        )

    def fields(self) -> tuple[tuple[str, str], ...]:
        """Hidden fields that carry it."""
        pairs = [("key", self.key), ("seq", str(self.expected)), ("hand_no", str(self.hand_no))]
        if self.dealer is not None:
            pairs.append(("dealer0", str(self.dealer)))
        if self.correct is not None:
            pairs.append(("correct", str(self.correct)))
        if self.same:
            pairs.append(("same", "1"))
        return tuple(pairs)


def is_spent(page: TablePage, key: str) -> bool:
    """Whether the form with that key is in the book: whoever comes back to its address begins anew."""
    here = page.session
    return LedgerEntry.objects.filter(club_id=here.club_id, session_id=here.id, client_key=key).exists()


def _last_deal(page: TablePage) -> tuple[int, int] | None:
    here = page.session
    last = (
        LedgerEntry.objects.filter(club_id=here.club_id, session_id=here.id, kind="hand", hand_no=here.hand_no - 1)
        .order_by("-seq")
        .first()
    )
    return deal_of(last)[:2] if last is not None else None


def answer(
    request: HttpRequest, page: TablePage, sent: Sent, facts: Mapping[str, Any], *, again: Again
) -> HttpResponse:
    """Posts or corrects, and says what came of it."""
    if sent.correct is not None and not sent.reason.strip():
        return again((_("Say in a word why it is corrected."),), 422)
    try:
        result = _write(page, sent, facts)
    except (RecordError, Refused) as error:
        return again(tuple(dict.fromkeys(fault_text(fault) for fault in error.faults)), 422)
    if isinstance(result, Conflict):
        if result.entry is None:  # the form is ahead of the book: there is nothing to compare it with
            return again((_("The book is not where this form thought. Look at it, then send it again."),), 409)
        return conflict(request, page, sent, facts)
    if isinstance(result, KeyReused):
        return again((_("This form was sent before with something else. Look at the book, then send it again."),), 422)
    if result.entry.choice and result.entry.choice["how"] == "drawn":
        name = page.names[result.entry.choice["seat"]]
        messages.info(request, _("Drawn among the winners: %(name)s deals next.") % {"name": name})
    return redirect("table:session", page.session.id)


def _write(page: TablePage, sent: Sent, facts: Mapping[str, Any]) -> Result:
    common: dict[str, Any] = {
        "actor": page.actor,
        "session_id": page.session.id,
        "record": facts,
        "client_key": sent.key,
        "expected_seq": sent.expected,
        "choose_next_dealer": sent.choose,
    }
    if sent.correct is not None:
        return correct_entry(seq=sent.correct, reason=sent.reason, **common)
    return post_record(same_hand=sent.same, **common)


# ---- the slower of two phones


@dataclass(frozen=True)
class Compared:
    """One line of two hands side by side."""

    what: str
    theirs: str
    mine: str
    tones: tuple[str, str] = ("", "")

    @property
    def differs(self) -> bool:
        """Whether the two say something else."""
        return self.theirs != self.mine


def conflict(request: HttpRequest, page: TablePage, sent: Sent, facts: Mapping[str, Any]) -> HttpResponse:
    """Both hands side by side: what stands in the book, and what this phone wanted to add. Nothing was written.

    What is then posted keeps the key of the form it came from: the address of that form does not bring it back.
    """
    page = TablePage.open(request, page.session.id)
    seq = min(sent.expected + 1, page.session.seq)
    theirs = entry_at(actor=page.actor, session_id=page.session.id, seq=seq)
    their_told = told_of(theirs, page.preset) if theirs.kind == "hand" else None
    names = [player.name for player in theirs.players]
    mine = _told(page, facts, names, sent.dealer)
    nxt = _told(page, {**facts, "dealer": page.session.dealer}, list(page.names), page.session.dealer)
    context = {
        "page": page,
        "session": page.session,
        "theirs": theirs,
        "author": signed_by(theirs, page.unsigned),
        "lines": _compared(their_told, mine, names) if their_told and mine else (),
        "headlines": (_happened(theirs, page, their_told), mine.headline if mine else ""),
        "next": nxt,
        "facts": signing.dumps(dict(facts), salt="conflict", compress=True),
        "both": replace(Sent.fresh(page), key=sent.key, choose=sent.choose),
        "instead": replace(Sent.correction(page, theirs), key=sent.key, choose=sent.choose) if theirs.counts else None,
        "nav": "table",
    }
    return render(request, "table/conflict.html", context, status=409)


def _happened(entry: HistoryEntry, page: TablePage, told: Told | None) -> str:
    """What was recorded meanwhile, in a line."""
    if entry.kind == "reversal":
        return _("an entry was taken back")
    return told.headline if told else dealer_words(entry)


def _told(page: TablePage, facts: Mapping[str, Any], names: list[str], dealer: int | None) -> Told | None:
    """What a record would be worth, as told; None where the rules refuse it then."""
    if dealer is None:
        return None
    record = {**facts, "dealer": dealer}
    try:
        settlement = preview_record(actor=page.actor, session_id=page.session.id, record=record, dealer=dealer)
        return tell(parse_record({**record, "rules": page.session.rules}), settlement, names, page.preset)
    except (RecordError, Refused):
        return None


def _compared(theirs: Told, mine: Told, names: list[str]) -> tuple[Compared, ...]:
    lines = [
        Compared(words, left, right)
        for words, (left, right) in zip(
            (_("What"), _("With"), _("Then")),
            _parts(theirs.headline, mine.headline),
            strict=False,
        )
        if left or right
    ]
    for name, left, right in zip(names, theirs.picture.seats, mine.picture.seats, strict=True):
        lines.append(Compared(name, left.amount, right.amount, (left.tone, right.tone)))
    return tuple(lines)


def _parts(theirs: str, mine: str) -> list[tuple[str, str]]:
    left, right = theirs.split(" · ", 2), mine.split(" · ", 2)
    width = max(len(left), len(right))
    return list(zip(left + [""] * (width - len(left)), right + [""] * (width - len(right)), strict=True))


def resolve(request: HttpRequest, page: TablePage) -> HttpResponse:
    """Posts the hand that lost the race: as the next hand, or in place of the one recorded."""
    try:
        facts = signing.loads(request.POST.get("facts", ""), salt="conflict", max_age=ONE_DAY)
    except signing.BadSignature:
        messages.error(request, _("This page is too old. Enter the hand again."))
        return redirect("table:session", page.session.id)
    sent = Sent.read(request.POST, page)
    if sent.correct is None and page.session.dealer is not None:
        facts = {**facts, "dealer": page.session.dealer}

    def again(faults: tuple[str, ...], status: int) -> HttpResponse:
        for fault in faults:
            messages.error(request, fault)
        return redirect("table:session", page.session.id)

    return answer(request, page, sent, facts, again=again)

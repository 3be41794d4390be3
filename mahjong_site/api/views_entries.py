"""Entries: posting, taking back, correcting, reading."""

from __future__ import annotations

import json
from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.urls import reverse
from pydantic_core import to_jsonable_python
from rest_framework.request import Request

from mahjong_site.api import ledger_shapes as shapes
from mahjong_site.api.bodies import answer, asked, told
from mahjong_site.api.people import LedgerEndpoint, actor
from mahjong_site.api.problems import problem
from mahjong_site.api.schema import described
from mahjong_site.ledger.models import Entry, Session
from mahjong_site.ledger.selectors import entry_at, history
from mahjong_site.ledger.services import (
    Conflict,
    KeyReused,
    Posted,
    Replayed,
    Result,
    choose_dealer,
    correct_entry,
    post_record,
    post_table_fee,
    preview_record,
    reverse_entry,
    roll_first_dealer,
)
from scoring.faults import RecordError, fault

TAG = "entries"
POSTED = [201, 200]
KEY = "Idempotency-Key"


def key_of(request: Request) -> str:
    """The Idempotency-Key. Raises: RecordError: there is none."""
    key = request.headers.get(KEY, "")
    if not key:
        raise RecordError([fault("invalid", "missing_field", KEY)])
    return key


def outcome(result: Result) -> HttpResponse:
    """201 written now; 200 the same as before; 409 with the entry that is there; 422 the key is another request's."""
    match result:
        case Posted(entry=entry, session=session) | Replayed(entry=entry, session=session):
            place = reverse("api:entry", args=[session.id, entry.seq])
            status = 201 if isinstance(result, Posted) else 200
            text = json.dumps(_shown(entry, session), ensure_ascii=False, sort_keys=True)
            return HttpResponse(text, status=status, content_type="application/json", headers={"Location": place})
        case Conflict(entry=entry, session=session):
            return problem("conflict", seq=session.seq, entry=_shown(entry, session) if entry else None)
        case KeyReused(entry=entry, session=session):
            return problem("key-reused", seq=session.seq, entry=_shown(entry, session))


def _shown(entry: Entry, session: Session) -> dict[str, Any]:
    shown: dict[str, Any] = to_jsonable_python(shapes.EntryOut.of(entry, session.rules))
    return shown


class Entries(LedgerEndpoint):
    """The entries of a session."""

    @described("entries", zh="账目", tag=TAG, query=shapes.PageIn, returns="EntryPage")
    def get(self, request: Request, session_id: UUID) -> HttpResponse:
        """Lists the entries, latest first, page by page, each amount with its arithmetic."""
        asks = asked(request, shapes.PageIn)
        if asks.cursor and not (asks.cursor.isascii() and asks.cursor.isdigit() and len(asks.cursor) < 11):
            raise RecordError([fault("invalid", "value", "cursor", en="not the `next` of a page")])
        before = int(asks.cursor) if asks.cursor else None
        found = history(actor=actor(request), session_id=session_id, before=before, limit=asks.limit)
        following = str(found[-1].seq) if found and found[-1].seq > 1 else None
        return answer(request, shapes.EntryPage.model_construct(entries=found, next=following))

    @described("post_entry", zh="记账", tag=TAG, body="EntryIn", returns="EntryOut", status=POSTED, keyed=True)
    def post(self, request: Request, session_id: UUID) -> HttpResponse:
        """Posts a hand record: the site settles it, the client sends facts and no amount.

        `expected_seq` is the session's `seq` as you know it: if another has posted since, the answer is 409 with the
        entry that is there. The same key and body again: the same answer, 200. Without `choose_next_dealer` the next
        dealer is drawn where the rule leaves several.
        """
        asks = told(request, shapes.EntryIn)
        return outcome(
            post_record(actor=actor(request), session_id=session_id, client_key=key_of(request), **dict(asks))
        )


class Preview(LedgerEndpoint):
    """What posting would settle."""

    reads = True

    @described("preview", zh="试算", tag=TAG, body="PreviewIn", returns="Settlement")
    def post(self, request: Request, session_id: UUID) -> HttpResponse:
        """Settles a record under the session's rules, without posting it."""
        record = told(request, shapes.PreviewIn).record
        return answer(request, preview_record(actor=actor(request), session_id=session_id, record=record).to_json())


class EntryView(LedgerEndpoint):
    """One entry."""

    @described("entry", zh="一笔账", tag=TAG, returns="HistoryEntry")
    def get(self, request: Request, session_id: UUID, seq: int) -> HttpResponse:
        """Shows an entry with its arithmetic, and what corrected or reversed it."""
        return answer(request, entry_at(actor=actor(request), session_id=session_id, seq=seq))


class Reverse(LedgerEndpoint):
    """Taking back."""

    @described("reverse", zh="冲销", tag=TAG, body="ReverseIn", returns="EntryOut", status=POSTED, keyed=True)
    def post(self, request: Request, session_id: UUID, seq: int) -> HttpResponse:
        """Reverses an entry, with a reason: its exact negative is posted."""
        asks = told(request, shapes.ReverseIn)
        return outcome(
            reverse_entry(
                actor=actor(request), session_id=session_id, seq=seq, client_key=key_of(request), **dict(asks)
            )
        )


class Correct(LedgerEndpoint):
    """Correcting."""

    @described("correct", zh="更正", tag=TAG, body="CorrectIn", returns="EntryOut", status=POSTED, keyed=True)
    def post(self, request: Request, session_id: UUID, seq: int) -> HttpResponse:
        """Reverses an entry and posts the right record in its place, in one step, with a reason."""
        asks = told(request, shapes.CorrectIn)
        return outcome(
            correct_entry(
                actor=actor(request), session_id=session_id, seq=seq, client_key=key_of(request), **dict(asks)
            )
        )


class TableFee(LedgerEndpoint):
    """Table fees."""

    @described("table_fee", zh="台费", tag=TAG, body="FeeIn", returns="EntryOut", status=POSTED, keyed=True)
    def post(self, request: Request, session_id: UUID) -> HttpResponse:
        """Lets each of the four pay so many points to the house: four penalties in one step; the last is answered."""
        asks = told(request, shapes.FeeIn)
        return outcome(
            post_table_fee(actor=actor(request), session_id=session_id, client_key=key_of(request), **dict(asks))
        )


class Dealer(LedgerEndpoint):
    """The dealer."""

    @described("dealer", zh="定庄", tag=TAG, body="DealerIn", returns="EntryOut", status=POSTED, keyed=True)
    def post(self, request: Request, session_id: UUID) -> HttpResponse:
        """Sets who deals: `seat`, or for the first hand by `dice` thrown at the table, or thrown here."""
        asks = told(request, shapes.DealerIn)
        if asks.seat is not None and asks.dice is not None:
            raise RecordError([fault("invalid", "value", "dice", en="seat or dice, not both")])
        who, key = actor(request), key_of(request)
        if asks.seat is not None:
            result = choose_dealer(
                actor=who, session_id=session_id, seat=asks.seat, client_key=key, expected_seq=asks.expected_seq
            )
        else:
            result = roll_first_dealer(
                actor=who, session_id=session_id, dice=asks.dice, client_key=key, expected_seq=asks.expected_seq
            )
        return outcome(result)

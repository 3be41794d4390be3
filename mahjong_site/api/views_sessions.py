"""Sessions: opening, seats, closing, totals, settle-up, export."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from django.http import HttpResponse
from pydantic.dataclasses import dataclass
from rest_framework.request import Request

from mahjong_site.api import ledger_shapes as shapes
from mahjong_site.api.bodies import JSON, answer, asked, told
from mahjong_site.api.people import LedgerEndpoint, actor
from mahjong_site.api.schema import OPEN, described
from mahjong_site.api.views_clubs import period
from mahjong_site.clubs.access import Action, Actor
from mahjong_site.ledger import exports
from mahjong_site.ledger.access import access_session
from mahjong_site.ledger.portable import export_session
from mahjong_site.ledger.selectors import (
    SessionRow,
    club_sessions,
    session_head_to_head,
    session_series,
    session_statistics,
    session_totals,
)
from mahjong_site.ledger.services import (
    Terms,
    close_session,
    open_guest_table,
    open_session,
    reopen_session,
    seat_players,
    set_entry_mode,
    swap_seats,
)
from mahjong_site.ledger.settle_up import (
    cancel_settle_up,
    mark_paid,
    plan_settle_up,
    session_settle_ups,
    settle_up,
    settle_up_at,
)

TAG = "sessions"
MONEY = "settle-up"
_BINARY = {"type": "string", "format": "binary"}
FILES = {"text/csv": {"type": "string"}, exports.XLSX_TYPE: _BINARY}


def seen(who: Actor, session_id: UUID) -> shapes.SessionOut:
    """The session as the actor sees it. Raises: as `access_session`."""
    session, grant = access_session(who, session_id, Action.VIEW)
    return shapes.SessionOut.of(session, grant, session_totals(actor=who, session_id=session_id))


@dataclass(frozen=True)
class Cursor:
    """Where a page of sessions ended: when the last one was opened, and its id."""

    created_at: datetime
    id: UUID

    @classmethod
    def read(cls, text: str) -> tuple[datetime, UUID] | None:
        """The cursor of a text; None for an empty one. Raises: pydantic.ValidationError."""
        moment, _, session_id = text.rpartition("_")
        if not text:
            return None
        found = cls(created_at=moment, id=session_id)  # type: ignore[arg-type]  # pydantic reads them
        return found.created_at, found.id

    @staticmethod
    def after(rows: tuple[SessionRow, ...], limit: int) -> str | None:
        """The cursor behind a full page."""
        return f"{rows[-1].created_at.isoformat()}_{rows[-1].id}" if len(rows) == limit else None


class ClubSessions(LedgerEndpoint):
    """The sessions of a club."""

    @described("sessions", zh="牌局", tag=TAG, query=shapes.SessionsIn, returns="SessionPage")
    def get(self, request: Request, club_id: UUID) -> HttpResponse:
        """Lists the sessions, latest first, page by page."""
        asks = asked(request, shapes.SessionsIn)
        rows = club_sessions(
            actor=actor(request),
            club_id=club_id,
            status=asks.status,
            before=Cursor.read(asks.cursor),
            limit=asks.limit,
        )
        return answer(request, shapes.SessionPage(sessions=rows, next=Cursor.after(rows, asks.limit)))

    @described("open_session", zh="开局", tag=TAG, body="SessionIn", returns="SessionOut", status=[201])
    def post(self, request: Request, club_id: UUID) -> HttpResponse:
        """Opens a session; scorers and owners may. Players are named by id, or by name: added if there is none."""
        asks = told(request, shapes.SessionIn)
        session = open_session(actor=actor(request), club_id=club_id, terms=Terms(**dict(asks)))
        return answer(request, seen(actor(request), session.id), status=201)


class Tables(LedgerEndpoint):
    """Tables of guests."""

    permission_classes = []
    rate = "table"

    @described("open_table", zh="访客开桌", tag=OPEN, body="TableIn", returns="TableOut", status=[201])
    def post(self, request: Request) -> HttpResponse:
        """Opens a table without an account. The token in the answer is its owner's, shown this once."""
        asks = told(request, shapes.TableIn)
        terms = dict(asks)
        time_zone = terms.pop("time_zone")
        session, _link, token = open_guest_table(terms=Terms(**terms), time_zone=time_zone)
        opened = shapes.TableOut(session=seen(Actor(tokens=(token,)), session.id), token=token)
        return answer(request, opened, status=201)


class SessionView(LedgerEndpoint):
    """One session."""

    @described("session", zh="牌局详情", tag=TAG, returns="SessionOut")
    def get(self, request: Request, session_id: UUID) -> HttpResponse:
        """Shows a session: where it stands, who sits where, what you may do."""
        return answer(request, seen(actor(request), session_id))

    @described("set_entry_mode", zh="谁来记", tag=TAG, body="ModeIn", returns="SessionOut")
    def patch(self, request: Request, session_id: UUID) -> HttpResponse:
        """Says who enters: the scorers, or every player."""
        mode = told(request, shapes.ModeIn).entry_mode
        set_entry_mode(actor=actor(request), session_id=session_id, entry_mode=mode)
        return answer(request, seen(actor(request), session_id))


class Seats(LedgerEndpoint):
    """Who sits where."""

    @described("seat_players", zh="入座", tag=TAG, body="SeatsIn", returns="SessionOut")
    def put(self, request: Request, session_id: UUID) -> HttpResponse:
        """Seats four players from the next entry on: some swap, or a fifth sits in."""
        players = told(request, shapes.SeatsIn).players
        seat_players(actor=actor(request), session_id=session_id, players=players)
        return answer(request, seen(actor(request), session_id))


class Swap(LedgerEndpoint):
    """Changing places."""

    @described("swap_seats", zh="换座", tag=TAG, body="SwapIn", returns="SessionOut")
    def post(self, request: Request, session_id: UUID) -> HttpResponse:
        """Lets the players of two seats change places from the next entry on."""
        asks = told(request, shapes.SwapIn)
        swap_seats(actor=actor(request), session_id=session_id, seat=asks.seat, other=asks.other)
        return answer(request, seen(actor(request), session_id))


class Close(LedgerEndpoint):
    """Ending a session."""

    @described("close_session", zh="结束牌局", tag=TAG, returns="SessionOut")
    def post(self, request: Request, session_id: UUID) -> HttpResponse:
        """Closes a session: it takes no entry any more."""
        close_session(actor=actor(request), session_id=session_id)
        return answer(request, seen(actor(request), session_id))


class Reopen(LedgerEndpoint):
    """Going on with a session."""

    @described("reopen_session", zh="重开牌局", tag=TAG, returns="SessionOut")
    def post(self, request: Request, session_id: UUID) -> HttpResponse:
        """Opens a closed session again; the owner may."""
        reopen_session(actor=actor(request), session_id=session_id)
        return answer(request, seen(actor(request), session_id))


class Totals(LedgerEndpoint):
    """Running totals."""

    @described("totals", zh="总分", tag=TAG, returns="TotalList")
    def get(self, request: Request, session_id: UUID) -> HttpResponse:
        """Shows everybody's totals, best first, then the house. They sum to zero."""
        return answer(request, session_totals(actor=actor(request), session_id=session_id))


class SeriesView(LedgerEndpoint):
    """Totals hand by hand."""

    @described("series", zh="走势", tag=TAG, returns="Series")
    def get(self, request: Request, session_id: UUID) -> HttpResponse:
        """Shows the running totals after each hand."""
        return answer(request, session_series(actor=actor(request), session_id=session_id))


class SessionFigures(LedgerEndpoint):
    """Figures of one session."""

    @described("session_statistics", zh="牌局统计", tag=TAG, returns="StatisticsOutList")
    def get(self, request: Request, session_id: UUID) -> HttpResponse:
        """Shows the figures of everybody who sat there."""
        found = session_statistics(actor=actor(request), session_id=session_id)
        return answer(request, [shapes.StatisticsOut.of(one) for one in found])


class SessionHeadToHead(LedgerEndpoint):
    """The matrix of one session."""

    @described("session_head_to_head", zh="牌局对战", tag=TAG, returns="HeadToHeadOut")
    def get(self, request: Request, session_id: UUID) -> HttpResponse:
        """Shows who has taken how much from whom."""
        found = session_head_to_head(actor=actor(request), session_id=session_id)
        return answer(request, shapes.HeadToHeadOut.of(found))


class SessionPlan(LedgerEndpoint):
    """What settling one session would come to."""

    @described("settle_up_plan", zh="结账预览", tag=MONEY, returns="PlanOut")
    def get(self, request: Request, session_id: UUID) -> HttpResponse:
        """Shows who would pay whom, in the fewest payments; nothing is written."""
        plan = plan_settle_up(actor=actor(request), session_ids=[session_id])
        return answer(request, shapes.PlanOut.of(plan))


class SessionSettleUps(LedgerEndpoint):
    """The settle-ups of one session."""

    @described("session_settle_ups", zh="结账记录", tag=MONEY, returns="SettledUpList")
    def get(self, request: Request, session_id: UUID) -> HttpResponse:
        """Lists the settle-ups that cover the session, latest first."""
        return answer(request, session_settle_ups(actor=actor(request), session_id=session_id))


class SettleUps(LedgerEndpoint):
    """Settling up."""

    @described(
        "settle_up", zh="结账", tag=MONEY, body="SettleIn", returns="SettledUp", status=[201], errors=["not-found"]
    )
    def post(self, request: Request) -> HttpResponse:
        """Settles sessions of one club and currency up: writes who pays whom."""
        session_ids = told(request, shapes.SettleIn).session_ids
        return answer(request, settle_up(actor=actor(request), session_ids=session_ids), status=201)


class SettleUpView(LedgerEndpoint):
    """One settle-up."""

    @described("settle_up_at", zh="结账详情", tag=MONEY, returns="SettledUp")
    def get(self, request: Request, club_id: UUID, settle_up_id: UUID) -> HttpResponse:
        """Shows a settle-up and what of it is paid."""
        return answer(request, settle_up_at(actor=actor(request), club_id=club_id, settle_up_id=settle_up_id))


class CancelSettleUp(LedgerEndpoint):
    """Taking a settle-up back."""

    @described("cancel_settle_up", zh="撤销结账", tag=MONEY, returns="SettledUp", errors=["refused"])
    def post(self, request: Request, club_id: UUID, settle_up_id: UUID) -> HttpResponse:
        """Takes a settle-up back, if nothing of it was paid and none builds on it."""
        return answer(request, cancel_settle_up(actor=actor(request), club_id=club_id, settle_up_id=settle_up_id))


class TransferView(LedgerEndpoint):
    """One payment of a settle-up."""

    @described("mark_paid", zh="标记已付", tag=MONEY, body="PaidIn", returns="SettledUp")
    def put(self, request: Request, club_id: UUID, settle_up_id: UUID, transfer_id: UUID) -> HttpResponse:
        """Says how much of a payment has been made by now; saying it twice changes nothing."""
        told_up = mark_paid(
            actor=actor(request),
            club_id=club_id,
            settle_up_id=settle_up_id,
            transfer_id=transfer_id,
            paid=told(request, shapes.PaidIn).paid,
        )
        return answer(request, told_up)


class SessionExport(LedgerEndpoint):
    """A session as a file."""

    @described(
        "export_session",
        zh="导出牌局",
        tag=TAG,
        query=shapes.ExportIn,
        media={JSON: {"type": "object"}, **FILES},
    )
    def get(self, request: Request, session_id: UUID) -> HttpResponse:
        """Exports a session: JSON to be imported again, CSV or XLSX for people."""
        asks = asked(request, shapes.ExportIn)
        if asks.format == "json":
            return answer(request, export_session(actor=actor(request), session_id=session_id))
        return _file(exports.session_source(actor=actor(request), session_id=session_id), asks.format, asks.table)


class ClubExport(LedgerEndpoint):
    """A club's sessions as a file."""

    @described("export_club", zh="导出俱乐部", tag="clubs", query=shapes.ClubExportIn, media=FILES)
    def get(self, request: Request, club_id: UUID) -> HttpResponse:
        """Exports the sessions of some days; the owner may."""
        asks = asked(request, shapes.ClubExportIn)
        days = period(request, club_id, asks)
        return _file(exports.club_source(actor=actor(request), club_id=club_id, days=days), asks.format, asks.table)


def _file(source: exports.Source, form: str, table: str) -> HttpResponse:
    if form == "csv":
        data, kind = exports.to_csv(exports.TABLES[table](source)), exports.CSV_TYPE
    else:
        data, kind = exports.to_xlsx(make(source) for make in exports.TABLES.values()), exports.XLSX_TYPE
    name = f"paizhang-{table}.csv" if form == "csv" else "paizhang.xlsx"
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
    return HttpResponse(data, content_type=kind, headers=headers)

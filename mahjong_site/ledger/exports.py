"""A session, or a club's sessions, as tables: totals, hands, legs; as CSV or as one XLSX workbook.

What people typed stays text: no cell of theirs is a formula. Numbers stay numbers, times are the club's.
"""

from __future__ import annotations

import io
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from types import MappingProxyType
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

import xlsxwriter
from defusedcsv import csv
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from mahjong_site.clubs.access import Action, Actor, access_club
from mahjong_site.clubs.models import Club
from mahjong_site.clubs.selectors import ALWAYS, Days
from mahjong_site.ledger.access import access_session
from mahjong_site.ledger.models import CENTS, HOUSE_SEAT, Session
from mahjong_site.ledger.selectors import HistoryEntry, Person, session_totals
from mahjong_site.ledger.selectors.history import all_entries

Cell = str | int | Decimal | datetime | None
CSV_TYPE = "text/csv; charset=utf-8"
XLSX_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
LONGEST_CELL = 32_767


@dataclass(frozen=True)
class Table:
    """One table: its name as a sheet, its header, its rows."""

    name: str
    header: Sequence[str]
    rows: Sequence[Sequence[Cell]]


@dataclass(frozen=True)
class Source:
    """What the tables are made of: sessions the actor may see, and the club's time zone."""

    actor: Actor
    sessions: Sequence[Session]
    zone: ZoneInfo

    def entries(self) -> Iterator[tuple[Session, HistoryEntry]]:
        """Every entry, session by session, in order."""
        return ((session, entry) for session in self.sessions for entry in all_entries(session))

    def local(self, moment: datetime) -> datetime:
        """A time of the club."""
        return moment.astimezone(self.zone)


def session_source(*, actor: Actor, session_id: UUID) -> Source:
    """One session; who may see it may export it. Raises: as `access_session`."""
    session, _grant = access_session(actor, session_id, Action.VIEW)
    return Source(actor, [session], ZoneInfo(Club.objects.get(id=session.club_id).time_zone))


def club_source(*, actor: Actor, club_id: UUID, days: Days = ALWAYS) -> Source:
    """The sessions a club opened in these days; the owner may export them. Raises: as `access_club`."""
    club, _grant = access_club(actor, club_id, Action.EXPORT)
    begin, end = days.bounds(club.time_zone)
    sessions = Session.objects.filter(club_id=club_id, created_at__gte=begin, created_at__lt=end)
    return Source(actor, list(sessions.order_by("created_at", "id")), ZoneInfo(club.time_zone))


def totals(source: Source) -> Table:
    """What everybody has won at each session."""
    header = (_("Session"), _("Player"), _("Rank"), _("Points"), _("Side cash"), _("Money"), _("Currency"), _("Hands"))
    rows = [
        (
            session.name,
            _("House") if total.player.is_house else total.player.name,
            total.rank,
            total.points,
            _money(total.cash),
            _rounded_off(total.money),
            session.currency,
            total.hands,
        )
        for session in source.sessions
        for total in session_totals(actor=source.actor, session_id=session.id)
    ]
    return Table(_("Totals"), header, rows)


def hands(source: Source) -> Table:
    """Every entry as posted, with what each seat won or lost."""
    seats = [column for seat in range(1, 5) for column in (_("Seat %(seat)d") % {"seat": seat}, _("Points"))]
    header = (
        *(_("Session"), _("Entry"), _("Hand"), _("Time"), _("What"), _("Dealer"), _("Patterns")),
        *seats,
        *(_("House"), _("Counts"), _("Reverses entry"), _("Corrects entry"), _("Reason"), _("Entered by")),
    )
    rows = [
        (
            session.name,
            entry.seq,
            entry.hand_no,
            source.local(entry.posted_at),
            _kind(entry),
            entry.players[entry.dealer].name,
            _patterns(entry),
            *(
                cell
                for person, points in zip(entry.players, entry.points, strict=True)
                for cell in (person.name, points)
            ),
            entry.house,
            _("yes") if entry.counts else _("no"),
            entry.reverses,
            entry.corrects,
            entry.reason,
            entry.author,
        )
        for session, entry in source.entries()
    ]
    return Table(_("Hands"), header, rows)


def legs(source: Source) -> Table:
    """Every player's share of every entry; points and cash sum to zero."""
    header = (
        *(_("Session"), _("Entry"), _("Hand"), _("Time"), _("Seat"), _("Player"), _("Points"), _("Side cash")),
        _("Currency"),
    )
    rows = [
        (
            session.name,
            entry.seq,
            entry.hand_no,
            source.local(entry.posted_at),
            seat + 1 if seat < HOUSE_SEAT else None,
            entry.players[seat].name if seat < HOUSE_SEAT else _("House"),
            points,
            _money(cash),
            session.currency,
        )
        for session, entry in source.entries()
        for seat, (points, cash) in enumerate(zip((*entry.points, entry.house), (*entry.cash, 0), strict=True))
        if points or cash
    ]
    return Table(_("Legs"), header, rows)


TABLES: Mapping[str, Callable[[Source], Table]] = MappingProxyType({"totals": totals, "hands": hands, "legs": legs})


def to_csv(table: Table) -> bytes:
    """CSV as spreadsheets open it: UTF-8 with a mark at the start, CRLF; what begins like a formula gets a ``'``."""
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerows([_csv_cell(cell) for cell in row] for row in (table.header, *table.rows))
    return text.getvalue().encode("utf-8-sig")


def to_xlsx(tables: Iterable[Table]) -> bytes:
    """A workbook with a sheet each."""
    file = io.BytesIO()
    plain = {"strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}
    with xlsxwriter.Workbook(file, {"in_memory": True, **plain}) as book:
        head = book.add_format({"bold": True, "bottom": 1})
        time = book.add_format({"num_format": "yyyy-mm-dd hh:mm:ss"})
        for table in tables:
            sheet = book.add_worksheet(table.name)
            sheet.freeze_panes(1, 0)
            for column, title in enumerate(table.header):
                sheet.write_string(0, column, title, head)
                sheet.set_column(column, column, 20 if any(_is_time(row[column]) for row in table.rows[:1]) else 12)
            for place, row in enumerate(table.rows, 1):
                for column, cell in enumerate(row):
                    _write(sheet, place, column, cell, time)
    return file.getvalue()


def _write(sheet: Any, row: int, column: int, cell: Cell, time: Any) -> None:
    if isinstance(cell, datetime):
        sheet.write_datetime(row, column, cell.replace(tzinfo=None), time)
    elif isinstance(cell, str):
        sheet.write_string(row, column, cell[:LONGEST_CELL])
    elif cell is not None:
        sheet.write_number(row, column, cell)


def _csv_cell(cell: Cell) -> str | int | Decimal | None:
    if isinstance(cell, datetime):
        return cell.isoformat(sep=" ", timespec="seconds")
    if isinstance(cell, str) and not cell.isascii() and unicodedata.normalize("NFKC", cell)[:1] in set("=+-@|%"):
        return f"'{cell}"  # full-width signs, which the writer does not know
    return cell


def _is_time(cell: Cell) -> bool:
    return isinstance(cell, datetime)


def _money(cents: int) -> Decimal:
    return Decimal(cents) / CENTS


def _rounded_off(money: Decimal) -> Decimal:
    """The same amount with two decimals, where it has no more (a point may be worth a fraction of a cent)."""
    cents = money.quantize(Decimal("0.01"))
    return cents if cents == money else money


def _kind(entry: HistoryEntry) -> str:
    kind = (entry.record or {}).get("kind", entry.kind) if entry.kind == "hand" else entry.kind
    return {
        "win": _("win"),
        "opening": _("opening win"),
        "exhausted": _("exhausted"),
        "penalty": _("penalty"),
        "reversal": _("reversal"),
        "dealer": _("dealer found"),
    }[kind]


def _patterns(entry: HistoryEntry) -> str:
    """``李四: 清一色, 碰碰胡``, for each winner."""
    language = "en" if (get_language() or "").startswith("en") else "zh"
    return "; ".join(
        f"{_winner(entry.players, win)}: {', '.join(pattern[language] for pattern in win['patterns'])}"
        for win in (entry.settlement or {}).get("wins", ())
    )


def _winner(players: Sequence[Person], win: Mapping[str, Any]) -> str:
    return players[win["seat"]].name

"""The ledger as the table reads it: one row a hand, columns by player, corrections beside what they corrected."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _
from pydantic import TypeAdapter

from mahjong_site.calculator.presenters import Told, tell
from mahjong_site.calculator.words import signed, tone
from mahjong_site.ledger.selectors import HistoryEntry, Person, Total
from scoring import Preset, Settlement, parse_record

_SETTLEMENT: TypeAdapter[Settlement] = TypeAdapter(Settlement)


@dataclass(frozen=True)
class Cell:
    """One player's points in a row."""

    text: str
    tone: str


@dataclass(frozen=True)
class Column:
    """A player of the book: those who sit now, those who have left, the house."""

    id: UUID
    name: str


@dataclass(frozen=True)
class Row:
    """One entry as a row of the book.

    ``told`` is everything about a hand, None for a dealer found or chosen. ``old``: what it corrected, headline and
    cells. ``undone``: it was taken back and nothing stands in its place.
    """

    entry: HistoryEntry
    headline: str
    cells: tuple[Cell, ...]
    told: Told | None = None
    old: Row | None = None
    undone: bool = False
    reason: str = ""
    by: str = ""
    latest: int = 0
    """The sequence of the last thing that happened to it."""


def columns(totals: Iterable[Total]) -> tuple[Column, ...]:
    """Who has a column: seats in playing order, then who sat before, then the house."""
    order = sorted(totals, key=lambda total: (total.player.is_house, total.seat is None, total.seat or 0))
    shown = [total for total in order if not total.player.is_house or total.points]
    return tuple(Column(total.player.id, name_of(total.player)) for total in shown)


def name_of(person: Person) -> str:
    """A player's name; the house by its word."""
    return _("house") if person.is_house else person.name


def rows(
    entries: Sequence[HistoryEntry], people: Sequence[Column], preset: Preset, unsigned: Container[int]
) -> tuple[Row, ...]:
    """The rows of these entries, latest first. A reversal is no row of its own: it shows on what it took back."""
    by_seq = {entry.seq: entry for entry in entries}
    found = []
    for entry in entries:
        if entry.kind == "reversal" or (entry.corrected_by is not None and entry.corrected_by in by_seq):
            continue
        found.append(row(entry, people, preset, by_seq, unsigned))
    return tuple(found)


def row(
    entry: HistoryEntry,
    people: Sequence[Column],
    preset: Preset,
    by_seq: Mapping[int, HistoryEntry],
    unsigned: Container[int],
) -> Row:
    """One entry as a row; ``by_seq`` has what it corrected and what took it back, ``unsigned``: as `signed_by`."""
    if entry.kind == "dealer":
        return Row(entry, dealer_words(entry), (), by=signed_by(entry, unsigned), latest=entry.seq)
    told = told_of(entry, preset)
    old = by_seq.get(entry.corrects) if entry.corrects is not None else None
    reversal = by_seq.get(entry.reversed_by) if entry.reversed_by is not None else None
    return Row(
        entry=entry,
        headline=_with_winner(entry, told),
        cells=_cells(entry, people),
        told=told,
        old=row(old, people, preset, {}, unsigned) if old is not None else None,
        undone=entry.reversed_by is not None,
        reason=entry.reason if entry.corrects is not None else reversal.reason if reversal is not None else "",
        by=signed_by(reversal if reversal is not None else entry, unsigned),
        latest=entry.reversed_by or entry.seq,
    )


def signed_by(entry: HistoryEntry, unsigned: Container[int]) -> str:
    """Who entered it; nobody where that says nothing of a person (`TablePage.unsigned`)."""
    return "" if entry.seq in unsigned else entry.author


def settlement_of(entry: HistoryEntry) -> Settlement:
    """What a hand was settled to when it was posted."""
    return _SETTLEMENT.validate_python(entry.settlement)


def told_of(entry: HistoryEntry, preset: Preset) -> Told:
    """A hand as told to people, in the amounts that were posted."""
    record = parse_record(dict(entry.record or {}))
    names = [player.name for player in entry.players]
    return tell(record, settlement_of(entry), names, preset)


def _with_winner(entry: HistoryEntry, told: Told) -> str:
    wins: Sequence[Mapping[str, Any]] = (entry.settlement or {}).get("wins", ())
    if len(wins) == 1 and (entry.record or {}).get("kind") == "win":
        return f"{entry.players[wins[0]['seat']].name} {told.headline}"
    return told.headline


def _cells(entry: HistoryEntry, people: Sequence[Column]) -> tuple[Cell, ...]:
    moved: dict[UUID, int] = {}
    for player, points in zip(entry.players, entry.points, strict=True):
        moved[player.id] = moved.get(player.id, 0) + points
    sat = {player.id for player in entry.players}
    cells = []
    for person in people:
        if person.id in sat:
            cells.append(Cell(signed(moved[person.id]), tone(moved[person.id])))
        elif entry.house and person is people[-1]:
            cells.append(Cell(signed(entry.house), tone(entry.house)))
        else:
            cells.append(Cell("", "nil"))
    return tuple(cells)


def dealer_words(entry: HistoryEntry) -> str:
    """Who was found or chosen to deal."""
    record = entry.record or {}
    name = entry.players[record["dealer"]].name
    if dice := record.get("dice"):
        return _("Dice %(dice)s: %(name)s deals") % {"dice": " + ".join(map(str, dice)), "name": name}
    return _("%(name)s deals") % {"name": name}

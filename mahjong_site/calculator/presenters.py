"""From a settlement to what a person sees: pure functions, no request, no database, no amount of their own.

The arithmetic only repeats the engine's steps; `folded` follows them to show where they stand in between.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain
from typing import Protocol
from unicodedata import east_asian_width

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring import HandRecord, Preset, Settlement
from scoring.changsha.birds import birds_with_seats
from scoring.notation import parse_tiles
from scoring.record import OpeningRecord, PatternOut, Step, TransferOut, WinOut, WinRecord
from scoring.steps import result
from scoring.texts import text
from scoring.tiles import JIANG, Seat
from scoring.tiles import tile as kind_of

from .picture import Arrow, arrows, edges
from .sources import Source, sources
from .words import english, listed, own, short_tile_name, side, signed, spaced, tone

CAPS = ("cap", "gold", "sun", "three_suns")
COMMON_STEPS = 3
"""So many steps that are the same for every payer are told once, above the table."""


PHONE_WIDTH = 24
"""Half-width characters that the heads of a table may take together beside its first and last column."""


def _width(words: str) -> int:
    return sum(2 if east_asian_width(character) in "WF" else 1 for character in words)


@dataclass(frozen=True)
class Tag:
    """A seal (``hu``, ``zhuang``, ``niao``, ``cap``) or plain words (``text``) beside a name."""

    kind: str
    text: str


@dataclass(frozen=True)
class SeatView:
    """One seat of the picture."""

    seat: Seat
    side: str
    name: str
    amount: str
    tone: str
    wins: bool
    seals: tuple[Tag, ...] = ()
    tags: tuple[Tag, ...] = ()

    @property
    def long(self) -> bool:
        """Five signs and more take the smaller size."""
        return len(self.amount) >= 5


@dataclass(frozen=True)
class Picture:
    """The four seats, in playing order, with arrows. ``middle``: what goes to nobody, if anything does."""

    seats: tuple[SeatView, ...]
    arrows: tuple[Arrow, ...] = ()
    edges: tuple[str, ...] = ()
    middle: str = ""
    maybe: bool = False


@dataclass(frozen=True)
class Row:
    """What one payer pays: a cell for each column, what it came to before a cap, and the amount."""

    seat: Seat
    name: str
    dealer: bool
    cells: tuple[str, ...]
    before: str
    total: str


@dataclass(frozen=True)
class Sum:
    """The arithmetic of one receiver: common steps first, then a row a payer."""

    title: str
    lead: tuple[tuple[str, str], ...]
    lead_total: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    to: Seat | None
    receiver: str
    total: str
    note: str = ""

    @property
    def wide(self) -> bool:
        """Too much for the width of a phone: told as chains instead."""
        return len(self.columns) > 4 or sum(map(_width, self.columns)) > PHONE_WIDTH

    @property
    def chains(self) -> tuple[tuple[Row, tuple[tuple[str, str], ...]], ...]:
        """Every row with its steps in words, those it does not have left out."""
        return tuple(
            (row, tuple((head, cell) for head, cell in zip(self.columns, row.cells, strict=True) if cell))
            for row in self.rows
        )


@dataclass(frozen=True)
class Rule:
    """A rule that was applied: its name, in our words if any, and the source's sentences."""

    name: str
    words: str = ""
    sources: tuple[Source, ...] = ()

    @property
    def decision(self) -> bool:
        """Whether any of it is our decision (定)."""
        return any(source.decision for source in self.sources)


@dataclass(frozen=True)
class Told:
    """A settlement as told to people."""

    picture: Picture
    headline: str
    spoken: str
    sums: tuple[Sum, ...]
    rules: tuple[Rule, ...]
    copy: str
    cash: tuple[tuple[str, str], ...] = ()


def tell(record: HandRecord, settlement: Settlement, names: Sequence[str], preset: Preset) -> Told:
    """Everything a page shows of a settled record."""
    headline = _headline(record, settlement, names)
    return Told(
        picture=settled_picture(record, settlement, names),
        headline=headline,
        spoken=_spoken(headline, settlement, names),
        sums=sums(record, settlement, names),
        rules=rules(record, settlement, names, preset),
        copy=copy_text(settlement, names, headline, own(preset)),
        cash=tuple((name, cash) for name, cash in zip(names, settlement.cash, strict=True) if float(cash)),
    )


# ---- the picture


def plain_picture(
    names: Sequence[str], dealer: Seat, winners: Sequence[Seat] = (), giver: Seat | None = None
) -> Picture:
    """The seats without amounts, while nothing is settled."""
    seats = tuple(
        SeatView(
            seat=seat,
            side=side(seat),
            name=name,
            amount="–",
            tone="nil",
            wins=False,
            seals=(_dealer_seal(),) if seat == dealer else (),
            tags=(Tag("text", _("gave the tile")),) if seat == giver and seat not in winners else (),
        )
        for seat, name in enumerate(names)
    )
    return Picture(seats)


def settled_picture(
    record: HandRecord, settlement: Settlement, names: Sequence[str], *, maybe: bool = False
) -> Picture:
    """The four seats with their amounts, seals and arrows."""
    winners = {win.seat for win in settlement.wins}
    seats = []
    for seat, name in enumerate(names):
        delta = settlement.deltas[seat]
        seals = []
        if seat in winners and not maybe:
            seals.append(Tag("hu", "胡"))
        if seat == record.dealer:
            seals.append(_dealer_seal())
        seats.append(
            SeatView(
                seat=seat,
                side=side(seat),
                name=name,
                amount=signed(delta),
                tone=tone(delta),
                wins=seat in winners,
                seals=tuple(seals),
                tags=_tags(record, settlement, seat),
            )
        )
    flows = [
        (side(transfer.from_), "house" if transfer.to == "house" else side(transfer.to), transfer.points)
        for transfer in settlement.transfers
    ]
    receivers = [side(seat) for seat in winners if settlement.deltas[seat] > 0]
    middle = _("house %(points)s") % {"points": signed(settlement.house)} if settlement.house else ""
    return Picture(tuple(seats), arrows(flows), edges(receivers), middle, maybe)


def _dealer_seal() -> Tag:
    return Tag("zhuang", "庄")


def _tags(record: HandRecord, settlement: Settlement, seat: Seat) -> tuple[Tag, ...]:
    tags = [Tag("niao", _("bird %(birds)s") % {"birds": number}) for number, place in birds_of(record) if place == seat]
    paid = [transfer for transfer in settlement.transfers if transfer.from_ == seat]
    for transfer in paid:
        tags += [Tag("cap", own(text("steps", step.id))) for step in transfer.steps if step.id in CAPS]
        if transfer.why == "contract":
            tags.append(Tag("cap", _("pays for all")))
    if not tags and getattr(record, "from_", None) == seat:
        tags.append(Tag("text", _("robbed") if getattr(record, "by", "") == "rob_kong" else _("gave the tile")))
    return tuple(tags)


def birds_of(record: HandRecord) -> tuple[tuple[int, Seat], ...]:
    """Number and seat of each bird, as the engine looks at them; once for each place they are counted from."""
    if record.rules.family != "changsha" or not isinstance(record, (WinRecord, OpeningRecord)):
        return ()
    looked_at = dict.fromkeys(birds_with_seats(record, winner.seat) for winner in record.winners)
    return tuple(chain.from_iterable(looked_at))


# ---- one line that says it all


def _headline(record: HandRecord, settlement: Settlement, names: Sequence[str]) -> str:
    parts = [_HEADLINES[record.kind](record, settlement, names)]  # type: ignore[attr-defined]
    birds = birds_of(record)
    if birds:
        parts.append(_("bird %(birds)s") % {"birds": listed([f"{number} {names[seat]}" for number, seat in birds])})
    capped = [names[t.from_] for t in settlement.transfers if any(step.id in CAPS for step in t.steps)]
    if capped:
        parts.append(_("%(names)s capped") % {"names": listed(capped)})
    contract = [names[t.from_] for t in settlement.transfers if t.why == "contract"]
    if contract:
        parts.append(_("%(name)s pays for all") % {"name": contract[0]})
    return " · ".join(parts)


def _win_headline(record: HandRecord, settlement: Settlement, names: Sequence[str]) -> str:
    giver = getattr(record, "from_", None)
    by = record.by  # type: ignore[attr-defined]
    if len(settlement.wins) > 1:
        won = listed([f"{names[win.seat]} {pattern_words(win)}" for win in settlement.wins])
        return _("%(giver)s gives to several: %(wins)s") % {"giver": "" if giver is None else names[giver], "wins": won}
    win = settlement.wins[0]
    words = {"patterns": pattern_words(win), "giver": "" if giver is None else names[giver]}
    if by == "self_draw":
        line = _("Self-draw, %(patterns)s") % words
    elif by == "rob_kong":
        line = _("Robs %(giver)s’s kong, %(patterns)s") % words
    else:
        line = _("%(giver)s deals in, %(patterns)s") % words
    if win.reading and win.reading.hard is not None:
        line += " · " + (_("hard") if win.reading.hard else _("soft"))
    return line


def _opening_headline(record: HandRecord, settlement: Settlement, names: Sequence[str]) -> str:
    return _("Opening: %(wins)s") % {
        "wins": listed([f"{names[win.seat]} {pattern_words(win)}" for win in settlement.wins])
    }


def _exhausted_headline(record: HandRecord, settlement: Settlement, names: Sequence[str]) -> str:
    return _("Nobody wins") + " · " + next_dealer_words(settlement, names)


def _penalty_headline(record: HandRecord, settlement: Settlement, names: Sequence[str]) -> str:
    penalty = record.penalty  # type: ignore[attr-defined]
    reasons = {"left": _("left the table"), "false_win": _("false win"), "other": _("penalty")}
    return f"{names[penalty.seat]} {reasons[penalty.reason]} {signed(settlement.deltas[penalty.seat])}"


_HEADLINES = {
    "win": _win_headline,
    "opening": _opening_headline,
    "exhausted": _exhausted_headline,
    "penalty": _penalty_headline,
}


class Patterned(Protocol):
    """A win, or what one would pay."""

    @property
    def patterns(self) -> tuple[PatternOut, ...]: ...


def pattern_words(win: Patterned) -> str:
    """清一色 碰碰胡; a pattern counted twice says so."""
    return spaced([own(pattern) + (f" ×{pattern.count}" if pattern.count > 1 else "") for pattern in win.patterns])


def next_dealer_words(settlement: Settlement, names: Sequence[str]) -> str:
    """Who deals next, or that the hand goes on."""
    choices = [names[seat] for seat in settlement.next_dealer_choices]
    if not settlement.hand_ends or not choices:
        return _("the hand goes on")
    if len(choices) == 1:
        return _("%(name)s deals next") % {"name": choices[0]}
    return _("one of %(names)s deals next") % {"names": listed(choices)}


def _spoken(headline: str, settlement: Settlement, names: Sequence[str]) -> str:
    parts = []
    for name, delta in zip(names, settlement.deltas, strict=True):
        if delta > 0:
            parts.append(_("%(name)s gains %(points)s") % {"name": name, "points": delta})
        elif delta < 0:
            parts.append(_("%(name)s pays %(points)s") % {"name": name, "points": -delta})
    end = ". " if english() else "。"
    return end.join([headline, *([listed(parts)] if parts else [])]) + end.strip()


def copy_text(settlement: Settlement, names: Sequence[str], headline: str, rules_name: str) -> str:
    """The hand as text for a group chat."""
    winner = ""
    if len(settlement.wins) == 1:
        winner = names[settlement.wins[0].seat] + " "
    order = sorted(range(4), key=lambda seat: (settlement.deltas[seat] <= 0, seat))
    amounts = "  ".join(f"{names[seat]} {signed(settlement.deltas[seat])}" for seat in order)
    lines = [f"牌账 · {rules_name}", f"{winner}{headline}", amounts]
    if any(float(cash) for cash in settlement.cash):
        lines.append(_("Side bets") + ": " + "  ".join(f"{names[seat]} {settlement.cash[seat]}" for seat in order))
    return "\n".join(lines)


# ---- the arithmetic


def folded(steps: Sequence[Step]) -> Fraction:
    """Where the steps stand before a cap replaces the number."""
    return result(tuple(step for step in steps if step.set is None))


def sums(record: HandRecord, settlement: Settlement, names: Sequence[str]) -> tuple[Sum, ...]:
    """The arithmetic by receiver, in seat order."""
    receivers = dict.fromkeys(transfer.to for transfer in settlement.transfers)
    wins = {win.seat: win for win in settlement.wins}
    found = []
    for receiver in receivers:
        transfers = [transfer for transfer in settlement.transfers if transfer.to == receiver]
        win = wins.get(receiver) if isinstance(receiver, int) else None
        found.append(_sum(transfers, win, record, names))
    return tuple(found)


def _sum(transfers: Sequence[TransferOut], win: WinOut | None, record: HandRecord, names: Sequence[str]) -> Sum:
    note, lines = "", [(transfer.from_, transfer.points, transfer.steps) for transfer in transfers]
    if len(transfers) == 1 and transfers[0].shares:
        note = _("%(name)s pays all three shares.") % {"name": names[transfers[0].from_]}
        lines = [(share.seat, share.points, share.steps) for share in transfers[0].shares]
    all_steps = [steps for _, _, steps in lines]
    common = _common(all_steps)
    lead = all_steps[0][:common]
    columns = _columns([steps[common:] for steps in all_steps])
    receiver = transfers[0].to
    heads = [_step_words(step, win) for step in columns]
    if common:
        heads.insert(0, _("winner"))
    rows = [
        Row(
            seat=seat,
            name=names[seat],
            dealer=seat == record.dealer,
            cells=((_plain(folded(lead)),) if common else ()) + _cells(steps[common:], columns),
            before=_before_cap(steps),
            total=str(points),
        )
        for seat, points, steps in lines
    ]
    return Sum(
        title=pattern_words(win) if win else "",
        lead=tuple((_step_words(step.id, win), _step_number(step)) for step in lead),
        lead_total=_plain(folded(lead)) if common else "",
        columns=tuple(heads),
        rows=tuple(rows),
        to=None if receiver == "house" else receiver,
        receiver=_("the house") if receiver == "house" else names[receiver],
        total=signed(sum(transfer.points for transfer in transfers)),
        note=note,
    )


def _common(all_steps: Sequence[Sequence[Step]]) -> int:
    """How many leading steps are told once; none unless they are many."""
    common = 0
    for steps in zip(*all_steps, strict=False):
        if len(all_steps) < 2 or any(step != steps[0] for step in steps):
            break
        common += 1
    return common if common >= COMMON_STEPS else 0


def _columns(all_steps: Sequence[Sequence[Step]]) -> list[str]:
    """Step ids of all rows, each row's order kept."""
    columns: list[str] = []
    for steps in all_steps:
        at = 0
        for step in steps:
            if step.set is not None:
                continue
            if step.id in columns:
                at = columns.index(step.id) + 1
            else:
                columns.insert(at, step.id)
                at += 1
    return columns


def _cells(steps: Sequence[Step], columns: Sequence[str]) -> tuple[str, ...]:
    numbers = {step.id: _step_number(step) for step in steps if step.set is None}
    return tuple(numbers.get(column, "") for column in columns)


def _step_number(step: Step) -> str:
    if step.value is not None:
        return step.value
    if step.add is not None:
        return f"+{step.add}"
    return f"×{step.times}" if step.times is not None else f"= {step.set}"


def _step_words(step_id: str, win: WinOut | None) -> str:
    if step_id == "base" and win and win.size != "opening" and len(win.patterns) == 1:
        return own(win.patterns[0])
    return own(text("steps", step_id))


def _before_cap(steps: Sequence[Step]) -> str:
    return _plain(folded(steps)) if any(step.set is not None for step in steps) else ""


def _plain(number: Fraction) -> str:
    return str(number.numerator) if number.denominator == 1 else f"{float(number):g}"


# ---- the rules behind it


def rules(record: HandRecord, settlement: Settlement, names: Sequence[str], preset: Preset) -> tuple[Rule, ...]:
    """What was applied, each with its sentence: shape, steps in order of appearance, next dealer."""
    found: list[Rule] = []
    for win in settlement.wins:
        shape = shape_words(win)
        if shape:
            found.append(Rule(_("Shape") if len(settlement.wins) == 1 else names[win.seat], shape))
    size = "small" if not settlement.wins or settlement.wins[0].size in ("small", "opening") else "big"
    by = "self_draw" if record.kind == "opening" else getattr(record, "by", "discard")  # type: ignore[attr-defined]
    steps = dict.fromkeys(step.id for transfer in settlement.transfers for step in _all_steps(transfer))
    told: set[Source] = set()
    for step_id in steps:
        fresh = tuple(source for source in sources(preset, step_id, size=size, by=by) if source not in told)
        told.update(fresh)
        if fresh:
            found.append(Rule(own(text("steps", step_id)), "", fresh))
    if settlement.hand_ends:
        found.append(Rule(_("Next dealer"), next_dealer_words(settlement, names), sources(preset, "next_dealer")))
    if settlement.overruled:
        found.append(
            Rule(_("Overruled"), listed([names[seat] for seat in settlement.overruled]), sources(preset, "overruled"))
        )
    return tuple(found)


def _all_steps(transfer: TransferOut) -> tuple[Step, ...]:
    return transfer.steps + tuple(step for share in transfer.shares for step in share.steps)


def shape_words(win: WinOut) -> str:
    """三顺一刻, 2 索作将 — how the hand reads."""
    reading = win.reading
    if reading is None:
        return ""
    if reading.shape != "standard" or not reading.pair:
        shapes = {
            "seven_pairs": _("seven pairs"),
            "all_jiang": _("every tile a 2, 5 or 8"),
            "all_winds": _("every tile an honour"),
        }
        return shapes.get(reading.shape, "")
    runs = sum(len(set(one[:-1])) > 1 for one in reading.sets)
    others = len(reading.sets) - runs
    pair = kind_of(reading.pair[0] + reading.pair[-1])
    parts = []
    if runs:
        parts.append(ngettext("%(count)s run", "%(count)s runs", runs) % {"count": runs})
    if others:
        parts.append(ngettext("%(count)s triplet or kong", "%(count)s triplets or kongs", others) % {"count": others})
    parts.append(_("pair of %(tile)s") % {"tile": short_tile_name(pair)} + (_(" (jiang)") if pair in JIANG else ""))
    for wild, meant in reading.wild.items():
        meanings = " ".join(short_tile_name(kind) for kind in parse_tiles(meant))
        parts.append(f"{short_tile_name(kind_of(wild))} = {meanings}")
    return listed(parts)

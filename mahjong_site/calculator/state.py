"""What a person has entered so far, as the flat form fields of the hand entry.

One field set serves the shareable address (``GET /?…``), the live result and posting from a session. It is read
leniently — a field that makes no sense counts as not given, a half-typed hand is a state and no fault — and turned
into the contract's record, which the engine then judges.

Fields: ``rules`` preset, ``o.<option>`` changed options, ``kind``, ``n0…n3`` names, ``dealer``, ``w`` (repeated)
winners, ``by`` the seat that gave the tile (a winner's own seat: self-draw), ``rob``, ``ev`` event, ``h0…h3`` hands as
typed lines, ``shown`` (openings), ``birds``, ``die`` (repeated), ``low`` only 海底 left, ``ind`` indicator,
``laid<seat>``, ``passed<seat>``, ``passedbig<seat>``, ``dead<seat>``, counters ``op ek ck lo lw`` and ``ready`` with
the seat behind, ``d<seat>`` (repeated) opening patterns declared without tiles, ``last`` (what became of 海底),
``creator``, ``pseat preason ppoints pto`` of a penalty, ``bet0…bet3``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, Final, Literal, Protocol, TypeAlias
from urllib.parse import urlencode

from scoring.hand import Hand
from scoring.notation import NotationError, format_hand, format_tiles, parse_hand, parse_tiles
from scoring.tiles import Seat, Tile

from .fields import read_count, read_seat

SEATS: Final = (0, 1, 2, 3)
Kind: TypeAlias = Literal["win", "opening", "exhausted", "penalty"]
KINDS: Final[tuple[Kind, ...]] = ("win", "opening", "exhausted", "penalty")
EVENTS: Final = ("heaven", "earth", "last_tile", "kong_draw", "kong_discard")
COUNTERS: Final = {
    "op": "opened",
    "ek": "exposed_kongs",
    "ck": "concealed_kongs",
    "lo": "laid_out",
    "lw": "laid_out_wilds",
}
"""Counters of a Wuhan player: field and the contract's name."""
NOTHING_OPEN: Final[Mapping[str, int]] = MappingProxyType(dict.fromkeys(COUNTERS, 0))
LAST_TILE: Final = ("taken_by", "refused_from", "replaced_by")
MAX_FIELD: Final = 400
MOST_PATTERNS: Final = 20


class Params(Protocol):
    """The part of a ``QueryDict`` that is read."""

    def get(self, key: str, default: Any = None, /) -> Any: ...
    def getlist(self, key: str, /) -> list[str]: ...
    def __iter__(self) -> Iterator[str]: ...


NO_TILES: Final = Hand(())


@dataclass(frozen=True)
class Line:
    """A hand as typed. ``hand`` is None while the text cannot be read, ``problems`` says why."""

    text: str = ""
    hand: Hand | None = NO_TILES
    problems: tuple[Any, ...] = ()

    @classmethod
    def read(cls, text: str) -> Line:
        """The line of a text; never raises."""
        text = text.strip()[: MAX_FIELD + 1]
        if not text:
            return cls()
        try:
            return cls(text, parse_hand(text))
        except NotationError as error:
            return cls(text, None, error.problems)

    @property
    def canonical(self) -> str:
        """The one way to write it; as typed while it cannot be read."""
        return self.text if self.hand is None else format_hand(self.hand)


@dataclass(frozen=True)
class Entry:
    """Everything entered. Immutable; ``with_`` gives a changed one."""

    rules: str
    options: Mapping[str, str] = field(default_factory=dict)
    kind: Kind = "win"
    names: tuple[str, str, str, str] = ("", "", "", "")
    dealer: Seat = 0
    winners: tuple[Seat, ...] = ()
    giver: Seat | None = None
    robbed: bool = False
    event: str = ""
    lines: tuple[Line, Line, Line, Line] = (Line(), Line(), Line(), Line())
    shown: bool = False
    birds: str = ""
    dice: tuple[int, ...] = ()
    low: bool = False
    indicator: str = ""
    laid: tuple[str, str, str, str] = ("", "", "", "")
    passed: tuple[str, str, str, str] = ("", "", "", "")
    passed_big: tuple[int, int, int, int] = (0, 0, 0, 0)
    dead: frozenset[Seat] = frozenset()
    counters: tuple[Mapping[str, int], ...] = (NOTHING_OPEN,) * 4
    ready: tuple[bool | None, ...] = (None, None, None, None)
    declared: tuple[frozenset[str], ...] = (frozenset(),) * 4
    last: str = ""
    creator: Seat = 0
    penalty: Mapping[str, str] = field(default_factory=dict)
    bets: tuple[str, str, str, str] = ("", "", "", "")

    def with_(self, **changes: Any) -> Entry:
        """A copy with some fields changed."""
        return replace(self, **changes)

    def with_line(self, seat: Seat, text: str) -> Entry:
        """A copy with another hand at one seat."""
        lines = list(self.lines)
        lines[seat] = Line.read(text)
        return self.with_(lines=tuple(lines))

    @property
    def self_draw(self) -> bool:
        """Whether the one winner drew the tile himself; so until somebody is named as the giver."""
        return len(self.winners) == 1 and not self.robbed and self.giver in (None, *self.winners)

    @property
    def by(self) -> str:
        """The contract's ``by``."""
        return "self_draw" if self.self_draw else "rob_kong" if self.robbed else "discard"

    @property
    def from_seat(self) -> Seat | None:
        """Who gave the winning tile, where another did and is known."""
        return None if self.self_draw or self.giver in self.winners else self.giver

    @property
    def untouched(self) -> bool:
        """Nothing entered yet that a result could come from."""
        return self.kind == "win" and not self.winners and not any(line.text for line in self.lines)

    @property
    def bird_tiles(self) -> tuple[Tile, ...]:
        """Bird tiles that can be read."""
        return readable(self.birds)

    def fields(self, default_rules: str = "") -> list[tuple[str, str]]:
        """The form fields that say the same, shortest form: what stands at its default is left out."""
        pairs: list[tuple[str, str]] = []

        def put(name: str, value: object, default: object = "") -> None:
            if value != default:
                pairs.append((name, str(value)))

        put("rules", self.rules, default_rules)
        pairs += [(f"o.{name}", value) for name, value in self.options.items()]
        put("kind", self.kind, "win")
        for seat in SEATS:
            put(f"n{seat}", self.names[seat])
        put("dealer", self.dealer, 0)
        pairs += [("w", str(seat)) for seat in self.winners]
        put("by", "" if self.giver is None else self.giver)
        put("rob", "1" if self.robbed else "")
        put("ev", self.event)
        for seat in SEATS:
            put(f"h{seat}", self.lines[seat].canonical.replace(" ", ""))
        put("shown", "1" if self.shown else "")
        put("birds", self.birds)
        pairs += [("die", str(pips)) for pips in self.dice]
        put("low", "1" if self.low else "")
        put("ind", self.indicator)
        for seat in SEATS:
            put(f"laid{seat}", self.laid[seat])
            put(f"passed{seat}", self.passed[seat])
            put(f"passedbig{seat}", self.passed_big[seat], 0)
            put(f"dead{seat}", "1" if seat in self.dead else "")
            pairs += [(f"{name}{seat}", str(count)) for name, count in self.counters[seat].items() if count]
            if self.ready[seat] is not None:
                pairs.append((f"ready{seat}", "1" if self.ready[seat] else "0"))
            pairs += [(f"d{seat}", name) for name in sorted(self.declared[seat])]
        put("last", self.last)
        put("creator", self.creator, 0)
        pairs += [(f"p{name}", value) for name, value in self.penalty.items() if value]
        for seat in SEATS:
            put(f"bet{seat}", self.bets[seat])
        return pairs

    def query(self) -> str:
        """The address of this hand, without the path: ``?rules=…&w=1&…``."""
        return "?" + urlencode(self.fields())


def read(params: Params, *, presets: tuple[str, ...]) -> Entry:
    """The entry that form fields describe; what makes no sense in them counts as not given."""
    rules = _choice(params.get("rules"), presets) or presets[0]
    winners = tuple(seat for seat in SEATS if str(seat) in params.getlist("w"))
    lines = tuple(Line.read(params.get(f"h{seat}") or "") for seat in SEATS)
    kind: Any = _choice(params.get("kind"), KINDS) or "win"
    if not winners and kind in ("win", "opening"):
        winners = tuple(seat for seat in SEATS if lines[seat].text)[:1]
    return Entry(
        rules=rules,
        options={name[2:]: params.get(name) for name in params if name.startswith("o.") and len(name) < 60},
        kind=kind,
        names=_seats(params, "n", lambda text: text.strip()[:40]),
        dealer=read_seat(params.get("dealer")) or 0,
        winners=winners,
        giver=read_seat(params.get("by")),
        robbed=params.get("rob") == "1",
        event=_choice(params.get("ev"), EVENTS) or "",
        lines=_owned(lines, winners),
        shown=params.get("shown") == "1",
        birds=tiles_text(params.get("birds")),
        dice=tuple(int(pips) for pips in params.getlist("die")[:6] if pips in set("123456")),
        low=params.get("low") == "1",
        indicator=tiles_text(params.get("ind")),
        laid=_seats(params, "laid", tiles_text),
        passed=_seats(params, "passed", tiles_text),
        passed_big=_seats(params, "passedbig", read_count),
        dead=frozenset(seat for seat in SEATS if params.get(f"dead{seat}") == "1"),
        counters=tuple({name: read_count(params.get(f"{name}{seat}")) for name in COUNTERS} for seat in SEATS),
        ready=_seats(params, "ready", lambda text: {"1": True, "0": False}.get(text)),
        declared=tuple(frozenset(params.getlist(f"d{seat}")[:MOST_PATTERNS]) for seat in SEATS),
        last=_last(params.get("last") or ""),
        creator=read_seat(params.get("creator")) or 0,
        penalty={name: (params.get(f"p{name}") or "").strip()[:12] for name in ("seat", "reason", "points", "to")},
        bets=_seats(params, "bet", lambda text: text.strip()[:12]),
    )


def readable(text: str) -> tuple[Tile, ...]:
    """The tiles of a text, none while it cannot be read."""
    try:
        return parse_tiles(text)
    except NotationError:
        return ()


def _owned(lines: tuple[Line, ...], winners: tuple[Seat, ...]) -> Any:
    """A hand typed at a seat that does not win goes to a winner without one: the winner was corrected."""
    owned = list(lines)
    orphans = [seat for seat in SEATS if lines[seat].text and seat not in winners]
    for seat in winners:
        if not owned[seat].text and orphans:
            orphan = orphans.pop(0)
            owned[seat], owned[orphan] = owned[orphan], Line()
    return tuple(owned)


def _seats(params: Params, name: str, read_one: Any) -> tuple[Any, ...]:
    return tuple(read_one(params.get(f"{name}{seat}") or "") for seat in SEATS)


def _choice(value: str | None, allowed: tuple[str, ...]) -> str | None:
    return value if value in allowed else None


def tiles_text(value: str | None) -> str:
    """Canonical text where it can be read, else as typed: the engine says what is wrong."""
    text = (value or "").strip()[: MAX_FIELD + 1]
    try:
        return format_tiles(parse_tiles(text))
    except NotationError:
        return text


def _last(value: str) -> str:
    what, _, whose = value.partition(":")
    return value if what in LAST_TILE and read_seat(whose) is not None else ""

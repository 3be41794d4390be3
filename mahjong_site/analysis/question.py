"""What a person asks: a hand as the hand entry has it, tiles seen elsewhere, and how long the game goes on.

The fields are those of the hand entry (`mahjong_site.calculator.state`), so that a hand can be carried from one page to
the other in the address, and three more: ``seen`` tiles seen elsewhere, ``draws`` own draws left (absent: ten; empty:
not asked), ``detours``.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Final
from urllib.parse import urlencode

from mahjong_site.calculator import state
from mahjong_site.calculator.fields import MOST_DIGITS, number
from mahjong_site.calculator.outcome import melds_of, passed_of, players_of, rules_spec
from mahjong_site.calculator.situation import Offer
from mahjong_site.calculator.state import NO_TILES, SEATS, Entry, Line, Params
from scoring.hand import Hand
from scoring.notation import format_tiles
from scoring.tiles import Seat, Tile

READY_TILES: Final = 13
FEWEST_DRAWS: Final = 1
MOST_DRAWS: Final = 20
USUAL_DRAWS: Final = "10"
"""Own draws left around the middle of a hand."""


@dataclass(frozen=True)
class Question:
    """A hand and what is known around it. ``draws`` as typed."""

    entry: Entry
    seen: str = ""
    draws: str = USUAL_DRAWS
    detours: bool = False

    def with_(self, **changes: Any) -> Question:
        """A copy with some facts changed."""
        return replace(self, **changes)

    @property
    def seat(self) -> Seat:
        """Whose hand it is."""
        return self.entry.winners[0]

    @property
    def line(self) -> Line:
        """The hand as typed."""
        return self.entry.lines[self.seat]

    @property
    def hand(self) -> Hand:
        """The hand; no tiles while it cannot be read."""
        return self.line.hand or NO_TILES

    @property
    def concealed(self) -> tuple[Tile, ...]:
        """The tiles in hand, the one just drawn last."""
        return self.hand.concealed + self.hand.win_on

    @property
    def tiles(self) -> int:
        """How many tiles the hand counts, a meld as three."""
        return len(self.concealed) + 3 * len(self.hand.melds)

    @property
    def missing(self) -> int:
        """How many tiles are still to be entered before there is something to say."""
        return max(READY_TILES - self.tiles, 0)

    def fields(self) -> list[tuple[str, str]]:
        """The form fields that say the same; what stands at its default is left out."""
        pairs = self.entry.fields()
        if self.seen:
            pairs.append(("seen", self.seen))
        if self.draws != USUAL_DRAWS:
            pairs.append(("draws", self.draws))
        if self.detours:
            pairs.append(("detours", "1"))
        return pairs

    def query(self) -> str:
        """The address of this question, without the path."""
        return "?" + urlencode(self.fields())

    def request(self, offer: Offer) -> dict[str, Any]:
        """The contract's request for an analysis."""
        entry = self.entry
        request: dict[str, Any] = {
            "rules": rules_spec(offer.preset, entry),
            "dealer": entry.dealer,
            "seat": self.seat,
            "concealed": format_tiles(self.hand.concealed) + format_tiles(self.hand.win_on),
            "melds": melds_of(self.hand),
            "seen": self.seen,
        }
        if self.draws:
            draws = self.draws if (told := number(self.draws)) is None else told
            request |= {"draws": draws, "detours": self.detours}
        # Who has drawn a tile since is bound by nothing he let go before.
        if entry.passed[self.seat] and self.tiles <= READY_TILES:
            request["passed"] = passed_of(entry, offer, self.seat)
        if not offer.changsha:
            request |= {"laid_out": entry.laid[self.seat], "players": players_of(entry, offer)}
            if entry.indicator:
                request["indicator"] = entry.indicator
        return request


def read(params: Params, *, presets: tuple[str, ...]) -> Question:
    """The question that form fields ask. What makes no sense in them counts as not given; nothing here raises."""
    given = state.read(params, presets=presets)
    seat = given.winners[0] if given.winners else 0
    typed = [other for other in SEATS if (params.get(f"h{other}") or "").strip()]
    # A hand that went to another seat takes along what was laid out and let go with it.
    moved = [other for other in typed if other not in given.winners]
    source = moved[0] if moved and seat not in typed else seat
    draws = params.get("draws")
    return Question(
        entry=Entry(
            rules=given.rules,
            options=given.options,
            names=given.names,
            dealer=given.dealer,
            winners=(seat,),
            lines=_of(seat, given.lines, Line()),
            indicator=given.indicator,
            laid=_of(seat, given.laid, "", source),
            passed=_of(seat, given.passed, "", source),
            passed_big=_of(seat, given.passed_big, 0, source),
            counters=given.counters,
            ready=given.ready,
        ),
        seen=state.tiles_text(params.get("seen")),
        draws=USUAL_DRAWS if draws is None else draws.strip()[: MOST_DIGITS + 1],
        detours=params.get("detours") == "1",
    )


def _of(seat: Seat, values: tuple[Any, ...], nothing: Any, source: Seat | None = None) -> Any:
    """Only what is one seat's own; nothing there: what stands at the seat its hand came from."""
    own = values[seat] or (nothing if source is None else values[source])
    return tuple(own if place == seat else nothing for place in range(len(values)))

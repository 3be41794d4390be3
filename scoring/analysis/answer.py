"""From a request to its answer: check it, measure the hand, price its wins with `settle`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, Literal

from scoring.analysis.ahead import Ahead
from scoring.analysis.calls import after, called_apart, calls, let_go
from scoring.analysis.checking import check, known_tiles
from scoring.analysis.contract import (
    Accept,
    Analysis,
    AnalysisIn,
    CallOut,
    DiscardOut,
    Drawing,
    Price,
    Refused,
    Throwing,
    Wait,
    read_request,
)
from scoring.analysis.expected import Budget, Outlook
from scoring.analysis.prices import win_record, with_openings
from scoring.analysis.shanten import Discard, Situation, discards, kinds_of, situation
from scoring.analysis.views import Mask
from scoring.faults import RecordError
from scoring.notation import format_tiles
from scoring.record import Settlement
from scoring.settle import settle
from scoring.tiles import COPIES, NAMES, Tile


def analyze_json(data: bytes | str | Mapping[str, Any]) -> dict[str, Any]:
    """The contract's answer to a request, as plain values.

    Raises:
        RecordError: the request is malformed or its hand cannot be; all faults at once.
    """
    return analyze(read_request(data)).model_dump(mode="json", by_alias=True)


def analyze(request: AnalysisIn) -> Analysis:
    """Shanten and accepts, and what each wait or each discard brings.

    Raises:
        RecordError: all faults of the request.
    """
    request = called_apart(request)
    check(request)
    hand = _Hand(with_openings(request), Budget())
    return hand.throwing() if request.throwing else hand.drawing()


class _Hand:
    """A checked request, and what is measured of it."""

    def __init__(self, request: AnalysisIn, budget: Budget) -> None:
        self.request, self.budget = request, budget
        self.melds = tuple(meld.meld() for meld in request.melds)
        self.known = Counter(tile for tiles, _ in known_tiles(request) for tile in tiles)
        if request.indicator is not None:
            self.known[request.indicator] += 1

    @cached_property
    def now(self) -> Situation:
        request = self.request
        return situation(request.rules, self.melds, request.laid_out, request.indicator)

    @cached_property
    def ahead(self) -> Ahead:
        return Ahead(self.request, self.now, self.known, self.budget)

    def drawing(self) -> Drawing:
        """A hand with a tile to come."""
        request = self.request
        shanten, mask = self.now.accepts(self.now.tiles(request.concealed))
        waits = kinds_of(mask) if shanten == 0 else ()
        return Drawing(
            shanten=shanten,
            accepts=self._left(mask),
            waits=tuple(map(self._wait, waits)),
            **_fields(self.ahead.drawing()),
            calls=tuple(sorted(self._calls(), key=_call_order)),
        )

    def _calls(self) -> Iterator[CallOut]:
        """Everything that can be done with the called tile."""
        request = self.request
        called, giver = request.called, request.from_
        if called is None or giver is None:
            return
        shanten, mask = self.now.accepts(self.now.tiles(request.concealed))
        if shanten == 0 and mask >> called & 1:
            price = self._price(request.concealed, called, self_draw=False)
            yield CallOut(call="win", price=price, shanten=-1, left=0, expected=None, win_probability=None)
        waiting = _Hand(let_go(request, called), self.budget).drawing()
        yield _call_out("pass", waiting)
        for call in calls(request, called, giver, self.now.special):
            hand = _Hand(after(request, call, called, giver), self.budget)
            then = min(hand.throwing().discards, key=_discard_order) if hand.request.throwing else hand.drawing()
            yield _call_out(call.kind, then, format_tiles((called, *call.own)))

    def throwing(self) -> Throwing:
        """A hand with a tile to throw."""
        request = self.request
        shanten = self.now.shanten(self.now.tiles(request.concealed))
        found = discards(request.rules, request.concealed, self.melds, request.laid_out, request.indicator)
        ranked = sorted(found, key=self._rank)
        win: Settlement | Refused | None = None
        if shanten < 0:
            *concealed, drawn = request.concealed
            win = self._settled(concealed, drawn, self_draw=True)
        outlooks = self.ahead.throwing(found)
        rows = tuple(self._discard(one, outlooks.get(one.tile)) for one in ranked)
        return Throwing(win=win, shanten=shanten, discards=rows)

    def _left(self, mask: Mask) -> tuple[Accept, ...]:
        return tuple(Accept(tile=NAMES[kind], left=COPIES - self.known[kind]) for kind in kinds_of(mask))

    def _wait(self, kind: Tile) -> Wait:
        drawn, thrown = (self._price(self.request.concealed, kind, self_draw=self_draw) for self_draw in (True, False))
        return Wait(tile=NAMES[kind], left=COPIES - self.known[kind], self_draw=drawn, discard=thrown)

    def _discard(self, one: Discard, outlook: Outlook | None) -> DiscardOut:
        accepts = self._left(one.accepts)
        return DiscardOut(
            tile=NAMES[one.tile],
            shanten=one.shanten,
            accepts=accepts,
            left=sum(accept.left for accept in accepts),
            waits=accepts if one.shanten == 0 else (),
            lay_out=one.tile in self.now.special,
            **_fields(outlook),
        )

    def _rank(self, one: Discard) -> tuple[int, int, int, Tile]:
        """Lower shanten first, then more tiles left, then the larger payment over the waits."""
        left = {kind: COPIES - self.known[kind] for kind in kinds_of(one.accepts)}
        paid = sum(number * self._drawn(one, kind) for kind, number in left.items()) if one.shanten == 0 else 0
        return one.shanten, -sum(left.values()), -paid, one.tile

    def _drawn(self, one: Discard, kind: Tile) -> int:
        """What drawing that kind brings after this discard; nothing where the win is refused."""
        rest = list(self.request.concealed)
        rest.remove(one.tile)
        laid_out = (one.tile,) if one.tile in self.now.special else ()
        price = self._price(rest, kind, self_draw=True, laid_out=laid_out)
        return price.total if isinstance(price, Price) else 0

    def _price(
        self, concealed: Sequence[Tile], win_on: Tile, *, self_draw: bool, laid_out: tuple[Tile, ...] = ()
    ) -> Price | Refused:
        settled = self._settled(concealed, win_on, self_draw=self_draw, laid_out=laid_out)
        if isinstance(settled, Refused):
            return settled
        deltas = settled.deltas
        return Price(patterns=settled.wins[0].patterns, deltas=deltas, total=deltas[self.request.seat])

    def _settled(
        self, concealed: Sequence[Tile], win_on: Tile, *, self_draw: bool, laid_out: tuple[Tile, ...] = ()
    ) -> Settlement | Refused:
        try:
            return settle(win_record(self.request, concealed, win_on, self_draw=self_draw, laid_out=laid_out))
        except RecordError as error:
            return Refused.of(error)


def _call_out(
    kind: Literal["exposed_kong", "pong", "chow", "pass"], then: DiscardOut | Drawing, tiles: str = ""
) -> CallOut:
    """A call with what is best after it."""
    thrown = then if isinstance(then, DiscardOut) else None
    return CallOut(
        call=kind,
        tiles=tiles,
        discard=thrown.tile if thrown else None,
        lay_out=thrown is not None and thrown.lay_out,
        shanten=then.shanten,
        left=sum(one.left for one in then.accepts),
        expected=then.expected,
        win_probability=then.win_probability,
    )


def _discard_order(one: DiscardOut) -> float:
    """The most points first, where they are known; else the contract's order stays."""
    return 0 if one.expected is None else -one.expected


def _call_order(one: CallOut) -> tuple[int, float, int, int]:
    """A win first: nobody knows what the others do next. Then what brings most, or the shanten and the tiles left."""
    place = 1 if one.price is None else 0 if isinstance(one.price, Price) else 2
    return place, 0 if one.expected is None else -one.expected, one.shanten, -one.left


def _fields(outlook: Outlook | None) -> dict[str, float]:
    """An outlook as fields of the answer, none where there is none."""
    return {} if outlook is None else outlook._asdict()

"""From a request to its answer: check it, measure the hand, price its wins with `settle`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, Final

from scoring import checks
from scoring.analysis.ahead import Ahead
from scoring.analysis.contract import (
    Accept,
    Analysis,
    AnalysisIn,
    DiscardOut,
    Drawing,
    Price,
    Refused,
    Throwing,
    Wait,
    read_request,
)
from scoring.analysis.expected import Outlook
from scoring.analysis.prices import win_record
from scoring.analysis.shanten import Discard, Situation, discards, kinds_of, situation
from scoring.analysis.views import Mask
from scoring.changsha.claims import check_passed_sizes
from scoring.changsha.rules import changsha_rules
from scoring.faults import Fault, RecordError, fault
from scoring.record import Settlement
from scoring.settle import settle
from scoring.tiles import COPIES, NAMES, SUIT_KINDS, Tile

OF_THE_HAND: Final = frozenset(
    {"invalid", "bad_meld", "wrong_tile_count", "tile_not_in_rules", "not_in_rules", "bad_laid_out"}
)
"""Codes of faults that lie in a hand as it was given, not in its being no win."""


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
    _check(request)
    hand = _Hand(request)
    return hand.throwing() if len(request.concealed) % 3 == 2 else hand.drawing()


class _Hand:
    """A checked request, and what is measured of it."""

    def __init__(self, request: AnalysisIn) -> None:
        self.request = request
        self.melds = tuple(meld.meld() for meld in request.melds)
        self.known = Counter(tile for tiles, _ in _known_tiles(request) for tile in tiles)
        if request.indicator is not None:
            self.known[request.indicator] += 1

    @cached_property
    def now(self) -> Situation:
        request = self.request
        return situation(request.rules, self.melds, request.laid_out, request.indicator)

    @cached_property
    def ahead(self) -> Ahead:
        return Ahead(self.request, self.now, self.known)

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
        )

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
        special = one.tile == self.now.wild or one.tile in self.now.kong_tiles
        return DiscardOut(
            tile=NAMES[one.tile],
            shanten=one.shanten,
            accepts=accepts,
            left=sum(accept.left for accept in accepts),
            waits=accepts if one.shanten == 0 else (),
            lay_out=special,
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
        laid_out = one.tile == self.now.wild or one.tile in self.now.kong_tiles
        price = self._price(rest, kind, self_draw=True, laid_out=(one.tile,) if laid_out else ())
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


def _fields(outlook: Outlook | None) -> dict[str, float]:
    """An outlook as fields of the answer, none where there is none."""
    return {} if outlook is None else outlook._asdict()


def _known_tiles(request: AnalysisIn) -> Iterator[tuple[Sequence[Tile], str]]:
    """Every tile that the request shows, but the indicator, with its path."""
    yield request.concealed, "concealed"
    for place, meld in enumerate(request.melds):
        yield meld.tiles, f"melds.{place}"
    yield request.laid_out, "laid_out"
    yield request.seen, "seen"
    for place, player in enumerate(request.players):
        for number, meld in enumerate(player.melds or ()):
            yield meld.tiles, f"players.{place}.melds.{number}"
        if isinstance(player.laid_out, tuple):
            yield player.laid_out, f"players.{place}.laid_out"


def _check(request: AnalysisIn) -> None:
    """Refuses a hand that cannot be: what `settle` says of it beside its being no win, and of the tiles seen.

    Raises:
        RecordError: all faults.
    """
    faults: list[Fault] = []
    throwing = len(request.concealed) + 3 * len(request.melds) == checks.HAND_TILES + 1
    concealed, drawn = (request.concealed[:-1], request.concealed[-1]) if throwing else (request.concealed, 0)
    try:
        settle(win_record(request, concealed, drawn, self_draw=True))
    except RecordError as error:
        faults += [
            found._replace(path=found.path.removeprefix(_WINNER)) for found in error.faults if _of_the_hand(found)
        ]
    if request.from_ == request.seat:
        faults.append(fault("invalid", "winner_gave", "from"))
    if request.rules.family == "changsha" and not throwing:
        check_passed_sizes(request.passed, changsha_rules(request.rules), "passed", faults)
    honours = [tile for tile in request.seen if tile >= SUIT_KINDS]
    if honours and request.rules.family == "changsha":
        faults.append(fault("tile_not_in_rules", "honour", "seen", tile=NAMES[honours[0]]))
    checks.check_copies(_known_tiles(request), faults, request.indicator)
    if faults:
        raise RecordError(faults)


_WINNER: Final = "winners.0."


def _of_the_hand(found: Fault) -> bool:
    """Whether a fault of the record lies in the hand as it was given, and not in its being no win."""
    if found.code == "missing":
        return found.path == "indicator"
    return found.code in OF_THE_HAND and found.path != f"{_WINNER}win_on"

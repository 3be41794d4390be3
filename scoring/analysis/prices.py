"""What a win brings, by `settle` and the rules it stands on: as a record, and as the mean over the birds to come."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from operator import sub

from scoring.analysis.contract import AnalysisIn
from scoring.analysis.families import Tiles
from scoring.analysis.shanten import Situation
from scoring.changsha import birds, pricing
from scoring.changsha.rules import changsha_rules
from scoring.changsha.settle import drawn_in_the_mean
from scoring.faults import RecordError
from scoring.hand import Hand, Meld
from scoring.record import WinnerIn, WinRecord
from scoring.settle import settle
from scoring.tables import POWERS
from scoring.tiles import KINDS, Tile


def win_record(
    request: AnalysisIn,
    concealed: Sequence[Tile],
    win_on: Tile,
    *,
    self_draw: bool,
    laid_out: Sequence[Tile] = (),
) -> WinRecord:
    """The win as a record. A discard is given by the player before, unless the request says who gave it."""
    giver = request.from_ if request.from_ is not None else (request.seat + 3) % 4
    winner = WinnerIn.model_construct(
        seat=request.seat,
        concealed=tuple(concealed),
        melds=request.melds,
        win_on=(win_on,),
        laid_out=(*request.laid_out, *laid_out),
        passed=request.passed,
    )
    return WinRecord.model_construct(
        kind="win",
        rules=request.rules,
        dealer=request.dealer,
        by="self_draw" if self_draw else "discard",
        from_=None if self_draw else giver,
        winners=(winner,),
        indicator=request.indicator,
        players=request.players,
    )


class DrawnWin:
    """What a hand that becomes complete by a draw brings its owner in the mean.

    ``start`` are the tiles that count now; what a win holds beyond them was drawn from ``unseen``, by kind. Kong tiles
    in hand, and 癞子 that a win does not hold any more, were laid out by then.
    """

    def __init__(self, request: AnalysisIn, now: Situation, start: Tiles, unseen: Sequence[int]) -> None:
        self._request, self._now, self._start, self._unseen = request, now, start, unseen
        self._kong_tiles = tuple(tile for tile in request.concealed if tile in now.kong_tiles)

    def __call__(self, hand: Tiles) -> float | None:
        """The mean points, or None where the rules refuse the win."""
        *concealed, drawn = self._tiles(hand)
        if self._request.rules.family == "changsha":
            return self._changsha(concealed, drawn, hand)
        wilds = () if self._now.wild is None else (self._now.wild,) * (self._start.wilds - hand.wilds)
        laid_out = (*self._kong_tiles, *wilds)
        record = win_record(self._request, concealed, drawn, self_draw=True, laid_out=laid_out)
        try:
            return settle(record).deltas[self._request.seat]
        except RecordError:
            return None

    def _tiles(self, hand: Tiles) -> Iterator[Tile]:
        for suit, code in enumerate(hand[:4]):
            for place, power in enumerate(POWERS):
                yield from (9 * suit + place,) * (code // power % 5)
        if self._now.wild is not None:
            yield from (self._now.wild,) * hand.wilds

    @cached_property
    def _melds(self) -> tuple[Meld, ...]:
        return tuple(meld.meld() for meld in self._request.melds)

    def _changsha(self, concealed: Sequence[Tile], drawn: Tile, hand: Tiles) -> float | None:
        request, rules = self._request, changsha_rules(self._request.rules)
        win = pricing.price(Hand(tuple(concealed), self._melds, (drawn,)), "self_draw", None, rules)
        if not isinstance(win, pricing.Win):
            return None
        origin = birds.origin(rules.bird_origin, request.dealer, [request.seat], None)
        unseen = birds.by_seat(self._left(hand), origin)
        return drawn_in_the_mean(rules, win.paid, request.seat, request.dealer, unseen)

    def _left(self, hand: Tiles) -> list[int]:
        """The tiles that are still unseen after that win, by kind."""
        held = self._now.held
        drawn = (max(0, held(hand, kind) - held(self._start, kind)) for kind in range(KINDS))
        return list(map(sub, self._unseen, drawn))

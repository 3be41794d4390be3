"""What a win brings, by `settle` and the rules it stands on: as a record, and as the mean over the birds to come."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from scoring.analysis.contract import AnalysisIn
from scoring.analysis.families import Tiles, ranks
from scoring.analysis.shanten import Situation
from scoring.changsha import birds, pricing
from scoring.changsha.birds import Hits
from scoring.changsha.rules import changsha_rules
from scoring.changsha.settle import drawn_in_the_mean
from scoring.faults import RecordError
from scoring.hand import Hand
from scoring.record import PlayerIn, WinnerIn, WinRecord
from scoring.settle import settle
from scoring.tiles import Seat, Tile, rank


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


def with_openings(request: AnalysisIn) -> AnalysisIn:
    """The request with what opponents have opened told as of ``players``, which is where Wuhan's prices look."""
    shown = {opponent.seat: opponent.melds for opponent in request.opponents if opponent.melds}
    if request.rules.family != "wuhan" or not shown:
        return request
    told = {player.seat: player for player in request.players}
    more = {
        seat: told.get(seat, PlayerIn(seat=seat)).model_copy(update={"melds": melds}) for seat, melds in shown.items()
    }
    hidden = tuple(opponent.model_copy(update={"melds": ()}) for opponent in request.opponents)
    return request.model_copy(update={"players": tuple((told | more).values()), "opponents": hidden})


class DrawnWin:
    """What a hand that becomes complete by a draw brings its owner in the mean.

    ``start`` are the tiles that count now; what a win holds beyond them was drawn from ``unseen``, by kind. Kong tiles
    in hand, and 癞子 that a win does not hold any more, were laid out by then.
    """

    def __init__(self, request: AnalysisIn, now: Situation, start: Tiles, unseen: Sequence[int]) -> None:
        self._request, self._now, self._start, self._unseen = request, now, start, unseen
        self._kong_tiles = tuple(tile for tile in request.concealed if tile in now.kong_tiles)
        self._melds = tuple(meld.meld() for meld in request.melds)

    def __call__(self, hand: Tiles) -> float | None:
        """The mean points, or None where the rules refuse the win."""
        tiles = list(self._tiles(hand))
        return self._changsha(tiles) if self._request.rules.family == "changsha" else self._wuhan(tiles, hand.wilds)

    def _tiles(self, hand: Tiles) -> Iterator[Tile]:
        for suit, code in enumerate(hand[:4]):
            for place, number in ranks[code]:
                yield from (9 * suit + place,) * number
        if self._now.wild is not None:
            yield from (self._now.wild,) * hand.wilds

    def _wuhan(self, tiles: Sequence[Tile], held: int) -> float | None:
        *concealed, drawn = tiles
        wilds = () if self._now.wild is None else (self._now.wild,) * (self._start.wilds - held)
        laid_out = (*self._kong_tiles, *wilds)
        try:
            record = win_record(self._request, concealed, drawn, self_draw=True, laid_out=laid_out)
            return settle(record).deltas[self._request.seat]
        except RecordError:
            return None

    def _changsha(self, tiles: Sequence[Tile]) -> float | None:
        request, rules = self._request, changsha_rules(self._request.rules)
        win = pricing.price(Hand(tuple(tiles[:-1]), self._melds, (tiles[-1],)), "self_draw", None, rules)
        if not isinstance(win, pricing.Win):
            return None
        return drawn_in_the_mean(rules, win.paid, request.seat, request.dealer, self._birds(tiles))

    def _birds(self, tiles: Sequence[Tile]) -> Hits:
        """How many of the tiles that are unseen after that win would point at each seat as birds."""
        left = list(self._pointing)
        for kind in set(tiles):
            drawn = tiles.count(kind) - self._now.held(self._start, kind)
            if drawn > 0:
                left[birds.seat_of(rank(kind), self._origin)] -= drawn
        return left[0], left[1], left[2], left[3]

    @cached_property
    def _origin(self) -> Seat:
        request = self._request
        return birds.origin(changsha_rules(request.rules).bird_origin, request.dealer, [request.seat], None)

    @cached_property
    def _pointing(self) -> Hits:
        return birds.by_seat(self._unseen, self._origin)

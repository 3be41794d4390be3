"""What is ahead of a request's hand: its own draws to come, each win priced as the table plays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from scoring.analysis.contract import AnalysisIn
from scoring.analysis.expected import Budget, Outlook, Prospect, TooFar
from scoring.analysis.families import Tiles
from scoring.analysis.prices import DrawnWin
from scoring.analysis.shanten import Discard, Situation, situation
from scoring.tiles import COPIES, KINDS, SUIT_KINDS, Tile


class Ahead:
    """The outlooks of a checked request.

    ``known`` is how many of each kind are no longer to come; all that is looked at is taken from ``budget``.

    In Wuhan a kong tile is laid out and replaced whenever it comes, so those to come cost no draw; that they make a
    win dearer is left out.
    """

    def __init__(self, request: AnalysisIn, now: Situation, known: Mapping[Tile, int], budget: Budget) -> None:
        self._request, self._now, self._budget = request, now, budget
        self._hand = now.tiles(request.concealed)
        self._kong_tiles = sum(tile in now.kong_tiles for tile in request.concealed)
        kinds = range(SUIT_KINDS if request.rules.family == "changsha" else KINDS)
        may_come = [kind in kinds and kind not in now.kong_tiles for kind in range(KINDS)]
        self._unseen = [COPIES - known.get(kind, 0) if may_come[kind] else 0 for kind in range(KINDS)]
        self._gain = DrawnWin(request, now, self._hand, self._unseen)

    def drawing(self) -> Outlook | None:
        """The outlook of a hand with a tile to come, if it can be looked into."""
        if self._request.draws is None:
            return None
        return self._drawing(self._now, self._hand, self._request.draws, self._kong_tiles)

    def throwing(self, discards: Sequence[Discard]) -> dict[Tile, Outlook]:
        """The outlooks after the discards that are looked into. A tile laid out is replaced by a draw at once."""
        draws, special = self._request.draws, self._now.special
        if draws is None:
            return {}
        found: dict[Tile, Outlook] = {}
        try:
            prospect = self._prospect(self._now, self._hand, draws, self._kong_tiles)
            found |= prospect.throwing([one for one in discards if one.tile not in special])
        except TooFar:
            pass
        shanten = max(self._now.shanten(self._hand), 0)  # a complete hand that throws a tile is ready again
        for one in discards:
            if one.tile in special and one.shanten <= shanten:
                outlook = self._laying_out(one.tile, draws + 1)
                if outlook is not None:
                    found[one.tile] = outlook
        return found

    def _laying_out(self, tile: Tile, draws: int) -> Outlook | None:
        request = self._request
        if tile in self._now.kong_tiles:
            return self._drawing(self._now, self._hand, draws, self._kong_tiles - 1)
        melds = tuple(meld.meld() for meld in request.melds)
        now = situation(request.rules, melds, (*request.laid_out, tile), request.indicator)
        return self._drawing(now, self._now.thrown(self._hand, tile), draws, self._kong_tiles)

    def _drawing(self, now: Situation, hand: Tiles, draws: int, kong_tiles: int) -> Outlook | None:
        try:
            return self._prospect(now, hand, draws, kong_tiles).drawing()
        except TooFar:
            return None

    def _prospect(self, now: Situation, hand: Tiles, draws: int, kong_tiles: int) -> Prospect:
        """Each kong tile held will be laid out at the next turn, and a tile drawn for it."""
        detours = self._request.detours and not kong_tiles
        return Prospect(
            now,
            hand,
            draws + kong_tiles,
            self._unseen,
            self._gain,
            idle=kong_tiles,
            detours=detours,
            budget=self._budget,
        )

"""Whether the hand of a request can be: what `settle` says of it beside its being no win, and of all tiles seen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from scoring import checks
from scoring.analysis.contract import AnalysisIn
from scoring.analysis.prices import win_record
from scoring.changsha.checks import check_suits
from scoring.changsha.claims import check_passed_sizes
from scoring.changsha.rules import changsha_rules
from scoring.faults import Fault, RecordError, fault
from scoring.settle import settle
from scoring.tiles import Tile

OF_THE_HAND: Final = frozenset(
    {"invalid", "bad_meld", "wrong_tile_count", "tile_not_in_rules", "not_in_rules", "bad_laid_out"}
)
"""Codes of faults that lie in a hand as it was given, not in its being no win."""


def known_tiles(request: AnalysisIn) -> Iterator[tuple[Sequence[Tile], str]]:
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
    told = {player.seat for player in request.players if player.melds}
    for place, opponent in enumerate(request.opponents):
        yield opponent.discards, f"opponents.{place}.discards"
        for number, meld in enumerate(() if opponent.seat in told else opponent.melds):
            yield meld.tiles, f"opponents.{place}.melds.{number}"
    if request.called is not None:
        yield (request.called,), "called"


def check(request: AnalysisIn) -> None:
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
    if request.rules.family == "changsha":
        check_suits(request.concealed, "concealed", faults)
        check_suits(request.seen, "seen", faults)
    _check_others(request, throwing, faults)
    checks.check_copies(known_tiles(request), faults, request.indicator)
    if faults:
        raise RecordError(faults)


def _check_others(request: AnalysisIn, throwing: bool, faults: list[Fault]) -> None:
    """The tile just thrown and who threw it, and what the others show."""
    if request.called is not None:
        if request.from_ is None:
            faults.append(fault("missing", "called_from", "from"))
        if throwing:
            faults.append(fault("invalid", "called_while_throwing", "called"))
    seats = [opponent.seat for opponent in request.opponents]
    for place, opponent in enumerate(request.opponents):
        if opponent.seat in (request.seat, *seats[:place]):
            faults.append(fault("invalid", "same_seat", f"opponents.{place}.seat"))
        shown = (*opponent.discards, *(tile for meld in opponent.melds for tile in meld.tiles))
        if request.rules.family == "changsha":
            check_suits(shown, f"opponents.{place}", faults)
    if request.called is not None and request.rules.family == "changsha":
        check_suits([request.called], "called", faults)


_WINNER: Final = "winners.0."


def _of_the_hand(found: Fault) -> bool:
    """Whether a fault of the record lies in the hand as it was given, and not in its being no win.

    Whose suits the tiles in hand are of is asked apart: here the last of them may be the winning tile.
    """
    if found.code == "missing":
        return found.path == "indicator"
    if found.path == f"{_WINNER}win_on" or (found.code, found.path) == ("tile_not_in_rules", f"{_WINNER}concealed"):
        return False
    return found.code in OF_THE_HAND

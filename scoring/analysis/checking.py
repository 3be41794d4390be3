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
from scoring.wuhan.checks import check_melds, counts_given
from scoring.wuhan.specials import specials

OF_THE_HAND: Final = frozenset({"invalid", "bad_meld", "tile_not_in_rules", "not_in_rules", "bad_laid_out"})
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
    for place, opponent in enumerate(request.opponents):
        yield opponent.discards, f"opponents.{place}.discards"
        for number, meld in enumerate(opponent.melds):
            yield meld.tiles, f"opponents.{place}.melds.{number}"
    if request.called is not None:
        yield (request.called,), "called"


def check(request: AnalysisIn) -> None:
    """Refuses a hand that cannot be.

    Raises:
        RecordError: all faults.
    """
    faults: list[Fault] = []
    _check_size(request, faults)
    concealed, drawn = (request.concealed[:-1], request.concealed[-1]) if request.throwing else (request.concealed, 0)
    try:
        settle(win_record(request, concealed, drawn, self_draw=True))
    except RecordError as error:
        faults += [
            found._replace(path=found.path.removeprefix(_WINNER)) for found in error.faults if _of_the_hand(found)
        ]
    if request.from_ == request.seat:
        faults.append(fault("invalid", "winner_gave", "from"))
    if request.rules.family == "changsha":
        if not request.throwing:
            check_passed_sizes(request.passed, changsha_rules(request.rules), "passed", faults)
        check_suits(request.concealed, "concealed", faults)
        check_suits(request.seen, "seen", faults)
    _check_called(request, faults)
    _check_opponents(request, faults)
    checks.check_copies(known_tiles(request), faults, request.indicator)
    if faults:
        raise RecordError(faults)


def _check_size(request: AnalysisIn, faults: list[Fault]) -> None:
    """13 − 3·melds tiles, or one more to throw."""
    if len(request.melds) > 4:
        faults.append(fault("wrong_tile_count", "melds", "melds", held=len(request.melds), wanted=4))
        return
    wanted = checks.HAND_TILES - 3 * len(request.melds)
    if len(request.concealed) not in (wanted, wanted + 1):
        held = len(request.concealed)
        faults.append(fault("wrong_tile_count", "analysis", "concealed", held=held, wanted=wanted, drawn=wanted + 1))


def _check_called(request: AnalysisIn, faults: list[Fault]) -> None:
    """The tile just thrown, and who threw it."""
    if request.called is None:
        return
    if request.from_ is None:
        faults.append(fault("missing", "called_from", "from"))
    if request.throwing:
        faults.append(fault("invalid", "called_while_throwing", "called"))
    if request.rules.family == "changsha":
        check_suits([request.called], "called", faults)


def _check_opponents(request: AnalysisIn, faults: list[Fault]) -> None:
    """What the others show: each seat once, sets that can be, and openings told in one place only."""
    changsha = request.rules.family == "changsha"
    special = None if changsha or request.indicator is None else specials(request.rules, request.indicator)
    told = {player.seat for player in request.players if player.melds is not None or counts_given(player)}
    checks.check_distinct([opponent.seat for opponent in request.opponents], "opponents", faults)
    for place, opponent in enumerate(request.opponents):
        path = f"opponents.{place}"
        if opponent.seat == request.seat:
            faults.append(fault("invalid", "opponent_himself", f"{path}.seat"))
        melds = [meld.meld() for meld in opponent.melds]
        paths = [f"{path}.melds.{number}" for number in range(len(melds))]
        if changsha:
            checks.check_melds(melds, opponent.seat, paths, faults)
            check_suits(opponent.discards, f"{path}.discards", faults)
        else:
            check_melds(melds, opponent.seat, paths, special, faults)
            if melds and opponent.seat in told:
                faults.append(fault("invalid", "openings_told_twice", f"{path}.melds"))


_WINNER: Final = "winners.0."


def _of_the_hand(found: Fault) -> bool:
    """Whether a fault of the record lies in the hand as it was given, and not in its being no win.

    The tiles in hand are looked at apart: here the last of them may be the winning tile.
    """
    if found.code == "missing":
        return found.path == "indicator"
    return found.code in OF_THE_HAND and found.path not in (f"{_WINNER}win_on", f"{_WINNER}concealed")

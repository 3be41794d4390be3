"""The sets to be made with a tile another player has just thrown: 吃 碰 杠 (rule book 2.2, 3.1 and 6)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal, NamedTuple, TypeAlias

from scoring.analysis.contract import AnalysisIn
from scoring.record import MeldIn
from scoring.tiles import SUIT_KINDS, Tile

CallKind: TypeAlias = Literal["chow", "pong", "exposed_kong"]


class Call(NamedTuple):
    """A set made with the called tile and these of one's own."""

    kind: CallKind
    own: tuple[Tile, ...]


_OF_A_KIND: Final[tuple[tuple[CallKind, int], ...]] = (("pong", 2), ("exposed_kong", 3))


def calls(request: AnalysisIn, called: Tile, giver: int, special: frozenset[Tile]) -> Iterator[Call]:
    """Every set that can be made. ``special`` tiles can be part of none; a chow is taken from the 上家 only.

    After a 开杠 no chow and no pong can follow.
    """
    own = [tile for tile in request.concealed if tile not in special]
    frozen = any(meld.dice for meld in request.melds)
    if called in special:
        return
    for kind, number in _OF_A_KIND:
        if own.count(called) >= number and not (frozen and kind == "pong"):
            yield Call(kind, (called,) * number)
    if called < SUIT_KINDS and (giver + 1) % 4 == request.seat and not frozen:
        for lowest in range(called - 2, called + 1):
            run = {lowest, lowest + 1, lowest + 2}
            if {tile // 9 for tile in run} == {called // 9} and run - {called} <= set(own):
                yield Call("chow", tuple(sorted(run - {called})))


def after(request: AnalysisIn, call: Call, called: Tile, giver: int) -> AnalysisIn:
    """The hand after that call: with a tile to throw; after a 杠 with one to come, which costs no draw."""
    concealed = list(request.concealed)
    for tile in call.own:
        concealed.remove(tile)
    tiles = tuple(sorted((called, *call.own)))
    meld = MeldIn.model_construct(kind=call.kind, tiles=tiles, from_=giver, dice=False)
    melds = (*request.melds, meld)
    draws = request.draws + 1 if request.draws and call.kind == "exposed_kong" else request.draws
    return request.model_copy(update={"concealed": tuple(concealed), "melds": melds, "draws": draws, "called": None})


def let_go(request: AnalysisIn, called: Tile) -> AnalysisIn:
    """The hand after the tile is let go: one more has been seen."""
    return request.model_copy(update={"seen": (*request.seen, called), "called": None})


def called_apart(request: AnalysisIn) -> AnalysisIn:
    """The request with the called tile no longer last among what its thrower has thrown: it is one tile."""
    opponents = tuple(
        opponent.model_copy(update={"discards": opponent.discards[:-1]})
        if opponent.seat == request.from_ and opponent.discards[-1:] == (request.called,)
        else opponent
        for opponent in request.opponents
    )
    return request.model_copy(update={"opponents": opponents})

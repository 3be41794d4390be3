"""What each seat has open and laid out (rule book 3.1 and 3.3), counted from tiles or given as counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from scoring.hand import Hand, Meld
from scoring.record import PlayerIn, WinnerIn, WinRecord
from scoring.settlement import SEATS
from scoring.tiles import Seat, Tile


class Side(NamedTuple):
    """What a player has open: exposed melds of every kind, kongs among them, tiles laid out, 癞子 apart."""

    opened: int = 0
    exposed_kongs: int = 0
    concealed_kongs: int = 0
    laid_out: int = 0
    laid_out_wilds: int = 0


NOTHING_OPEN = Side()


def sides(record: WinRecord, hands: Sequence[Hand | None], wild: Tile | None) -> Mapping[Seat, Side]:
    """Each seat's side; a seat that is not listed has nothing open."""
    found = dict.fromkeys(SEATS, NOTHING_OPEN)
    for winner, hand in zip(record.winners, hands, strict=True):
        found[winner.seat] = _side(winner, None if hand is None else hand.melds, wild)
    for player in record.players:
        melds = None if player.melds is None else [meld.meld() for meld in player.melds]
        found[player.seat] = _side(player, melds, wild)
    return found


def _side(player: PlayerIn | WinnerIn, melds: Sequence[Meld] | None, wild: Tile | None) -> Side:
    laid_out = player.laid_out or 0
    if isinstance(laid_out, int):
        number, wilds = laid_out, player.laid_out_wilds or 0
    else:
        number, wilds = len(laid_out), laid_out.count(wild) if wild is not None else 0
    if melds is None:
        opened, exposed_kongs, concealed_kongs = player.opened, player.exposed_kongs, player.concealed_kongs
    else:
        opened = sum(meld.is_exposed for meld in melds)
        exposed_kongs = sum(meld.is_exposed and meld.is_kong for meld in melds)
        concealed_kongs = len(melds) - opened
    # more 癞子 than are laid out are a fault, said elsewhere
    return Side(opened or 0, exposed_kongs or 0, concealed_kongs or 0, max(number - wilds, 0), wilds)

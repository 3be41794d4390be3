"""The hand as tiles, each of which a tap takes away, and the keys that add one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from scoring.hand import Hand
from scoring.tiles import NAMES, Seat, Tile
from scoring.wuhan.rules import wuhan_rules
from scoring.wuhan.specials import specials

from .situation import Offer
from .state import SEATS, Entry, readable
from .words import tile_name


@dataclass(frozen=True)
class TileView:
    """A tile that a tap takes away: its code, its name, a mark (癞, 皮, 杠) and where it stands."""

    code: str
    name: str
    mark: str
    drop: str
    at: int


@dataclass(frozen=True)
class Group:
    """Tiles that stand together in the picture of the hand, under one seal or none."""

    kind: str
    seal: str
    tiles: tuple[TileView, ...]


@dataclass(frozen=True)
class Mark:
    """Special tiles of Wuhan: the character on them, their kinds, in words, and the class of the mark."""

    sign: str
    tiles: tuple[Tile, ...]
    words: str
    kind: str


def lines(entry: Entry, offer: Offer, names: tuple[str, ...], last: str = "胡") -> list[dict[str, Any]]:
    """Every seat's line and its tiles as groups; ``last`` is the seal of the last tile."""
    shown = entry.winners or (0,)
    return [
        {
            "seat": seat,
            "name": names[seat],
            "shown": seat in shown,
            "text": entry.lines[seat].canonical.replace(" ", "") if entry.lines[seat].hand else entry.lines[seat].text,
            "groups": _groups(entry, offer, seat, last, birds=seat == shown[0]),
        }
        for seat in SEATS
    ]


def _groups(entry: Entry, offer: Offer, seat: Seat, last: str, *, birds: bool) -> list[Group]:
    hand = entry.lines[seat].hand or Hand(())
    signs = {tile: mark.sign for mark in marks(entry, offer) for tile in mark.tiles}

    def group(kind: str, seal: str, drop: str, tiles: Iterable[Tile], at: int | None = None) -> Group:
        views = (
            TileView(NAMES[tile], tile_name(tile), signs.get(tile, ""), drop, place if at is None else at)
            for place, tile in enumerate(tiles)
        )
        return Group(kind, seal, tuple(views))

    groups = [group("", "", "concealed", sorted(hand.concealed))]
    groups += [
        group("meld", _("dark") if meld.kind == "concealed_kong" else "", "melds", meld.tiles, at)
        for at, meld in enumerate(hand.melds)
    ]
    groups.append(group("won", last, "won", hand.win_on))
    groups.append(group("laid", _("laid"), f"laid{seat}", sorted(readable(entry.laid[seat]))))
    if birds and offer.bird_room(entry):
        groups.append(group("bird", _("bird"), "birds", sorted(entry.bird_tiles)))
    return [one for one in groups if one.tiles]


def marks(entry: Entry, offer: Offer) -> list[Mark]:
    """癞子, 皮 and kong tiles; none until the indicator is known."""
    indicator = () if offer.changsha else readable(entry.indicator)
    if len(indicator) != 1:
        return []
    found = specials(offer.rules, indicator[0])
    kong_tiles = wuhan_rules(offer.rules).kong_tiles
    known = (
        Mark("癞", (found.wild,), _("wild"), ""),
        Mark("皮", tuple(sorted(found.kong_tiles - kong_tiles)), _("skin, a kong tile"), "k"),
        Mark("杠", tuple(sorted(kong_tiles)), _("kong tile"), "k"),
    )
    return [mark for mark in known if mark.tiles]


def hand_modes() -> list[tuple[str, str]]:
    """What a tap on a key may add to a hand: the field and the words of each."""
    return [
        ("hand", pgettext("mode", "Hand")),
        ("chow", pgettext("mode", "Chow")),
        ("pong", pgettext("mode", "Pong")),
        ("exposed_kong", pgettext("mode", "Kong")),
        ("added_kong", pgettext("mode", "Add")),
        ("concealed_kong", pgettext("mode", "Dark")),
    ]


def laid_mode() -> tuple[str, str]:
    """Wuhan: a tap lays a tile out."""
    return ("laid", pgettext("mode", "Laid"))


@cache
def _key_codes(suits: str) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(f"{rank}{suit}" for rank in range(1, 8 if suit == "z" else 10)) for suit in suits)


def keys(offer: Offer) -> tuple[tuple[str, ...], ...]:
    """The keys, a row a suit."""
    return _key_codes(offer.suits)

"""The seeded hands: complete ones, with and without 癞子, and such as are still under way."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from typing import NamedTuple

from scoring import RecordError, resolve_rules, score_json
from scoring.analysis.families import Tiles
from scoring.analysis.shanten import Situation, situation
from scoring.changsha.pricing import Win, price
from scoring.changsha.rules import changsha_rules
from scoring.hand import Hand
from scoring.notation import format_tiles
from scoring.tiles import NAMES, SUIT_KINDS, Tile
from scoring.wuhan.specials import specials

SEED = 20261130
CLASSIC = changsha_rules(resolve_rules("changsha-classic"))


class Row(NamedTuple):
    """A winning Changsha hand and the record that says it."""

    hand: Hand
    record: bytes


def changsha(number: int) -> list[Row]:
    """Hands that win by self-draw under changsha-classic."""
    rng = random.Random(f"{SEED}/changsha")
    rows: list[Row] = []
    while len(rows) < number:
        sets, pair = _sets_and_pair(rng, SUIT_KINDS)
        tiles = [*(tile for one in sets for tile in one), *pair]
        if not _four_at_most(tiles):
            continue
        drawn = tiles.pop(rng.randrange(14))
        hand = Hand(tuple(tiles), (), (drawn,))
        record = {
            "rules": "changsha-classic", "kind": "win", "dealer": 0, "by": "self_draw",
            "winners": [{"seat": 1, "concealed": format_tiles(tiles), "win_on": [NAMES[drawn]]}],
            "birds": [NAMES[next(tile for tile in range(5, 27) if (*tiles, drawn).count(tile) < 4)]],
        }  # fmt: skip
        if isinstance(price(hand, "self_draw", None, CLASSIC), Win):
            rows.append(Row(hand, json.dumps(record).encode()))
    return rows


def wuhan(number: int, wilds: int) -> list[bytes]:
    """Records of wuhan-laizi that settle, with that many 癞子 in the hand: opened with one meld, won by self-draw."""
    rng = random.Random(f"{SEED}/wuhan/{wilds}")
    records: list[bytes] = []
    while len(records) < number:
        indicator = rng.randrange(SUIT_KINDS)
        wild = specials(resolve_rules("wuhan-laizi"), indicator).wild
        sets, pair = _sets_and_pair(rng, 33)
        meld, *others = sets
        tiles = [*(tile for one in others for tile in one), *pair]
        if wild in (*meld, *tiles) or not _four_at_most([*meld, *tiles, indicator]):
            continue
        rng.shuffle(tiles)
        drawn, *rest = tiles
        held = [*rest[wilds:], *[wild] * wilds]
        record = json.dumps({
            "rules": "wuhan-laizi", "kind": "win", "dealer": 0, "by": "self_draw", "indicator": NAMES[indicator],
            "winners": [{
                "seat": 1, "concealed": format_tiles(held), "win_on": [NAMES[drawn]],
                "melds": [{"kind": "pong" if meld[0] == meld[1] else "chow", "tiles": format_tiles(meld)}],
            }],
        }).encode()  # fmt: skip
        records += _settles(record)
    return records


def ready(number: int) -> list[list[Tile]]:
    """Complete Changsha hands less one tile."""
    rng = random.Random(f"{SEED}/ready")
    return [_less(rng, row.hand, 1) for row in changsha(number)]


def ready_wilds(number: int, wilds: int) -> list[tuple[Situation, Tiles]]:
    """Complete Wuhan hands less one tile, in which that many 癞子 stand for tiles."""
    rng = random.Random(f"{SEED}/ready/{wilds}")
    rules = resolve_rules("wuhan-laizi")
    found = []
    while len(found) < number:
        indicator = rng.randrange(SUIT_KINDS)
        special = specials(rules, indicator)
        sets, pair = _sets_and_pair(rng, 33)
        tiles = [*(tile for one in sets for tile in one), *pair]
        if special.barred.intersection(tiles) or special.wild in tiles or not _four_at_most([*tiles, indicator]):
            continue
        rng.shuffle(tiles)
        now = situation(rules, (), (), indicator)
        found.append((now, now.tiles([*tiles[1 + wilds :], *[special.wild] * wilds])))
    return found


def dealt(number: int) -> list[list[Tile]]:
    """14 of the 108 tiles."""
    rng = random.Random(f"{SEED}/dealt")
    wall = [kind for kind in range(SUIT_KINDS) for _ in range(4)]
    return [rng.sample(wall, 14) for _ in range(number)]


def under_way(shanten: int, number: int, accepted: Callable[[list[Tile]], bool]) -> list[list[Tile]]:
    """Hands of 14 tiles of that shanten under changsha-classic: complete ones in which tiles were swapped."""
    rng = random.Random(f"{SEED}/under way/{shanten}")
    now = situation(resolve_rules("changsha-classic"))
    complete = changsha(200)
    found: list[list[Tile]] = []
    while len(found) < number:
        lost = rng.choice((2, 3, 4, 5))
        tiles = _less(rng, rng.choice(complete).hand, lost)
        tiles += rng.choices(range(SUIT_KINDS), k=lost)
        if _four_at_most(tiles) and now.shanten(now.tiles(tiles)) == shanten and accepted(tiles):
            found.append(tiles)
    return found


def _less(rng: random.Random, hand: Hand, number: int) -> list[Tile]:
    tiles = [*hand.concealed, *hand.win_on]
    rng.shuffle(tiles)
    return tiles[number:]


def _settles(record: bytes) -> Iterator[bytes]:
    try:
        score_json(record)
    except RecordError:
        return
    yield record


def _sets_and_pair(rng: random.Random, kinds: int) -> tuple[list[list[Tile]], list[Tile]]:
    """Four sets and a pair; three hands in ten lean on one suit, so that flushes appear."""
    suits = [rng.randrange(3)] if rng.random() < 0.3 else [0, 1, 2]
    tiles = [9 * suit + rank for suit in suits for rank in range(9)]
    if len(suits) > 1:
        tiles += range(SUIT_KINDS, kinds)
    sets = []
    for _ in range(4):
        if rng.random() < 0.68:
            first = 9 * rng.choice(suits) + rng.randrange(7)
            sets.append([first, first + 1, first + 2])
        else:
            sets.append([rng.choice(tiles)] * 3)
    return sets, [rng.choice(tiles)] * 2


def _four_at_most(tiles: list[Tile]) -> bool:
    return max(map(tiles.count, tiles)) <= 4

"""Shanten, accepts, waits and discards: equal to a plain search, to one another, and on hands known to be hard."""

from __future__ import annotations

from random import Random

import pytest

from scoring import resolve_rules
from scoring.analysis.shanten import discards, kinds_of, situation
from scoring.hand import Hand
from scoring.notation import format_tiles, parse_hand, parse_tiles
from scoring.rules import Rules
from scoring.tiles import NAMES, Tile, tile
from tests.scoring.analysis.hands import Dealt, deal
from tests.scoring.analysis.plain import Search

FARTHEST = {4: 1, 3: 2, 2: 3, 1: 7, 0: 9}
"""Shanten plus 癞子 up to which a plain search does not take too long, by sets to be made."""


def measured(hand: Dealt) -> tuple[int, frozenset[Tile], int]:
    now = situation(hand.rules, hand.melds, hand.laid_out, hand.indicator)
    tiles = now.tiles(hand.concealed)
    shanten, mask = now.accepts(tiles)
    assert now.shanten(tiles) == shanten
    assert now.waits(tiles) == (mask if shanten == 0 else 0)
    return shanten, frozenset(kinds_of(mask)), tiles.wilds


def compare(seed: str, number: int) -> None:
    rng = Random(seed)
    compared = 0
    while compared < number:
        hand = deal(rng)
        shanten, accepts, wilds = measured(hand)
        if shanten + wilds <= FARTHEST[4 - len(hand.melds)]:
            compared += 1
            plain = Search(*hand).answer()
            assert (shanten, accepts) == (plain.missing - 1, plain.accepts), hand


@pytest.mark.parametrize("seed", range(4))
def test_equal_to_a_plain_search(seed: int) -> None:
    compare(f"plain/{seed}", 6)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(100))
def test_equal_to_a_plain_search_on_20000_hands(seed: int) -> None:
    compare(f"long/{seed}", 200)


def test_waits_are_the_accepts_of_a_ready_hand() -> None:
    rng = Random("waits")
    ready = [measured(deal(rng))[0] == 0 for _ in range(400)]
    assert sum(ready) > 50


@pytest.mark.parametrize("seed", range(3))
def test_each_discard_is_measured_as_the_hand_it_leaves(seed: int) -> None:
    rng = Random(f"discards/{seed}")
    for _ in range(40):
        hand = deal(rng)
        now = situation(hand.rules, hand.melds, hand.laid_out, hand.indicator)
        held = [*hand.concealed, *(one for meld in hand.melds for one in meld.tiles), *hand.laid_out, hand.indicator]
        kinds = range(27 if hand.indicator is None else 34)
        drawn = rng.choice([kind for kind in kinds if held.count(kind) < 4])
        tiles = (*hand.concealed, drawn)
        found = discards(hand.rules, tiles, hand.melds, hand.laid_out, hand.indicator)
        assert sorted(one.tile for one in found) == sorted(set(tiles))
        for one in found:
            rest = list(tiles)
            rest.remove(one.tile)
            special = one.tile == now.wild or one.tile in now.kong_tiles
            laid_out = (*hand.laid_out, one.tile) if special else hand.laid_out
            left = Dealt(hand.rules, tuple(rest), hand.melds, laid_out, hand.indicator)
            assert (one.shanten, frozenset(kinds_of(one.accepts))) == measured(left)[:2]
        shanten = now.shanten(now.tiles(tiles))
        if shanten >= 0:
            assert shanten == min(one.shanten for one in found)


def look(rules: str | Rules, text: str, indicator: str | None = None, laid_out: str = "") -> tuple[int, str]:
    hand: Hand = parse_hand(text)
    now = situation(
        resolve_rules(rules) if isinstance(rules, str) else rules,
        hand.melds,
        parse_tiles(laid_out) if laid_out else (),
        tile(indicator) if indicator else None,
    )
    shanten, mask = now.accepts(now.tiles(hand.concealed))
    return shanten, format_tiles(kinds_of(mask))


@pytest.mark.parametrize("rules", ["changsha-classic", "changsha-liuqi", "changsha-room", "changsha-bbs"])
def test_no_fifth_tile_is_waited_for(rules: str) -> None:
    assert look(rules, "123456789m1111p")[0] == 1
    assert look(rules, "2345555789m456p") == (0, "2m")


def test_four_of_a_kind_are_two_pairs() -> None:
    now = situation(resolve_rules("changsha-classic"))
    assert now.shanten(now.tiles(parse_tiles("11113355778899m"))) == -1
    assert look("changsha-classic", "1111335577889m") == (0, "9m")


@pytest.mark.parametrize(
    ("rules", "text", "indicator", "answer"),
    [
        # any pair in one suit, else 将
        ("wuhan-laizi", "1112456788999m", "1p", (0, "3m2p")),
        ("wuhan-koukou", "1112456788999m", "1z", (0, "3m2z")),
        ("wuhan-laizi", "1112456788999m", "3m", (0, "12348m")),
        # four exposed melds: any pair in liuqi and room only
        ("changsha-classic", "9p [234m] [666m] [456s] [888s]", None, (1, "258m258p25s")),
        ("changsha-liuqi", "9p [234m] [666m] [456s] [888s]", None, (0, "9p")),
        ("changsha-room", "9p [234m] [666m] [456s] [888s]", None, (0, "9p")),
        ("changsha-room", "9p [234m] [666m] [456s] (8888s)", None, (1, "258m258p25s")),
        # a small hand holds one 癞子 at most: 3z cannot be drawn to it
        ("wuhan-laizi", "5m234p13s3z [8888p] [333m]", "2z", (0, "5m2s")),
        # no fifth 5m can be drawn, but 癞子 may stand for one
        ("wuhan-laizi", "5m [234p] [345s] [456s] [555m]", "1s", (0, "2s")),
    ],
)
def test_hard_hands(rules: str, text: str, indicator: str | None, answer: tuple[int, str]) -> None:
    shanten, accepts = look(rules, text, indicator)
    assert (shanten, sorted(parse_tiles(accepts))) == (answer[0], sorted(parse_tiles(answer[1])))


def test_an_honour_beside_one_suit_is_thrown() -> None:
    found = discards(resolve_rules("wuhan-laizi"), parse_tiles("1112456788999m1z"), (), (), tile("1p"))
    best = min(found, key=lambda one: one.shanten)
    assert (NAMES[best.tile], best.shanten) == ("1z", 0)

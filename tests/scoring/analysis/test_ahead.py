"""A request that says how many draws are left: each win priced by `settle`, birds as a mean over the unseen tiles."""

from __future__ import annotations

from itertools import combinations, product
from typing import Any

import pytest

from scoring import RecordError, parse_record, settle
from scoring.analysis import analyze_json
from scoring.notation import parse_tiles
from scoring.tiles import NAMES

READY = "123m456p789s2255s"
"""Waits for 2s and 5s."""


def asked(**more: Any) -> dict[str, Any]:
    return analyze_json({"rules": "changsha-classic", "dealer": 0, "seat": 1, "concealed": READY, **more})


def unseen(*seen: str, kinds: int = 27) -> list[str]:
    tiles = [tile for one in seen for tile in parse_tiles(one)]
    return [NAMES[kind] for kind in range(kinds) for _ in range(4 - tiles.count(kind))]


def settled(concealed: str, win_on: str, **more: Any) -> int:
    record = {"kind": "win", "by": "self_draw", "winners": [{"seat": 1, "concealed": concealed, "win_on": [win_on]}]}
    return settle(parse_record({"dealer": 0, **record, **more})).deltas[1]


@pytest.mark.parametrize(
    ("rules", "birds"),
    [
        ("changsha-classic", 1),
        ("changsha-liuqi", 2),
        ("changsha-room", 2),
        ("changsha-bbs", 0),
        ({"preset": "changsha-classic", "options": {"bird_origin": "winner", "bird_effect": "double"}}, 1),
    ],
)
@pytest.mark.parametrize("dealer", [0, 1])
def test_one_draw_is_the_mean_of_every_tile_and_every_bird(rules: Any, birds: int, dealer: int) -> None:
    left = unseen(READY)
    total, wins = 0.0, 0
    for place, drawn in enumerate(left):
        if drawn not in ("2s", "5s"):
            continue
        rest = left[:place] + left[place + 1 :]
        turned = list(combinations(rest, birds))
        total += sum(settled(READY, drawn, rules=rules, dealer=dealer, birds=[*one]) for one in turned) / len(turned)
        wins += 1
    answer = asked(rules=rules, dealer=dealer, draws=1)
    assert answer["expected"] == pytest.approx(total / len(left), abs=1e-9)
    assert answer["win_probability"] == pytest.approx(wins / len(left), abs=1e-9)


def test_what_is_seen_elsewhere_does_not_come() -> None:
    assert asked(draws=20, seen="22s55s") | {"accepts": 0, "waits": 0} == {
        "shanten": 0, "accepts": 0, "waits": 0, "expected": 0.0, "win_probability": 0.0,
    }  # fmt: skip
    left = unseen(READY, "22s5s")
    assert asked(draws=1, seen="22s5s")["win_probability"] == pytest.approx(1 / len(left), abs=1e-9)
    # 20 draws without replacement from those left find the one tile as often as it lies among them
    assert asked(draws=20, seen="22s5s")["win_probability"] == pytest.approx(20 / len(left), abs=1e-9)


WUHAN: dict[str, Any] = {
    "rules": "wuhan-laizi", "concealed": "456p234m55s77m", "indicator": "8s",
    "melds": [{"kind": "chow", "tiles": "123s"}],
}  # fmt: skip


def wuhan_price(win_on: str, laid_out: str = "") -> int:
    winner = {"seat": 1, "concealed": WUHAN["concealed"], "win_on": [win_on], "melds": WUHAN["melds"]}
    record = {"kind": "win", "by": "self_draw", "dealer": 0, "rules": WUHAN["rules"], "indicator": "8s"}
    return settle(parse_record({**record, "winners": [{**winner, "laid_out": laid_out}]})).deltas[1]


def test_in_wuhan_kong_tiles_to_come_cost_no_draw() -> None:
    answer = asked(**WUHAN, draws=1)
    waits = [wait for wait in answer["waits"] if "errors" not in wait["self_draw"]]
    assert waits
    left = len(unseen(WUHAN["concealed"], "123s", "8s", kinds=34)) - 4  # 红中
    paid = sum(wait["left"] * wait["self_draw"]["total"] for wait in waits)
    assert answer["expected"] == pytest.approx(paid / left, abs=1e-9)
    assert answer["win_probability"] == pytest.approx(sum(wait["left"] for wait in waits) / left, abs=1e-9)


def test_a_kong_tile_laid_out_is_replaced_and_makes_the_win_dearer() -> None:
    held = {**WUHAN, "concealed": WUHAN["concealed"] + "7z"}
    rows = {one["tile"]: one for one in asked(**held, draws=1)["discards"]}
    before, after = asked(**WUHAN, draws=2), rows["7z"]
    assert after["lay_out"]
    assert after["win_probability"] == pytest.approx(before["win_probability"], abs=1e-9)
    assert wuhan_price("7m", "7z") == 2 * wuhan_price("7m")
    assert after["expected"] == pytest.approx(2 * before["expected"], abs=1e-9)


def test_a_kong_tile_held_is_replaced_at_the_next_turn() -> None:
    """With one draw left two tiles come: the one drawn, and the one for the kong tile."""
    concealed = WUHAN["concealed"].replace("77m", "7m")
    left = unseen(concealed, "123s", "8s", kinds=34)
    left = [tile for tile in left if tile != "7z"]
    total = wins = 0
    for one, other in product(set(left), repeat=2):
        winner = {"seat": 1, "concealed": concealed + one, "win_on": [other], "melds": WUHAN["melds"]}
        record = {"kind": "win", "by": "self_draw", "dealer": 0, "rules": WUHAN["rules"], "indicator": "8s"}
        ways = left.count(one) * (left.count(other) - (one == other))
        try:
            won = settle(parse_record({**record, "winners": [{**winner, "laid_out": "7z"}]})) if ways else None
        except RecordError:
            won = None
        if won is not None:
            total, wins = total + ways * won.deltas[1], wins + ways
    answer = asked(**WUHAN | {"concealed": concealed + "7z"}, draws=1)
    orders = len(left) * (len(left) - 1)
    assert wins
    assert answer["expected"] == pytest.approx(total / orders, abs=1e-9)
    assert answer["win_probability"] == pytest.approx(wins / orders, abs=1e-9)


def test_a_win_the_rules_refuse_brings_nothing() -> None:
    closed = asked(rules="wuhan-laizi", concealed=READY, indicator="2m", draws=9)
    assert (closed["shanten"], closed["expected"], closed["win_probability"]) == (0, 0.0, 0.0)


def test_only_what_is_asked_for_is_answered() -> None:
    assert not {"expected", "win_probability"} & set(asked())
    throwing = asked(concealed="123m456p78s2255s19m")
    assert all("expected" not in one for one in throwing["discards"])


def test_discards_that_raise_the_shanten_need_a_detour() -> None:
    request = {"concealed": "123m456p78s2255s19m", "draws": 6}
    straight = {one["tile"]: one for one in asked(**request)["discards"]}
    around = {one["tile"]: one for one in asked(**request, detours=True)["discards"]}
    assert {tile for tile, one in straight.items() if "expected" in one} == {"1m", "9m"}
    assert all("expected" in one for one in around.values())
    for tile in ("1m", "9m"):
        assert around[tile]["expected"] >= straight[tile]["expected"]
    assert list(straight) == list(around), "the order of the contract stays"


def test_a_hand_that_is_too_far_is_not_looked_into() -> None:
    far = asked(concealed="147m258p369s1258m", draws=18)
    assert far["shanten"] > 3
    assert "expected" not in far


@pytest.mark.parametrize("draws", [0, 21, -1, 1.5, "3", True])
def test_the_number_of_draws(draws: Any) -> None:
    with pytest.raises(RecordError) as refused:
        asked(draws=draws)
    assert [(fault.code, fault.path) for fault in refused.value.faults] == [("invalid", "draws")]


def test_the_more_draws_the_better() -> None:
    expected = [asked(draws=draws)["expected"] for draws in range(1, 21)]
    assert expected == sorted(expected)

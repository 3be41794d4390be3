"""What to do with a tile another player has just thrown, and what the others show."""

from __future__ import annotations

from typing import Any

import pytest

from scoring import RecordError
from scoring.analysis import analyze_json

NEAR = "12m456p88s2255s19m"
READY = "123m456p789s2255s"


def asked(**more: Any) -> dict[str, Any]:
    return analyze_json({"rules": "changsha-classic", "dealer": 0, "seat": 1, **more})


def calls(**more: Any) -> list[tuple[str, str, str]]:
    return [(one["call"], one.get("tiles", ""), one.get("discard", "")) for one in asked(**more)["calls"]]


def faults(**more: Any) -> set[tuple[str, str]]:
    with pytest.raises(RecordError) as refused:
        asked(**more)
    return {(fault.code, fault.path) for fault in refused.value.faults}


def test_a_chow_is_taken_from_the_seat_before_only() -> None:
    assert ("chow", "123m", "1m") in calls(concealed=NEAR, called="3m", **{"from": 0})
    assert [one[0] for one in calls(concealed=NEAR, called="3m", **{"from": 2})] == ["pass"]


def test_every_run_with_the_called_tile() -> None:
    made = {one[1] for one in calls(concealed="2346m45p789s1134s", called="5m", **{"from": 0})}
    assert made == {"", "345m", "456m"}
    assert {one[1] for one in calls(concealed="89m112p1122s3355s", called="1p", **{"from": 0})} == {"", "111p"}


def test_pong_and_kong() -> None:
    found = asked(concealed="123m456p8s555s119m", called="5s", draws=6, **{"from": 3})
    by_call = {one["call"]: one for one in found["calls"]}
    assert set(by_call) == {"pass", "pong", "exposed_kong"}
    assert (by_call["pong"]["tiles"], by_call["exposed_kong"]["tiles"]) == ("555s", "5555s")
    assert "discard" not in by_call["exposed_kong"]
    drawing = asked(concealed="123m456p8s119m", melds=[{"kind": "exposed_kong", "tiles": "5555s", "from": 3}], draws=7)
    assert by_call["exposed_kong"]["expected"] == drawing["expected"], "the tile that replaces it costs no draw"


def test_what_follows_is_the_analysis_of_what_is_left() -> None:
    found = asked(concealed="123m456p78s2255s9m", called="5s", draws=10, **{"from": 3})["calls"]
    assert [one["call"] for one in found] == ["pong", "pass"], "what brings more comes first"
    after = asked(concealed="123m456p78s22s9m", melds=[{"kind": "pong", "tiles": "555s", "from": 3}], draws=10)
    best = max(after["discards"], key=lambda one: one.get("expected", -1))
    pong = found[0]
    assert (pong["discard"], pong["expected"], pong["left"]) == (best["tile"], best["expected"], best["left"])
    waiting = asked(concealed="123m456p78s2255s9m", seen="5s", draws=10)
    assert found[1]["expected"] == waiting["expected"]


def test_a_win_comes_first_and_a_refused_one_last() -> None:
    first = asked(concealed=READY, called="5s", draws=10, **{"from": 3})["calls"][0]
    assert (first["call"], first["price"]["total"], first["shanten"]) == ("win", 10, -1)
    passed = asked(concealed=READY, called="5s", passed=["5s"], **{"from": 3})["calls"][-1]
    assert passed["call"] == "win"
    assert [error["code"] for error in passed["price"]["errors"]] == ["passed_win"]


WUHAN: dict[str, Any] = {"rules": "wuhan-laizi", "indicator": "8s", "concealed": "456p99s55s77m2234z"}


def test_special_tiles_can_be_part_of_no_set() -> None:
    assert [one[0] for one in calls(**WUHAN, called="9s", **{"from": 0})] == ["pass"]
    assert [one[0] for one in calls(**WUHAN, called="7z", **{"from": 0})] == ["pass"]
    assert {one[1] for one in calls(**WUHAN, called="2z", **{"from": 2})} == {"", "222z"}
    assert {one[1] for one in calls(**WUHAN, called="7s", **{"from": 0})} == {""}, "89s needs the 癞子"


def test_after_a_dice_kong_nothing_but_a_kong_follows() -> None:
    frozen = [{"kind": "concealed_kong", "tiles": "9999m", "dice": True}]
    held = {"concealed": "12m456p555s19s", "melds": frozen}
    assert [one[0] for one in calls(**held, called="3m", **{"from": 0})] == ["pass"]
    assert {one[0] for one in calls(**held, called="5s", **{"from": 0})} == {"pass", "exposed_kong"}


def test_nothing_is_said_of_calls_without_a_called_tile() -> None:
    assert "calls" not in asked(concealed=READY)


def test_what_the_others_show_is_seen() -> None:
    plain = {one["tile"]: one["left"] for one in asked(concealed=READY)["accepts"]}
    shown = [{"seat": 2, "discards": "5s", "melds": [{"kind": "chow", "tiles": "123s"}]}, {"seat": 0, "discards": "2m"}]
    seen = {one["tile"]: one["left"] for one in asked(concealed=READY, opponents=shown)["accepts"]}
    assert (plain["2s"] - seen["2s"], plain["5s"] - seen["5s"]) == (1, 1)


def test_openings_the_others_show_are_priced() -> None:
    table = {"rules": "wuhan-kaikou", "concealed": "777m66s99p", "indicator": "4m"}
    melds = [{"kind": "pong", "tiles": "222p"}, {"kind": "pong", "tiles": "333s"}]
    shown = [{"seat": 2, "melds": [{"kind": "pong", "tiles": "111s"}]}]
    assert asked(**table, melds=melds, opponents=shown) == asked(**table, melds=melds, players=shown)
    ready = [{"seat": 2, "ready": True}]
    assert asked(**table, melds=melds, opponents=shown, players=ready)["waits"]


def test_openings_are_told_in_one_place() -> None:
    player = {"seat": 2, "melds": [{"kind": "chow", "tiles": "123s"}]}
    assert faults(**WUHAN, players=[player], opponents=[player]) == {("invalid", "opponents.0.melds")}
    assert faults(**WUHAN, players=[{"seat": 2, "opened": 1}], opponents=[player]) == {("invalid", "opponents.0.melds")}


SPECIAL = {"kind": "pong", "tiles": "777z"}


@pytest.mark.parametrize(
    ("table", "meld", "code"),
    [
        ({"concealed": READY}, {"kind": "pong", "tiles": "123m"}, "bad_meld"),
        ({"concealed": READY}, {"kind": "pong", "tiles": ""}, "bad_meld"),
        ({"concealed": READY}, {"kind": "chow", "tiles": "444555666p"}, "bad_meld"),
        ({"concealed": READY}, {"kind": "pong", "tiles": "111p", "from": 2}, "bad_meld"),
        ({"concealed": READY}, {"kind": "chow", "tiles": "234m", "from": 0}, "bad_meld"),
        ({"concealed": READY}, {"kind": "pong", "tiles": "111z"}, "tile_not_in_rules"),
        (WUHAN, SPECIAL, "bad_meld"),
        (WUHAN, {"kind": "pong", "tiles": "999s"}, "bad_meld"),
        (WUHAN, {"kind": "exposed_kong", "tiles": "9999m", "dice": True}, "not_in_rules"),
    ],
)
def test_opponents_melds_are_sets(table: dict[str, Any], meld: dict[str, Any], code: str) -> None:
    found = faults(**table, opponents=[{"seat": 2, "melds": [meld]}])
    assert (code, "opponents.0.melds.0") in found
    assert {one for one, _ in found} <= {code, "too_many_copies"}


def test_the_called_tile_may_stand_last_among_what_was_thrown() -> None:
    table: dict[str, Any] = {"concealed": READY, "called": "2s", "from": 0}
    once = asked(**table, opponents=[{"seat": 0, "discards": "9m"}])
    assert asked(**table, opponents=[{"seat": 0, "discards": "9m2s"}]) == once
    assert asked(**table, opponents=[{"seat": 2, "discards": "2s"}]) != asked(**table)


def test_a_tile_to_lay_out_after_a_call_says_so() -> None:
    held = {"rules": "wuhan-laizi", "concealed": "77m234m55s456p7z1z1z", "indicator": "8s"}
    best = asked(**held, called="7m", draws=8, **{"from": 0})["calls"][0]
    assert (best["discard"], best["lay_out"]) == ("7z", True)


def test_all_faults_at_once() -> None:
    assert faults(concealed=READY, called="5s") == {("missing", "from")}
    assert faults(concealed=READY + "9s", called="5s", **{"from": 0}) == {("invalid", "called")}
    assert faults(concealed=READY, called="1z", opponents=[{"seat": 1, "discards": "2z"}], **{"from": 0}) == {
        ("tile_not_in_rules", "called"), ("invalid", "opponents.0.seat"), ("tile_not_in_rules", "opponents.0.discards"),
    }  # fmt: skip
    assert faults(concealed=READY, opponents=[{"seat": 2}, {"seat": 2}]) == {("invalid", "opponents.1.seat")}
    assert faults(
        concealed=READY, called="2s", seen="2s", opponents=[{"seat": 2, "discards": "2s"}], **{"from": 0}
    ) == {("too_many_copies", "called")}
    assert {code for code, _ in faults(concealed=READY, opponents=[{"seat": 2, "discards": "5x"}])} == {"bad_tile"}
    five = [{"kind": "pong", "tiles": f"{rank}{rank}{rank}m"} for rank in range(1, 6)]
    assert faults(concealed="", melds=five) == {("wrong_tile_count", "melds")}
    with pytest.raises(RecordError, match="15 concealed tiles; 13 fit the melds, or 14 with one to throw"):
        asked(concealed="123m456p789s22556s9m")

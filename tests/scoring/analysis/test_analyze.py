"""The analysis through its one public function: the given cases, prices, order, and everything that is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from scoring import RecordError
from scoring.analysis import analyze_json

CASES = [
    json.loads(line) for line in (Path(__file__).parents[2] / "data" / "analyze.jsonl").read_text("utf-8").splitlines()
]

Answer = dict[str, Any]


def left(items: list[Answer], without: str | None = None) -> dict[str, int]:
    return {item["tile"]: item["left"] for item in items if item["tile"] != without}


def priced(price: Answer) -> Any:
    if "errors" in price:
        return "refused"
    return {one["id"]: one.get("count", 1) for one in price["patterns"]}, price["deltas"], price["total"]


def won(win: Answer | None) -> Any:
    if win is None or "errors" in win:
        return win and "refused"
    return {one["id"]: one.get("count", 1) for one in win["wins"][0]["patterns"]}, win["deltas"]


def compared(answer: Answer, expected: Answer) -> Answer:
    """What is compared. Of a discard, whether the same kind would lower the shanten again is left open."""
    if "discards" not in expected:
        alive = {wait["tile"] for wait in expected["waits"] if wait["left"]}
        return {
            "shanten": answer["shanten"],
            "accepts": left(answer["accepts"]),
            "waits": left(answer["waits"]),
            "prices": {
                wait["tile"]: (priced(wait["self_draw"]), priced(wait["discard"]))
                for wait in answer["waits"]
                if wait["tile"] in alive
            },
        }
    same = {
        one["tile"] for side in (answer, expected) for one in side["discards"] if one["tile"] in left(one["accepts"])
    }
    return {
        "shanten": answer["shanten"],
        "win": won(answer["win"]),
        "discards": {
            one["tile"]: (
                one["shanten"],
                one.get("lay_out", False),
                left(one["accepts"], one["tile"]),
                None if one["tile"] in same else one["left"],
                {wait["tile"] for wait in one["waits"]} - {one["tile"]} if one["shanten"] == 0 else None,
            )
            for one in answer["discards"]
        },
    }


@pytest.mark.parametrize("case", CASES, ids=[case["title"] for case in CASES])
def test_given_cases(case: Answer) -> None:
    answer = analyze_json(json.dumps(case["request"]))
    assert compared(answer, case["answer"]) == compared(case["answer"], case["answer"])
    order = [(one["shanten"], -one["left"]) for one in answer.get("discards", [])]
    assert order == sorted(order)


CHANGSHA: Answer = {"rules": "changsha-classic", "dealer": 0, "seat": 1, "concealed": "123m456p789s234s2p"}
WUHAN: Answer = {
    "rules": "wuhan-kaikou",
    "dealer": 0,
    "seat": 1,
    "indicator": "9s",
    "concealed": "234m456p55s67s",
    "melds": [{"kind": "pong", "tiles": "888m", "from": 3}],
}


def test_a_wait_is_priced_by_who_gives_it() -> None:
    (wait,) = analyze_json(CHANGSHA)["waits"]
    assert (wait["tile"], wait["left"]) == ("2p", 3)
    assert wait["self_draw"]["deltas"] == [-20, 40, -10, -10]
    assert wait["self_draw"]["total"] == 40
    assert wait["discard"]["deltas"] == [-20, 20, 0, 0]
    (given,) = analyze_json({**CHANGSHA, "from": 3})["waits"]
    assert given["discard"]["deltas"] == [0, 10, 0, -10]


def test_tiles_seen_and_melded_elsewhere_are_not_left() -> None:
    (wait,) = analyze_json({**CHANGSHA, "seen": "22p"})["waits"]
    assert wait["left"] == 1
    players = [{"seat": 0, "melds": [{"kind": "pong", "tiles": "888s"}], "laid_out": "7z"}]
    waits = {wait["tile"]: wait["left"] for wait in analyze_json({**WUHAN, "players": players})["waits"]}
    assert waits == {"1s": 4, "5s": 2, "8s": 1}


def test_a_wait_says_what_it_falls_short_of() -> None:
    waits = {wait["tile"]: wait for wait in analyze_json(WUHAN)["waits"]}
    errors = waits["8s"]["discard"]["errors"]
    assert [error["code"] for error in errors] == ["below_minimum"]
    assert errors[0]["detail"]["needed"] == 32
    assert "32" in errors[0]["message"]
    assert "32" in errors[0]["message_zh"]
    unopened = {**WUHAN, "melds": [], "concealed": "234m456p55s67s888m"}
    (wait, *_) = analyze_json(unopened)["waits"]
    assert "not_opened" in {error["code"] for error in wait["self_draw"]["errors"]}


def test_a_wild_is_won_by_self_draw_only() -> None:
    waits = {wait["tile"]: wait for wait in analyze_json({**WUHAN, "rules": "wuhan-laizi"})["waits"]}
    assert "total" in waits["1s"]["self_draw"]
    assert [error["code"] for error in waits["1s"]["discard"]["errors"]] == ["bad_win_tile"]


def test_a_tile_let_go_cannot_be_won_from_another() -> None:
    (wait,) = analyze_json({**CHANGSHA, "passed": ["2p"]})["waits"]
    assert "total" in wait["self_draw"]
    assert [error["code"] for error in wait["discard"]["errors"]] == ["passed_win"]


def test_four_exposed_melds_win_with_any_pair_but_not_by_self_draw() -> None:
    melds = [{"kind": "pong", "tiles": tiles} for tiles in ("111m", "333m", "777p", "999s")]
    melds[0] = {"kind": "chow", "tiles": "123m"}
    ready = {"rules": "changsha-room", "dealer": 0, "seat": 1, "melds": melds}
    (wait,) = analyze_json({**ready, "concealed": "9p"})["waits"]
    assert wait["discard"]["patterns"][0]["id"] == "all_melded"
    assert [error["code"] for error in wait["self_draw"]["errors"]] == ["pair_not_jiang"]
    complete = analyze_json({**ready, "concealed": "99p"})
    assert complete["shanten"] == -1
    assert [error["code"] for error in complete["win"]["errors"]] == ["pair_not_jiang"]


def test_of_equal_discards_the_better_paid_comes_first() -> None:
    answer = analyze_json({**CHANGSHA, "concealed": "11222234444888s"})
    assert [(one["tile"], one["left"]) for one in answer["discards"][:3]] == [("8s", 6), ("2s", 6), ("1s", 5)]


def test_seven_pairs_with_four_of_a_kind_and_one_suit() -> None:
    win = analyze_json({**CHANGSHA, "concealed": "11113355778899m"})["win"]
    assert {one["id"] for one in win["wins"][0]["patterns"]} == {"seven_pairs", "one_suit"}


REFUSED: list[tuple[Answer, set[tuple[str, str]]]] = [
    ({**CHANGSHA, "concealed": "123m"}, {("wrong_tile_count", "concealed")}),
    ({**CHANGSHA, "concealed": "123m456p789s234s22p1m"}, {("wrong_tile_count", "concealed")}),
    ({**CHANGSHA, "concealed": "11111m456p789s22s"}, {("too_many_copies", "concealed")}),
    ({**CHANGSHA, "seen": "2222p"}, {("too_many_copies", "seen")}),
    ({**CHANGSHA, "seen": "1z"}, {("tile_not_in_rules", "seen")}),
    ({**CHANGSHA, "concealed": "123m456p789s234s1z"}, {("tile_not_in_rules", "concealed")}),
    ({**CHANGSHA, "concealed": "2345555789m456p7z"}, {("tile_not_in_rules", "concealed")}),
    ({**CHANGSHA, "concealed": "7z2345555789m456p"}, {("tile_not_in_rules", "concealed")}),
    ({**CHANGSHA, "from": 1}, {("invalid", "from")}),
    ({**CHANGSHA, "indicator": "1m"}, {("not_in_rules", "indicator")}),
    ({**CHANGSHA, "laid_out": "7z"}, {("not_in_rules", "laid_out")}),
    ({**CHANGSHA, "players": [{"seat": 0}]}, {("not_in_rules", "players")}),
    (
        {**CHANGSHA, "concealed": "456p789s234s2p", "melds": [{"kind": "chow", "tiles": "124m"}]},
        {("bad_meld", "melds.0")},
    ),
    ({**CHANGSHA, "rules": "changsha-room", "passed": ["2p"]}, {("missing", "passed.0")}),
    ({k: v for k, v in WUHAN.items() if k != "indicator"}, {("missing", "indicator")}),
    ({**WUHAN, "laid_out": "1m"}, {("bad_laid_out", "laid_out")}),
    ({**WUHAN, "players": [{"seat": 1}]}, {("invalid", "players.0.seat")}),
    (
        {**WUHAN, "players": [{"seat": 2, "melds": [{"kind": "pong", "tiles": "555s"}]}], "seen": "5s", "from": 1},
        {("too_many_copies", "players.0.melds.0"), ("invalid", "from")},
    ),
    ({**CHANGSHA, "rules": "nowhere"}, {("unknown_rules", "rules")}),
    (
        {**CHANGSHA, "rules": {"preset": "changsha-room", "options": {"birds": 9}}},
        {("bad_option", "rules.options.birds")},
    ),
    ({**CHANGSHA, "concealed": "12x", "dealer": 4, "more": 1}, {
        ("bad_tile", "concealed"), ("invalid", "dealer"), ("invalid", "more"),
    }),
    ({}, {("invalid", name) for name in ("rules", "dealer", "seat", "concealed")}),
]  # fmt: skip


@pytest.mark.parametrize(("request_", "faults"), REFUSED, ids=range(len(REFUSED)))
def test_refused_with_every_fault(request_: Answer, faults: set[tuple[str, str]]) -> None:
    with pytest.raises(RecordError) as caught:
        analyze_json(request_)
    assert {(found.code, found.path) for found in caught.value.faults} == faults
    assert all(found.message and found.message_zh for found in caught.value.faults)


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "1", "null", '"x"', b"\xff", "{" * 70000, "[" * 5000, '{"rules": "' + "x" * 70000 + '"}']
)
def test_what_is_no_request_is_refused(text: str | bytes) -> None:
    with pytest.raises(RecordError) as caught:
        analyze_json(text)
    assert caught.value.faults[0].code == "invalid"

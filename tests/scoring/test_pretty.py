"""The explanation in a terminal: what it says, and that its tables stand straight with wide characters."""

from __future__ import annotations

import json
import re
import sys
import types
from typing import Any

import pytest
from rich.cells import cell_len

import scoring
from scoring.pretty import pretty_analysis, pretty_faults, pretty_score
from tests.scoring.test_cases import CASES

SCORED = [case for case in CASES if "answer" in case]
BORDERS = "┏┃┡│└"
BARS = "┃│┏┳┓┡╇┩└┴┘"


def explained(record: dict[str, Any]) -> list[str]:
    """The lines a person reads, refused or not."""
    try:
        return pretty_score(json.dumps(record).encode()).decode().splitlines()
    except scoring.RecordError as error:
        return pretty_faults(error).decode().splitlines()


def request(title: str) -> dict[str, Any]:
    return next(case["request"] for case in CASES if case["title"].startswith(title))


def check_alignment(lines: list[str]) -> None:
    """The lines of a table are equally wide on screen, and their bars stand below one another."""
    tables: list[list[str]] = []
    for line in lines:
        if line.startswith("┏"):
            tables.append([])
        if line.startswith(tuple(BORDERS)):
            tables[-1].append(line)
    for table in tables:
        assert len({cell_len(row) for row in table}) == 1, "\n".join(table)
        bars = [[cell_len(row[:place]) for place, mark in enumerate(row) if mark in BARS] for row in table]
        assert all(places == bars[0] for places in bars), "\n".join(table)


def test_cases_are_explained_and_stand_straight() -> None:
    for case in SCORED[::8]:
        lines = explained(case["request"])
        check_alignment(lines)
        text = "\n".join(lines)
        for win in case["answer"]["wins"]:
            assert f"座{win['seat']}" in text, case["title"]
        for transfer in case["answer"]["transfers"]:
            assert str(transfer["points"]) in text, case["title"]
        assert max(map(cell_len, lines)) <= 160, case["title"]


def test_a_small_win() -> None:
    assert explained(request("Worked example 1:")) == [
        "长沙 单鸟 · Changsha, one bird",
        "座1 自摸  小胡",
        "seat 1 self-draw  small",
        "  牌  一二三万  四五六筒  二三四条  七八九条  将 二二筒",
        "  hand  123m  456p  234s  789s  pair 22p",
        "鸟 六条 · birds 6s",
        "┏━━━━━━━━━━┳━━━━━━━━━┳━━━━━━━━━━━┳━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┓",
        "┃ 付 pays  ┃ 收 gets ┃ 分 points ┃ 算式 arithmetic                 ┃",
        "┡━━━━━━━━━━╇━━━━━━━━━╇━━━━━━━━━━━╇━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┩",
        "│ 座0 (庄) │ 座1     │        40 │ (10 + 庄 10) × 2 中鸟 = 40      │",
        "│          │         │           │ (10 + dealer 10) × 2 birds = 40 │",
        "│ 座2      │ 座1     │        20 │ 10 × 2 中鸟 = 20                │",
        "│          │         │           │ 10 × 2 birds = 20               │",
        "│ 座3      │ 座1     │        20 │ 10 × 2 中鸟 = 20                │",
        "│          │         │           │ 10 × 2 birds = 20               │",
        "└──────────┴─────────┴───────────┴─────────────────────────────────┘",
        "┏━━━━━━━━━━━┳━━━━━━━━━━━━━┓",
        "┃ 座位 seat ┃ 输赢 result ┃",
        "┡━━━━━━━━━━━╇━━━━━━━━━━━━━┩",
        "│ 座0 (庄)  │         -40 │",
        "│ 座1       │         +80 │",
        "│ 座2       │         -20 │",
        "│ 座3       │         -20 │",
        "└───────────┴─────────────┘",
        "下局庄家: 座1 · next dealer: seat 1",
    ]


SAID = {
    "Worked example 2:": ["座2 捉座0 (庄)的炮  大胡 ×2: 碰碰胡 + 清一色", "(60 + 庄 10) × 2 大胡个数 = 140"],
    "Worked example 6:": ["座0 (庄) 捉座2的炮  小胡", "seat 0 (dealer) off seat 2"],
    "Worked example 4:": ["座1  起手胡 ×2: 四喜 + 六六顺", "(10 + 庄 10) × 2 中鸟 × 2 起手胡个数 = 80"],
    "Worked example 5:": ["(1 + 庄 1) × 3 中鸟 + 自摸 1 = 7"],
    "Worked example 8:": ["杠上开花 ×2", "[暗杠 九九九九条]", "6 × 2 大胡个数 + 庄 1 = 13"],
    "Worked example 9:": ["大包干 10", "pays for all 10"],
    "Worked example 11": ["承包三家", "× 4 输家开口 = 1280 → 封顶", "[碰 三三三万]", "硬胡 · hard"],
    "Worked example 13: the same": ["软胡  癞子 4z → 2p · soft  wild 4z → 2p", "× 1.5 放冲 = 30"],
    "Worked example 14": ["= 1920 → 三阳开泰 = 1800"],
    "Rule 2.4:": ["(1 + 庄 1) × 2 中鸟 + 自摸 1", "这一手继续 · the hand goes on"],
    "Rule 2.7:": ["罚分 · penalty", "罚分 24"],
}  # fmt: skip


@pytest.mark.parametrize("title", SAID)
def test_says(title: str) -> None:
    text = "\n".join(explained(request(title)))
    for words in SAID[title]:
        assert words in text
    check_alignment(text.splitlines())


def test_openings_several_patterns_multiply_the_whole_sum() -> None:
    text = "\n".join(explained(request("Rule 2.4:")))
    assert "((1 + 庄 1) × 2 中鸟 + 自摸 1) × 2 起手胡个数 = 10" in text


def test_shown_and_declared() -> None:
    opening: dict[str, Any] = {"rules": "changsha-liuqi", "kind": "opening", "dealer": 0}
    shown = explained({**opening, "winners": [{"seat": 1, "shown": "1111m"}]})
    assert "  亮出 一一一一万 · shown 1111m" in shown
    declared = explained({**opening, "winners": [{"seat": 1, "declared": ["three_same"]}]})
    assert "  报胡，没有写牌 · declared, no tiles given" in declared
    win = {"rules": "changsha-bbs", "kind": "win", "dealer": 0, "by": "rob_kong", "from": 2}
    lines = explained({**win, "winners": [{"seat": 3, "declared": []}]})
    assert "座3 抢座2的杠  大胡: 抢杠胡" in lines
    assert "  报胡，没有写牌 · declared, no tiles given" in lines


def test_house_cash_overruled_and_choices() -> None:
    left = "\n".join(explained(_penalty()))
    assert "不分给别人 house" in left
    assert "+70" in left
    fishing = {"preset": "changsha-liuqi", "options": {"fishing": True}}
    win = {
        "rules": fishing,
        "kind": "win",
        "dealer": 0,
        "by": "discard",
        "from": 1,
        "side_bets": ["1", "2.50", "0", "0"],
    }
    lines = explained({**win, "winners": [{"seat": 0, "declared": []}]})
    assert "│ 座1 │ -2 │ -3.50 │" in [" ".join(line.split()) for line in lines]
    room = {**win, "rules": "changsha-room", "from": 2, "winners": [{"seat": seat, "declared": []} for seat in (1, 3)]}
    del room["side_bets"]
    assert explained(room)[-1] == "下局庄家: 座1 或 or 座3 · next dealer: seat 1 或 or seat 3"
    wuhan = {**room, "rules": "wuhan-laizi"}
    wuhan["winners"] = [{"seat": seat, "declared": [], "hard": True, "opened": 1} for seat in (1, 3)]
    assert "一炮单响，被截的: 座3 · one winner only, overruled: seat 3" in explained(wuhan)


def _penalty() -> dict[str, Any]:
    return {"rules": "changsha-classic", "kind": "penalty", "dealer": 0, "penalty": {"seat": 1, "reason": "left"}}


def test_exhausted() -> None:
    lines = explained({"rules": "wuhan-laizi", "kind": "exhausted", "dealer": 3})
    assert "流局，没有人胡 · exhausted, nobody wins" in lines
    assert "下局庄家: 座3 (庄) · next dealer: seat 3 (dealer)" in lines


def test_a_refused_win_says_what_would_make_it_right() -> None:
    record = {
        "rules": "changsha-classic", "kind": "win", "dealer": 0, "by": "self_draw",
        "winners": [{"seat": 1, "concealed": "123m456p789s234s3p", "win_on": ["3p"]}], "birds": ["1z"],
    }  # fmt: skip
    assert explained(record) == [
        "不能算分 · refused",
        "1. 诈胡：将是 3p，要 2、5、8 作将",
        "   a win but for the pair: it is 3p, a 2, 5 or 8 is needed",
        "   winners.0.win_on · pair_not_jiang",
        "2. 长沙没有字牌：1z",
        "   there are no honours in Changsha: 1z",
        "   birds · tile_not_in_rules",
    ]


def test_colours_and_width_of_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    text = pretty_score(json.dumps(request("Worked example 14")).encode()).decode()
    assert "\x1b[1m" in text


# --- Analysis --------------------------------------------------------------------------------------------------------

PATTERNS = [{"id": "all_jiang", "count": 1}]
PRICED = {"patterns": PATTERNS, "deltas": [-40, -40, 120, -40], "total": 120}
FAULT = {"errors": [{"message_zh": "不够起胡", "message": "below the minimum"}]}
READY = {
    "shanten": 0,
    "accepts": [{"tile": "2m", "left": 2}, {"tile": "5z", "left": 0}],
    "waits": [{"tile": "2m", "left": 2, "self_draw": PRICED, "discard": FAULT}],
}
WON = {"wins": [{"patterns": PATTERNS}], "deltas": [-40, -40, 120, -40]}
DRAWN: dict[str, Any] = {
    "shanten": -1,
    "win": WON,
    "discards": [
        {"tile": "3m", "shanten": 0, "accepts": [{"tile": "2m", "left": 2}], "left": 2, "waits": ["2m"]},
        {"tile": "7z", "lay_out": True, "shanten": 1, "accepts": [], "left": 0, "waits": []},
    ],
}


def analysed(monkeypatch: pytest.MonkeyPatch, answer: dict[str, Any], rules: str = "changsha-classic") -> list[str]:
    """The lines for an answer of the analysis, which is put in its place."""
    analysis = types.ModuleType("scoring.analysis")
    analysis.analyze_json = lambda line: answer  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "scoring.analysis", analysis)
    lines = pretty_analysis(json.dumps({"rules": rules}).encode()).decode().splitlines()
    check_alignment(lines)
    return lines


def test_analysis_of_a_ready_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = analysed(monkeypatch, READY, "wuhan-kaikou")
    assert lines[:2] == ["听牌 · ready", "进张 accepts: 二万 2m ×2  白板 5z ×0"]
    assert "│ 二万 2m  │       2 │ +120  将一色 all jiang │ 不够起胡 below the minimum │" in lines


def test_analysis_with_what_is_ahead(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = analysed(monkeypatch, {**READY, "expected": 6.125, "win_probability": 0.34567}, "wuhan-kaikou")
    assert lines[-1] == "期望 expected: 6.12  胡牌率 wins: 34.6%"
    first, second = DRAWN["discards"]
    lines = analysed(monkeypatch, {**DRAWN, "discards": [{**first, "expected": 40.0, "win_probability": 0.25}, second]})
    assert any("│         40.00 │       25.0% │" in line for line in lines)
    assert any("│             – │           – │" in line for line in lines)


def test_analysis_with_a_called_tile(monkeypatch: pytest.MonkeyPatch) -> None:
    won = {"call": "win", "price": PRICED, "shanten": -1, "left": 0}
    pong = {"call": "pong", "tiles": "555s", "discard": "1m", "shanten": 0, "left": 7}
    let_go = {"call": "pass", "shanten": 0, "left": 3}
    plain = analysed(monkeypatch, {**READY, "calls": [won, pong, let_go]})
    assert "现在胡 win now: +120  将将胡 all jiang" in plain
    assert any(re.fullmatch(r"│ 碰 pong  555s +│ 一万 1m +│ +0 │ +7 │", line) for line in plain)
    assert any(re.fullmatch(r"│ 放过 pass +│ – +│ +0 │ +3 │", line) for line in plain)
    ahead = {"expected": 12.5, "win_probability": 0.25}
    told = analysed(monkeypatch, {**READY, "calls": [{**pong, **ahead}, let_go, {**won, "price": FAULT}]})
    assert "现在胡 win now: 不够起胡 below the minimum" in told
    assert any(re.search(r"│ +7 │ +12\.50 │ +25\.0% │$", line) for line in told)
    assert any(re.search(r"│ +3 │ +– │ +– │$", line) for line in told)


def test_analysis_of_a_hand_that_is_not_ready(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = analysed(monkeypatch, {"shanten": 2, "accepts": [], "waits": []})
    assert lines == ["还差 2 张才听牌 · 2 away from ready", "进张 accepts: 没有 none"]


def test_analysis_after_a_draw(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = analysed(monkeypatch, DRAWN)
    assert lines[0] == "已经胡了 · complete"
    assert lines[1] == "现在胡 win now: 将将胡 all jiang (-40, -40, +120, -40)"
    assert any(line.startswith("│ 三万 3m") and "二万 2m ×2" in line for line in lines)
    assert any(line.startswith("│ 亮出 lay out 红中 7z") and "没有 none" in line for line in lines)
    refused = analysed(monkeypatch, {**DRAWN, "win": FAULT})
    assert refused[1] == "现在胡 win now: 不够起胡 below the minimum"
    assert len(analysed(monkeypatch, {**DRAWN, "win": None})) == len(lines) - 1

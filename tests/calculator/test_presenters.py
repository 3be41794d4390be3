"""What a person sees of a settlement: it repeats the engine's numbers and adds none."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.utils.translation import override

from mahjong_site.calculator import presenters
from mahjong_site.calculator.picture import arrows
from mahjong_site.calculator.sources import sources
from scoring import all_presets, parse_record, preset, settle
from scoring.texts import table

NAMES = ("李四", "张三", "王五", "赵六")
CASES = [
    json.loads(line) for line in (Path(__file__).parents[1] / "data" / "score.jsonl").read_text("utf-8").splitlines()
]
GOOD = [case["request"] for case in CASES if "answer" in case]


@pytest.fixture(autouse=True, params=["zh-hans", "en"])
def language(request: pytest.FixtureRequest) -> Iterator[str]:
    with override(request.param):
        yield request.param


def told(request: dict[str, Any]) -> presenters.Told:
    record = parse_record(request)
    return presenters.tell(record, settle(record), NAMES, record.rules.preset)


SELF_DRAW = {
    "rules": "changsha-classic",
    "kind": "win",
    "dealer": 0,
    "by": "self_draw",
    "winners": [{"seat": 1, "hand": "22s345m45p[123m][555p]+6p"}],
    "birds": ["6p"],
}
CAPPED = {
    "rules": "wuhan-koukou",
    "kind": "win",
    "dealer": 0,
    "by": "self_draw",
    "indicator": "4m",
    "winners": [{"seat": 1, "hand": "777m66s99p[222p][8888s]+6s", "laid_out": "7z"}],
    "players": [{"seat": 0, "opened": 1, "exposed_kongs": 1}, {"seat": 3, "opened": 1}],
}


def test_one_hand(language: str) -> None:
    seen = told(SELF_DRAW)
    amounts = [seat.amount for seat in seen.picture.seats]
    assert amounts == ["−40", "+80", "−20", "−20"]
    assert [seat.side for seat in seen.picture.seats] == ["s", "e", "n", "w"]
    (total,) = seen.sums
    assert [row.cells for row in total.rows] == [("10", "+10", "×2"), ("10", "", "×2"), ("10", "", "×2")]
    assert [row.total for row in total.rows] == ["40", "20", "20"]
    if language == "zh-hans":
        assert seen.headline == "自摸 小胡 · 鸟 6 张三"
        assert seen.copy == "牌账 · 长沙 单鸟\n张三 自摸 小胡 · 鸟 6 张三\n张三 +80  李四 −40  王五 −20  赵六 −20"
        assert seen.spoken == "自摸 小胡 · 鸟 6 张三。李四付 40、张三加 80、王五付 20、赵六付 20。"
    else:
        assert seen.headline == "Self-draw, small · bird 6 张三"


def test_common_factors_are_told_once_and_caps_keep_what_they_replace() -> None:
    (total,) = told(CAPPED).sums
    assert total.lead_total == "480"
    assert [(row.before, row.total) for row in total.rows] == [("1920", "1000"), ("", "480"), ("", "960")]
    assert [seat.long for seat in told(CAPPED).picture.seats] == [True, True, False, False]


def test_every_case_adds_up() -> None:
    """On hundreds of records: the steps lead to the points, the table says the same, the amounts sum to the house's."""
    assert len(GOOD) > 400
    for request in GOOD:
        record = parse_record(request)
        settlement = settle(record)
        seen = presenters.tell(record, settlement, NAMES, record.rules.preset)
        for total in seen.sums:
            assert sum(int(row.total) for row in total.rows) == int(total.total)
            assert all(len(row.cells) == len(total.columns) for row in total.rows)
        for transfer in settlement.transfers:
            if not any(step.set for step in transfer.steps):
                assert presenters.folded(transfer.steps) == transfer.points
        numbers = [int(seat.amount.replace("−", "-")) for seat in seen.picture.seats]
        assert sum(numbers) == -settlement.house
        assert seen.headline
        assert seen.copy.count("\n") >= 2


def test_every_step_has_its_sentence() -> None:
    """What a table may pay can be looked up in every preset that can pay it."""
    for request in GOOD:
        record = parse_record(request)
        if record.kind != "win":  # type: ignore[attr-defined]
            continue
        settlement = settle(record)
        for win in settlement.wins:
            size = "small" if win.size == "small" else "big"
            for transfer in settlement.transfers:
                for step in transfer.steps:
                    found = sources(record.rules.preset, step.id, size=size, by=record.by)  # type: ignore[attr-defined]
                    assert found or step.id == "share", (record.rules.preset.id, step.id)


def test_places_of_sentences_are_the_engines_steps() -> None:
    from mahjong_site.calculator.sources import _PLACES

    assert set(table("steps")) - set(_PLACES) == set()
    assert all(sources(one, "next_dealer") for one in all_presets())
    assert sources(preset("wuhan-koukou"), "nothing") == ()


@pytest.mark.parametrize("receiver", ["s", "e", "n", "w", "house"])
def test_arrows_end_apart_and_are_as_thick_as_the_amount(receiver: str) -> None:
    payers = [side for side in "senw" if side != receiver][:3]
    drawn = arrows([(payer, receiver, 20 * (number + 1)) for number, payer in enumerate(payers)])
    assert [arrow.width for arrow in drawn] == sorted(arrow.width for arrow in drawn)
    assert drawn[-1].width == 5
    assert len({(arrow.end.x, arrow.end.y) for arrow in drawn}) == 3


def test_birds_are_those_the_engine_looks_at() -> None:
    """海底 of a whole-hand line is a bird; counted from the winners, each opener has places of his own."""
    drawn = parse_record({**SELF_DRAW, "events": ["last_tile"], "birds": []})
    assert presenters.birds_of(drawn) == ((6, 1),)
    from_winner = {"preset": "changsha-room", "options": {"bird_origin": "winner", "birds": 1}}
    openers = [{"seat": 1, "declared": ["missing_suit"]}, {"seat": 3, "declared": ["missing_suit"]}]
    openings = parse_record({"rules": from_winner, "kind": "opening", "dealer": 0, "winners": openers, "birds": ["5m"]})
    assert presenters.birds_of(openings) == ((5, 1), (5, 3))
    two = {"preset": "changsha-classic", "options": {"birds": 2}}
    assert presenters.birds_of(parse_record({**SELF_DRAW, "rules": two, "birds": ["6p", "6s"]})) == ((6, 1), (6, 1))

"""Records with their expected answers, of every preset, kind, pattern, event, option and error code."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import scoring
from scoring.texts import table
from tests.scoring.invariants import check_settlement

DATA = Path(__file__).parents[1] / "data"


def read(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (DATA / f"{name}.jsonl").read_text("utf-8").splitlines()]


PUBLISHED = [*read("examples"), *read("score")]
GENERATED = read("generated")
CASES = [*PUBLISHED, *GENERATED]


def preset_of(case: dict[str, Any]) -> str:
    """The preset a case names, as far as it names one."""
    request = case.get("request")
    rules = request.get("rules") if isinstance(request, dict) else None
    named = rules.get("preset") if isinstance(rules, dict) else rules
    return named if named in scoring.PRESET_IDS else "none"


BY_PRESET = {
    preset: [case for case in GENERATED if preset_of(case) == preset] for preset in (*scoring.PRESET_IDS, "none")
}


def compared(answer: dict[str, Any], kind: str, wins: list[dict[str, Any]]) -> dict[str, Any]:
    """What is compared of a settlement: amounts, who pays whom and why, patterns, next dealer; lists without order.

    ``wins`` are the expected ones: of a reading only what they name is compared.
    """
    named = {win["seat"]: "reading" in win for win in wins}
    return {
        **{name: answer[name] for name in ("deltas", "house", "cash", "hand_ends", "next_dealer")},
        "next_dealer_choices": sorted(answer["next_dealer_choices"]),
        "overruled": sorted(answer["overruled"]),
        "transfers": Counter(
            # 天胡 in an opening record may be called either
            (str(one["from"]), str(one["to"]), one["points"], "opening" if kind == "opening" else one["why"])
            for one in answer["transfers"]
            if one["points"]
        ),
        "wins": {
            win["seat"]: (
                win["size"],
                win["paid"],
                _counted(win["patterns"]),
                _compared_reading(win["reading"]) if named.get(win["seat"]) else "any",
            )
            for win in answer["wins"]
        },
    }


def _counted(patterns: list[dict[str, Any]]) -> Counter[str]:
    counts: Counter[str] = Counter()
    for pattern in patterns:
        counts[pattern["id"]] += pattern["count"]
    return counts


def _compared_reading(reading: dict[str, Any] | None) -> Any:
    return None if reading is None else {"hard": reading["hard"]}


def sent(case: dict[str, Any]) -> str:
    """The text of a case: a record, or what is no record at all."""
    return case["raw"] if "raw" in case else json.dumps(case["request"], ensure_ascii=False)


def check(case: dict[str, Any], answer: dict[str, Any]) -> None:
    """Asserts that a record was scored as its case says."""
    wins, kind = case["answer"]["wins"], case["request"]["kind"]
    assert compared(answer, kind, wins) == compared(case["answer"], kind, wins), case["title"]
    check_settlement(case["request"], answer)


def refused(case: dict[str, Any]) -> set[str]:
    """The codes of a record that must be refused, every fault in words."""
    with pytest.raises(scoring.RecordError) as error:
        scoring.score_json(sent(case))
    for fault in error.value.faults:
        assert fault.message
        assert fault.message_zh
    return {fault.code for fault in error.value.faults}


@pytest.mark.parametrize("case", PUBLISHED, ids=[case["title"] for case in PUBLISHED])
def test_case(case: dict[str, Any]) -> None:
    """Of a refusal the case names a code that must be among those given; others may stand beside it."""
    if "codes" in case:
        assert refused(case) & set(case["codes"])
    else:
        check(case, json.loads(scoring.score_json(sent(case))))


@pytest.mark.parametrize("preset", BY_PRESET)
def test_generated_cases(preset: str) -> None:
    """Of a refusal these name every code."""
    for case in BY_PRESET[preset]:
        if "codes" in case:
            assert refused(case) == set(case["codes"]), case["title"]
        else:
            check(case, json.loads(scoring.score_json(sent(case))))


def test_every_error_code_has_a_case() -> None:
    """The codes of the words of faults, which are the contract's, each stand in at least one case."""
    assert {code for case in CASES for code in case.get("codes", ())} == set(table("faults"))

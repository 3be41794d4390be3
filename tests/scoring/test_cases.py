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
CASES = [
    json.loads(line)
    for name in ("examples", "score", "generated")
    for line in (DATA / f"{name}.jsonl").read_text("utf-8").splitlines()
]


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


@pytest.mark.parametrize("case", CASES, ids=[case["title"] for case in CASES])
def test_case(case: dict[str, Any]) -> None:
    if "codes" in case:
        with pytest.raises(scoring.RecordError) as refused:
            scoring.score_json(sent(case))
        assert {fault.code for fault in refused.value.faults} & set(case["codes"]), refused.value.faults
        for fault in refused.value.faults:
            assert fault.message
            assert fault.message_zh
    else:
        answer = json.loads(scoring.score_json(sent(case)))
        wins, kind = case["answer"]["wins"], case["request"]["kind"]
        assert compared(answer, kind, wins) == compared(case["answer"], kind, wins)
        check_settlement(case["request"], answer)


def test_every_error_code_has_a_case() -> None:
    """The codes of the words of faults, which are the contract's, each stand in at least one case."""
    assert {code for case in CASES for code in case.get("codes", ())} == set(table("faults"))

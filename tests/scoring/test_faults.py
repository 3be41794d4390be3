"""Words of faults: every situation the engine names has them in both languages, and none is left over."""

from __future__ import annotations

import ast
import string
from collections import defaultdict
from pathlib import Path

import pytest

import scoring
from scoring.texts import table

ENGINE = Path(scoring.__file__).parent
WORDS = [
    pytest.param(code, reason, words, id=f"{code} {reason}")
    for code, reasons in table("faults").items()
    for reason, words in reasons.items()
]
GIVEN_ANYWHERE = {"place"}
"""A detail that `fault` itself adds."""


def calls() -> tuple[dict[tuple[str, str], set[str]], dict[str, list[set[str]]], set[str]]:
    """What the engine's source gives with ``fault(code, reason, …)``.

    Details by (code, reason); where code or reason is worked out, the details by code (``""``: any); all texts.
    """
    known: dict[tuple[str, str], set[str]] = {}
    worked_out: dict[str, list[set[str]]] = defaultdict(list)
    texts: set[str] = set()
    for path in sorted(ENGINE.rglob("*.py")):
        tree = ast.parse(path.read_text("utf-8"))
        texts |= {
            node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "fault":
                code, reason = node.args[:2]
                details = {keyword.arg or "" for keyword in node.keywords}
                if isinstance(code, ast.Constant) and isinstance(reason, ast.Constant):
                    place = (str(code.value), str(reason.value))
                    known[place] = known.get(place, details) & details
                else:
                    worked_out[str(code.value) if isinstance(code, ast.Constant) else ""].append(details)
    return known, worked_out, texts


KNOWN, WORKED_OUT, TEXTS = calls()


def test_the_source_is_read() -> None:
    assert len(KNOWN) > 60
    assert ("pair_not_jiang", "pair") in KNOWN


@pytest.mark.parametrize("place", KNOWN, ids=" ".join)
def test_every_fault_has_words(place: tuple[str, str]) -> None:
    code, reason = place
    assert reason in table("faults")[code]


@pytest.mark.parametrize(("code", "reason", "words"), WORDS)
def test_words_are_used_and_have_their_details(code: str, reason: str, words: dict[str, str]) -> None:
    """In both languages, with nothing to fill in that the engine does not give."""
    assert set(words) == {"zh", "en"}
    asked = {field for text in words.values() for _, field, _, _ in string.Formatter().parse(text) if field}
    if (code, reason) in KNOWN:
        assert asked <= KNOWN[code, reason] | GIVEN_ANYWHERE
    else:
        assert reason in TEXTS, "nobody says this"
        assert any(asked <= details | GIVEN_ANYWHERE for details in [*WORKED_OUT[code], *WORKED_OUT[""]])
    for text in words.values():
        assert text.format(**dict.fromkeys(asked, "x"))


def test_chinese_comes_in_chinese() -> None:
    for param in WORDS:
        code, reason, words = param.values
        if words["zh"] not in ("{zh}", "{zh}（第 {place} 个字）"):
            assert any("\u4e00" <= character <= "\u9fff" for character in words["zh"]), (code, reason)


CONTRACT = [
    "invalid", "bad_tile", "tile_not_in_rules", "too_many_copies", "wrong_tile_count", "not_in_rules", "bad_win_tile",
    "bad_meld", "not_a_win", "pair_not_jiang", "two_wilds_small", "kong_tile_in_hand", "not_opened", "below_minimum",
    "passed_win", "event_not_allowed", "dead_hand", "bad_laid_out", "missing", "too_many_birds", "no_opening",
    "incompatible_patterns", "unknown_rules", "bad_option",
]  # fmt: skip


def test_codes_are_the_contracts() -> None:
    """Released codes never change; a new one is added here."""
    assert sorted(table("faults")) == sorted(CONTRACT)
    assert {code for code, _ in KNOWN} <= set(CONTRACT)


def test_the_error_says_all_faults() -> None:
    with pytest.raises(scoring.RecordError) as error:
        scoring.parse_record({"rules": "x", "kind": "win", "dealer": 9, "colour": "red"})
    said = str(error.value)
    assert all(f"{fault.path}: {fault.code}: {fault.message}" in said for fault in error.value.faults)
    assert {fault.path for fault in error.value.faults} == {"rules", "dealer", "colour", "by", "winners"}


def test_python_names_are_not_names_of_fields() -> None:
    """``from_`` is how Python writes the field ``from``; in a record it is unknown."""
    record = {
        "rules": "changsha-bbs",
        "kind": "win",
        "dealer": 0,
        "by": "discard",
        "winners": [{"seat": 1, "declared": []}],
    }
    scoring.parse_record({**record, "from": 2})
    with pytest.raises(scoring.RecordError) as error:
        scoring.parse_record({**record, "from_": 2})
    assert next((fault.code, fault.path) for fault in error.value.faults) == ("invalid", "from_")

"""Requests are read as strictly as records."""

from __future__ import annotations

import pytest

from scoring import RecordError
from scoring.analysis import analyze_json

ASKED = '{"rules": "changsha-classic", "dealer": 0, "seat": 1, "concealed": "123m456p789s234s2p"'


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (ASKED + ', "from_": 2}', "unknown_field"),
        (ASKED + ', "seat": 2}', "name_twice"),
        (ASKED + ', "melds": ' + "[" * 20 + "]" * 20 + "}", "too_deep"),
        ("[]", "object"),
    ],
)
def test_strict_json(text: str, reason: str) -> None:
    with pytest.raises(RecordError) as refused:
        analyze_json(text)
    assert [fault.reason for fault in refused.value.faults] == [reason]
    assert {fault.code for fault in refused.value.faults} == {"invalid"}

"""Numbers of forms."""

from __future__ import annotations

import pytest

from mahjong_site.calculator.fields import number, read_count, read_seat


@pytest.mark.parametrize(
    ("text", "told"),
    [("0", 0), ("007", 7), ("999999999", 999_999_999), ("1000000000", None), ("-1", None), ("２", None), ("²", None)]
    + [(text, None) for text in ("", None, " 1", "1e3", "0x1")],
)
def test_a_number(text: str | None, told: int | None) -> None:
    assert number(text) == told


def test_counts_and_seats() -> None:
    assert [read_count(text) for text in ("3", "17", "x", None)] == [3, 16, 0, 0]
    assert [read_seat(text) for text in ("0", "3", "4", "03", "", None)] == [0, 3, None, None, None, None]

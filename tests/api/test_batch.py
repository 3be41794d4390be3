"""Batches: split right wherever the body is cut, answered in order, a broken record in its place."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mahjong_site.api import batch
from scoring import RecordError
from scoring.reading import MAX_BYTES
from tests.api.conftest import CASES, Post

RECORDS = [case["request"] for case in CASES]
NDJSON = "application/x-ndjson"


class Trickle(io.BytesIO):
    """A body that comes in pieces of these sizes."""

    def __init__(self, body: bytes, sizes: list[int]) -> None:
        super().__init__(body)
        self.sizes = sizes

    def read(self, size: int | None = -1) -> bytes:  # type: ignore[override]
        self.sizes = [*self.sizes[1:], self.sizes[0]]
        return super().read(self.sizes[0])


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8) | st.sampled_from(['"', "\\", "[", "]},{", '\\"']),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=12,
)
sizes = st.lists(st.integers(1, 9), min_size=1, max_size=5)


@given(st.lists(values, max_size=6), sizes, st.sampled_from([None, 1]), st.booleans())
def test_an_array_is_cut_at_its_commas(
    array: list[Any], sizes: list[int], indent: int | None, ascii_only: bool
) -> None:
    body = json.dumps(array, indent=indent, ensure_ascii=ascii_only).encode("utf-8", "surrogatepass")
    found = list(batch.elements(Trickle(body, sizes)))
    assert [json.loads(one) for one in found] == [json.loads(json.dumps(one)) for one in array]


@given(st.lists(st.binary(max_size=12).filter(lambda line: b"\n" not in line), max_size=6), sizes)
def test_lines_are_cut_at_their_ends(lines: list[bytes], sizes: list[int]) -> None:
    found = list(batch.lines(Trickle(b"\n".join(lines), sizes)))
    assert [one.strip(b" \t\r") for one in found] == [one.strip(b" \t\r") for one in lines if one.strip(b" \t\r")]


@given(st.text(alphabet='[]{},:"\\a1 ', max_size=40), sizes)
def test_any_text_is_cut_or_refused(text: str, sizes: list[int]) -> None:
    try:
        found = list(batch.elements(Trickle(b"[" + text.encode() + b"]", sizes)))
    except RecordError:
        return
    try:
        whole = json.loads("[" + text + "]")
    except ValueError:
        return
    assert [json.loads(one) for one in found] == whole


@pytest.mark.parametrize("body", [b"", b" ", b"{}", b"1", b"[", b"[1,", b"[1]]", b"[1] 2", b"x[1]", b'["]', b"[1]{}"])
def test_what_is_no_array(body: bytes) -> None:
    with pytest.raises(RecordError):
        list(batch.elements(io.BytesIO(body)))


@pytest.mark.parametrize(("split", "around"), [(batch.lines, b"%s"), (batch.elements, b"[%s]")])
def test_a_record_too_long_is_not_kept(split: Any, around: bytes) -> None:
    found = list(split(io.BytesIO(around % (b'"' + b"x" * 3 * MAX_BYTES + b'"'))))
    assert [len(one) for one in found] == [MAX_BYTES + 1]


@pytest.mark.django_db
@pytest.mark.parametrize("accept", ["*/*", NDJSON, "application/json"])
@pytest.mark.parametrize("given_type", [NDJSON, "application/json"])
def test_answers_stand_in_order(post: Post, given_type: str, accept: str) -> None:
    records = [*RECORDS[:3], "no record", {"kind": "win"}, *RECORDS[3:]]
    lines = b"\n".join(json.dumps(one).encode() for one in records)
    body = lines if given_type == NDJSON else json.dumps(records, indent=1).encode()
    response = post("score/batch", body, content_type=given_type, accept=accept)
    assert response.status_code == 200
    wanted = given_type if accept == "*/*" else accept
    assert response["Content-Type"] == wanted
    text = b"".join(response.streaming_content)
    answers = json.loads(text) if wanted != NDJSON else [json.loads(line) for line in text.splitlines()]
    assert len(answers) == len(records)
    for record, answer in zip(records, answers, strict=True):
        alone = post("score", record)
        if alone.status_code == 200:
            assert answer == alone.json()
        else:
            assert answer == {"errors": alone.json()["errors"]}


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("content_type", "body", "status"),
    [
        ("application/json", b"[]", 200),
        (NDJSON, b"\n \n", 200),
        ("application/json", b"{}", 400),
        ("application/json", b"[{}", 400),
        ("text/plain", b"[]", 415),
        (NDJSON, b"{}\n" * 10_001, 413),
        ("application/json", b"[" + b"1," * 10_000 + b"1]", 413),
        (NDJSON, b"{}\n" * 10_000, 200),
    ],
)
def test_what_is_answered_before_the_first_record(post: Post, content_type: str, body: bytes, status: int) -> None:
    assert post("score/batch", body, content_type=content_type).status_code == status


@pytest.mark.django_db
def test_a_body_too_large(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch, "MOST_BYTES", 1000)
    response = post("score/batch", b"{}\n" * 400, content_type=NDJSON)
    assert (response.status_code, response.json()["limit"], response.json()["unit"]) == (413, 1000, "bytes")

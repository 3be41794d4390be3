"""The open endpoints: the engine's answers and faults, as they are."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client

from mahjong_site.limits import rates
from scoring import PRESET_IDS, preset, score_json
from scoring.analysis import analyze_json
from scoring.rules_json import preset_json
from tests.api.conftest import CASES, Post

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["title"][:40])
def test_score_answers_what_the_engine_answers(post: Post, case: dict[str, Any]) -> None:
    response = post("score", case["request"])
    assert response.status_code == (200 if "answer" in case else response.status_code)
    if "answer" in case:
        assert response["Content-Type"] == "application/json"
        assert response.content == score_json(json.dumps(case["request"]))
        assert response.json()["deltas"] == case["answer"]["deltas"]
    else:
        assert {error["code"] for error in response.json()["errors"]} == set(case["codes"])


SCORED = CASES[0]["request"]


@pytest.mark.parametrize(
    ("change", "status", "kind", "codes"),
    [
        (b"[]", 400, "malformed", {"invalid"}),
        (b"{", 400, "malformed", {"invalid"}),
        (b'{"kind": "\\ud800"}', 400, "malformed", {"invalid"}),
        (b"\xff", 400, "malformed", {"invalid"}),
        (b"[" * 5000, 400, "malformed", {"invalid"}),
        ({"rules": "mah-jong"}, 422, "refused", {"unknown_rules"}),
        ({"dealer": 9}, 400, "malformed", {"invalid"}),
        ({"birds": ["0m"]}, 400, "malformed", {"bad_tile"}),
        ({"birds": ["1m", "2m"]}, 422, "refused", {"too_many_birds"}),
        ({"winners": [{"seat": 1, "concealed": "1m"}]}, 422, "refused", {"wrong_tile_count"}),
        (b" " * 65_536 + b"{}", 413, "too-large", None),
    ],
)
def test_a_record_that_cannot_be_scored_is_a_problem(
    post: Post, change: Any, status: int, kind: str, codes: set[str] | None
) -> None:
    response = post("score", SCORED | change if isinstance(change, dict) else change)
    problem = response.json()
    assert (response.status_code, problem["status"]) == (status, status)
    assert response["Content-Type"] == "application/problem+json"
    assert problem["type"].endswith(f"#problem-{kind}")
    if codes:
        assert {error["code"] for error in problem["errors"]} >= codes
        assert all(error["message"] and error["message_zh"] for error in problem["errors"])


@pytest.mark.parametrize(
    ("asked", "title"), [("en", "The rules refuse this."), ("", "规则不允许。"), ("zh", "规则不允许。")]
)
def test_the_title_is_in_the_language_asked_for(post: Post, asked: str, title: str) -> None:
    response = post("score", SCORED | {"rules": "none"}, **{"accept-language": asked})
    assert response.json()["title"] == title
    assert response["Content-Language"] in ("en", "zh-hans")


def test_only_json(post: Post) -> None:
    response = post("score", SCORED, content_type="application/x-www-form-urlencoded")
    assert response.status_code == 415
    assert response.json()["type"].endswith("#problem-unsupported-media-type")


@pytest.mark.parametrize("address", ["", "nothing", "score/", "clubs/nothing"])
def test_an_unknown_address_is_a_problem(client: Client, address: str) -> None:
    response = client.post(f"/api/v1/{address}")
    assert response.status_code == 404
    assert response["Content-Type"] == "application/problem+json"


def test_a_method_that_is_not_there(client: Client) -> None:
    response = client.get("/api/v1/score")
    assert response.status_code == 405
    assert response["Allow"] == "POST, OPTIONS" or response["Allow"] == "POST"
    assert response["Content-Type"] == "application/problem+json"


def test_rules(client: Client) -> None:
    listed = client.get("/api/v1/rules")
    assert [one["preset"] for one in listed.json()] == list(PRESET_IDS)
    for preset_id in PRESET_IDS:
        one = client.get(f"/api/v1/rules/{preset_id}").json()
        assert one == json.loads(json.dumps(preset_json(preset(preset_id)), default=dict))
        assert one["zh"]
        assert one["en"]
    assert client.get("/api/v1/rules/none").status_code == 404


def test_a_reader_who_has_it_gets_304(client: Client) -> None:
    first = client.get("/api/v1/rules")
    again = client.get("/api/v1/rules", headers={"if-none-match": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert client.get("/api/v1/rules/changsha-bbs", headers={"if-none-match": first["ETag"]}).status_code == 200


def test_kong_dice(client: Client) -> None:
    asked = {"preset": "changsha-liuqi", "stacks": 20, "dice": [3, 5]}
    assert client.get("/api/v1/kong-dice", asked).json() == {
        "stack": 8,
        "tiles": ["top", "bottom"],
        "last_tile": False,
        "one_die": "no",
    }


@pytest.mark.parametrize(
    ("change", "status", "paths"),
    [
        ({"preset": "none"}, 422, {"preset"}),
        ({"preset": "wuhan-laizi"}, 422, {"preset"}),
        ({"stacks": 55}, 400, {"stacks"}),
        ({"stacks": "x", "dice": ["y", "3"]}, 400, {"stacks", "dice.0"}),
        ({"stacks": ["3", "4"]}, 400, {"stacks"}),
        ({"dice": [7, 7]}, 400, {"dice"}),
        ({"colour": "red"}, 400, {"colour"}),
    ],
)
def test_kong_dice_refuses(client: Client, change: dict[str, Any], status: int, paths: set[str]) -> None:
    response = client.get("/api/v1/kong-dice", {"preset": "changsha-liuqi", "stacks": 20, "dice": [3, 5]} | change)
    assert response.status_code == status
    assert {error["path"] for error in response.json()["errors"]} == paths


def test_notation(post: Post) -> None:
    assert post("notation", {"text": "二二索 3万4万5万 【555筒@2】 (8888p*) +五万"}).json() == {
        "concealed": "345m22s",
        "melds": [
            {"kind": "pong", "tiles": "555p", "from": 2},
            {"kind": "concealed_kong", "tiles": "8888p", "dice": True},
        ],
        "win_on": ["5m"],
        "text": "345m22s [555p@2] (8888p*) +5m",
    }
    fault = post("notation", {"text": "0m 5"}).json()["errors"]
    assert [(one["code"], one["path"], one["detail"]["position"]) for one in fault] == [
        ("bad_tile", "text", 0),
        ("bad_tile", "text", 3),
    ]


HAND = {"rules": "changsha-room", "dealer": 0, "seat": 1, "concealed": "2345555789m456p"}


@pytest.mark.parametrize("more", [{}, {"draws": 9}, {"draws": 2, "detours": True}])
def test_analysis_answers_what_the_engine_answers(post: Post, more: dict[str, Any]) -> None:
    response = post("analyze", HAND | more)
    assert response.status_code == 200
    assert response.json() == analyze_json(HAND | more)
    assert ("expected" in response.json()) is bool(more)


@pytest.mark.parametrize("more", [{}, {"draws": 9}])
def test_analysis_refuses(post: Post, more: dict[str, Any]) -> None:
    response = post("analyze", HAND | {"concealed": "7z2345555789m456p"} | more)
    assert response.status_code == 422
    assert [error["code"] for error in response.json()["errors"]] == ["tile_not_in_rules"]
    assert post("analyze", HAND | {"draws": 21}).status_code == 400


def test_an_allowance_used_up_says_when_to_come_again(
    client: Client, post: Post, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from mahjong_site.limits import allowances

    monkeypatch.setattr(settings, "API_RATES", settings.API_RATES | {"score": "2/min", "detours": "1/min"})
    allowances.rate_of.cache_clear()
    try:
        assert [post("score", SCORED).status_code for _ in range(3)] == [200, 200, 429]
        refused = post("score", SCORED)
        assert 0 < int(refused["Retry-After"]) <= 30
        assert refused.json()["type"].endswith("#problem-too-many-requests")
        assert client.get("/api/v1/rules").status_code == 200, "another endpoint has its own allowance"
        around = HAND | {"draws": 2, "detours": True}
        assert [post("analyze", around).status_code for _ in range(2)] == [200, 429]
        assert post("analyze", HAND | {"draws": 2}).status_code == 200, "what takes longer has one apart"
        assert (
            client.post("/api/v1/score", b"{}", content_type="application/json", REMOTE_ADDR="1.2.3.4").status_code
            == 400
        )
    finally:
        allowances.rate_of.cache_clear()


@pytest.mark.parametrize("signed_in", [False, True])
def test_an_open_endpoint_asks_the_database_for_the_allowance_and_nothing_else(
    signed_in: bool,
    client: Client,
    post: Post,
    django_user_model: Any,
    django_assert_num_queries: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(rates, "SWEEP_EVERY", 10**9)
    if signed_in:
        client.force_login(django_user_model.objects.create_user("a"))
    with django_assert_num_queries(1) as asked:
        assert post("score", CASES[0]["request"]).status_code == 200
    assert "limits_bucket" in asked[0]["sql"]

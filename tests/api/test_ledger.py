"""Keeping a ledger over HTTP: what is answered, once and again, and to whom is faster."""

from __future__ import annotations

import json
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth import get_user_model
from django.http import HttpResponse
from django.test import Client

from mahjong_site.accounts.services import make_token

pytestmark = pytest.mark.django_db

WIN = {"kind": "win", "by": "self_draw", "winners": [{"seat": 1, "declared": []}], "birds": ["6s"]}
TABLE = {"name": "周六", "rules": "changsha-classic", "players": list("甲乙丙丁")}
OTHER = {"kind": "win", "by": "discard", "from": 2, "winners": [{"seat": 0, "declared": ["one_suit"]}], "birds": ["1s"]}


class Caller:
    """A program with a token."""

    def __init__(self, authorization: str = "") -> None:
        self.client = Client(headers={"authorization": authorization} if authorization else {})

    def __call__(self, method: str, path: str, body: Any = None, **headers: str) -> HttpResponse:
        data = b"" if body is None else json.dumps(body).encode()
        return self.client.generic(method, f"/api/v1/{path}", data, content_type="application/json", headers=headers)


@pytest.fixture
def call() -> Caller:
    user = get_user_model().objects.create_user("张三")
    return Caller(f"Token {make_token(user=user, name='t', scope='write', days=1)[1]}")


@pytest.fixture
def session(call: Caller) -> str:
    club = call("POST", "clubs", {"name": "老友牌友会"}).json()
    opened = call(
        "POST",
        f"clubs/{club['id']}/sessions",
        {
            "name": "周六",
            "rules": "changsha-classic",
            "players": list("甲乙丙丁"),
            "first_dealer": 0,
            "point_value": "0.5",
        },
    )
    assert opened.status_code == 201, opened.content
    return f"sessions/{opened.json()['id']}"


def post(call: Caller, session: str, record: Any, expected_seq: int, key: str = "", **more: Any) -> HttpResponse:
    body = {"record": record, "expected_seq": expected_seq, **more}
    return call("POST", f"{session}/entries", body, **{"idempotency-key": key or uuid4().hex})


def test_a_record_is_posted_once(call: Caller, session: str) -> None:
    first = post(call, session, WIN, 0, "k1")
    assert first.status_code == 201
    assert first.json()["settlement"]["deltas"] == [-40, 80, -20, -20]
    again = post(call, session, WIN, 0, "k1")
    assert (again.status_code, again.content) == (200, first.content)
    assert call("GET", first["Location"].removeprefix("/api/v1/")).json()["seq"] == 1
    reused = post(call, session, OTHER, 1, "k1")
    assert reused.status_code == 422
    assert reused.json()["type"].endswith("#problem-key-reused")
    assert reused.json()["entry"]["seq"] == 1
    late = post(call, session, OTHER, 0, "k2")
    assert late.status_code == 409
    assert late.json()["entry"] == first.json()
    assert late.json()["seq"] == 1
    assert call("GET", session).json()["seq"] == 1


@pytest.mark.parametrize(
    ("record", "more", "status", "codes"),
    [
        ({"kind": "win"}, {}, 400, {"invalid"}),
        ({}, {}, 400, {"invalid"}),
        (WIN | {"rules": "changsha-bbs"}, {}, 422, {"rules_frozen"}),
        (WIN | {"dealer": 3}, {}, 422, {"dealer_mismatch"}),
        (WIN | {"birds": ["1m", "2m"]}, {}, 422, {"too_many_birds"}),
        (WIN, {"same_hand": True}, 422, {"not_same_hand"}),
        (WIN, {"choose_next_dealer": 3}, 422, {"bad_choice"}),
        (WIN, {"expected_seq": -1}, 400, {"invalid"}),
        (WIN, {"amount": 5}, 400, {"invalid"}),
        ("win", {}, 400, {"invalid"}),
    ],
)
def test_what_cannot_be_posted(
    call: Caller, session: str, record: Any, more: Any, status: int, codes: set[str]
) -> None:
    response = post(call, session, record, **{"expected_seq": 0, **more})
    assert response.status_code == status
    assert codes <= {error["code"] for error in response.json()["errors"]}
    assert call("GET", session).json()["seq"] == 0


@pytest.mark.parametrize("key", ["", "a b", "x" * 65, "键"])
def test_a_key_is_needed(call: Caller, session: str, key: str) -> None:
    headers = {"idempotency-key": key} if key else {}
    response = call("POST", f"{session}/entries", {"record": WIN, "expected_seq": 0}, **headers)
    assert response.status_code in (400, 422)
    assert call("GET", session).json()["seq"] == 0


def test_taking_back_and_correcting(call: Caller, session: str) -> None:
    post(call, session, WIN, 0)
    wrong = {"reason": "鸟看错了", "expected_seq": 1}
    corrected = call(
        "POST", f"{session}/entries/1/correct", wrong | {"record": WIN | {"birds": ["9s"]}}, **{"idempotency-key": "c"}
    )
    assert (corrected.status_code, corrected.json()["seq"]) == (201, 3)
    undone = call(
        "POST", f"{session}/entries/3/reverse", {"reason": "没胡", "expected_seq": 3}, **{"idempotency-key": "r"}
    )
    assert (undone.status_code, undone.json()["kind"]) == (201, "reversal")
    twice = call(
        "POST", f"{session}/entries/3/reverse", {"reason": "没胡", "expected_seq": 4}, **{"idempotency-key": "r2"}
    )
    assert [error["code"] for error in twice.json()["errors"]] == ["already_reversed"]
    missing = call(
        "POST", f"{session}/entries/99/reverse", {"reason": "没胡", "expected_seq": 4}, **{"idempotency-key": "r3"}
    )
    assert missing.status_code == 404
    assert [total["points"] for total in call("GET", f"{session}/totals").json()] == [0, 0, 0, 0]
    listed = call("GET", f"{session}/entries").json()["entries"]
    assert [(one["seq"], one["reversed_by"], one["corrected_by"]) for one in listed] == [
        (4, None, None),
        (3, 4, None),
        (2, None, None),
        (1, 2, 3),
    ]


def test_entries_come_page_by_page(call: Caller, session: str) -> None:
    for seq in range(5):
        assert post(call, session, WIN | {"dealer": 0} if seq == 0 else WIN, seq).status_code == 201
    seen: list[int] = []
    cursor = ""
    while cursor is not None:
        page = call("GET", f"{session}/entries?limit=2&cursor={cursor}").json()
        seen += [one["seq"] for one in page["entries"]]
        cursor = page["next"]
    assert seen == [5, 4, 3, 2, 1]
    for bad in ("cursor=x", "limit=0", "limit=201", "page=2", "cursor=٣"):
        assert call("GET", f"{session}/entries?{bad}").status_code == 400


def test_sessions_come_page_by_page(call: Caller, session: str) -> None:
    club = call("GET", session).json()["club_id"]
    for number in range(4):
        call(
            "POST",
            f"clubs/{club}/sessions",
            {"name": f"n{number}", "rules": "changsha-bbs", "players": list("甲乙丙丁")},
        )
    seen: list[str] = []
    cursor: str | None = ""
    while cursor is not None:
        page = call("GET", f"clubs/{club}/sessions?limit=2&cursor={cursor.replace('+', '%2B')}").json()
        seen += [one["name"] for one in page["sessions"]]
        cursor = page["next"]
    assert seen == ["n3", "n2", "n1", "n0", "周六"]
    assert call("GET", f"clubs/{club}/sessions?cursor=x_y").status_code == 400


def test_a_reader_who_has_it_gets_304_until_something_changes(call: Caller, session: str) -> None:
    etag = call("GET", f"{session}/totals")["ETag"]
    assert call("GET", f"{session}/totals", **{"if-none-match": etag}).status_code == 304
    post(call, session, WIN, 0)
    assert call("GET", f"{session}/totals", **{"if-none-match": etag}).status_code == 200


def test_a_closed_session_takes_no_entry(call: Caller, session: str) -> None:
    assert call("POST", f"{session}/close").json()["status"] == "closed"
    assert post(call, session, WIN, 0).json()["errors"][0]["code"] == "session_closed"
    assert call("POST", f"{session}/reopen").json()["status"] == "open"
    assert post(call, session, WIN, 0).status_code == 201


def test_seats_dealer_and_fee(call: Caller, session: str) -> None:
    swapped = call("POST", f"{session}/swap", {"seat": 0, "other": 1}).json()
    assert [player["name"] for player in swapped["players"]] == list("乙甲丙丁")
    seated = call("PUT", f"{session}/seats", {"players": list("甲乙丙戊")}).json()
    assert [player["name"] for player in seated["players"]] == list("甲乙丙戊")
    rolled = call("POST", f"{session}/dealer", {"expected_seq": 0, "dice": [1, 2]}, **{"idempotency-key": "d"})
    assert (rolled.status_code, rolled.json()["dealer"]) == (201, 2)
    fee = call("POST", f"{session}/table-fee", {"expected_seq": 1, "points": 5}, **{"idempotency-key": "f"})
    assert (fee.status_code, fee.json()["seq"]) == (201, 5)
    house = call("GET", f"{session}/totals").json()[-1]
    assert (house["player"]["is_house"], house["points"]) == (True, 20)


def test_settling_up(call: Caller, session: str) -> None:
    post(call, session, WIN, 0)
    plan = call("GET", f"{session}/settle-up").json()
    assert sum(payment["amount"] for payment in plan["payments"]) == 4000
    session_id = session.partition("/")[2]
    made = call("POST", "settle-ups", {"session_ids": [session_id]})
    assert made.status_code == 201
    settled = made.json()
    place = f"clubs/{settled['club_id']}/settle-ups/{settled['id']}"
    transfer = settled["transfers"][0]
    paid = call("PUT", f"{place}/transfers/{transfer['id']}", {"paid": 5}).json()
    assert {one["id"]: one["paid"] for one in paid["transfers"]}[transfer["id"]] == 5
    assert call("POST", f"{place}/cancel").json()["errors"][0]["code"] == "already_paid"
    assert call("POST", "settle-ups", {"session_ids": [session_id]}).status_code == 422


def test_exports(call: Caller, session: str) -> None:
    post(call, session, WIN, 0)
    assert call("GET", f"{session}/export").json()["entries"][0]["seq"] == 1
    text = call("GET", f"{session}/export?format=csv&table=totals")
    assert text["Content-Type"].startswith("text/csv")
    assert "甲" in text.content.decode("utf-8-sig")
    assert call("GET", f"{session}/export?format=xlsx").content[:2] == b"PK"
    assert call("GET", f"{session}/export?format=pdf").status_code == 400


def test_a_guest_opens_a_table_and_lets_others_in() -> None:
    anyone = Caller()
    opened = anyone(
        "POST", "tables", {"name": "周六", "rules": "changsha-room", "players": list("甲乙丙丁"), "first_dealer": 0}
    )
    assert opened.status_code == 201
    host = Caller(f"Link {opened.json()['token']}")
    session, club = opened.json()["session"]["id"], opened.json()["session"]["club_id"]
    link = host("POST", f"clubs/{club}/links", {"role": "scorer", "name": "乙", "session_id": session}).json()
    gives = anyone("POST", "join", {"token": link["token"]}).json()
    assert (gives["role"], gives["session_id"], gives["member"]) == ("scorer", session, False)
    guest = Caller(f"Link {gives['token']}")
    assert post(guest, f"sessions/{session}", {"kind": "exhausted"}, 0).status_code == 201
    assert guest("POST", f"sessions/{session}/reopen").status_code == 403
    assert host("DELETE", f"clubs/{club}/links/{link['id']}").status_code == 204
    assert guest("GET", f"sessions/{session}").status_code == 401
    assert anyone("POST", "join", {"token": link["token"]}).status_code == 404


def test_a_link_is_for_a_session_of_its_club(call: Caller, session: str) -> None:
    club = call("GET", session).json()["club_id"]
    other = call("POST", "clubs", {"name": "另一家"}).json()["id"]
    session_id = session.partition("/")[2]
    for place, of in [(club, str(uuid4())), (other, session_id)]:
        asked = call("POST", f"clubs/{place}/links", {"role": "viewer", "name": "看客", "session_id": of})
        assert asked.status_code == 404
    assert call("POST", f"clubs/{club}/seasons", {"name": "数", "first_day": 0, "last_day": 1}).status_code == 400


def test_a_clubs_link_makes_an_account_a_member(call: Caller, session: str) -> None:
    club = call("GET", session).json()["club_id"]
    token = call("POST", f"clubs/{club}/links", {"role": "player", "name": "牌友"}).json()["token"]
    user = get_user_model().objects.create_user("李四")
    other = Caller(f"Token {make_token(user=user, name='t', scope='write', days=1)[1]}")
    assert other("GET", f"clubs/{club}").status_code == 404
    assert other("POST", "join", {"token": token}).json()["member"] is True
    assert other("GET", f"clubs/{club}").json()["role"] == "player"


def test_figures_over_days_and_seasons(call: Caller, session: str) -> None:
    post(call, session, WIN, 0)
    club = f"clubs/{call('GET', session).json()['club_id']}"
    season = call("POST", f"{club}/seasons", {"name": "古", "first_day": "2001-01-01", "last_day": "2001-12-31"}).json()
    board = call("GET", f"{club}/leaderboard").json()
    assert sum(standing["points"] for standing in board["standings"]) == 0
    assert call("GET", f"{club}/leaderboard?season={season['id']}").json()["sessions"] == 0
    assert call("GET", f"{club}/leaderboard?season={uuid4()}").status_code == 404
    assert call("GET", f"{club}/leaderboard?first=tomorrow").status_code == 400
    figures = call("GET", f"{club}/statistics").json()
    assert {one["player"]["name"]: one["win_share"] for one in figures}["乙"] == 1.0
    taken = call("GET", f"{club}/head-to-head").json()["taken"]
    assert sum(one["points"] for one in taken) == 80
    late = call("POST", f"{club}/seasons", {"name": "错", "first_day": "2001-02-01", "last_day": "2001-01-01"})
    assert late.status_code == 422

"""Who may what: every address and method of the document × everybody who may ask. Default deny.

What each may is written down once (`LEAST`), by operation, as the least role; the test asks all of them.
"""

from __future__ import annotations

import json
import uuid
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from django.utils import timezone

from mahjong_site.accounts import services as accounts
from mahjong_site.accounts.models import ApiToken
from mahjong_site.api import docs
from mahjong_site.clubs.access import Actor
from mahjong_site.clubs.models import Membership, Role
from mahjong_site.clubs.services import links, members, players, seasons
from mahjong_site.clubs.services.clubs import create_club
from mahjong_site.ledger.services import Terms, open_session, post_record
from mahjong_site.ledger.settle_up import settle_up
from scoring import PRESET_IDS

pytestmark = pytest.mark.django_db

ROLES = ("viewer", "player", "scorer", "owner")
ASKERS = (
    "anonymous", "expired", "stranger", "ex_member", "other_session", "reader", "viewer", "player", "scorer", "owner",
    "guest_viewer", "guest_scorer",
)  # fmt: skip

OPEN = "open"
ACCOUNT = "account"
LEAST = {
    **dict.fromkeys(
        ["score", "score_batch", "analyze", "notation", "rules", "rules_preset", "kong_dice", "open_table", "join"],
        OPEN,
    ),
    **dict.fromkeys(["clubs", "create_club"], ACCOUNT),
    **dict.fromkeys(
        [
            "club", "members", "players", "player_statistics", "seasons", "house_rules", "sessions", "club_statistics",
            "leaderboard", "club_head_to_head", "leave_club",
        ],
        "viewer",
    ),
    **dict.fromkeys(
        [
            "session", "entries", "entry", "totals", "series", "session_statistics", "session_head_to_head",
            "settle_up_plan", "session_settle_ups", "settle_up_at", "export_session", "events", "preview",
        ],
        "viewer",
    ),
    **dict.fromkeys(["add_player", "rename_player", "open_session"], "scorer"),
    **dict.fromkeys(
        [
            "post_entry", "reverse", "correct", "table_fee", "dealer", "seat_players", "swap_seats", "close_session",
            "set_entry_mode", "settle_up", "cancel_settle_up", "mark_paid",
        ],
        "scorer",
    ),
    **dict.fromkeys(
        [
            "change_club", "set_member", "remove_member", "join_guest", "links", "create_link", "revoke_link",
            "save_season", "delete_season", "save_house_rules", "delete_house_rules", "export_club", "reopen_session",
        ],
        "owner",
    ),
}  # fmt: skip
WRITES_NOTHING = {"preview"}

RECORD = {"kind": "win", "by": "self_draw", "winners": [{"seat": 1, "declared": []}], "birds": ["6s"]}
BODIES: dict[str, Any] = {
    "score": {"rules": "changsha-room", "kind": "exhausted", "dealer": 2},
    "score_batch": [],
    "analyze": {"rules": "changsha-room", "dealer": 0, "seat": 1, "concealed": "2345555789m456p"},
    "notation": {"text": "1m"},
    "create_club": {"name": "新"},
    "change_club": {"name": "新名"},
    "set_member": {"username": "viewer", "role": "viewer"},
    "add_player": {"name": "新牌友"},
    "rename_player": {"name": "改名"},
    "create_link": {"role": "viewer", "name": "看客"},
    "save_season": {"name": "秋", "first_day": "2026-09-01", "last_day": "2026-11-30"},
    "save_house_rules": {"name": "老规矩", "rules": "changsha-bbs"},
    "open_session": {"name": "周六", "rules": "changsha-classic", "players": list("甲乙丙丁")},
    "open_table": {"name": "周六", "rules": "changsha-classic", "players": list("甲乙丙丁")},
    "set_entry_mode": {"entry_mode": "scorer"},
    "seat_players": {"players": list("乙甲丙丁")},
    "swap_seats": {"seat": 0, "other": 1},
    "post_entry": {"record": RECORD, "expected_seq": 1},
    "preview": {"record": RECORD},
    "reverse": {"reason": "错了", "expected_seq": 1},
    "correct": {"reason": "错了", "expected_seq": 1, "record": RECORD},
    "table_fee": {"points": 1, "expected_seq": 1},
    "dealer": {"seat": 0, "expected_seq": 1},
    "mark_paid": {},
}
QUERIES = {"kong_dice": {"preset": "changsha-liuqi", "stacks": 20, "dice": [3, 5]}}


@dataclass
class World:
    """A club with everything in it, and everybody who may ask."""

    ids: dict[str, Any]
    clients: dict[str, Client]
    bodies: dict[str, Any]


def _account(name: str, scope: str = "write") -> tuple[int, Client]:
    user, _ = get_user_model().objects.get_or_create(username=name)
    _, token = accounts.make_token(user=user, name=scope, scope=scope, days=1)
    return user.pk, Client(headers={"authorization": f"Token {token}"})


@pytest.fixture
def world() -> World:
    clients: dict[str, Client] = {"anonymous": Client()}
    users: dict[str, int] = {}
    for name in ("owner", "scorer", "player", "viewer", "ex_member", "stranger"):
        users[name], clients[name] = _account(name)
    boss = Actor(users["owner"])
    club = create_club(user_id=users["owner"], name="老友")
    create_club(user_id=users["stranger"], name="别家")
    rows = {
        name: members.add_member(actor=boss, club_id=club.id, username=name, role=Role(role))
        for name, role in [("scorer", "scorer"), ("player", "player"), ("viewer", "viewer"), ("ex_member", "scorer")]
    }
    members.remove_member(actor=boss, club_id=club.id, member_id=rows["ex_member"].id)
    _, clients["reader"] = _account("owner", "read")
    old, clients["expired"] = _account("expired")
    members.add_member(actor=boss, club_id=club.id, username="expired", role=Role.OWNER)
    ApiToken.objects.filter(user_id=old).update(expiry=timezone.now() - timedelta(minutes=1))

    def opened() -> Any:
        return open_session(
            actor=boss,
            club_id=club.id,
            terms=Terms(name="周六", rules="changsha-classic", players=list("甲乙丙丁"), first_dealer=0),
        )

    session, other = opened(), opened()
    for one in (session, other):
        post_record(actor=boss, session_id=one.id, record=RECORD, client_key="first", expected_seq=0)
    settled = settle_up(actor=boss, session_ids=[session.id])
    for name, role, of in [
        ("guest_viewer", Role.VIEWER, session),
        ("guest_scorer", Role.SCORER, session),
        ("other_session", Role.SCORER, other),
    ]:
        _link, token = links.create_link(actor=boss, club_id=club.id, role=role, name=name, session_id=of.id)
        clients[name] = Client(headers={"authorization": f"Link {token}"})
    link, _token = links.create_link(actor=boss, club_id=club.id, role=Role.VIEWER, name="看客")
    _link, link_token = links.create_link(actor=boss, club_id=club.id, role=Role.VIEWER, name="路人")
    guest, host = (players.add_player(actor=boss, club_id=club.id, name=name) for name in ("戊", "己"))
    season = seasons.save_season(
        actor=boss, club_id=club.id, name="夏", first_day=timezone.now().date(), last_day=timezone.now().date()
    )
    kept = seasons.save_house_rules(actor=boss, club_id=club.id, name="规矩", rules="changsha-room")
    ids = {
        "club_id": club.id,
        "member_id": rows["viewer"].id,
        "player_id": host.id,
        "link_id": link.id,
        "season_id": season.id,
        "house_rules_id": kept.id,
        "session_id": session.id,
        "seq": 1,
        "settle_up_id": settled.id,
        "transfer_id": settled.transfers[0].id,
        "preset": PRESET_IDS[0],
    }
    bodies = BODIES | {
        "join": {"token": link_token},
        "join_guest": {"guest_id": str(guest.id)},
        "settle_up": {"session_ids": [str(session.id)]},
    }
    return World(ids, clients, bodies)


def operations() -> list[tuple[str, str, str]]:
    """Method, address and id of every operation of the document; *join* last, since it lets a stranger in."""
    document = docs.document()
    found = [
        (method, address, operation["operationId"])
        for address, methods in document["paths"].items()
        for method, operation in methods.items()
    ]
    return sorted(found, key=lambda one: (one[2] == "join", one))


def expected(operation: str, asker: str, in_session: bool) -> set[int]:
    """The statuses that are right."""
    least = LEAST[operation]
    done = {200, 201, 204, 409, 422}
    if asker == "expired":
        return {401}
    if least == OPEN:
        return done
    if asker == "anonymous":
        return {401}
    guest = asker.startswith("guest") or asker == "other_session"
    role = {"reader": "owner", "guest_viewer": "viewer", "guest_scorer": "scorer"}.get(asker, asker)
    if least == ACCOUNT or operation == "leave_club":
        if guest or (asker == "reader" and operation != "clubs"):
            return {403}
        return done if least == ACCOUNT or role in ROLES else {404}
    if asker == "reader" and operation not in READS:
        return {403}
    if role not in ROLES or (guest and not in_session):
        return {404}
    return done if ROLES.index(role) >= ROLES.index(least) else {403}


READS = {
    operation["operationId"]
    for methods in docs.document()["paths"].values()
    for method, operation in methods.items()
    if method == "get"
} | WRITES_NOTHING
IN_SESSION = {"settle_up_at", "settle_up", "cancel_settle_up", "mark_paid"}
"""Operations on one session whose address does not name it."""


def test_every_operation_has_its_least_role() -> None:
    assert {operation for *_, operation in operations()} == set(LEAST)


@pytest.mark.parametrize("asker", ASKERS)
def test_every_operation_for_everybody(world: World, asker: str) -> None:
    wrong = []
    for method, address, operation in operations():
        if operation == "leave_club" and asker in ROLES:
            continue  # who leaves may nothing after
        if operation == "events" and 200 in expected(operation, asker, True):
            continue  # a stream without end; tested on a live server
        path = address
        for name, value in world.ids.items():
            path = path.replace("{" + name + "}", str(value))
        body = world.bodies.get(operation)
        response = world.clients[asker].generic(
            method.upper(),
            path + ("?" + "&".join(_query(operation)) if operation in QUERIES else ""),
            b"" if body is None else json.dumps(body).encode(),
            content_type="application/json",
            headers={"idempotency-key": uuid.uuid4().hex},
        )
        in_session = "session_id" in address or operation in IN_SESSION
        if response.status_code not in expected(operation, asker, in_session):
            wrong.append((operation, response.status_code, sorted(expected(operation, asker, in_session))))
        elif response.status_code >= 400:
            assert response["Content-Type"] == "application/problem+json"
            assert response.json()["status"] == response.status_code
    assert wrong == []


def _query(operation: str) -> list[str]:
    return [
        f"{name}={one}"
        for name, value in QUERIES[operation].items()
        for one in (value if isinstance(value, list) else [value])
    ]


@pytest.mark.parametrize("name", ["club_id", "session_id", "settle_up_id", "transfer_id", "member_id", "link_id"])
def test_what_is_not_there_looks_like_what_is_not_yours(world: World, name: str) -> None:
    for method, address, operation in operations():
        if "{" + name + "}" not in address:
            continue
        path = address
        for part, value in (world.ids | {name: uuid.uuid4()}).items():
            path = path.replace("{" + part + "}", str(value))
        body = world.bodies.get(operation, {})
        asked = {"data": json.dumps(body).encode(), "content_type": "application/json"}
        answers = [
            world.clients[asker].generic(method.upper(), path, **asked, headers={"idempotency-key": "k"})
            for asker in ("owner", "stranger")
        ]
        if operation in ("leave_club", "delete_season"):
            continue
        assert {answer.status_code for answer in answers} == {404}, operation
        assert answers[0].content == answers[1].content


def test_the_browser_session_needs_its_csrf_token(world: World) -> None:
    owner = get_user_model().objects.get(username="owner")
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(owner)
    address = f"/api/v1/clubs/{world.ids['club_id']}/players"
    assert browser.get(address).status_code == 200
    body = json.dumps({"name": "庚"})
    assert browser.post(address, body, content_type="application/json").status_code == 403
    browser.get("/accounts/")
    token = browser.cookies["csrftoken"].value
    allowed = browser.post(address, body, content_type="application/json", headers={"x-csrftoken": token})
    assert allowed.status_code == 201


def test_a_link_lets_a_stranger_in_as_far_as_it_says(world: World) -> None:
    stranger, session = world.clients["stranger"], f"/api/v1/sessions/{world.ids['session_id']}"
    assert stranger.get(session).status_code == 404
    assert stranger.post(f"{session}/close").status_code == 404
    joined = stranger.post("/api/v1/join", json.dumps(world.bodies["join"]), content_type="application/json")
    assert joined.json()["member"] is True
    assert stranger.get(session).status_code == 200
    assert stranger.post(f"{session}/close").status_code == 403


def test_leaving_ends_it(world: World) -> None:
    club = f"/api/v1/clubs/{world.ids['club_id']}"
    assert world.clients["viewer"].post(f"{club}/leave").status_code == 204
    assert world.clients["viewer"].get(club).status_code == 404
    assert Membership.objects.get(user__username="viewer").left_at is not None

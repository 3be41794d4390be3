"""Who may what: every action × everybody who may ask, default deny."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.core.exceptions import PermissionDenied
from django.http import Http404

from mahjong_site.clubs.access import LEAST_ROLE, Action, Actor, access_club, clubs_of
from mahjong_site.clubs.models import Club, Role
from mahjong_site.clubs.services.clubs import create_club
from mahjong_site.clubs.services.links import create_link, make_link, revoke_link
from mahjong_site.clubs.services.members import add_member, leave_club
from mahjong_site.ledger.access import access_session
from mahjong_site.ledger.models import Session
from mahjong_site.ledger.services import Terms, open_session, set_entry_mode

VIEWER = {Action.VIEW}
SCORER = {Action.VIEW, Action.POST, Action.OPEN, Action.SEAT, Action.REVERSE, Action.CLOSE, Action.SETTLE}
OWNER = set(Action)
NOTHING: set[Action] = set()
UNSEEN = None
"""Not even seen: 404."""

MAY = {
    "stranger": UNSEEN,
    "other club": UNSEEN,
    "ex-member": UNSEEN,
    "viewer": VIEWER,
    "player": VIEWER,
    "scorer": SCORER,
    "owner": OWNER,
    "viewer link": VIEWER,
    "player link": VIEWER,
    "scorer link": SCORER,
    "owner link": OWNER,
    "revoked link": UNSEEN,
    "expired link": UNSEEN,
    "link of nothing": UNSEEN,
    "link of another club": UNSEEN,
    "viewer with a scorer link": SCORER,
}
IN_THE_SESSION_ONLY = {"session viewer": VIEWER, "session scorer": SCORER}
OF_ANOTHER_SESSION = {"other session's scorer": UNSEEN}


@pytest.fixture
def session(club: Club, owner: Actor) -> Session:
    return open_session(
        actor=owner, club_id=club.id, terms=Terms(name="a", rules="wuhan-laizi", players=["甲", "乙", "丙", "丁"])
    )


@pytest.fixture
def actors(club: Club, session: Session, owner: Actor, account: Callable[..., Any]) -> dict[str, Actor]:
    """Everybody who may ask."""

    def member(role: Role) -> Actor:
        user = account()
        add_member(actor=owner, club_id=club.id, username=user.username, role=role)
        return Actor(user_id=user.pk)

    def link(role: Role, **options: Any) -> Actor:
        _, token = create_link(actor=owner, club_id=club.id, role=role, name="手机", **options)
        return Actor(tokens=(token,))

    left = member(Role.OWNER)
    leave_club(user_id=left.user_id or 0, club_id=club.id)
    revoked, token = create_link(actor=owner, club_id=club.id, role=Role.OWNER, name="x")
    revoke_link(actor=owner, club_id=club.id, link_id=revoked.id)
    elsewhere = account()
    other_club = create_club(user_id=elsewhere.pk, name="b")
    other_session = open_session(
        actor=owner, club_id=club.id, terms=Terms(name="b", rules="wuhan-laizi", players=["甲", "乙", "丙", "丁"])
    )
    viewer = member(Role.VIEWER)
    return {
        "stranger": Actor(),
        "other club": Actor(user_id=elsewhere.pk),
        "ex-member": left,
        "viewer": viewer,
        "player": member(Role.PLAYER),
        "scorer": member(Role.SCORER),
        "owner": owner,
        **{f"{role} link": link(role) for role in Role},
        "revoked link": Actor(tokens=(token,)),
        "expired link": link(Role.OWNER, lasts=timedelta(seconds=-1)),
        "link of nothing": Actor(tokens=("", "x" * 43, "\x00", "\ud800")),
        "link of another club": Actor(
            tokens=(make_link(club_id=other_club.id, role=Role.OWNER, name="x", lasts=None)[1],)
        ),
        "viewer with a scorer link": Actor(user_id=viewer.user_id, tokens=link(Role.SCORER).tokens),
        "session viewer": link(Role.VIEWER, session_id=session.id),
        "session scorer": link(Role.SCORER, session_id=session.id),
        "other session's scorer": link(Role.SCORER, session_id=other_session.id),
    }


def allowed(door: Callable[[Action], Any]) -> set[Action] | None:
    """The actions a door lets through; None where there is no door to be seen."""
    through, seen = set(), set()
    for action in Action:
        try:
            door(action)
        except Http404:
            continue
        except PermissionDenied:
            seen.add(action)
        else:
            through.add(action)
    if not through and not seen:
        return UNSEEN
    assert through | seen == set(Action), "404 is for all or for nothing"
    return through


def test_every_action_has_a_least_role() -> None:
    assert set(LEAST_ROLE) == set(Action)


def test_in_the_club(actors: dict[str, Actor], club: Club) -> None:
    due = MAY | dict.fromkeys([*IN_THE_SESSION_ONLY, *OF_ANOTHER_SESSION], UNSEEN)
    assert {who: allowed(lambda action, a=a: access_club(a, club.id, action)) for who, a in actors.items()} == due


@pytest.mark.parametrize("mode", ["scorer", "everybody"])
def test_in_the_session(actors: dict[str, Actor], session: Session, owner: Actor, mode: str) -> None:
    set_entry_mode(actor=owner, session_id=session.id, entry_mode=mode)
    due = MAY | IN_THE_SESSION_ONLY | OF_ANOTHER_SESSION
    if mode == "everybody":
        due |= dict.fromkeys(["player", "player link"], VIEWER | {Action.POST})
    assert {who: allowed(lambda action, a=a: access_session(a, session.id, action)) for who, a in actors.items()} == due


def test_what_does_not_exist_looks_like_what_one_may_not_see(owner: Actor) -> None:
    for door in (access_club, access_session):
        with pytest.raises(Http404):
            door(owner, uuid4(), Action.VIEW)


def test_clubs_of_an_account(actors: dict[str, Actor], club: Club) -> None:
    assert [(found.id, role) for found, role in clubs_of(actors["player"])] == [(club.id, Role.PLAYER)]
    assert clubs_of(actors["ex-member"]) == clubs_of(actors["stranger"]) == clubs_of(actors["owner link"]) == []

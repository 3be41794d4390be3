"""Who may what: the only door to a club's rows.

An actor is an account, or a guest with the tokens of join links, or both. What he may not see does not exist for him
(`django.http.Http404`); what he sees but may not do is `django.core.exceptions.PermissionDenied`. Nothing is allowed
that `LEAST_ROLE` does not allow.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum, auto
from types import MappingProxyType
from typing import Any
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.db import connection
from django.db.models import Q
from django.db.models.functions import Now
from django.http import Http404

from mahjong_site.clubs.models import Club, JoinLink, Membership, Role


class Action(Enum):
    """What can be asked for."""

    VIEW = auto()
    POST = auto()
    """Post a record or find the dealer; players may where everybody enters."""
    OPEN = auto()
    SEAT = auto()
    REVERSE = auto()
    """Reverse and correct."""
    CLOSE = auto()
    SETTLE = auto()
    """Make a settle-up, mark a transfer as paid."""
    REOPEN = auto()
    MANAGE = auto()
    """Members, players, links, house rules, seasons, tokens."""
    EXPORT = auto()
    """The whole club, and import."""


LEAST_ROLE: Mapping[Action, Role] = MappingProxyType(
    {
        Action.VIEW: Role.VIEWER,
        Action.POST: Role.SCORER,
        Action.OPEN: Role.SCORER,
        Action.SEAT: Role.SCORER,
        Action.REVERSE: Role.SCORER,
        Action.CLOSE: Role.SCORER,
        Action.SETTLE: Role.SCORER,
        Action.REOPEN: Role.OWNER,
        Action.MANAGE: Role.OWNER,
        Action.EXPORT: Role.OWNER,
    }
)

_ORDER = tuple(Role)


def rank(role: str) -> int:
    """The place of a role among the roles, weakest first."""
    return _ORDER.index(Role(role))


@dataclass(frozen=True)
class Actor:
    """Who asks: ``user_id`` of an account, tokens of join links; neither: a stranger."""

    user_id: int | None = None
    tokens: tuple[str, ...] = ()


@dataclass(frozen=True)
class Grant:
    """What an actor is in a club. ``session_id``: in this session only. ``author_*``: how his entries are signed."""

    club_id: UUID
    role: str
    author_id: UUID
    author_name: str
    session_id: UUID | None

    def may(self, action: Action, *, everybody_enters: bool = False) -> bool:
        """Whether the role is enough."""
        least = Role.PLAYER if action is Action.POST and everybody_enters else LEAST_ROLE[action]
        return rank(self.role) >= rank(least)

    def require(self, action: Action, *, everybody_enters: bool = False) -> Grant:
        """Itself.

        Raises:
            PermissionDenied: the role is not enough.
        """
        if not self.may(action, everybody_enters=everybody_enters):
            raise PermissionDenied
        return self


def token_digest(token: str) -> bytes:
    """What is kept of a link's token."""
    return hashlib.sha256(token.encode(errors="replace")).digest()


def living_link(token: str) -> JoinLink | None:
    """The link of a token, with its club, unless it has expired or was revoked."""
    living = Q(expires_at__isnull=True) | Q(expires_at__gt=Now())
    links = JoinLink.objects.filter(living, revoked_at__isnull=True, token_sha256=token_digest(token))
    return links.select_related("club").first()


_BY_ACCOUNT = """
    SELECT m.role, m.id AS author_id, left(coalesce(p.name, u.username), 40) AS author_name, NULL::uuid AS session_id
    FROM clubs_membership m
    JOIN auth_user u ON u.id = m.user_id
    LEFT JOIN clubs_player p ON p.club_id = m.club_id AND p.user_id = m.user_id
    WHERE m.club_id = {club} AND m.user_id = %(user_id)s AND m.left_at IS NULL
"""
_BY_LINKS = """
    SELECT l.role, l.id AS author_id, l.name AS author_name, l.session_id
    FROM clubs_joinlink l
    WHERE l.club_id = {club} AND l.token_sha256 = ANY(%(tokens)s::bytea[])
        AND l.revoked_at IS NULL AND (l.expires_at IS NULL OR l.expires_at > now())
        AND (l.session_id IS NULL OR l.session_id = {session})
"""


def grants(actor: Actor, *, club: str, session: str) -> tuple[str, dict[str, Any]]:
    """Every grant the actor has in a club, and in one of its sessions: a query, and its parameters.

    ``club`` and ``session`` are SQL for their ids, since a posting asks for session and grants at once.

    Raises:
        Http404: a stranger has none anywhere.
    """
    ways = [way for way, given in ((_BY_ACCOUNT, actor.user_id), (_BY_LINKS, actor.tokens)) if given]
    if not ways:
        raise Http404
    tokens = [token_digest(token) for token in actor.tokens]
    return " UNION ALL ".join(ways).format(club=club, session=session), {"user_id": actor.user_id, "tokens": tokens}


def grant(actor: Actor, club_id: UUID) -> Grant:
    """The strongest role the actor has in the club.

    Raises:
        Http404: he has none.
    """
    query, parameters = grants(actor, club="%(club_id)s", session="NULL")
    with connection.cursor() as cursor:
        cursor.execute(query, {**parameters, "club_id": club_id})
        return strongest(Grant(club_id, *row) for row in cursor.fetchall())


def strongest(grants: Iterable[Grant]) -> Grant:
    """The one with the highest role.

    Raises:
        Http404: there is none.
    """
    found = max(grants, key=lambda one: rank(one.role), default=None)
    if found is None:
        raise Http404
    return found


def access_club(actor: Actor, club_id: UUID, action: Action) -> tuple[Club, Grant]:
    """The club, if the actor may do that in it.

    Raises:
        Http404: he may not see it, or there is none.
        PermissionDenied: he may see it, but not do that.
    """
    found = grant(actor, club_id).require(action)
    return Club.objects.get(id=club_id), found


def clubs_of(actor: Actor) -> list[tuple[Club, Role]]:
    """The clubs an account belongs to, oldest membership first."""
    if actor.user_id is None:
        return []
    members = Membership.objects.filter(user_id=actor.user_id, left_at__isnull=True).select_related("club")
    return [(member.club, Role(member.role)) for member in members.order_by("joined_at")]

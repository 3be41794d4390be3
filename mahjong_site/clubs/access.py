"""Who may what: the only door to a club's rows.

An actor is an account, or a guest with the tokens of join links, or both. What he may not see does not exist for him
(`django.http.Http404`); what he sees but may not do is `django.core.exceptions.PermissionDenied`. Nothing is allowed
that `LEAST_ROLE` does not allow.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, auto
from types import MappingProxyType
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.db.models import F, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce, Now
from django.http import Http404

from mahjong_site.clubs.models import Club, JoinLink, Membership, Player, Role


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
    session_id: UUID | None
    role: Role
    author_id: UUID
    author_name: str

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
    return _living().filter(token_sha256=token_digest(token)).select_related("club").first()


def grant(actor: Actor, club_id: UUID, session_id: UUID | None = None) -> Grant:
    """The strongest role the actor has in the club, or, where ``session_id`` is given, in that session.

    Raises:
        Http404: he has none.
    """
    grants = [*_by_account(actor, club_id), *_by_links(actor, club_id, session_id)]
    if not grants:
        raise Http404
    return max(grants, key=lambda found: rank(found.role))


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


def _by_account(actor: Actor, club_id: UUID) -> list[Grant]:
    if actor.user_id is None:
        return []
    player = Player.objects.filter(club_id=OuterRef("club_id"), user_id=OuterRef("user_id"))
    return [
        Grant(club_id, None, Role(role), member_id, name[:40])
        for role, member_id, name in Membership.objects.filter(
            club_id=club_id, user_id=actor.user_id, left_at__isnull=True
        )
        .annotate(signed=Coalesce(Subquery(player.values("name")[:1]), F("user__username")))
        .values_list("role", "id", "signed")
    ]


def _by_links(actor: Actor, club_id: UUID, session_id: UUID | None) -> list[Grant]:
    if not actor.tokens:
        return []
    whole_club = Q(session_id__isnull=True)
    links = _living().filter(
        whole_club if session_id is None else whole_club | Q(session_id=session_id),
        club_id=club_id,
        token_sha256__in=[token_digest(token) for token in actor.tokens],
    )
    return [Grant(club_id, link.session_id, Role(link.role), link.id, link.name) for link in links]


def _living() -> QuerySet[JoinLink]:
    return JoinLink.objects.filter(Q(expires_at__isnull=True) | Q(expires_at__gt=Now()), revoked_at__isnull=True)

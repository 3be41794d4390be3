"""What people may see of a club: members, players, seasons, links, house rules. Reading only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

from django.http import Http404

from mahjong_site.clubs.access import Action, Actor, access_club
from mahjong_site.clubs.models import Alias, HouseRules, JoinLink, Membership, Player, Role, Season


@dataclass(frozen=True, slots=True)
class Days:
    """A range of days, both ends included; None: open on that side."""

    first: date | None = None
    last: date | None = None

    def bounds(self, time_zone: str) -> tuple[datetime, datetime]:
        """From which moment, up to which (excluded), in the days of a time zone.

        >>> Days(date(2026, 3, 1), date(2026, 3, 1)).bounds("Asia/Shanghai")[0].isoformat()
        '2026-03-01T00:00:00+08:00'
        """
        zone = ZoneInfo(time_zone)
        begin, end = _BEFORE_ALL, _AFTER_ALL
        if self.first and _BEFORE_ALL.date() < self.first:
            begin = datetime.combine(self.first, time.min, zone)
        if self.last and self.last < _AFTER_ALL.date() - timedelta(days=1):
            end = datetime.combine(self.last + timedelta(days=1), time.min, zone)
        return begin, end


_BEFORE_ALL, _AFTER_ALL = datetime(1900, 1, 1, tzinfo=UTC), datetime(9000, 1, 1, tzinfo=UTC)
ALWAYS = Days()


@dataclass(frozen=True, slots=True)
class MemberRow:
    """A member: the account, its role, and the player it is at the tables."""

    id: UUID
    user_id: int
    username: str
    role: Role
    joined_at: datetime
    player_id: UUID | None


@dataclass(frozen=True, slots=True)
class PlayerRow:
    """A player; ``stands_for``: the player this guest turned out to be."""

    id: UUID
    name: str
    has_account: bool
    stands_for: UUID | None


@dataclass(frozen=True, slots=True)
class SeasonRow:
    """A season and its days."""

    id: UUID
    name: str
    days: Days


@dataclass(frozen=True, slots=True)
class LinkRow:
    """A join link that has not been revoked. Its token is not kept, so it is not here."""

    id: UUID
    role: Role
    name: str
    session_id: UUID | None
    created_at: datetime
    expires_at: datetime | None


@dataclass(frozen=True, slots=True)
class HouseRulesRow:
    """Rules a club saved under a name, in the contract's form."""

    id: UUID
    name: str
    rules: Mapping[str, Any]


def club_members(*, actor: Actor, club_id: UUID) -> tuple[MemberRow, ...]:
    """Who belongs to the club, longest first.

    Raises (as all here):
        Http404, PermissionDenied: as `access_club`.
    """
    access_club(actor, club_id, Action.VIEW)
    members = Membership.objects.filter(club_id=club_id, left_at__isnull=True).select_related("user")
    players = dict(Player.objects.filter(club_id=club_id, user__isnull=False).values_list("user_id", "id"))
    return tuple(
        MemberRow(
            member.id,
            member.user_id,
            member.user.get_username(),
            Role(member.role),
            member.joined_at,
            players.get(member.user_id),
        )
        for member in members.order_by("joined_at", "id")
    )


def club_players(*, actor: Actor, club_id: UUID) -> tuple[PlayerRow, ...]:
    """Who sits at the club's tables, by name; without the house."""
    access_club(actor, club_id, Action.VIEW)
    stands_for = dict(Alias.objects.filter(club_id=club_id).values_list("guest_id", "player_id"))
    players = Player.objects.filter(club_id=club_id, is_house=False).order_by("name", "created_at")
    return tuple(
        PlayerRow(player.id, player.name, player.user_id is not None, stands_for.get(player.id)) for player in players
    )


def club_seasons(*, actor: Actor, club_id: UUID) -> tuple[SeasonRow, ...]:
    """The club's seasons, latest first."""
    access_club(actor, club_id, Action.VIEW)
    seasons = Season.objects.filter(club_id=club_id).order_by("-first_day", "name")
    return tuple(SeasonRow(season.id, season.name, Days(season.first_day, season.last_day)) for season in seasons)


def season_days(*, actor: Actor, club_id: UUID, season_id: UUID) -> Days:
    """The days of one season.

    Raises:
        Http404: there is none in this club either.
    """
    access_club(actor, club_id, Action.VIEW)
    season = Season.objects.filter(club_id=club_id, id=season_id).first()
    if season is None:
        raise Http404
    return Days(season.first_day, season.last_day)


def club_links(*, actor: Actor, club_id: UUID) -> tuple[LinkRow, ...]:
    """The links of a club that were not revoked, newest first; the owner may see them."""
    access_club(actor, club_id, Action.MANAGE)
    links = JoinLink.objects.filter(club_id=club_id, revoked_at__isnull=True).order_by("-created_at")
    return tuple(
        LinkRow(link.id, Role(link.role), link.name, link.session_id, link.created_at, link.expires_at)
        for link in links
    )


def club_house_rules(*, actor: Actor, club_id: UUID) -> tuple[HouseRulesRow, ...]:
    """The rules a club has saved, by name."""
    access_club(actor, club_id, Action.VIEW)
    return tuple(
        HouseRulesRow(saved.id, saved.name, {"preset": saved.preset, "options": saved.options})
        for saved in HouseRules.objects.filter(club_id=club_id).order_by("name")
    )

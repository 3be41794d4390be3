"""Clubs: members, players, links, seasons, house rules, and what their sessions come to."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import UUID

from django.http import Http404, HttpResponse
from rest_framework.request import Request

from mahjong_site.api import ledger_shapes as shapes
from mahjong_site.api.bodies import answer, asked, told
from mahjong_site.api.people import HasAccount, LedgerEndpoint, actor, may_write
from mahjong_site.api.schema import OPEN, described
from mahjong_site.clubs import selectors
from mahjong_site.clubs.access import Action, access_club, clubs_of, living_link
from mahjong_site.clubs.models import Role
from mahjong_site.clubs.selectors import Days
from mahjong_site.clubs.services import clubs, links, members, players, seasons
from mahjong_site.ledger.access import access_session
from mahjong_site.ledger.selectors import (
    club_head_to_head,
    club_statistics,
    leaderboard,
    player_statistics,
)

TAG = "clubs"


def nothing() -> HttpResponse:
    """204."""
    return HttpResponse(status=204)


def period(request: Request, club_id: UUID, asks: shapes.PeriodIn) -> Days:
    """The days asked for. Raises: Http404: no such season."""
    if asks.season:
        return selectors.season_days(actor=actor(request), club_id=club_id, season_id=asks.season)
    return Days(asks.first, asks.last)


class Clubs(LedgerEndpoint):
    """The account's clubs."""

    permission_classes = [HasAccount]

    @property
    def rate(self) -> str:  # type: ignore[override]
        """Making one takes from the allowance of opening tables, as on the page."""
        return "table" if self.request.method == "POST" else super().rate

    @described("clubs", zh="我的俱乐部", tag=TAG, returns="ClubOutList")
    def get(self, request: Request) -> HttpResponse:
        """Lists the clubs of the account."""
        return answer(request, [shapes.ClubOut.of(club, role) for club, role in clubs_of(actor(request))])

    @described("create_club", zh="建俱乐部", tag=TAG, body="ClubIn", returns="ClubOut", status=[201])
    def post(self, request: Request) -> HttpResponse:
        """Makes a club; the account owns it."""
        asks = told(request, shapes.ClubIn)
        club = clubs.create_club(user_id=_user_id(request), name=asks.name, time_zone=asks.time_zone)
        return answer(request, shapes.ClubOut.of(club, Role.OWNER), status=201)


class ClubView(LedgerEndpoint):
    """One club."""

    @described("club", zh="俱乐部", tag=TAG, returns="ClubOut")
    def get(self, request: Request, club_id: UUID) -> HttpResponse:
        """Shows a club."""
        club, grant = access_club(actor(request), club_id, Action.VIEW)
        return answer(request, shapes.ClubOut.of(club, grant.role))

    @described("change_club", zh="修改俱乐部", tag=TAG, body="ClubIn", returns="ClubOut")
    def put(self, request: Request, club_id: UUID) -> HttpResponse:
        """Renames a club or moves it to another time zone; its owner may."""
        asks = told(request, shapes.ClubIn)
        club = clubs.change_club(actor=actor(request), club_id=club_id, name=asks.name, time_zone=asks.time_zone)
        return answer(request, shapes.ClubOut.of(club, Role.OWNER))


class Members(LedgerEndpoint):
    """The members of a club."""

    @described("members", zh="成员", tag=TAG, returns="MemberRowList")
    def get(self, request: Request, club_id: UUID) -> HttpResponse:
        """Lists the members with their roles."""
        return answer(request, selectors.club_members(actor=actor(request), club_id=club_id))

    @described("set_member", zh="添加成员", tag=TAG, body="MemberIn", returns="MemberOut")
    def post(self, request: Request, club_id: UUID) -> HttpResponse:
        """Makes an account a member, or gives a member another role; the owner may."""
        asks = told(request, shapes.MemberIn)
        member = members.add_member(actor=actor(request), club_id=club_id, username=asks.username, role=Role(asks.role))
        return answer(request, {"id": member.id, "role": member.role, "joined_at": member.joined_at})


class Member(LedgerEndpoint):
    """One membership."""

    @described("remove_member", zh="移除成员", tag=TAG, status=[204], errors=["refused"])
    def delete(self, request: Request, club_id: UUID, member_id: UUID) -> HttpResponse:
        """Ends a membership; the owner may."""
        members.remove_member(actor=actor(request), club_id=club_id, member_id=member_id)
        return nothing()


class Leave(LedgerEndpoint):
    """One's own membership."""

    permission_classes = [HasAccount]

    @described("leave_club", zh="退出俱乐部", tag=TAG, status=[204], errors=["refused"])
    def post(self, request: Request, club_id: UUID) -> HttpResponse:
        """Ends one's own membership."""
        access_club(actor(request), club_id, Action.VIEW)
        members.leave_club(user_id=_user_id(request), club_id=club_id)
        return nothing()


class Players(LedgerEndpoint):
    """The players of a club."""

    @described("players", zh="牌友", tag=TAG, returns="PlayerRowList")
    def get(self, request: Request, club_id: UUID) -> HttpResponse:
        """Lists the players, with an account or without."""
        return answer(request, selectors.club_players(actor=actor(request), club_id=club_id))

    @described("add_player", zh="添加牌友", tag=TAG, body="PlayerIn", returns="PlayerOut", status=[201])
    def post(self, request: Request, club_id: UUID) -> HttpResponse:
        """Adds a player without an account."""
        player = players.add_player(actor=actor(request), club_id=club_id, name=told(request, shapes.PlayerIn).name)
        return answer(request, {"id": player.id, "name": player.name}, status=201)


class PlayerView(LedgerEndpoint):
    """One player."""

    @described("rename_player", zh="牌友改名", tag=TAG, body="PlayerIn", returns="PlayerOut")
    def put(self, request: Request, club_id: UUID, player_id: UUID) -> HttpResponse:
        """Renames a player; entries name players by id, none changes."""
        name = told(request, shapes.PlayerIn).name
        player = players.rename_player(actor=actor(request), club_id=club_id, player_id=player_id, name=name)
        return answer(request, {"id": player.id, "name": player.name})


class PlayerGuests(LedgerEndpoint):
    """The guests a player has been."""

    @described("join_guest", zh="访客并入牌友", tag=TAG, body="GuestIn", returns="PlayerOut")
    def post(self, request: Request, club_id: UUID, player_id: UUID) -> HttpResponse:
        """Says that a guest was this player all along; the owner may."""
        guest_id = told(request, shapes.GuestIn).guest_id
        alias = players.alias_guest(actor=actor(request), club_id=club_id, guest_id=guest_id, player_id=player_id)
        return answer(request, {"id": alias.player_id, "name": alias.player.name})


class PlayerFigures(LedgerEndpoint):
    """One player's figures."""

    @described(
        "player_statistics", zh="牌友统计", tag=TAG, query=shapes.PeriodIn, returns="StatisticsOut", errors=["refused"]
    )
    def get(self, request: Request, club_id: UUID, player_id: UUID) -> HttpResponse:
        """Shows a player's figures over some days."""
        days = period(request, club_id, asked(request, shapes.PeriodIn))
        found = player_statistics(actor=actor(request), club_id=club_id, player_id=player_id, days=days)
        return answer(request, shapes.StatisticsOut.of(found))


class Links(LedgerEndpoint):
    """The join links of a club."""

    @described("links", zh="邀请链接", tag=TAG, returns="LinkRowList")
    def get(self, request: Request, club_id: UUID) -> HttpResponse:
        """Lists the links that were not revoked; the owner may."""
        return answer(request, selectors.club_links(actor=actor(request), club_id=club_id))

    @described("create_link", zh="新建链接", tag=TAG, body="LinkIn", returns="LinkOut", status=[201])
    def post(self, request: Request, club_id: UUID) -> HttpResponse:
        """Makes a join link of one role, for the club or one session; the owner may. Its token is shown this once."""
        asks = told(request, shapes.LinkIn)
        who = actor(request)
        if asks.session_id and access_session(who, asks.session_id, Action.VIEW)[0].club_id != club_id:
            raise Http404
        link, token = links.create_link(
            actor=who,
            club_id=club_id,
            role=Role(asks.role),
            name=asks.name,
            session_id=asks.session_id,
            lasts=timedelta(days=asks.days) if asks.days else None,
        )
        shown: dict[str, Any] = {name: getattr(link, name) for name in shapes.LinkOut.model_fields if name != "token"}
        return answer(request, {**shown, "token": token}, status=201)


class LinkView(LedgerEndpoint):
    """One link."""

    @described("revoke_link", zh="撤销链接", tag=TAG, status=[204])
    def delete(self, request: Request, club_id: UUID, link_id: UUID) -> HttpResponse:
        """Revokes a link; the owner may."""
        links.revoke_link(actor=actor(request), club_id=club_id, link_id=link_id)
        return nothing()


class Join(LedgerEndpoint):
    """What a link gives."""

    permission_classes = []
    rate = "join"

    @described("join", zh="用链接加入", tag=OPEN, body="JoinIn", returns="JoinOut", errors=["not-found", "forbidden"])
    def post(self, request: Request) -> HttpResponse:
        """Takes a join link: gives a token of its role, and makes an account a member where it is a club's link.

        A session's link makes nobody a member: its token acts in that session, in the link's role, until it expires
        or is revoked.
        """
        token = told(request, shapes.JoinIn).token
        link = living_link(token)
        if link is None:
            raise Http404
        joins = link.session_id is None and not link.club.hidden and may_write(request)
        if joins:
            links.join_by_link(user_id=_user_id(request), token=token)
        gives = shapes.JoinOut(
            token=token,
            role=Role(link.role),
            club_id=link.club_id,
            session_id=link.session_id,
            expires_at=link.expires_at,
            member=joins,
        )
        return answer(request, gives)


class Seasons(LedgerEndpoint):
    """The seasons of a club."""

    @described("seasons", zh="赛季", tag=TAG, returns="SeasonRowList")
    def get(self, request: Request, club_id: UUID) -> HttpResponse:
        """Lists the seasons."""
        return answer(request, selectors.club_seasons(actor=actor(request), club_id=club_id))

    @described("save_season", zh="保存赛季", tag=TAG, body="SeasonIn", returns="SeasonRow")
    def post(self, request: Request, club_id: UUID) -> HttpResponse:
        """Makes a season, or moves the one of that name; the owner may."""
        asks = told(request, shapes.SeasonIn)
        season = seasons.save_season(
            actor=actor(request),
            club_id=club_id,
            name=asks.name,
            first_day=asks.first_day,
            last_day=asks.last_day,
        )
        days = Days(season.first_day, season.last_day)
        return answer(request, selectors.SeasonRow(season.id, season.name, days))


class SeasonView(LedgerEndpoint):
    """One season."""

    @described("delete_season", zh="删除赛季", tag=TAG, status=[204])
    def delete(self, request: Request, club_id: UUID, season_id: UUID) -> HttpResponse:
        """Removes a season; the sessions stay. The owner may."""
        seasons.delete_season(actor=actor(request), club_id=club_id, season_id=season_id)
        return nothing()


class HouseRules(LedgerEndpoint):
    """The rules a club keeps."""

    @described("house_rules", zh="俱乐部规则", tag=TAG, returns="HouseRulesRowList")
    def get(self, request: Request, club_id: UUID) -> HttpResponse:
        """Lists the rules kept under a name."""
        return answer(request, selectors.club_house_rules(actor=actor(request), club_id=club_id))

    @described("save_house_rules", zh="保存规则", tag=TAG, body="HouseRulesIn", returns="HouseRulesRow")
    def post(self, request: Request, club_id: UUID) -> HttpResponse:
        """Keeps a preset with options under a name; the owner may. Sessions keep what they froze."""
        asks = told(request, shapes.HouseRulesIn)
        kept = seasons.save_house_rules(actor=actor(request), club_id=club_id, name=asks.name, rules=asks.rules)
        rules = {"preset": kept.preset, "options": kept.options}
        return answer(request, selectors.HouseRulesRow(kept.id, kept.name, rules))


class HouseRulesView(LedgerEndpoint):
    """Rules kept under one name."""

    @described("delete_house_rules", zh="删除规则", tag=TAG, status=[204])
    def delete(self, request: Request, club_id: UUID, house_rules_id: UUID) -> HttpResponse:
        """Removes rules; the owner may."""
        seasons.delete_house_rules(actor=actor(request), club_id=club_id, house_rules_id=house_rules_id)
        return nothing()


class Leaderboard(LedgerEndpoint):
    """The club's board."""

    @described("leaderboard", zh="排行榜", tag=TAG, query=shapes.BoardIn, returns="Board")
    def get(self, request: Request, club_id: UUID) -> HttpResponse:
        """Shows the standings over the sessions of some days: by points, or by money with a currency."""
        asks = asked(request, shapes.BoardIn)
        days = period(request, club_id, asks)
        return answer(request, leaderboard(actor=actor(request), club_id=club_id, days=days, currency=asks.currency))


class ClubFigures(LedgerEndpoint):
    """The club's figures."""

    @described("club_statistics", zh="统计", tag=TAG, query=shapes.PeriodIn, returns="StatisticsOutList")
    def get(self, request: Request, club_id: UUID) -> HttpResponse:
        """Shows everybody's figures over some days."""
        days = period(request, club_id, asked(request, shapes.PeriodIn))
        found = club_statistics(actor=actor(request), club_id=club_id, days=days)
        return answer(request, [shapes.StatisticsOut.of(one) for one in found])


class ClubHeadToHead(LedgerEndpoint):
    """The club's matrix."""

    @described("club_head_to_head", zh="对战", tag=TAG, query=shapes.PeriodIn, returns="HeadToHeadOut")
    def get(self, request: Request, club_id: UUID) -> HttpResponse:
        """Shows who has taken how much from whom, over some days."""
        days = period(request, club_id, asked(request, shapes.PeriodIn))
        return answer(
            request, shapes.HeadToHeadOut.of(club_head_to_head(actor=actor(request), club_id=club_id, days=days))
        )


def _user_id(request: Request) -> int:
    return int(str(request.user.pk))

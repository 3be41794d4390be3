"""Addresses of the API."""

from django.urls import path, re_path

from mahjong_site.api import docs
from mahjong_site.api import views_clubs as clubs
from mahjong_site.api import views_engine as engine
from mahjong_site.api import views_entries as entries
from mahjong_site.api import views_sessions as sessions
from mahjong_site.api.endpoint import Nothing
from mahjong_site.api.events import Events

app_name = "api"
CLUB = "clubs/<uuid:club_id>"
SESSION = "sessions/<uuid:session_id>"
ENTRY = f"{SESSION}/entries/<int:seq>"
urlpatterns = [
    path("score", engine.Score.as_view(), name="score"),
    path("score/batch", engine.ScoreBatch.as_view(), name="score_batch"),
    path("analyze", engine.Analyze.as_view(), name="analyze"),
    path("notation", engine.Notation.as_view(), name="notation"),
    path("rules", engine.RuleSets.as_view(), name="rules"),
    path("rules/<str:preset>", engine.RuleSet.as_view(), name="rules_preset"),
    path("kong-dice", engine.KongDice.as_view(), name="kong_dice"),
    path("tables", sessions.Tables.as_view(), name="tables"),
    path("join", clubs.Join.as_view(), name="join"),
    path("clubs", clubs.Clubs.as_view(), name="clubs"),
    path(CLUB, clubs.ClubView.as_view(), name="club"),
    path(f"{CLUB}/members", clubs.Members.as_view(), name="members"),
    path(f"{CLUB}/members/<uuid:member_id>", clubs.Member.as_view(), name="member"),
    path(f"{CLUB}/leave", clubs.Leave.as_view(), name="leave"),
    path(f"{CLUB}/players", clubs.Players.as_view(), name="players"),
    path(f"{CLUB}/players/<uuid:player_id>", clubs.PlayerView.as_view(), name="player"),
    path(f"{CLUB}/players/<uuid:player_id>/guests", clubs.PlayerGuests.as_view(), name="player_guests"),
    path(f"{CLUB}/players/<uuid:player_id>/statistics", clubs.PlayerFigures.as_view(), name="player_statistics"),
    path(f"{CLUB}/links", clubs.Links.as_view(), name="links"),
    path(f"{CLUB}/links/<uuid:link_id>", clubs.LinkView.as_view(), name="link"),
    path(f"{CLUB}/seasons", clubs.Seasons.as_view(), name="seasons"),
    path(f"{CLUB}/seasons/<uuid:season_id>", clubs.SeasonView.as_view(), name="season"),
    path(f"{CLUB}/house-rules", clubs.HouseRules.as_view(), name="house_rules"),
    path(f"{CLUB}/house-rules/<uuid:house_rules_id>", clubs.HouseRulesView.as_view(), name="house_rules_one"),
    path(f"{CLUB}/sessions", sessions.ClubSessions.as_view(), name="sessions"),
    path(f"{CLUB}/statistics", clubs.ClubFigures.as_view(), name="club_statistics"),
    path(f"{CLUB}/leaderboard", clubs.Leaderboard.as_view(), name="leaderboard"),
    path(f"{CLUB}/head-to-head", clubs.ClubHeadToHead.as_view(), name="club_head_to_head"),
    path(f"{CLUB}/export", sessions.ClubExport.as_view(), name="club_export"),
    path("settle-ups", sessions.SettleUps.as_view(), name="settle_ups"),
    path(f"{CLUB}/settle-ups/<uuid:settle_up_id>", sessions.SettleUpView.as_view(), name="settle_up"),
    path(f"{CLUB}/settle-ups/<uuid:settle_up_id>/cancel", sessions.CancelSettleUp.as_view(), name="settle_up_cancel"),
    path(
        f"{CLUB}/settle-ups/<uuid:settle_up_id>/transfers/<uuid:transfer_id>",
        sessions.TransferView.as_view(),
        name="transfer",
    ),
    path(SESSION, sessions.SessionView.as_view(), name="session"),
    path(f"{SESSION}/seats", sessions.Seats.as_view(), name="seats"),
    path(f"{SESSION}/swap", sessions.Swap.as_view(), name="swap"),
    path(f"{SESSION}/close", sessions.Close.as_view(), name="close"),
    path(f"{SESSION}/reopen", sessions.Reopen.as_view(), name="reopen"),
    path(f"{SESSION}/dealer", entries.Dealer.as_view(), name="dealer"),
    path(f"{SESSION}/table-fee", entries.TableFee.as_view(), name="table_fee"),
    path(f"{SESSION}/preview", entries.Preview.as_view(), name="preview"),
    path(f"{SESSION}/entries", entries.Entries.as_view(), name="entries"),
    path(ENTRY, entries.EntryView.as_view(), name="entry"),
    path(f"{ENTRY}/reverse", entries.Reverse.as_view(), name="reverse"),
    path(f"{ENTRY}/correct", entries.Correct.as_view(), name="correct"),
    path(f"{SESSION}/totals", sessions.Totals.as_view(), name="totals"),
    path(f"{SESSION}/series", sessions.SeriesView.as_view(), name="series"),
    path(f"{SESSION}/statistics", sessions.SessionFigures.as_view(), name="session_statistics"),
    path(f"{SESSION}/head-to-head", sessions.SessionHeadToHead.as_view(), name="session_head_to_head"),
    path(f"{SESSION}/settle-up", sessions.SessionPlan.as_view(), name="settle_up_plan"),
    path(f"{SESSION}/settle-ups", sessions.SessionSettleUps.as_view(), name="session_settle_ups"),
    path(f"{SESSION}/export", sessions.SessionExport.as_view(), name="session_export"),
    path(f"{SESSION}/events", Events.as_view(), name="events"),
    path("openapi.json", docs.openapi, name="openapi"),
    path("docs/", docs.page, name="docs"),
    path("docs/try", docs.swagger, name="swagger"),
    re_path("", Nothing.as_view()),
]

"""Addresses of the API."""

from django.urls import path, re_path

from mahjong_site.api import docs
from mahjong_site.api import engine_views as engine
from mahjong_site.api.endpoint import Nothing

app_name = "api"
urlpatterns = [
    path("score", engine.Score.as_view(), name="score"),
    path("score/batch", engine.ScoreBatch.as_view(), name="score_batch"),
    path("analyze", engine.Analyze.as_view(), name="analyze"),
    path("notation", engine.Notation.as_view(), name="notation"),
    path("rules", engine.RuleSets.as_view(), name="rules"),
    path("rules/<str:preset>", engine.RuleSet.as_view(), name="rules_preset"),
    path("kong-dice", engine.KongDice.as_view(), name="kong_dice"),
    path("openapi.json", docs.openapi, name="openapi"),
    path("docs/", docs.page, name="docs"),
    path("docs/try", docs.swagger, name="swagger"),
    re_path("", Nothing.as_view()),
]

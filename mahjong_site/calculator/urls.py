"""Addresses of the calculator."""

from django.urls import path

from . import rule_pages, views

app_name = "calculator"
urlpatterns = [
    path("", views.hand, name="hand"),
    path("result", views.result, name="result"),
    path("rules", rule_pages.index, name="rules-index"),
    path("rules/<str:preset_id>", rule_pages.rules, name="rules"),
    path("theme", views.theme, name="theme"),
]

"""Addresses of the analysis."""

from django.urls import path

from mahjong_site.analysis import views

app_name = "analysis"
urlpatterns = [
    path("analyse", views.page, name="page"),
    path("analyse/answer", views.answer, name="answer"),
]

"""Addresses of the calculator."""

from django.urls import path

from . import views

app_name = "calculator"
urlpatterns = [
    path("", views.hand, name="hand"),
    path("result", views.result, name="result"),
    path("theme", views.theme, name="theme"),
]

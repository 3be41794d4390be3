"""Addresses of the pages of a club."""

from django.urls import path

from mahjong_site.clubhouse import views

app_name = "clubs"
urlpatterns = [
    path("", views.home, name="home"),
    path("join/<str:token>", views.join, name="join"),
    path("<uuid:club_id>/", views.club, name="club"),
    path("<uuid:club_id>/members", views.set_member, name="set-member"),
    path("<uuid:club_id>/members/<uuid:member_id>/remove", views.remove_member, name="remove-member"),
    path("<uuid:club_id>/members/<uuid:member_id>/help", views.help_member, name="help-member"),
    path("<uuid:club_id>/links", views.make_link, name="make-link"),
    path("<uuid:club_id>/links/<uuid:link_id>/revoke", views.revoke_link, name="revoke-link"),
]

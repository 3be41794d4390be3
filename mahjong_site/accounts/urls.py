"""Addresses of signing in and of the account page. The names of allauth's own views are allauth's."""

from allauth.account import views as allauth
from django.urls import path, re_path

from mahjong_site.accounts import views

urlpatterns = [
    path("", views.page, name="account"),
    path("tokens", views.make_token, name="account_make_token"),
    path("tokens/<str:public_id>/revoke", views.revoke_token, name="account_revoke_token"),
    path("trusted-clubs", views.trusted_clubs, name="account_trusted_clubs"),
    path("claim", views.claim, name="account_claim"),
    path("login/", allauth.login, name="account_login"),
    path("logout/", allauth.logout, name="account_logout"),
    path("inactive/", allauth.account_inactive, name="account_inactive"),
    path("signup/", allauth.signup, name="account_signup"),
    path("reauthenticate/", allauth.reauthenticate, name="account_reauthenticate"),
    path("password/change/", allauth.password_change, name="account_change_password"),
    path("password/set/", allauth.password_set, name="account_set_password"),  # for who has none
    re_path(
        r"^password/reset/key/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>.+)/$",
        allauth.password_reset_from_key,
        name="account_reset_password_from_key",
    ),
    path(
        "password/reset/key/done/",
        allauth.password_reset_from_key_done,
        name="account_reset_password_from_key_done",
    ),
]

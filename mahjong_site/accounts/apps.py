"""Accounts."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """API tokens; the rest is allauth's and Django's."""

    name = "mahjong_site.accounts"

"""The pages of a club."""

from django.apps import AppConfig


class ClubhouseConfig(AppConfig):
    """Pages only; the tables are those of clubs and ledger."""

    name = "mahjong_site.clubhouse"

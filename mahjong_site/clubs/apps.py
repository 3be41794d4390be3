"""People and clubs: who there is, and who may do what."""

from django.apps import AppConfig


class ClubsConfig(AppConfig):
    """Clubs, players, memberships, links, seasons, house rules."""

    name = "mahjong_site.clubs"

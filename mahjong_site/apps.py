"""The project itself as an application: it carries the commands `up`, `migrate` and `catalogues`."""

from django.apps import AppConfig


class SiteConfig(AppConfig):
    """The project's own commands; it has no tables."""

    name = "mahjong_site"

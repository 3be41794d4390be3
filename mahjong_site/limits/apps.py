"""Rate limits."""

from django.apps import AppConfig


class LimitsConfig(AppConfig):
    """One table of buckets."""

    name = "mahjong_site.limits"

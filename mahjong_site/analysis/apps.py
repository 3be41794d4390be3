"""The analysis of a hand, without a login."""

from django.apps import AppConfig


class AnalysisConfig(AppConfig):
    """Pages only; what they show is the engine's."""

    name = "mahjong_site.analysis"

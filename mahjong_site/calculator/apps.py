"""The calculator: a hand entered, settled and explained, without a login."""

from django.apps import AppConfig


class CalculatorConfig(AppConfig):
    name = "mahjong_site.calculator"
    verbose_name = "calculator"

"""The REST API."""

from django.apps import AppConfig


class ApiConfig(AppConfig):
    """Endpoints, problems, the OpenAPI document."""

    name = "mahjong_site.api"

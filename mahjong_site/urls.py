"""Where each part of the site lives."""

from pathlib import Path

from django.urls import URLPattern, URLResolver, include, path

from mahjong_site import health
from mahjong_site.observability.metrics import metrics

PARTS = {"api/v1/": "api", "clubs/": "clubhouse", "t/": "table", "": "calculator"}

urlpatterns: list[URLPattern | URLResolver] = [
    path("healthz", health.healthz, name="healthz"),
    path("readyz", health.readyz, name="readyz"),
    path("metrics", metrics, name="metrics"),
    path("accounts/", include("mahjong_site.accounts.urls")),
    path("i18n/", include("django.conf.urls.i18n")),
    *(
        path(prefix, include(f"mahjong_site.{part}.urls"))
        for prefix, part in PARTS.items()
        if Path(__file__).with_name(part).joinpath("urls.py").exists()
    ),
]

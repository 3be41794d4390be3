"""Where each part of the site lives."""

from django.urls import URLPattern, URLResolver, include, path

from mahjong_site import health
from mahjong_site.observability.metrics import metrics

urlpatterns: list[URLPattern | URLResolver] = [
    path("healthz", health.healthz, name="healthz"),
    path("readyz", health.readyz, name="readyz"),
    path("metrics", metrics, name="metrics"),
    path("accounts/", include("mahjong_site.accounts.urls")),
    path("i18n/", include("django.conf.urls.i18n")),
    path("api/v1/", include("mahjong_site.api.urls")),
    path("clubs/", include("mahjong_site.clubhouse.urls")),
    path("t/", include("mahjong_site.table.urls")),
    path("", include("mahjong_site.analysis.urls")),
    path("", include("mahjong_site.calculator.urls")),
]

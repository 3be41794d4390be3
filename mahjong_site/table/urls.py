"""Addresses of the pages of a table."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django import urls
from django.http import HttpResponse
from django.utils import timezone

from mahjong_site.table import dealing, ending, entering, joining, opening, quick, seating, sitting

app_name = "table"
SESSION = "<uuid:session_id>"


def path(route: str, view: Callable[..., HttpResponse], name: str) -> urls.URLPattern:
    """A page that may set its club's time zone: none but its own."""

    @wraps(view)
    def shown(*args: Any, **kwargs: Any) -> HttpResponse:
        with timezone.override(None):
            return view(*args, **kwargs)

    return urls.path(route, shown, name=name)


urlpatterns = [
    path("", opening.home, name="home"),
    path("new", opening.new, name="new"),
    path("new/options", opening.options, name="new-options"),
    path("join/<str:token>", joining.join, name="join"),
    path(f"{SESSION}/", sitting.session, name="session"),
    path(f"{SESSION}/live", sitting.live, name="live"),
    path(f"{SESSION}/hand", entering.hand, name="hand"),
    path(f"{SESSION}/hand/result", entering.result, name="hand-result"),
    path(f"{SESSION}/quick", quick.page, name="quick"),
    path(f"{SESSION}/quick/result", quick.result, name="quick-result"),
    path(f"{SESSION}/post", entering.post, name="post"),
    path(f"{SESSION}/resolve", entering.resolve, name="resolve"),
    path(f"{SESSION}/post-quick", quick.post, name="post-quick"),
    path(f"{SESSION}/entries/<int:seq>", sitting.entry, name="entry"),
    path(f"{SESSION}/entries/<int:seq>/correct", entering.correct, name="correct"),
    path(f"{SESSION}/entries/<int:seq>/reverse", sitting.reverse_hand, name="reverse"),
    path(f"{SESSION}/seats", seating.seats, name="seats"),
    path(f"{SESSION}/mode", seating.mode, name="mode"),
    path(f"{SESSION}/dealer", dealing.dealer, name="dealer"),
    path(f"{SESSION}/kong-dice", dealing.kong_dice_page, name="kong-dice"),
    path(f"{SESSION}/invite", joining.invite, name="invite"),
    path(f"{SESSION}/end", ending.end, name="end"),
    path(f"{SESSION}/close", ending.close, name="close"),
    path(f"{SESSION}/reopen", ending.reopen, name="reopen"),
    path(f"{SESSION}/settle", ending.settle, name="settle"),
    path(f"{SESSION}/settle/<uuid:settle_up_id>/cancel", ending.unsettle, name="unsettle"),
    path(f"{SESSION}/settle/<uuid:settle_up_id>/<uuid:transfer_id>", ending.paid, name="paid"),
    path(f"{SESSION}/export/<str:name>", ending.export, name="export"),
]

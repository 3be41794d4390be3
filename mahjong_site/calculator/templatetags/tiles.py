"""Tiles in templates."""

from __future__ import annotations

from functools import cache

from django import template
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString

from scoring.tiles import NAMES, Tile

from ..words import tile_name

register = template.Library()


@cache
def _face(code: str) -> SafeString:
    return format_html(
        '<svg class="tile" viewBox="0 0 60 80" aria-hidden="true"><use href="{}#{}"/></svg>',
        static("img/tiles.svg"),
        code,
    )


@register.simple_tag
def tile(code: str | Tile) -> SafeString:
    """The drawing of a tile, by its code (``5m``) or kind; whoever shows it says its name beside it."""
    return _face(NAMES[code] if isinstance(code, int) else code)


@register.simple_tag
def sprite() -> str:
    """Address of the sprite that holds all tile faces."""
    return static("img/tiles.svg")


@register.filter
def tile_words(code: str) -> str:
    """The name of a tile in the language of the page."""
    return tile_name(NAMES.index(code))


@register.filter
def tile_code(kind: Tile) -> str:
    """The two-character code of a kind."""
    return NAMES[kind]


@register.filter
def kind_words(kind: Tile) -> str:
    """The name of a kind in the language of the page."""
    return tile_name(kind)

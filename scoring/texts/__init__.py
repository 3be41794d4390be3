"""What the engine says, in Chinese and English side by side: TOML files, read once on first use."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple


class Text(NamedTuple):
    """One text in both languages."""

    zh: str
    en: str


@cache
def table(name: str) -> dict[str, Any]:
    """The parsed file ``scoring/texts/<name>.toml``."""
    return tomllib.loads((Path(__file__).parent / f"{name}.toml").read_text("utf-8"))


@cache
def text(name: str, key: str) -> Text:
    """The text ``key`` of file ``name``.

    >>> text("patterns", "one_suit").zh
    '清一色'

    Raises:
        KeyError: there is no such text.
    """
    entry = table(name)[key]
    return Text(entry["zh"], entry["en"])

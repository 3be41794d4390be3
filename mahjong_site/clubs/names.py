"""Names people type: 1–40 characters, NFC, without control or bidi characters."""

from __future__ import annotations

import unicodedata

MAX_NAME = 40
_REFUSED_CATEGORIES = frozenset({"Cc", "Cs", "Co", "Cn", "Zl", "Zp"})
_BIDI = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def clean_name(text: str) -> str | None:
    """The name in NFC without outer spaces, or None where it is empty, too long or holds a character no name needs.

    >>> clean_name("  张三 ")
    '张三'
    >>> clean_name("=1+1\\t") is None
    False
    >>> clean_name("a\\tb") is None
    True
    """
    name = unicodedata.normalize("NFC", text).strip()
    if not 1 <= len(name) <= MAX_NAME:
        return None
    if any(unicodedata.category(c) in _REFUSED_CATEGORIES or c in _BIDI for c in name):
        return None
    # A name of nothing but joiners and marks is invisible.
    if not any(unicodedata.category(c)[0] in "LNSP" for c in name):
        return None
    return name

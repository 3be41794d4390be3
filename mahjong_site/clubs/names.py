"""Names people type: 1–40 characters, NFC, without control or bidi characters."""

from __future__ import annotations

import unicodedata

from mahjong_site.clubs.models import NAME_LENGTH
from mahjong_site.clubs.refusals import Refused

_REFUSED_CATEGORIES = frozenset({"Cc", "Cs", "Co", "Cn", "Zl", "Zp"})
_BIDI = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_BLANK = frozenset("\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Letters and symbols that Unicode draws as nothing."""
_SEEN = frozenset("LNSP")
"""Unicode's letters, numbers, symbols, punctuation: a name of marks and joiners alone is invisible."""


def is_clean(text: str) -> bool:
    """Whether the text holds no character that would hide, reorder or break what stands around it.

    >>> is_clean("张三 <b>=1+1</b>"), is_clean("a\\tb"), is_clean("\\u202eabc")
    (True, False, False)
    >>> is_clean("\\u200d"), is_clean("\\u3164")
    (False, False)
    """
    kinds = [unicodedata.category(character) for character in text]
    return (
        not any(kind in _REFUSED_CATEGORIES for kind in kinds)
        and not any(character in _BIDI for character in text)
        and any(kind[0] in _SEEN for kind, character in zip(kinds, text, strict=True) if character not in _BLANK)
    )


def clean_name(text: str, *, path: str = "name", longest: int = NAME_LENGTH, code: str = "bad_name") -> str:
    """The name in NFC without outer spaces.

    >>> clean_name(" 张三 ")
    '张三'

    Raises:
        Refused: ``code`` where it is empty, longer than ``longest`` or not clean.
    """
    name = unicodedata.normalize("NFC", text).strip()
    if not 1 <= len(name) <= longest or not is_clean(name):
        raise Refused.because(code, path)
    return name

"""What is wrong with a record: a stable code, a path, words in both languages (contract, "Errors").

A function that checks appends to a list of `Fault`; nobody stops at the first one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from scoring.texts import table


class Fault(NamedTuple):
    """One fault.

    ``code`` is the contract's; ``reason`` names the situation within the code and chooses the words
    (``scoring/texts/faults.toml``); ``path`` is dotted, with list positions as numbers, ``""`` for the whole record.
    """

    code: str
    reason: str
    path: str
    detail: Mapping[str, Any]

    @property
    def message(self) -> str:
        """What is wrong and what would make it right, in English."""
        return self._words("en")

    @property
    def message_zh(self) -> str:
        """The same in Chinese."""
        return self._words("zh")

    def _words(self, language: str) -> str:
        template: str = table("faults")[self.code][self.reason][language]
        return template.format(**self.detail)

    def to_json(self) -> dict[str, Any]:
        """The contract's error object."""
        return {
            "code": self.code,
            "path": self.path,
            "message": self.message,
            "message_zh": self.message_zh,
            "detail": {"reason": self.reason, **self.detail},
        }


def fault(code: str, reason: str, path: str = "", **detail: Any) -> Fault:
    """A fault with its details.

    >>> fault("bad_tile", "unknown", "birds.0", part="0m", position=0).message_zh
    '认不出的牌：“0m”（第 1 个字）'
    """
    if code == "bad_tile":
        detail["place"] = detail["position"] + 1
    said = {name: _writable(value) if isinstance(value, str) else value for name, value in detail.items()}
    return Fault(code, reason, _writable(path), said)


def _writable(text: str) -> str:
    """Text as UTF-8 can hold it: half a character (a lone surrogate) becomes a question mark."""
    return text.encode("utf-8", "replace").decode()


class RecordError(ValueError):
    """A record that cannot be scored, with every fault found."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults: tuple[Fault, ...] = tuple(faults)
        super().__init__("; ".join(f"{f.path}: {f.code}: {f.message}" for f in self.faults))

    def to_json(self) -> dict[str, Any]:
        """The contract's answer: ``{"errors": […]}``."""
        return {"errors": [f.to_json() for f in self.faults]}

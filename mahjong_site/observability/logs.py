"""Logs as JSON, one line an event, with the id of the request and no secret."""

from __future__ import annotations

import json
import logging
import re
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any, Final

request_id: ContextVar[str] = ContextVar("request_id", default="")
"""The id of the request being answered; empty outside one."""

_SECRETS: Final = (
    # A join link's token in an address; a link for a new password; what stands in an Authorization header.
    (re.compile(r"(/join/)[A-Za-z0-9_-]+"), r"\1…"),
    (re.compile(r"(/password/reset/key/)[^/\s\"]+"), r"\1…"),
    (re.compile(r"\b((?:Token|Link)\s+)[A-Za-z0-9_-]{16,}"), r"\1…"),
    (re.compile(r"((?:password|token|sessionid|csrftoken|secret)[\"']?\s*[=:]\s*[\"']?)[^\s\"'&;,}]+", re.I), r"\1…"),
)
_EXTRA: Final = ("method", "path", "status", "milliseconds", "bytes", "user")


def without_secrets(text: str) -> str:
    """The text with tokens, passwords and cookies blanked.

    >>> without_secrets("GET /t/join/AbCd-1234 token=xyz")
    'GET /t/join/… token=…'
    """
    for pattern, put in _SECRETS:
        text = pattern.sub(put, text)
    return text


class JSONLines(logging.Formatter):
    """``{"time", "level", "logger", "message", "request", …}``, one line."""

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        told: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": without_secrets(record.getMessage()),
        }
        if here := request_id.get():
            told["request"] = here
        told |= {name: getattr(record, name) for name in _EXTRA if hasattr(record, name)}
        if "path" in told:
            told["path"] = without_secrets(str(told["path"]))
        if record.exc_info:
            told["traceback"] = without_secrets(self.formatException(record.exc_info))
        return json.dumps(told, ensure_ascii=False, default=str)

"""What goes into the log: no secret, in any format; as JSON one line an event, with the id of the request."""

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
_TRACEBACK: Final = logging.Formatter()
_EXTRA: Final = ("method", "path", "status", "milliseconds", "bytes", "user")


def without_secrets(text: str) -> str:
    """The text with tokens, passwords and cookies blanked.

    >>> without_secrets("GET /t/join/AbCd-1234 token=xyz")
    'GET /t/join/… token=…'
    """
    for pattern, put in _SECRETS:
        text = pattern.sub(put, text)
    return text


class NoSecrets(logging.Filter):
    """Belongs on a handler, before any format: blanks the message, the traceback and what is told beside them."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Always True; the record has no secret any more."""
        record.msg, record.args = without_secrets(record.getMessage()), None
        if record.exc_info and not record.exc_text:
            record.exc_text = _TRACEBACK.formatException(record.exc_info)
        record.exc_text = record.exc_text and without_secrets(record.exc_text)
        record.stack_info = record.stack_info and without_secrets(record.stack_info)
        if hasattr(record, "path"):
            record.path = without_secrets(str(record.path))
        return True


class JSONLines(logging.Formatter):
    """``{"time", "level", "logger", "message", "request", …}``, one line."""

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        told: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
        }
        if here := request_id.get():
            told["request"] = here
        told |= {name: getattr(record, name) for name in _EXTRA if hasattr(record, name)}
        if record.exc_info or record.exc_text:
            told["traceback"] = record.exc_text or self.formatException(record.exc_info)  # type: ignore[arg-type]
        return json.dumps(told, ensure_ascii=False, default=str)

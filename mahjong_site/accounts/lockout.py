"""Whose password is being guessed, for axes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest


def username(request: HttpRequest, credentials: Mapping[str, Any] | None = None) -> str:
    """The name as it was typed, in one case: an account is found whatever the case, so guesses count together."""
    typed = (credentials or {}).get("username") or request.POST.get("login", "")
    return str(typed).casefold()

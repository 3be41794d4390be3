"""Who asks over the API: an account by its token, or a guest by the token of a join link."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.utils import timezone
from knox.auth import TokenAuthentication
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from mahjong_site.accounts.models import ApiToken
from mahjong_site.clubs.access import living_link, token_digest

_TOKEN = re.compile(rb"[A-Za-z0-9_-]{1,200}", re.ASCII)


def _given(request: Request, scheme: bytes) -> bytes | None:
    """The token of ``Authorization: scheme token``; None where there is none of this scheme."""
    given, _, token = get_authorization_header(request).partition(b" ")
    if given.lower() != scheme:
        return None
    if not _TOKEN.fullmatch(token.strip()):
        raise AuthenticationFailed
    return token.strip()


class AccountToken(TokenAuthentication):
    """``Authorization: Token …``, a token of the account page."""

    def authenticate(self, request: Request) -> tuple[Any, Any] | None:
        """The account and its `ApiToken`."""
        token = _given(request, b"token")
        if token is None:
            return None
        found: tuple[Any, Any] = self.authenticate_credentials(token)
        return found

    def _cleanup_token(self, auth_token: ApiToken) -> bool:
        """Whether it has expired. knox's own looks at all tokens of the account and deletes, on every request."""
        return auth_token.expiry is not None and auth_token.expiry < timezone.now()


@dataclass(frozen=True)
class LinkToken:
    """The token of a join link, as authentication."""

    token: str

    @property
    def public_id(self) -> str:
        """What the throttle knows it by."""
        return f"link:{token_digest(self.token).hex()[:16]}"


class GuestLink(BaseAuthentication):
    """``Authorization: Link …``, the token of a join link: a guest with the link's role."""

    def authenticate(self, request: Request) -> tuple[Any, Any] | None:
        """Nobody's account, and the `LinkToken`."""
        token = _given(request, b"link")
        if token is None:
            return None
        if living_link(token.decode()) is None:
            raise AuthenticationFailed
        return AnonymousUser(), LinkToken(token.decode())

    def authenticate_header(self, request: Request) -> str:
        """The scheme."""
        return "Link"

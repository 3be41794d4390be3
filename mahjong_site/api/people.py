"""Who asks: an account by token or browser session, a guest by link; and what a token may."""

from __future__ import annotations

from typing import ClassVar

from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request
from rest_framework.views import APIView

from mahjong_site.accounts.authentication import LinkToken
from mahjong_site.accounts.models import ApiToken
from mahjong_site.api.endpoint import Endpoint
from mahjong_site.clubs.access import Actor


class Known(BasePermission):
    """Somebody: an account or the holder of a link. A token for reading only reads."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        """Whether it is somebody, whose token allows the method."""
        if _only_reads(request):
            return request.method in SAFE_METHODS or getattr(view, "reads", False)
        return isinstance(request.auth, LinkToken) or bool(request.user.is_authenticated)


class HasAccount(Known):
    """Somebody with an account."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        """Whether there is an account."""
        return bool(request.user.is_authenticated) and super().has_permission(request, view)


class LedgerEndpoint(Endpoint):
    """An endpoint for those who are known. ``reads``: its POST writes nothing."""

    permission_classes = [Known]
    reads: ClassVar[bool] = False

    @property
    def rate(self) -> str:  # type: ignore[override]
        """Reading and writing have an allowance each."""
        return "read" if self.reads or self.request.method in SAFE_METHODS else "write"


def actor(request: Request) -> Actor:
    """Who asks, for access, services and selectors."""
    tokens = (request.auth.token,) if isinstance(request.auth, LinkToken) else ()
    return Actor(user_id=request.user.pk, tokens=tokens)


def may_write(request: Request) -> bool:
    """Whether it is an account whose token, if it came with one, may write."""
    return bool(request.user.is_authenticated) and not _only_reads(request)


def _only_reads(request: Request) -> bool:
    return isinstance(request.auth, ApiToken) and request.auth.scope == ApiToken.Scope.READ

"""What all endpoints share."""

from __future__ import annotations

from typing import Any, ClassVar

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.parsers import JSONParser
from rest_framework.permissions import AllowAny
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request
from rest_framework.views import APIView

from mahjong_site.accounts.authentication import AccountToken
from mahjong_site.api.throttles import Throttle


class OneFormat(DefaultContentNegotiation):
    """Every endpoint answers in its one format, whatever Accept says."""

    def select_renderer(
        self, request: Request, renderers: Any, format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        """JSON."""
        return renderers[0], str(renderers[0].media_type)


class Endpoint(APIView):
    """An endpoint. ``rate`` names its allowance in ``settings.API_RATES``."""

    rate: ClassVar[str] = "read"
    parser_classes = [JSONParser]
    renderer_classes = [JSONRenderer]
    content_negotiation_class = OneFormat
    throttle_classes = [Throttle]
    metadata_class = None


class OpenEndpoint(Endpoint):
    """An endpoint that asks for no token; with one, the token's allowance counts instead of the address's."""

    authentication_classes = [AccountToken]
    permission_classes = [AllowAny]


@extend_schema(exclude=True)
class Nothing(OpenEndpoint):
    """Any address that is none of ours."""

    rate = "engine"

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Raises: Http404, whatever the method."""
        super().initial(request, *args, **kwargs)
        raise Http404

"""What the API's tests share."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client

CASES = [json.loads(line) for line in (Path(__file__).parent.parent / "data" / "examples.jsonl").open(encoding="utf-8")]

Post = Callable[..., HttpResponse]


@pytest.fixture
def post(client: Client) -> Post:
    """Posts a value as JSON, or bytes as they are, to an address below ``/api/v1/``."""

    def posted(address: str, value: Any, *, content_type: str = "application/json", **headers: str) -> HttpResponse:
        data = value if isinstance(value, bytes) else json.dumps(value).encode()
        return client.post(f"/api/v1/{address}", data, content_type=content_type, headers=headers)

    return posted

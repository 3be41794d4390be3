"""`manage.py openapi`: writes the API's OpenAPI document."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management import BaseCommand

from mahjong_site.api import docs


class Command(BaseCommand):
    """Writes ``mahjong_site/api/openapi.yaml`` anew; a test compares it with what is generated."""

    help = "Writes the OpenAPI document of the API into mahjong_site/api/openapi.yaml."

    def handle(self, *args: Any, **options: Any) -> None:
        """Writes the file."""
        path = Path(docs.__file__).with_name("openapi.yaml")
        path.write_text(docs.document_yaml(), encoding="utf-8")
        self.stdout.write(f"{path.name}: {len(docs.document()['paths'])} addresses")

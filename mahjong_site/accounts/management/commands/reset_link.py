"""`manage.py reset_link NAME`: an address where an account's owner chooses a new password."""

from __future__ import annotations

from typing import Any

from django.contrib.auth import get_user_model
from django.core.management import BaseCommand, CommandError, CommandParser

from mahjong_site.accounts.services import reset_address


class Command(BaseCommand):
    """Prints a link that works once, for three days."""

    help = "Prints an address where the owner of an account chooses a new password. It works once, for three days."

    def add_arguments(self, parser: CommandParser) -> None:
        """Whose, and where the site is."""
        parser.add_argument("username")
        parser.add_argument("--site", default="", help="put before the path, such as https://mahjong.example.org")

    def handle(self, *args: Any, username: str, site: str, **options: Any) -> None:
        """Prints the address."""
        user = get_user_model().objects.filter(username=username).first()
        if user is None:
            raise CommandError(f"no such account: {username}")
        self.stdout.write(site.rstrip("/") + reset_address(user))

"""`manage.py demo`: a club to look around in, for a database nobody has used."""

from __future__ import annotations

import secrets
from typing import Any

from django.contrib.auth import get_user_model
from django.core.management import BaseCommand, CommandError
from django.db import transaction

from mahjong_site.clubs.models import Club
from mahjong_site.ledger.demo import make_demo

ACCOUNT = "demo"


class Command(BaseCommand):
    """The club's owner gets a password that is told once: a known one would open every new site to everybody."""

    help = "Fills an empty database with a club, six players, three finished sessions and one that is being played."

    def handle(self, *args: Any, **options: Any) -> None:
        """Makes the account and the club."""
        accounts = get_user_model().objects
        if Club.objects.exists() or accounts.exists():
            raise CommandError("there are accounts or clubs already; demo data go into an empty database only")
        password = secrets.token_urlsafe(9)
        with transaction.atomic():
            club = make_demo(user_id=accounts.create_user(ACCOUNT, password=password).pk)
        self.stdout.write(f"demo data: the club {club.name}; sign in as {ACCOUNT} with the password {password}")

"""`manage.py migrate`: Django's own, as the role that owns the tables, and then the web role's privileges."""

from __future__ import annotations

from typing import Any

from django.core.management import CommandParser, call_command
from django.core.management.commands import migrate
from django.db import connections

from mahjong_site.embedded import roles


class Command(migrate.Command):
    """Migrates on the owner's alias, makes the cache table, grants the web role what it may do."""

    def add_arguments(self, parser: CommandParser) -> None:
        """Django's arguments, with the owner's alias as the default database."""
        super().add_arguments(parser)
        parser.set_defaults(database=roles.owner_alias())

    def handle(self, *args: Any, **options: Any) -> None:
        """Runs the migrations; ``--plan`` and ``--check`` change nothing."""
        super().handle(*args, **options)
        if options["plan"] or options["check_unapplied"]:
            return
        alias = options["database"]
        call_command("createcachetable", database=alias, verbosity=0)
        web = connections["default"].settings_dict["USER"]
        if web != connections[alias].settings_dict["USER"]:
            roles.grant(connections[alias], web, roles.privileges())

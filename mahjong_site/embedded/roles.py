"""The two roles, and what the web role may do.

The owner role owns every table and runs migrations. The web role owns nothing. After each migration `grant` gives it

- SELECT, INSERT, UPDATE and DELETE on every table, unless
- an application says otherwise: an `AppConfig` may have an attribute ``web_privileges``, a mapping from a table's name
  to the privileges the web role has there, in SQL's own words::

      web_privileges = {
          "ledger_entry": "SELECT, INSERT",
          "ledger_session": "SELECT, INSERT, UPDATE (state, hand_number, sequence)",
      }

What is not granted is taken away, so the mapping is the whole truth, whatever an older version granted.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from mahjong_site.embedded import layout

if TYPE_CHECKING:
    from django.db.backends.base.base import BaseDatabaseWrapper

ORDINARY = "SELECT, INSERT, UPDATE, DELETE"
ALWAYS = {"django_migrations": "SELECT"}


def establish(socket: Path) -> None:
    """Makes the roles and the database in an embedded cluster, where they are missing."""
    import psycopg  # not there yet when a first run imports this package

    address = {"host": str(socket), "user": layout.SUPERUSER}
    with psycopg.connect(**address, dbname="postgres", autocommit=True) as server:  # type: ignore[arg-type]
        for role in (layout.OWNER_ROLE, layout.WEB_ROLE):
            if not server.execute("SELECT FROM pg_roles WHERE rolname = %s", [role]).rowcount:
                server.execute(f"CREATE ROLE {role} LOGIN")
        if not server.execute("SELECT FROM pg_database WHERE datname = %s", [layout.DATABASE]).rowcount:
            server.execute(f"CREATE DATABASE {layout.DATABASE} OWNER {layout.OWNER_ROLE}")


def owner_alias() -> str:
    """The alias migrations run on: ``owner`` where there are two roles."""
    from django.conf import settings

    return "owner" if "owner" in settings.DATABASES else "default"


def privileges() -> dict[str, str]:
    """The tables on which the web role has other than `ORDINARY` privileges, as the applications say."""
    from django.apps import apps

    told: dict[str, str] = dict(ALWAYS)
    for config in apps.get_app_configs():
        told |= getattr(config, "web_privileges", {})
    return told


def grant(connection: BaseDatabaseWrapper, role: str, told: Mapping[str, str]) -> None:
    """Gives ``role`` what `ORDINARY` and ``told`` say, on every table the owner connection sees, and no more."""
    from django.db import transaction

    quote = connection.ops.quote_name
    with transaction.atomic(using=connection.alias), connection.cursor() as cursor:
        tables = [table.name for table in connection.introspection.get_table_list(cursor)]
        lines = [
            f"GRANT USAGE ON SCHEMA public TO {quote(role)}",
            f"REVOKE CREATE ON SCHEMA public FROM {quote(role)}",
            f"GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO {quote(role)}",
        ]
        for table in tables:
            lines.append(f"REVOKE ALL ON {quote(table)} FROM {quote(role)}")
            lines.append(f"GRANT {told.get(table, ORDINARY)} ON {quote(table)} TO {quote(role)}")
        cursor.execute("; ".join(lines))

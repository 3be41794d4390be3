"""What the web role may do is what the applications say, after every migration."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest
from django.db import connections

from mahjong_site.embedded import layout, roles
from tests.conftest import TestDatabase

DENIED = psycopg.errors.InsufficientPrivilege


@pytest.fixture
def table(test_database: TestDatabase, django_db_setup: None) -> Iterator[str]:
    """A table of the owner's, with one row."""
    with test_database.connect(layout.OWNER_ROLE) as owner:
        owner.execute("CREATE TABLE trial (id int, state int); INSERT INTO trial VALUES (1, 1)")
        yield "trial"
        owner.execute("DROP TABLE trial")


@pytest.mark.django_db(databases=["owner"], transaction=True)
def test_privileges_are_exactly_what_is_told(test_database: TestDatabase, table: str) -> None:
    owner = connections["owner"]
    with test_database.connect(layout.WEB_ROLE) as web:
        with pytest.raises(DENIED):
            web.execute("SELECT * FROM trial")
        roles.grant(owner, layout.WEB_ROLE, {})
        web.execute("UPDATE trial SET id = 2")
        roles.grant(owner, layout.WEB_ROLE, {table: "SELECT, UPDATE (state)"})
        web.execute("UPDATE trial SET state = 3 WHERE id = 2")
        for statement in ("UPDATE trial SET id = 3", "DELETE FROM trial", "INSERT INTO trial VALUES (2, 2)"):
            with pytest.raises(DENIED):
                web.execute(statement)
        roles.grant(owner, layout.WEB_ROLE, {table: "SELECT"})
        with pytest.raises(DENIED):
            web.execute("UPDATE trial SET state = 4")
    roles.grant(owner, layout.WEB_ROLE, roles.privileges())

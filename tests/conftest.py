"""The database, the live server and the browser of the test run.

The database is a throwaway PostgreSQL, one for all xdist workers, with a database for each. Tests work as the web role
(alias ``default``), which owns no table; the alias ``owner`` is the role that does. A test that commits
(``django_db(transaction=True)``) is cleaned up after as the cluster's superuser, past the ledger's own triggers.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import socket
import threading
from collections.abc import Callable, Iterator
from typing import Any

import psycopg
import pytest
import uvicorn
from django.core.management import call_command
from django.db import connections
from django.test import TransactionTestCase
from hypothesis import HealthCheck, settings

from mahjong_site.embedded import cluster, layout

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
CHROMIUM_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
KEPT_TABLES = {"django_migrations", "django_content_type", "auth_permission"}
"""What migrations fill, and tests do not."""

SLOW_MACHINE = [HealthCheck.too_slow]
settings.register_profile("fast", max_examples=50, deadline=None, suppress_health_check=SLOW_MACHINE)
settings.register_profile("long", max_examples=2000, deadline=None, suppress_health_check=SLOW_MACHINE)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "fast"))

_open = contextlib.ExitStack()


def pytest_configure(config: pytest.Config) -> None:
    """With xdist the cluster is the controller's, so that it outlives every worker."""
    if getattr(config.option, "dist", "no") != "no" and not hasattr(config, "workerinput"):
        os.environ["PAIZHANG_TEST_SOCKET"] = str(_open.enter_context(cluster.throwaway()).socket)


def pytest_unconfigure(config: pytest.Config) -> None:
    """Stops what this process started."""
    _open.close()


class TestDatabase:
    """This worker's database."""

    __test__ = False

    def __init__(self, host: str, name: str) -> None:
        self.host, self.name = host, name

    def connect(self, role: str = layout.SUPERUSER, database: str = "", **options: Any) -> psycopg.Connection:
        """A connection of its own, beside Django's; autocommit."""
        return psycopg.connect(host=self.host, user=role, dbname=database or self.name, autocommit=True, **options)

    def create(self) -> None:
        """Makes the database, points both aliases there, migrates."""
        with self.connect(database="postgres") as server:
            server.execute(f"CREATE DATABASE {self.name} OWNER {layout.OWNER_ROLE}")
        for alias in ("default", "owner"):
            connections.settings[alias].update(HOST=self.host, NAME=self.name)
        call_command("migrate", interactive=False, verbosity=0)
        connections["owner"].close()
        with self.connect() as server:
            rows = server.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
            self.tables = sorted({row[0] for row in rows} - KEPT_TABLES)

    def empty(self) -> None:
        """Deletes every row as superuser, triggers asleep. DELETE: on small tables far faster than TRUNCATE."""
        with self.connect(options="-c session_replication_role=replica") as server:
            server.execute("; ".join(f'DELETE FROM "{table}"' for table in self.tables))


@pytest.fixture(scope="session")
def test_database() -> Iterator[TestDatabase]:
    """The worker's database, with `connect(role)` for statements as the superuser or as either role."""
    with contextlib.ExitStack() as stack:
        host = os.environ.get("PAIZHANG_TEST_SOCKET") or str(stack.enter_context(cluster.throwaway()).socket)
        database = TestDatabase(host, f"test_{os.environ.get('PYTEST_XDIST_WORKER', 'main')}")
        yield database
        for alias in ("default", "owner"):
            connections[alias].close()
        connections["default"].close_pool()


@pytest.fixture(scope="session")
def django_db_setup(test_database: TestDatabase, django_db_blocker: Any) -> Iterator[None]:
    """pytest-django's hook: both roles on this worker's database, and our way to empty it."""
    with django_db_blocker.unblock():
        test_database.create()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TransactionTestCase, "_fixture_teardown", lambda case: test_database.empty())
        yield


@pytest.fixture
def empty_tables(test_database: TestDatabase) -> Callable[[], None]:
    """Empties every table at once, for a test that needs that in its middle."""
    return test_database.empty


# Live server


class LiveServer:
    """uvicorn on a free port, in a thread of this process, so that streams work as they do outside."""

    def __init__(self) -> None:
        # Made anew from its number it knows that it is TCP; else asyncio would not send small answers at once.
        self.socket = socket.socket(fileno=socket.create_server(("127.0.0.1", 0)).detach())
        self.url = f"http://127.0.0.1:{self.socket.getsockname()[1]}"
        config = uvicorn.Config(
            "mahjong_site.asgi:application", lifespan="off", log_config=None, timeout_graceful_shutdown=1
        )
        self.server = uvicorn.Server(config)
        self.thread = threading.Thread(target=self._run, daemon=True)

    def _run(self) -> None:
        asyncio.run(self.server.serve(sockets=[self.socket]))

    def start(self) -> None:
        """Returns at once: the socket listens already, connections wait until the server takes them."""
        self.thread.start()

    def stop(self) -> None:
        """Ends the server, streams included."""
        self.server.should_exit = True
        self.thread.join(10)
        self.socket.close()


@pytest.fixture(scope="session")
def site_server(django_db_setup: None) -> Iterator[LiveServer]:
    """The server of this worker; a test asks for `live_site`."""
    server = LiveServer()
    server.start()
    yield server
    server.stop()


@pytest.fixture
def live_site(transactional_db: None, site_server: LiveServer) -> LiveServer:
    """The whole site on a free port (``.url``). The test's rows are committed, so that the server sees them."""
    return site_server


# Browser


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    """Debian's Chromium. Where there is none the test is skipped; under ``CI=true`` it fails."""
    if not CHROMIUM:
        no_browser = "no Chromium here: apt-get install chromium fonts-wqy-microhei"
        if os.environ.get("CI") == "true":
            pytest.fail(no_browser)
        pytest.skip(no_browser)
    return {**browser_type_launch_args, "executable_path": CHROMIUM, "args": CHROMIUM_FLAGS}


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict[str, Any], site_server: LiveServer) -> dict[str, Any]:
    """Chinese, as most who use the site; ``page.goto("/")`` goes there (the test asks for `live_site` too)."""
    return {**browser_context_args, "base_url": site_server.url, "locale": "zh-CN", "service_workers": "block"}

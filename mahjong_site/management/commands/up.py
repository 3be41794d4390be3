"""`manage.py up`: everything that has to run, in one process that can be stopped at any time."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
from typing import Any, NoReturn

import uvicorn
from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.management import BaseCommand, CommandError, CommandParser, call_command
from django.urls import get_resolver

from mahjong_site.clubs.models import Club
from mahjong_site.embedded import cluster

LOOPBACK = {"127.0.0.1", "localhost", "::1"}
UNUSED_STATIC = ["redoc", "rest_framework"]
"""What dependencies bring and no page asks for."""


class Server(uvicorn.Server):
    """uvicorn that says "ready" once the port answers."""

    def __init__(self, config: uvicorn.Config, ready: str) -> None:
        super().__init__(config)
        self.ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Starts listening, then says so."""
        await super().startup(sockets)
        if self.started:
            print(self.ready, flush=True)  # noqa: T201 - what the person who typed the command waits for


class Command(BaseCommand):
    """Database, migrations, demo data, static files, server."""

    help = "Serves the site, with an embedded PostgreSQL unless DATABASE_URL names a server."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        """Where to listen, and whether an empty database gets demo data."""
        parser.add_argument("--host", default="127.0.0.1", help="0.0.0.0 opens the site to the network")
        parser.add_argument("--port", type=int, default=8000)
        parser.add_argument("--no-demo", action="store_true", help="leave an empty database empty")

    def handle(self, *args: Any, host: str, port: int, no_demo: bool, **options: Any) -> None:
        """Serves until SIGTERM or SIGINT."""
        signal.signal(signal.SIGTERM, _leave)
        signal.signal(signal.SIGINT, _leave)
        with contextlib.ExitStack() as stack:
            listener = stack.enter_context(_listen(host, port))
            if not os.environ.get("DATABASE_URL"):
                stack.enter_context(cluster.alone(settings.DATA_DIR))
            if host not in LOOPBACK:
                settings.ALLOWED_HOSTS += _own_names(host)
            call_command("migrate", interactive=False, verbosity=0)
            if not no_demo and _is_empty():
                call_command("demo")
            call_command("collectstatic", interactive=False, verbosity=0, ignore_patterns=UNUSED_STATIC)
            _ = get_resolver().url_patterns  # every page is loaded now: what is broken is said here, not to a visitor
            self.serve(listener, host)

    def serve(self, listener: socket.socket, host: str) -> None:
        """Runs uvicorn on a bound socket. Open streams get two seconds to end."""
        port = listener.getsockname()[1]
        names = ["127.0.0.1"] if host in LOOPBACK else _own_names(host)
        ready = "\n".join(f"ready: http://{f'[{name}]' if ':' in name else name}:{port}/" for name in names)
        config = uvicorn.Config(
            "mahjong_site.asgi:application",
            lifespan="off",
            log_config=None,
            server_header=False,
            timeout_graceful_shutdown=2,
        )
        Server(config, ready).run(sockets=[listener])


def _leave(number: int, frame: object) -> NoReturn:
    """Ends the process the ordinary way, so that the database is stopped too."""
    raise SystemExit(0)


def _listen(host: str, port: int) -> socket.socket:
    """A bound socket; taken first, so that a busy port is said before anything else is started."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listener = socket.socket(family, kind, protocol)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
    except OSError as error:
        raise CommandError(f"cannot listen on {host}:{port}: {error.strerror}; --port takes another port") from error
    return listener


def _own_names(host: str) -> list[str]:
    """The names this machine may be asked under when it is open to the network."""
    if host not in {"0.0.0.0", "::"}:  # noqa: S104 - asked for on the command line
        return [host]
    names = ["127.0.0.1", socket.gethostname()]
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))  # sends nothing: it only asks which address would be the sender's
        names.insert(1, probe.getsockname()[0])
    return names


def _is_empty() -> bool:
    """Whether nobody has used this database yet: no account and no club."""
    return not (get_user_model()._default_manager.exists() or Club.objects.exists())

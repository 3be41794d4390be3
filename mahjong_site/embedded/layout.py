"""Where the embedded PostgreSQL lies: data folder, socket folder, names.

.data/                 PAIZHANG_DATA names another place
    secret_key         the site's generated secret
    lock               held by the process that runs the server
    postgres/          PostgreSQL's own data; or a file `postgres.at` that says where it is instead
    postgres.log
    run/               the socket, 0700
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from pathlib import Path
from typing import Any

OWNER_ROLE = "paizhang_owner"
"""Owns the tables and runs migrations."""
WEB_ROLE = "paizhang_web"
"""What the site works as: it owns nothing, `roles` says what it may do."""
SUPERUSER = "postgres"
DATABASE = "paizhang"

PROJECT = Path(__file__).resolve().parent.parent.parent
SHARED_HOME = Path("/var/lib/paizhang")
"""Where data and programs lie when the user that runs the server cannot reach the checkout."""
SOCKET_NAME = ".s.PGSQL.5432"
LONGEST_SOCKET = 107


def data_folder() -> Path:
    """The data folder: ``PAIZHANG_DATA``, else ``.data`` in the project."""
    named = os.environ.get("PAIZHANG_DATA")
    return Path(named).absolute() if named else PROJECT / ".data"


def database_folder(data: Path) -> Path:
    """PostgreSQL's own folder for this data folder."""
    pointer = data / "postgres.at"
    return Path(pointer.read_text().strip()) if pointer.exists() else data / "postgres"


def socket_folder(data: Path) -> Path:
    """The folder of the socket: beside the data, or in the temporary folder where its path would be too long."""
    beside = database_folder(data).parent / "run"
    if len(os.fsencode(beside / SOCKET_NAME)) < LONGEST_SOCKET:
        return beside
    digest = hashlib.sha256(os.fsencode(data)).hexdigest()[:12]
    return Path(tempfile.gettempdir()) / f"paizhang-{os.getuid()}-{digest}"


def connection(socket: Path, role: str, database: str = DATABASE) -> dict[str, Any]:
    """Django's settings for one connection through that socket."""
    return {
        "ENGINE": "django.db.backends.postgresql",
        "HOST": str(socket),
        "PORT": "5432",
        "NAME": database,
        "USER": role,
        "PASSWORD": "",
    }

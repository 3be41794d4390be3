"""A secret that is made once and kept in a file only its owner reads."""

from __future__ import annotations

import os
import secrets
from pathlib import Path


def kept(path: Path) -> str:
    """The secret in ``path``; made there (mode 0600) where there is none.

    Two processes that start at the same moment get the same secret: it is written aside and linked into place.
    """
    if not path.exists():
        path.parent.mkdir(mode=0o711, parents=True, exist_ok=True)
        aside = path.with_name(f"{path.name}.{os.getpid()}")
        with os.fdopen(os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
            file.write(secrets.token_urlsafe(64))
        try:
            path.hardlink_to(aside)
        except FileExistsError:
            pass
        finally:
            aside.unlink()
    return path.read_text().strip()

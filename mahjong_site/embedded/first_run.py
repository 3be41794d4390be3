"""The virtual environment of a fresh machine, made from the lock with the standard library alone.

Where the locked versions can be imported nothing happens. Where they cannot, `manage.py` is run again inside
``.venv``, which is made and filled first if it has to be.
"""

from __future__ import annotations

import fcntl
import importlib.metadata
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import NoReturn

from mahjong_site.embedded.layout import PROJECT

VENV = PROJECT / ".venv"
PIN = re.compile(r"^(?P<name>[A-Za-z0-9._-]+)(\[[^]]*\])?==(?P<version>[^\s;\\]+)(?P<marker>\s*;)?", re.MULTILINE)
REDIRECTING = ("PIP_USER", "PIP_TARGET", "PIP_PREFIX", "PYTHONHOME")
"""Variables that would make pip install elsewhere."""


def unmet(lock: Path) -> list[str]:
    """The pins of a lock this interpreter cannot satisfy, as ``name==version``.

    A pin for some platforms only (one with a marker) may be absent, but where it is present it has to match.
    """
    missing = []
    for pin in PIN.finditer(lock.read_text()):
        try:
            here = importlib.metadata.version(pin["name"])
        except importlib.metadata.PackageNotFoundError:
            here = pin["version"] if pin["marker"] else ""
        if here != pin["version"]:
            missing.append(f"{pin['name']}=={pin['version']}")
    return missing


def ensure(lock_name: str) -> None:
    """Returns in an interpreter that has the locked packages; ends with a clear line where that cannot be had."""
    lock = PROJECT / lock_name
    if not unmet(lock):
        return
    inside = Path(sys.prefix).resolve() == VENV.resolve()
    # One at a time: `up` and `test` may be started together. The lock goes when this process becomes another.
    with (PROJECT / "manage.py").open() as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        if not inside:
            _make()
        elif unmet(lock):
            _install(lock)
        python = VENV / "bin" / "python"
        if inside and (missing := _unmet_in(python, lock)):
            sys.exit(f"manage.py: {VENV} lacks {missing}; remove the folder and run this again")
        os.execv(python, [str(python), *sys.argv])


def _make() -> None:
    """Makes ``.venv``, unless there is one that works."""
    python = VENV / "bin" / "python"
    if (
        python.exists()
        and subprocess.run([python, "-c", "import pip"], capture_output=True, check=False).returncode == 0
    ):
        return
    _say(f"making {VENV} (Python {sys.version_info[0]}.{sys.version_info[1]})")
    made = subprocess.run([sys.executable, "-m", "venv", "--clear", VENV], capture_output=True, text=True, check=False)
    if made.returncode:
        _fail("the virtual environment could not be made; Python says:", made.stdout + made.stderr)


def _install(lock: Path) -> None:
    _say(f"installing {len(PIN.findall(lock.read_text()))} packages of {lock.name}; this happens once")
    environment = {name: value for name, value in os.environ.items() if name not in REDIRECTING}
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-input", "--disable-pip-version-check"]
    done = subprocess.run(
        [*command, "--require-hashes", "-r", lock], capture_output=True, text=True, check=False, env=environment
    )
    if done.returncode:
        _fail("the packages could not be installed. Is the network there? pip says:", done.stdout + done.stderr)


def _unmet_in(python: Path, lock: Path) -> str:
    """`unmet` as another start of the interpreter sees it, after an installation."""
    code = "import sys; from pathlib import Path; from mahjong_site.embedded.first_run import unmet; " \
           "print(*unmet(Path(sys.argv[1])))"  # fmt: skip
    asked = subprocess.run([python, "-c", code, lock], capture_output=True, text=True, check=False, cwd=PROJECT)
    return asked.stdout.strip() if not asked.returncode else asked.stderr.strip()


def _say(text: str) -> None:
    print(f"manage.py: {text}", file=sys.stderr, flush=True)  # noqa: T201 - there is no logging yet


def _fail(text: str, said: str) -> NoReturn:
    _say(text)
    sys.exit(said.strip())

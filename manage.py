#!/usr/bin/env python3
"""Runs the project: `up` serves it, `test` tests it, everything else is Django's.

On a fresh machine it first makes `.venv` from the lock, with the standard library alone, and goes on inside it.
"""

import os
import sys

PROJECT = os.path.dirname(os.path.abspath(__file__))  # noqa: PTH100, PTH120 - has to run on the oldest of Pythons
OLDEST = (3, 11)
WITHOUT_DATABASE = {
    "catalogues", "check", "collectstatic", "diffsettings", "findstatic", "help", "spectacular", "startapp", "up",
    "--help", "-h", "--version", "version",
}  # fmt: skip
"""Commands that ask nothing of a database, or (`up`) start their own."""


def run_tests(arguments: "list[str]") -> None:
    """Becomes pytest. `--long` takes in the full-size runs; everything else is handed on."""
    command = [sys.executable, "-m", "pytest"]
    if "--long" in arguments:
        arguments.remove("--long")
        os.environ["HYPOTHESIS_PROFILE"] = "long"
        command += ["-m", ""]
    if not any(argument.startswith(("-n", "--numprocesses", "--pdb")) for argument in arguments):
        command += ["-n", "auto", "--maxprocesses", "4"]
    os.chdir(PROJECT)
    os.execv(sys.executable, command + arguments)


def run_django(command: str) -> None:
    """Django's command line; around a command that needs a database, the embedded one where none is named."""
    import contextlib

    from django.core.management import execute_from_command_line

    from mahjong_site.embedded import cluster, layout
    from mahjong_site.embedded.programs import EmbeddedError

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "mahjong_site.settings")
    own, data = not os.environ.get("DATABASE_URL"), layout.data_folder()
    try:
        if own and command == "up":
            cluster.at(data)  # where it lies is decided before the settings read it
        with cluster.shared(data) if own and command not in WITHOUT_DATABASE else contextlib.nullcontext():
            execute_from_command_line(sys.argv)
    except EmbeddedError as error:
        sys.exit(f"manage.py: {error}")


def main() -> None:
    """Sees to the virtual environment, then runs the command."""
    if sys.version_info < OLDEST:
        sys.exit("manage.py: Python {}.{} or newer is needed, this is {}.{}".format(*OLDEST, *sys.version_info[:2]))
    sys.path.insert(0, PROJECT)
    from mahjong_site.embedded import first_run

    command = sys.argv[1] if len(sys.argv) > 1 else "help"
    first_run.ensure("requirements-dev.txt" if command == "test" else "requirements.txt")
    if command == "test":
        run_tests(sys.argv[2:])
    else:
        run_django(command)


if __name__ == "__main__":
    main()

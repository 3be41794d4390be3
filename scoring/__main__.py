"""``python -m scoring``: the engine on the command line (contract, "Command line")."""

from scoring.cli import main

if __name__ == "__main__":
    raise SystemExit(main())

"""``python -m scoring.analysis.build`` builds the file of suit profiles that `scoring.analysis.distances` reads."""

from __future__ import annotations

import zlib
from array import array

from scoring.analysis.distances import FILE, IN_PLAY, TABLE_LEVELS, Distances, State, as_little_endian


def build() -> bytes:
    """The contents of the file, computed rank by rank over the few different states, not the codes (~10 s).

    How many profiles there are (2 bytes), their rows, and compressed the profile of every code (2 bytes each).
    """
    distances = Distances(TABLE_LEVELS)
    states, of_code = [distances.start], array("H", [0])
    for rank, cap in enumerate(IN_PLAY):
        numbers: dict[State, int] = {}
        moved = [
            array("H", (numbers.setdefault(distances.walk(s, rank, have, cap), len(numbers)) for s in states))
            for have in range(cap + 1)
        ]
        of_code = array("H", (row[state] for row in moved for state in of_code))
        states = list(numbers)
    profiles = array("H", map(distances.finished, states))
    of_code = array("H", map(profiles.__getitem__, of_code))
    rows = distances.rows()
    head = array("H", [len(rows)])
    return as_little_endian(head) + b"".join(rows) + zlib.compress(as_little_endian(of_code), 9)


if __name__ == "__main__":
    FILE.write_bytes(build())

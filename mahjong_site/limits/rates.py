"""Leaky buckets in one statement: exact under concurrency, and the answer says when to come again.

An allowance of N a period may be used at once and comes back evenly. A bucket keeps one time, that at which it is
whole again; whoever asks moves it on by a share of the period, unless that would lead further than one period ahead.
"""

from __future__ import annotations

import math
import random
import re
from typing import NamedTuple

from django.db import connection

PERIODS = {"s": 1, "min": 60, "h": 3600, "day": 86_400}
_RATE = re.compile(r"(?P<number>[0-9]{1,9})/(?P<period>s|min|h|day)", re.ASCII)

SWEEP_EVERY = 1_000
"""One request in so many removes the buckets that are whole again."""

# A refused request changes nothing, so it gets no row back from the first part and learns from the second.
_TAKE = """
    WITH taken AS (
        INSERT INTO limits_bucket AS b (key, full_at)
        VALUES (%(key)s, clock_timestamp() + %(share)s * interval '1 second')
        ON CONFLICT (key) DO UPDATE
        SET full_at = greatest(b.full_at, clock_timestamp()) + %(share)s * interval '1 second'
        WHERE greatest(b.full_at, clock_timestamp()) + (%(share)s - %(period)s) * interval '1 second'
            <= clock_timestamp()
        RETURNING 0::float AS wait
    )
    SELECT wait FROM taken
    UNION ALL
    SELECT extract(epoch FROM full_at - clock_timestamp()) + %(share)s - %(period)s
    FROM limits_bucket WHERE key = %(key)s AND NOT EXISTS (SELECT FROM taken)
"""


class Rate(NamedTuple):
    """``number`` a ``period`` of seconds."""

    number: int
    period: int

    @classmethod
    def parse(cls, text: str) -> Rate:
        """The rate of a text.

        >>> Rate.parse("600/min")
        Rate(number=600, period=60)

        Raises:
            ValueError: it is none.
        """
        found = _RATE.fullmatch(text)
        if not found or not int(found["number"]):
            raise ValueError(f"not a rate such as 600/min: {text!r}")
        return cls(int(found["number"]), PERIODS[found["period"]])


def take(key: str, rate: Rate) -> int:
    """Takes one from the bucket ``key``: 0 where that was allowed, else the seconds until one is there again."""
    with connection.cursor() as cursor:
        cursor.execute(_TAKE, {"key": key, "share": rate.period / rate.number, "period": rate.period})
        rows = cursor.fetchall()
        if random.randrange(SWEEP_EVERY) == 0:  # noqa: S311 - no secret
            cursor.execute("DELETE FROM limits_bucket WHERE full_at < clock_timestamp()")
    # No row: someone made the bucket while this looked. It is nearly whole, so the next moment will do.
    return max(1, math.ceil(rows[0][0])) if rows and rows[0][0] else (0 if rows else 1)

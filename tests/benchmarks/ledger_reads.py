"""How long reading takes: `python tests/benchmarks/ledger_reads.py [entries]`.

A club of 100,000 entries (100 sessions of 1,000) on a throwaway server. Real records are posted once; the rest are
their copies, put there by plain SQL past the triggers: amounts, seats and hands are right, hashes and posting times are
not. Prints the median of five calls of each selector, in ms.
"""

from __future__ import annotations

import os
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
os.environ["DJANGO_SETTINGS_MODULE"] = "mahjong_site.settings_test"

import django

django.setup()

from django.db import connection, reset_queries  # noqa: E402

from mahjong_site.embedded import cluster  # noqa: E402
from mahjong_site.ledger import selectors, services  # noqa: E402
from mahjong_site.ledger import settle_up as settling  # noqa: E402
from tests.conftest import TestDatabase  # noqa: E402
from tests.ledger.tables import NAMES, Table, real_records  # noqa: E402

A_SESSION = 1000
PRESET = "changsha-classic"
COPY = """
    WITH model AS (
        SELECT *, row_number() OVER (ORDER BY seq) - 1 AS number FROM ledger_entry
        WHERE session_id = %(model)s AND kind = 'hand'
    ), copied AS (
        SELECT gen_random_uuid() AS id, s.id AS session, n AS seq, m.id AS model,
            1 + sum((m.settlement->'hand_ends')::bool::int) OVER (
                PARTITION BY s.id ORDER BY n ROWS UNBOUNDED PRECEDING EXCLUDE CURRENT ROW
            ) AS hand,
            ledger_seats(s.club_id, s.id, 1) AS sat
        FROM ledger_session s, generate_series(1, %(each)s) n
        JOIN model m ON m.number = n * 7919 %% (SELECT count(*) FROM model)
        WHERE s.id <> %(model)s
    ), entries AS (
        INSERT INTO ledger_entry (club_id, id, session_id, seq, kind, hand_no, dealer, streak, seated_at, seats, record,
            settlement, engine, reason, author_id, author_name, posted_at, prev_hash, hash)
        SELECT m.club_id, c.id, c.session, c.seq, m.kind, coalesce(c.hand, 1), m.dealer, 0, c.seq, c.sat, m.record,
            m.settlement, m.engine, '', m.author_id, m.author_name, m.posted_at, m.prev_hash, sha256(c.id::text::bytea)
        FROM copied c JOIN model m ON m.id = c.model
    )
    INSERT INTO ledger_leg (club_id, session_id, entry_id, seat, player_id, points, cash)
    SELECT l.club_id, c.session, c.id, l.seat, coalesce(c.sat[l.seat + 1], l.player_id), l.points, l.cash
    FROM copied c JOIN ledger_leg l ON l.entry_id = c.model
"""


def build(database: TestDatabase, entries: int) -> Table:
    """The club; gives one of its sessions."""
    table = Table.open(PRESET)
    for dealer, records in real_records(PRESET).items():
        for record, _ in records:
            if not table.now.hand_no > 1 or table.deal()[1] != dealer:
                table.ask(services.choose_dealer, seat=dealer)
            entry = table.post(record)
            if not entry.settlement["hand_ends"]:
                table.ask(services.reverse_entry, seq=entry.seq, reason="model")
    others = ["钱七", "孙八"]
    for number in range(entries // A_SESSION):
        players = [*NAMES, *others][number % 3 :][:4]
        session = services.open_session(
            actor=table.actor,
            club_id=table.session.club_id,
            terms=services.Terms(name=f"{number}", rules=PRESET, players=players, first_dealer=0),
        )
    with database.connect(options="-c session_replication_role=replica") as server:
        server.execute(COPY, {"model": table.session.id, "each": A_SESSION})
        server.execute("UPDATE ledger_session SET seq = %s WHERE id <> %s", [A_SESSION, table.session.id])
        server.execute("VACUUM ANALYZE")
    return Table(session, table.actor)


def measure(name: str, asked: Callable[[], Any]) -> None:
    """Median of five, and how many statements one takes."""
    took = []
    for _ in range(5):
        began = time.perf_counter()
        asked()
        took.append((time.perf_counter() - began) * 1000)
    reset_queries()
    connection.force_debug_cursor = True
    asked()
    connection.force_debug_cursor = False
    print(f"{statistics.median(took):9.1f} ms  {len(connection.queries):2} statements  {name}")


def main(entries: int) -> None:
    """Builds, measures, prints."""
    with cluster.throwaway() as server:
        database = TestDatabase(str(server.socket), "reads")
        database.create()
        began = time.perf_counter()
        table = build(database, entries)
        print(f"{entries} entries in {time.perf_counter() - began:.0f} s")
        here: dict[str, Any] = {"actor": table.actor, "session_id": table.session.id}
        club: dict[str, Any] = {"actor": table.actor, "club_id": table.session.club_id}
        who = selectors.session_totals(**here)[0].player.id
        measure(f"totals of a session of {A_SESSION}", lambda: selectors.session_totals(**here))
        measure("series", lambda: selectors.session_series(**here))
        measure("head to head of a session", lambda: selectors.session_head_to_head(**here))
        measure("statistics of a session", lambda: selectors.session_statistics(**here))
        measure("history, 50 entries", lambda: selectors.history(**here))
        measure(
            "plan of a settle-up", lambda: settling.plan_settle_up(actor=table.actor, session_ids=[table.session.id])
        )
        measure("leaderboard of the club", lambda: selectors.leaderboard(**club))
        measure("statistics of a player", lambda: selectors.player_statistics(**club, player_id=who))
        measure("statistics of the club", lambda: selectors.club_statistics(**club))
        measure("head to head of the club", lambda: selectors.club_head_to_head(**club))
        measure("sessions of the club, 50", lambda: selectors.club_sessions(**club))
        connection.close()
        connection.close_pool()


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else 100_000)

"""How fast the ledger takes records: ``python3 tests/benchmarks/ledger_posting.py``, from this project's folder.

Eight sessions at once through the service, with real records and every check on, on a database of its own that keeps
what it promised (fsync on). Each session is one phone; the phones share two processes, as they would share two web
processes. After a warm-up, and ANALYZE, which a server does by itself within a minute, they post at ``--rate`` records
a second together, then as fast as they get answers. The load of the machine is printed too: others slow this down.
"""

from __future__ import annotations

import argparse
import itertools
import multiprocessing
import os
import random
import statistics
import sys
import tempfile
import threading
import time
from multiprocessing.synchronize import Barrier
from pathlib import Path
from uuid import UUID

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "mahjong_site.settings")

PROCESSES = 2
WARM_UP = 2.0
PRESETS = ("changsha-classic", "wuhan-koukou")


def phones(tables: list[tuple[UUID, str, str]], seconds: float, pause: float, together: Barrier) -> list[float]:
    """One process: a thread for each session, which posts every ``pause`` seconds. Each posting's milliseconds."""
    import django

    django.setup()
    from django.db import connection

    from mahjong_site.clubs.access import Actor
    from mahjong_site.ledger import services
    from mahjong_site.ledger.models import Session
    from tests.ledger.tables import real_records

    times: list[float] = []

    def phone(session_id: UUID, preset: str, token: str) -> None:
        records, actor = real_records(preset), Actor(tokens=(token,))
        session = Session.objects.get(id=session_id)
        seq, dealer = session.seq, session.dealer or 0
        together.wait()
        due = time.perf_counter() + random.uniform(0, pause)
        until = due + seconds
        while due < until:
            time.sleep(max(0, due - time.perf_counter()))
            began = time.perf_counter()
            if began > until:
                break
            due += pause
            record, _ = records[dealer][seq % len(records[dealer])]
            answer = services.post_record(
                actor=actor, session_id=session_id, record=record, client_key=str(seq), expected_seq=seq
            )
            times.append((time.perf_counter() - began) * 1000)
            seq, dealer = answer.session.seq, answer.session.dealer or 0
        connection.close()

    threads = [threading.Thread(target=phone, args=table) for table in tables]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return times


def opened(count: int) -> list[tuple[UUID, str, str]]:
    """Guest tables: session, preset, the owner's token."""
    from mahjong_site.ledger import services

    tables = []
    for number in range(count):
        preset = PRESETS[number % len(PRESETS)]
        session, _, token = services.open_guest_table(
            terms=services.Terms(name="b", rules=preset, players=list("abcd"), first_dealer=0)
        )
        tables.append((session.id, preset, token))
    return tables


def main() -> None:
    """Runs it and prints the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--sessions", type=int, default=8)
    parser.add_argument("--rate", type=float, default=320)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="paizhang-benchmark-") as folder:
        Path(folder).chmod(0o711)
        os.environ["PAIZHANG_DATA"] = folder
        os.environ.pop("DATABASE_URL", None)
        from mahjong_site.embedded import cluster

        with cluster.alone(Path(folder)):
            import django

            django.setup()
            from django.core.management import call_command
            from django.db import connections

            call_command("migrate", verbosity=0)
            tables = opened(asked.sessions)
            connections.close_all()
            spawn = multiprocessing.get_context("spawn")
            with spawn.Manager() as manager, spawn.Pool(PROCESSES) as pool:
                together = manager.Barrier(asked.sessions)
                for what, seconds, pause in (
                    ("warm-up", WARM_UP, 0.0),
                    (f"asked for {asked.rate:.0f}", asked.seconds, asked.sessions / asked.rate),
                    ("unpaced", asked.seconds, 0.0),
                ):
                    shares = [(tables[share::PROCESSES], seconds, pause, together) for share in range(PROCESSES)]
                    times = sorted(itertools.chain(*pool.starmap(phones, shares, chunksize=1)))
                    p95 = times[int(0.95 * len(times))]
                    print(
                        f"{what}: {len(times) / seconds:.0f} records a second from {asked.sessions} sessions, "
                        f"median {statistics.median(times):.1f} ms, p95 {p95:.1f} ms, slowest {times[-1]:.0f} ms; "
                        f"load {os.getloadavg()[0]:.1f}"
                    )
                    with connections["owner"].cursor() as cursor:
                        cursor.execute("ANALYZE")
                    connections["owner"].close()
            connections["default"].close_pool()


if __name__ == "__main__":
    main()

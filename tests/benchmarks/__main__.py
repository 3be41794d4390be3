"""Runs the benchmarks; see the package. Without the peers it makes a throwaway environment and runs itself there."""

from __future__ import annotations

import argparse
import gc
import importlib.util
import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
import venv
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from tests.benchmarks.peers import Job

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
HANDS = 800
LINES = 20_000
PREPARED = "BENCHMARK_ENVIRONMENT"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description="Speed beside the peers.")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--only", default="", help="rows whose name holds this word")
    arguments = parser.parse_args()
    if PREPARED not in os.environ and importlib.util.find_spec("mahjong") is None:
        return _in_environment()
    rows = [(title, measure) for title, measure in ROWS if arguments.only in title]
    for title, measure in rows:
        print(f"== {title}", flush=True)
        measure(arguments.rounds)
    return 0


def _in_environment() -> int:
    """The same command, in an environment with the peers that is thrown away afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        python = str(Path(folder) / ("Scripts" if os.name == "nt" else "bin") / "python")
        subprocess.run([python, "-m", "pip", "install", "-q", "-r", str(HERE / "requirements.txt")], check=True)
        environment = {**os.environ, PREPARED: "1"}
        command = [python, "-m", "tests.benchmarks", *sys.argv[1:]]
        return subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode


# --- In one process --------------------------------------------------------------------------------------------------


def _interleaved(jobs: dict[str, Job], rounds: int, forget: Callable[[], None] = lambda: None) -> dict[str, float]:
    """µs a hand of each job, the median over rounds; every round times all jobs in a fresh order.

    ``forget`` empties what a peer remembers of whole hands, before each job.
    """
    found: dict[str, list[float]] = {name: [] for name in jobs}
    rng = random.Random(1)
    gc.collect()
    gc.freeze()
    for _ in range(rounds):
        for name in rng.sample(list(jobs), len(jobs)):
            call, items = jobs[name]
            forget()
            begin = time.process_time()
            for item in items:
                call(item)
            found[name].append((time.process_time() - begin) / len(items) * 1e6)
    return {name: statistics.median(times) for name, times in found.items()}


def _ratio(title: str, slow: float, fast: float, least: float, aim: float) -> None:
    print(f"  {title:<44} {slow / fast:6.2f}×   (at least {least:g}×, aim {aim:g}×)")


def score_rows(rounds: int) -> None:
    """The core call and the whole settlement beside the peers, and 癞子 beside none."""
    from scoring import score_json
    from scoring.changsha.pricing import price
    from tests.benchmarks import hands, peers

    rows = hands.changsha(HANDS)
    own = [row.hand for row in rows]
    jobs: dict[str, Job] = {
        "mahjong": peers.mahjong(own),
        "PyMahjongGB": peers.mahjong_gb(own),
        "price": (lambda hand: price(hand, "self_draw", None, hands.CLASSIC), own),
        "settle": (score_json, [row.record for row in rows]),
        **{f"settle, {wilds} 癞子": (score_json, hands.wuhan(HANDS // 2, wilds)) for wilds in range(5)},
    }
    found = _interleaved(jobs, rounds)
    for name, value in found.items():
        print(f"  {name:<44} {value:8.2f} µs")
    _ratio("price, beside mahjong", found["mahjong"], found["price"], 8, 15)
    _ratio("price, beside PyMahjongGB", found["PyMahjongGB"], found["price"], 0.8, 1.3)
    _ratio("settle, beside mahjong's score alone", found["mahjong"], found["settle"], 0.5, 1)
    for wilds in range(1, 5):
        _ratio(f"settle, {wilds} 癞子 beside none", found["settle, 0 癞子"], found[f"settle, {wilds} 癞子"], 0.5, 1)


def waits_rows(rounds: int) -> None:
    """The waits of a ready hand beside `mahjong`, and with 癞子 beside none."""
    from scoring import resolve_rules
    from scoring.analysis.shanten import situation
    from tests.benchmarks import hands, peers

    rows, now = hands.ready(HANDS), situation(resolve_rules("changsha-classic"))
    jobs: dict[str, Job] = {
        "mahjong": peers.mahjong_waits(rows),
        "waits": (now.waits, [now.tiles(row) for row in rows]),
        **{
            f"waits, {wilds} 癞子": (lambda row: row[0].waits(row[1]), hands.ready_wilds(HANDS, wilds))
            for wilds in range(5)
        },
    }
    found = _interleaved(jobs, rounds)
    for name, value in found.items():
        print(f"  {name:<44} {value:8.2f} µs")
    _ratio("waits, beside mahjong", found["mahjong"], found["waits"], 25, 35)
    for wilds in range(1, 5):
        times = found[f"waits, {wilds} 癞子"] / found["waits, 0 癞子"]
        print(f"  {f'waits, {wilds} 癞子, time beside none':<44} {times:6.2f}×   (at most 1.3×, aim 1.1×)")


def discards_row(rounds: int) -> None:
    """Shanten and effective tiles of every discard, beside `jansou` with its Rust kernel."""
    from scoring import resolve_rules
    from scoring.analysis.shanten import situation
    from tests.benchmarks import hands, peers

    rows, now = hands.dealt(HANDS), situation(resolve_rules("changsha-classic"))
    jobs: dict[str, Job] = {
        "jansou+native": peers.jansou_discards(rows),
        "discards": (now.discards, [now.tiles(row) for row in rows]),
    }
    found = _interleaved(jobs, rounds, peers.forget)
    for name, value in found.items():
        print(f"  {name:<44} {value:8.2f} µs")
    _ratio("all discards, beside jansou+native", found["jansou+native"], found["discards"], 8, 18)


DRAWS = 18
_LEAST = {1: (3, 8), 2: (5, 15), 3: (5, 20)}


def expected_rows(rounds: int) -> None:
    """The chance to win and the points after every discard, beside `jansou` with its Rust kernel."""
    from scoring.analysis.ahead import Ahead
    from scoring.analysis.contract import AnalysisIn, read_request
    from scoring.analysis.expected import Budget
    from scoring.analysis.shanten import situation
    from scoring.notation import format_tiles
    from tests.benchmarks import hands, peers

    def outlooks(request: AnalysisIn) -> None:
        now = situation(request.rules)
        found = now.discards(now.tiles(request.concealed))
        Ahead(request, now, Counter(request.concealed), Budget()).throwing(found)

    table = {"rules": "changsha-classic", "dealer": 0, "seat": 1, "draws": DRAWS}
    for shanten, (least, aim) in _LEAST.items():
        rows = hands.under_way(shanten, 40, lambda row, as_far=shanten: peers.jansou_shanten(row) == as_far)
        requests = [read_request({**table, "concealed": format_tiles(row)}) for row in rows]
        jobs: dict[str, Job] = {"jansou+native": peers.jansou_outlooks(rows, DRAWS), "expected": (outlooks, requests)}
        found = _interleaved(jobs, min(rounds, 3), peers.forget)
        for name, value in found.items():
            print(f"  {f'{name}, shanten {shanten}':<44} {value:8.0f} µs")
        _ratio(f"expected value, shanten {shanten}", found["jansou+native"], found["expected"], least, aim)


# --- In processes of their own ---------------------------------------------------------------------------------------


def _child_seconds(command: list[str], data: bytes = b"") -> float:
    """Processor time of a command."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, input=data, stdout=subprocess.DEVNULL, cwd=ROOT, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def json_lines(rounds: int) -> None:
    """Records a second through the command line on one core, start-up left out."""
    from tests.benchmarks import hands

    records = [row.record for row in hands.changsha(2_000)]
    text = b"\n".join(records * (LINES // len(records)))
    command = [sys.executable, "-m", "scoring", "score", "-"]
    times = []
    for _ in range(min(rounds, 3)):
        start = _child_seconds(command, records[0])
        times.append(_child_seconds(command, text) - start)
    print(f"  {LINES / statistics.median(times):,.0f} records/s   (at least 10,000, aim 25,000)")


_MODEL = "import pydantic\nclass One(pydantic.BaseModel):\n    x: int\nOne(x=1)\n"
_FIRST = "import sys, scoring\nscoring.score_json(sys.argv[1])\n"


def first_answer(rounds: int) -> None:
    """Importing the engine and one answer, beyond importing pydantic and using one model of it."""
    from tests.benchmarks import hands

    record = hands.changsha(1)[0].record.decode()
    both, alone = [], []
    _child_seconds([sys.executable, "-c", _MODEL + _FIRST, record])  # compiles what is not compiled yet
    for _ in range(rounds):
        alone.append(_child_seconds([sys.executable, "-c", _MODEL, record]))
        both.append(_child_seconds([sys.executable, "-c", _MODEL + _FIRST, record]))
    beyond = statistics.median(both) - statistics.median(alone)
    print(f"  {beyond * 1000:.0f} ms beyond pydantic's {statistics.median(alone) * 1000:.0f}   (below 150, aim 60)")


ROWS = (
    ("score", score_rows),
    ("waits", waits_rows),
    ("discards", discards_row),
    ("expected", expected_rows),
    ("json lines", json_lines),
    ("first answer", first_answer),
)
"""Each row's name and what measures and prints it."""

if __name__ == "__main__":
    raise SystemExit(main())

"""``python -m scoring``: records in, answers out, one a line and in order; exit codes; memory."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

import pytest

import scoring
from scoring import cli
from tests.scoring.test_cases import CASES, sent

ROOT = Path(__file__).parents[2]
MAX_BYTES = 64 * 1024
GOOD = {"rules": "wuhan-laizi", "kind": "exhausted", "dealer": 3}
BAD = {"rules": "wuhan-laizi", "kind": "exhausted"}

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]) -> Run:
    """Runs a command in this process: exit status, standard output, standard error."""

    def call(*words: str, stdin: bytes | str = b"") -> tuple[int, str, str]:
        data = stdin.encode() if isinstance(stdin, str) else stdin
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        with io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) as out:
            monkeypatch.setattr(sys, "stdout", out)
            try:
                status = cli.main(list(words))
            except SystemExit as stopped:
                status = int(stopped.code or 0)
            printed = out.buffer.getvalue().decode()  # type: ignore[attr-defined]
        return status, printed, capfdbinary.readouterr().err.decode()

    return call


def lines(*records: Any) -> bytes:
    return b"".join((one if isinstance(one, bytes) else json.dumps(one).encode()) + b"\n" for one in records)


def answers(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def test_one_record_in_a_file(run: Run, tmp_path: Path) -> None:
    """Spread over several lines, as a person writes it."""
    file = tmp_path / "hand.json"
    file.write_text("\n\n" + json.dumps(GOOD, indent=4) + "\n")
    status, printed, _ = run("score", str(file))
    assert status == 0
    assert answers(printed) == [json.loads(scoring.score_json(json.dumps(GOOD)))]


@pytest.mark.parametrize("words", [("score",), ("score", "-")])
def test_standard_input(run: Run, words: tuple[str, ...]) -> None:
    status, printed, _ = run(*words, stdin=json.dumps(GOOD))
    assert (status, answers(printed)[0]["next_dealer"]) == (0, 3)


def test_an_empty_input_has_no_answer(run: Run) -> None:
    assert run("score", stdin=" \n\n") == (0, "", "")


def test_json_lines_in_order_and_a_broken_one_does_not_stop_the_rest(run: Run) -> None:
    broken = [b"{", b"no json", b"\xff\xfe", b"[1, 2]", b"null", b"{}", b'{"rules": "\xe7"}', b"[" * 50_000]
    records = [GOOD, BAD, *broken, b"", GOOD | {"dealer": 1}]
    status, printed, _ = run("score", stdin=lines(*records))
    found = answers(printed)
    assert status == 1
    assert len(found) == len(records) - 1, "a blank line has no answer"
    assert [one.get("next_dealer") for one in found] == [3, *[None] * (len(broken) + 1), 1]
    for one in found[1:-1]:
        assert set(one) == {"errors"}
        assert one["errors"][0]["message_zh"]


@pytest.mark.parametrize("first", [b"{", b"", b"null", json.dumps(GOOD).encode(), json.dumps(BAD).encode()])
def test_a_broken_first_line(run: Run, first: bytes) -> None:
    """A first line that is no record of its own does not swallow the file."""
    status, printed, _ = run("score", stdin=lines(first, GOOD, GOOD | {"dealer": 0}))
    found = answers(printed)
    assert [one.get("next_dealer") for one in found[-2:]] == [3, 0]
    assert len(found) == (2 if first == b"" else 3)
    assert status == (0 if first in (b"", json.dumps(GOOD).encode()) else 1)


def test_dos_line_ends_and_a_last_line_without_end(run: Run) -> None:
    text = json.dumps(GOOD) + "\r\n" + json.dumps(GOOD)
    status, printed, _ = run("score", stdin=text)
    assert status == 0
    assert len(answers(printed)) == 2


@pytest.mark.parametrize("size", [MAX_BYTES - 10, MAX_BYTES, MAX_BYTES + 1, 3 * MAX_BYTES, 3 * MAX_BYTES + 7])
def test_a_line_that_is_too_long_is_one_fault(run: Run, size: int) -> None:
    padded = json.dumps(GOOD).encode()
    padded += b" " * (size - len(padded) - 1)
    status, printed, _ = run("score", stdin=lines(GOOD, padded, GOOD))
    first, long, last = answers(printed)
    assert "errors" not in first
    assert "errors" not in last
    assert ("errors" in long) is (size > MAX_BYTES + 1) is (status == 1)


def test_every_case_on_one_stream(run: Run) -> None:
    texts = [sent(case) for case in CASES]
    status, printed, _ = run("score", stdin="\n".join(texts))
    assert status == 1
    for case, answer in zip(CASES, answers(printed), strict=True):
        assert ("errors" in answer) is ("codes" in case), case["title"]


def test_pretty(run: Run) -> None:
    status, printed, _ = run("score", "--pretty", stdin=lines(GOOD, BAD))
    assert status == 1
    good, bad = printed.strip().split("\n\n")
    assert "流局" in good
    assert "不能算分 · refused" in bad
    assert "dealer · invalid" in bad


def test_a_file_that_is_not_there(run: Run, tmp_path: Path) -> None:
    status, printed, error = run("score", str(tmp_path / "none.json"))
    assert (status, printed) == (2, "")
    assert error.startswith("scoring: ")
    assert "Traceback" not in error


@pytest.mark.parametrize("words", [(), ("settle",), ("score", "a", "b"), ("rules", "mahjong"), ("kong-dice", "x")])
def test_words_that_mean_nothing(run: Run, words: tuple[str, ...]) -> None:
    status, printed, error = run(*words)
    assert (status, printed) == (2, "")
    assert "usage: " in error


def test_rules(run: Run) -> None:
    status, printed, _ = run("rules")
    every = json.loads(printed)
    assert status == 0
    assert [one["preset"] for one in every] == list(scoring.PRESET_IDS)
    status, printed, _ = run("rules", "changsha-liuqi")
    one = json.loads(printed)
    assert one == every[1]
    assert one["options"]["birds"]["default"] == 2
    assert "公鸟" in one["options"]["birds"]["source"]


def test_rules_for_people(run: Run) -> None:
    status, printed, _ = run("rules", "--pretty")
    assert status == 0
    for preset in scoring.all_presets():
        assert preset.name_zh in printed
    assert "birds = 2" in run("rules", "changsha-room", "--pretty")[1]


def test_kong_dice(run: Run) -> None:
    status, printed, _ = run("kong-dice", "changsha-liuqi", "--stacks", "20", "--dice", "3", "5")
    assert status == 0
    assert json.loads(printed) == {"stack": 8, "tiles": ["top", "bottom"], "last_tile": False, "one_die": "no"}
    status, printed, _ = run("kong-dice", "changsha-bbs", "--stacks", "1", "--dice", "2", "--top-gone")
    assert (status, json.loads(printed)["last_tile"]) == (0, True)
    status, printed, _ = run("kong-dice", "wuhan-laizi", "--stacks", "20", "--dice", "3")
    assert status == 1
    assert [fault["code"] for fault in json.loads(printed)["errors"]] == ["not_in_rules"]


def test_progress_on_a_terminal_only(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cli, "PROGRESS_EVERY", 2)
    assert run("score", stdin=lines(*[GOOD] * 5))[2] == ""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    assert run("score", stdin=lines(*[GOOD] * 5))[2] == "\r2 records\r4 records\r5 records\n"
    assert run("score", stdin=lines(GOOD))[2] == ""


# --- As a program ----------------------------------------------------------------------------------------------------


def program(*words: str, **options: Any) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "scoring", *words], cwd=ROOT, capture_output=True, timeout=120, check=False, **options
    )


def test_as_a_program_in_another_locale() -> None:
    """UTF-8 out, whatever the machine's locale says; no Django."""
    env = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    env.pop("PYTHONIOENCODING", None)
    done = program("score", "-", input=lines(GOOD, BAD), env=env)
    assert done.returncode == 1
    assert done.stderr == b""
    good, bad = answers(done.stdout.decode())
    assert good["next_dealer"] == 3
    assert bad["errors"][0]["message_zh"] == "缺少这一项"
    assert "庄" in program("rules", "changsha-classic", env=env).stdout.decode()
    assert "长沙" in program("--help", env=env).stdout.decode()
    loaded = "import sys, scoring.cli; print([name for name in sys.modules if name.startswith(('django', 'rich'))])"
    done = subprocess.run([sys.executable, "-c", loaded], cwd=ROOT, capture_output=True, check=True)
    assert done.stdout.strip() == b"[]"


def test_a_reader_that_has_seen_enough(tmp_path: Path) -> None:
    """`| head -1`: no traceback."""
    file = tmp_path / "hands.jsonl"
    file.write_bytes(lines(*[GOOD] * 3_000))
    with subprocess.Popen(
        [sys.executable, "-m", "scoring", "score", str(file)],
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as process:  # fmt: skip
        assert process.stdout is not None
        assert process.stderr is not None
        assert b"next_dealer" in process.stdout.readline()
        process.stdout.close()
        assert process.wait(60) == 1
        assert b"Traceback" not in process.stderr.read()


MEASURED = """
import resource, sys
from scoring.cli import main
status = main(["score", "-"])
sys.stderr.write(f"{status} {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024}")
"""


def feed(stdin: IO[bytes], block: bytes, blocks: int) -> None:
    with stdin:
        for _ in range(blocks):
            stdin.write(block)


def peak_of(count: int) -> tuple[int, int]:
    """Answers given, and the most MiB a stream of that many wins takes."""
    wins = [case["request"] for case in CASES if "answer" in case and case["request"]["kind"] == "win"]
    block = lines(*wins)
    blocks = -(-count // len(wins))
    with subprocess.Popen(
        [sys.executable, "-c", MEASURED],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        feeder = threading.Thread(target=feed, args=(process.stdin, block, blocks))
        feeder.start()
        given = sum(chunk.count(b"\n") for chunk in iter(lambda: process.stdout.read(1 << 20), b""))  # type: ignore[union-attr]
        feeder.join()
        status, peak = process.stderr.read().split()
    assert status == b"0"
    assert given == blocks * len(wins)
    return given, int(peak)


@pytest.mark.long
def test_a_stream_of_200_000_lines_in_bounded_memory() -> None:
    _, short = peak_of(5_000)
    given, long = peak_of(200_000)
    print(f"\n{given} answers, {long} MiB at most; {short} MiB for a short stream")
    assert long < short + 24


@pytest.mark.parametrize("indent", [1, 2, 4])
def test_a_record_laid_out_over_many_lines_is_one_record(run: Run, tmp_path: Path, indent: int) -> None:
    for case in [case for case in CASES if "answer" in case][:12]:
        file = tmp_path / "record.json"
        file.write_text(json.dumps(case["request"], indent=indent, ensure_ascii=False), "utf-8")
        status, printed, _ = run("score", str(file))
        assert status == 0
        assert json.loads(printed)["deltas"] == case["answer"]["deltas"]


def test_a_broken_first_line_does_not_swallow_the_rest(run: Run) -> None:
    status, printed, _ = run("score", "-", stdin=lines(b'{"rules": ', GOOD, BAD, GOOD))
    assert status == 1
    assert ["errors" in answer for answer in answers(printed)] == [True, False, True, False]

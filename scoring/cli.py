"""The command line: score, analyze, rules, kong-dice. JSON Lines in, one JSON answer a line out, in order."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from io import TextIOWrapper
from typing import Any, BinaryIO, Final

from scoring.changsha.kong_dice import kong_dice
from scoring.faults import RecordError
from scoring.reading import MAX_BYTES
from scoring.rules import PRESET_IDS, all_presets, preset
from scoring.rules_json import preset_json, preset_line
from scoring.settle import score_json

Answer = Callable[[bytes], bytes]

PROGRESS_EVERY: Final = 2_000


def main(argv: list[str] | None = None) -> int:
    """Runs one command; 0, or 1 where a record failed, or 2 where the words of the call are off."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")  # whatever the locale says
    args = _parser().parse_args(argv)
    if sys.stdout is None:  # closed by the caller
        return 2
    run: Callable[[argparse.Namespace], int] = args.run
    try:
        return run(args)
    except BrokenPipeError:  # the reader has seen enough
        sys.stderr.close()
        return 1
    except OSError as error:
        sys.stderr.write(f"scoring: {error}\n")
        return 2


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m scoring", description="长沙、武汉麻将算分 · settles Changsha and Wuhan mahjong hands"
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for name, answer, words in (
        ("score", _score, "settle hand records"),
        ("analyze", _analyze, "shanten, accepts, waits with prices, discards"),
    ):
        command = commands.add_parser(name, help=words)
        command.add_argument("file", nargs="?", default="-", help="one JSON record or JSON Lines; - is standard input")
        command.add_argument("--pretty", action="store_true", help="an explanation for people instead of JSON")
        command.set_defaults(run=_stream, answer=answer, name=name)
    command = commands.add_parser("rules", help="presets and their options")
    command.add_argument("preset", nargs="?", choices=PRESET_IDS)
    command.add_argument("--pretty", action="store_true", help="a table for people instead of JSON")
    command.set_defaults(run=_rules)
    command = commands.add_parser("kong-dice", help="which tiles a 开杠 turns up")
    command.add_argument("preset", choices=PRESET_IDS)
    command.add_argument("--stacks", type=int, required=True, help="stacks of two left in the wall")
    command.add_argument("--dice", type=int, nargs="+", required=True, help="the dice shown, one or two")
    command.add_argument("--top-gone", action="store_true", help="the top tile of the last stack is gone")
    command.set_defaults(run=_kong_dice)
    return parser


# --- score, analyze --------------------------------------------------------------------------------------------------


def _score(line: bytes) -> bytes:
    return score_json(line)


def _analyze(line: bytes) -> bytes:
    from scoring.analysis import analyze_json  # its tables are larger; scoring alone does not need them

    return json.dumps(analyze_json(line), ensure_ascii=False, separators=(",", ":")).encode()


def _stream(args: argparse.Namespace) -> int:
    """Answers record after record in bounded memory; a broken one gives errors on its line and the rest go on."""
    answer: Answer = args.answer
    if args.pretty:
        from scoring.pretty import pretty_analysis, pretty_score

        answer = pretty_score if args.name == "score" else pretty_analysis
    failed = 0
    out = sys.stdout.buffer
    source = sys.stdin.buffer if args.file == "-" else open(args.file, "rb")  # noqa: SIM115  # closed below
    progress = _Progress(sys.stderr.isatty() and not sys.stdout.isatty())
    with source:
        for line in _records(source):
            try:
                out.write(answer(line))
            except RecordError as error:
                failed += 1
                out.write(_failure(error, args.pretty))
            out.write(b"\n")
            progress.step()
    out.flush()
    progress.done()
    return 1 if failed else 0


def _failure(error: RecordError, pretty: bool) -> bytes:
    if pretty:
        from scoring.pretty import pretty_faults

        return pretty_faults(error)
    return json.dumps(error.to_json(), ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


def _records(source: BinaryIO) -> Iterator[bytes]:
    """Lines that are not blank. Where no line is a whole record, but all of them together are, they are one.

    No line longer than a record may be is ever held: the rest of it is skipped.
    """
    lines = _lines(source)
    head: list[bytes] = []
    size = 0
    for line in lines:
        head.append(line)
        size += len(line) + 1
        if _is_record(line) or size > MAX_BYTES:
            break
    else:
        whole = b"\n".join(head)
        if _is_record(whole):
            head = [whole]
    yield from head
    yield from lines


def _lines(source: BinaryIO) -> Iterator[bytes]:
    while line := source.readline(MAX_BYTES + 2):
        whole = line
        while not line.endswith(b"\n") and (line := source.readline(MAX_BYTES + 2)):
            pass  # the rest of a line that is too long
        if whole.strip():
            yield whole.rstrip(b"\r\n")


def _is_record(text: bytes) -> bool:
    """Whether a text is a whole record or request, right or wrong: an object that names rules."""
    try:
        return "rules" in json.loads(text)
    except (ValueError, RecursionError, TypeError):
        return False


class _Progress:
    """A count on standard error, where that is a terminal and the answers go elsewhere."""

    def __init__(self, shown: bool) -> None:
        self.shown = shown
        self.count = 0

    def step(self) -> None:
        self.count += 1
        if self.shown and self.count % PROGRESS_EVERY == 0:
            sys.stderr.write(f"\r{self.count:,} records")
            sys.stderr.flush()

    def done(self) -> None:
        if self.shown and self.count >= PROGRESS_EVERY:
            sys.stderr.write(f"\r{self.count:,} records\n")


# --- rules, kong-dice ------------------------------------------------------------------------------------------------


def _print_json(value: Any) -> None:
    sys.stdout.write(json.dumps(value, ensure_ascii=False, indent=2) + "\n")


def _rules(args: argparse.Namespace) -> int:
    chosen = (preset(args.preset),) if args.preset else all_presets()
    if args.pretty:
        for one in chosen:
            sys.stdout.write(preset_line(one) + "\n")
    else:
        _print_json(preset_json(chosen[0]) if args.preset else [preset_json(one) for one in chosen])
    return 0


def _kong_dice(args: argparse.Namespace) -> int:
    try:
        _print_json(kong_dice(preset(args.preset), args.stacks, args.dice, top_gone=args.top_gone))
    except RecordError as error:
        _print_json(error.to_json())
        return 1
    return 0

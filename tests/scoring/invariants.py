"""What must hold of every settlement, whatever the record: sums, arithmetic, next dealer, tiles of the readings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

from scoring.notation import parse_hand, parse_tiles
from scoring.tiles import tile


def check_settlement(request: dict[str, Any], answer: dict[str, Any]) -> None:
    """Asserts everything below of a record's JSON and of its settlement's JSON."""
    check_sums(answer)
    check_arithmetic(answer)
    check_dealer(answer)
    check_readings(request, answer)


def check_sums(answer: dict[str, Any]) -> None:
    """Deltas are what the transfers say; with the house, and in cash, nothing is made or lost."""
    deltas = [0, 0, 0, 0]
    house = 0
    for transfer in answer["transfers"]:
        assert transfer["points"] >= 0
        assert transfer["to"] != transfer["from"]
        deltas[transfer["from"]] -= transfer["points"]
        if transfer["to"] == "house":
            house += transfer["points"]
        else:
            deltas[transfer["to"]] += transfer["points"]
    assert (deltas, house) == (answer["deltas"], answer["house"])
    assert sum(answer["deltas"]) + answer["house"] == 0
    assert sum(map(Decimal, answer["cash"])) == 0
    pairs = [(transfer["from"], transfer["to"]) for transfer in answer["transfers"]]
    assert len(pairs) == len(set(pairs)), "one transfer a payer and winner"


def check_arithmetic(answer: dict[str, Any]) -> None:
    """Every line of arithmetic comes to its points, shares of a contract included."""
    for transfer in answer["transfers"]:
        assert come_to(transfer["steps"]) == transfer["points"], transfer
        for share in transfer.get("shares", ()):
            assert come_to(share["steps"]) == share["points"], share
        if transfer.get("shares"):
            assert sum(share["points"] for share in transfer["shares"]) == transfer["points"]


def come_to(steps: Sequence[dict[str, str]]) -> Fraction:
    """What the steps come to: a value first, then times, add or set."""
    assert "value" in steps[0]
    assert not any("value" in step for step in steps[1:])
    total = Fraction(steps[0]["value"])
    for step in steps[1:]:
        if "times" in step:
            total *= Fraction(step["times"])
        elif "add" in step:
            total += Fraction(step["add"])
        else:
            total = Fraction(step["set"])
    return total


def check_dealer(answer: dict[str, Any]) -> None:
    """The next dealer is one of the choices; there are choices exactly where the hand ends."""
    choices = answer["next_dealer_choices"]
    assert answer["hand_ends"] is bool(choices)
    assert len(choices) == len(set(choices))
    assert set(choices) <= set(range(4))
    assert answer["next_dealer"] == (choices[0] if len(choices) == 1 else None)


def check_readings(request: dict[str, Any], answer: dict[str, Any]) -> None:
    """The sets and the pair of a reading hold exactly the winner's tiles, each 癞子 as what it stands for."""
    if request["kind"] != "win":
        return
    winners = {winner["seat"]: winner for winner in request["winners"]}
    for win in answer["wins"]:
        winner, reading = winners[win["seat"]], win["reading"]
        if winner.get("declared") is not None:
            assert reading is None
            continue
        shown = Counter(tile for text in reading["sets"] for tile in parse_tiles(text))
        shown += Counter(parse_tiles(reading["pair"] or ""))
        assert any(_with_meanings(tiles, reading["wild"]) == shown for tiles in winning_tiles(winner)), win
        if reading["shape"] == "standard":
            assert len(reading["sets"]) == 4
            assert {len(parse_tiles(text)) for text in reading["sets"]} <= {3, 4}
            assert len(parse_tiles(reading["pair"])) == 2


def winning_tiles(winner: dict[str, Any]) -> list[Counter[int]]:
    """The winner's tiles, melds included, with each winning tile he could have taken."""
    if winner.get("hand") is not None:
        concealed, melds, win_on = parse_hand(winner["hand"])
        called = [tile for meld in melds for tile in meld.tiles]
    else:
        concealed = parse_tiles(winner["concealed"])
        called = [tile for meld in winner.get("melds", ()) for tile in parse_tiles(meld["tiles"])]
        win_on = tuple(tile for text in winner["win_on"] for tile in parse_tiles(text))
    return [Counter([*concealed, *called, one]) for one in win_on]


def _with_meanings(tiles: Counter[int], wild: dict[str, str]) -> Counter[int]:
    """The tiles with the 癞子 replaced. They stand in the concealed hand only, so all copies are replaced."""
    for name, meanings in wild.items():
        stands_for = parse_tiles(meanings)
        assert tiles[tile(name)] == len(stands_for)
        tiles = tiles - Counter({tile(name): len(stands_for)}) + Counter(stands_for)
    return tiles

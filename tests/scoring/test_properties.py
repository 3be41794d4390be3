"""What holds of every record: sums, symmetry, declared wins, 癞子 by brute force, never a traceback."""

from __future__ import annotations

import copy
import json
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations_with_replacement, permutations
from random import Random
from typing import Any, Final

import pytest
from hypothesis import assume, example, given, note
from hypothesis import strategies as st

import scoring
from scoring.notation import format_tiles, parse_tiles
from scoring.texts import table
from scoring.tiles import JIANG, KINDS, NAMES, SUIT_KINDS, tile
from tests.scoring.invariants import check_settlement
from tests.scoring.records import CHANGSHA, WUHAN, Record, record, special_tiles, valid, win

SEEDS = st.integers(min_value=0, max_value=2**48)
"""A seed names a record (`tests.scoring.records`); a failure prints the record itself."""


def settled(made: Record) -> dict[str, Any]:
    """The settlement's JSON of a record that must be allowed."""
    return json.loads(scoring.score_json(json.dumps(made)))


def answered(made: Any) -> dict[str, Any]:
    """The settlement's JSON, or the errors, each with its words."""
    try:
        return json.loads(scoring.score_json(json.dumps(made)))
    except scoring.RecordError as error:
        return check_errors(error)


def check_errors(error: scoring.RecordError) -> dict[str, Any]:
    """A refusal names at least one fault, in the contract's shape and in both languages."""
    answer = json.loads(json.dumps(error.to_json()))
    assert set(answer) == {"errors"}
    assert answer["errors"]
    for fault in answer["errors"]:
        assert set(fault) == {"code", "path", "message", "message_zh", "detail"}
        assert fault["code"] in table("faults")
        assert fault["message"]
        assert fault["message_zh"]
    return answer


def drawn(seed: int, **how: Any) -> Record:
    """The allowed record of a seed, noted for a failure."""
    made = valid(Random(seed), **how)
    note(json.dumps(made, ensure_ascii=False))
    return made


def tiles_mapped(made: Any, change: Any, key: str = "") -> Any:
    """The record with ``change`` made to every text of tiles."""
    if isinstance(made, dict):
        return {
            name: value if name in ("rules",) else tiles_mapped(value, change, name) for name, value in made.items()
        }
    if isinstance(made, list):
        return [tiles_mapped(value, change, key) for value in made]
    names = ("concealed", "tiles", "tile", "win_on", "shown", "laid_out", "birds", "indicator", "passed", "hand")
    return change(made, key) if isinstance(made, str) and key in names else made


# --- Sums and symmetry -----------------------------------------------------------------------------------------------


@given(SEEDS)
def test_sums_arithmetic_and_readings(seed: int) -> None:
    made = drawn(seed)
    check_settlement(made, settled(made))


def rotated(made: Any, by: int, key: str = "") -> Any:
    """The record with every seat moved by that many places."""
    if isinstance(made, dict):
        return {name: rotated(value, by, name) for name, value in made.items() if name != "rules"} | (
            {"rules": made["rules"]} if "rules" in made else {}
        )
    if isinstance(made, list):
        if key == "side_bets":
            return [made[(seat - by) % 4] for seat in range(4)]
        return [rotated(value, by, key) for value in made]
    seats = ("dealer", "seat", "from", "to", "creator", "taken_by", "refused_from", "replaced_by", "third_open_from")
    return (made + by) % 4 if key in seats and isinstance(made, int) else made


@given(SEEDS, st.integers(1, 3))
def test_rotating_all_seats_rotates_the_settlement(seed: int, by: int) -> None:
    """Nothing depends on a seat's number, only on its distance from the dealer and from the other seats."""
    made = drawn(seed)
    before, after = settled(made), settled(rotated(made, by))
    for name in ("deltas", "cash"):
        assert [after[name][(seat + by) % 4] for seat in range(4)] == before[name]
    assert after["house"] == before["house"]
    for name in ("overruled", "next_dealer_choices"):
        assert sorted(after[name]) == sorted((seat + by) % 4 for seat in before[name])
    assert sorted(map(str, rotated(before["wins"], by))) == sorted(map(str, after["wins"]))
    assert sorted(map(as_said, rotated(before["transfers"], by))) == sorted(map(as_said, after["transfers"]))


def as_said(transfer: dict[str, Any]) -> str:
    """A transfer; the shares of a contract, and the lines that add them up, without their order."""
    parts = transfer.get("shares", ()) or transfer["steps"]
    lines = sorted(map(str, parts)) if "shares" in transfer else [str(part) for part in parts]
    return str([transfer["from"], transfer["to"], transfer["points"], transfer["why"], *lines])


def amounts(answer: dict[str, Any]) -> dict[str, Any]:
    """Everything of a settlement but the tiles of its readings."""
    wins = [{**win, "reading": win["reading"] and win["reading"]["hard"]} for win in answer["wins"]]
    return {**answer, "wins": wins}


@given(SEEDS, st.permutations("mps"))
def test_renaming_the_suits_changes_nothing(seed: int, suits: list[str]) -> None:
    made = drawn(seed)
    names = dict(zip("mps", suits, strict=True)) | {"z": "z"}

    def rename(text: str, _key: str) -> str:
        return "".join(names.get(character, character) for character in text)

    assert amounts(settled(tiles_mapped(made, rename))) == amounts(settled(made))


@given(SEEDS, st.randoms(use_true_random=False))
def test_the_order_of_tiles_changes_nothing(seed: int, rng: Random) -> None:
    made = drawn(seed)

    def shuffle(text: str, _key: str) -> str:
        names = [NAMES[kind] for kind in parse_tiles(text)]
        rng.shuffle(names)
        return "".join(names)

    assert settled(tiles_mapped(made, shuffle)) == settled(made)


@given(SEEDS, st.randoms(use_true_random=False))
def test_the_order_of_winners_and_players_changes_nothing(seed: int, rng: Random) -> None:
    made = drawn(seed)
    mixed = copy.deepcopy(made)
    for name in ("winners", "players"):
        rng.shuffle(mixed.get(name, []))
    one, other = amounts(settled(made)), amounts(settled(mixed))
    for answer in (one, other):
        answer["transfers"].sort(key=lambda transfer: (transfer["to"] == "house", transfer["to"], transfer["from"]))
    assert one == other


@given(SEEDS)
def test_a_record_survives_the_round_trip(seed: int) -> None:
    parsed = scoring.parse_record(drawn(seed))
    dumped = parsed.model_dump(mode="json", by_alias=True, exclude_unset=True)
    again = scoring.parse_record(json.dumps(dumped))
    assert again == parsed
    assert again.model_dump(mode="json", by_alias=True, exclude_unset=True) == dumped
    assert scoring.settle(again) == scoring.settle(parsed)


@given(SEEDS)
def test_a_settlement_survives_the_round_trip(seed: int) -> None:
    settlement = scoring.settle(scoring.parse_record(drawn(seed)))
    assert scoring.Settlement.model_validate_json(settlement.to_json()) == settlement
    assert json.loads(settlement.to_json()) == settlement.model_dump(mode="json", by_alias=True)


@given(SEEDS)
def test_the_next_dealer_of_one_record_is_its_choices(seed: int) -> None:
    parsed = scoring.parse_record(drawn(seed))
    assert scoring.next_dealer([parsed]) == scoring.settle(parsed).next_dealer_choices


# --- Declared wins ---------------------------------------------------------------------------------------------------

EVENT_PATTERNS = {"earth", "last_tile_draw", "last_tile_discard", "kong_draw", "kong_discard", "rob_kong"}


def as_declared(made: Record, answer: dict[str, Any]) -> Record | None:
    """The same win as the table would declare it, or None where it cannot be declared (luxury twice, 清一色 将一色)."""
    wins = {one["seat"]: one for one in answer["wins"]}
    if set(wins) != {winner["seat"] for winner in made["winners"]}:
        return None
    declared = copy.deepcopy(made)
    declared["winners"] = []
    for winner in made["winners"]:
        counts = Counter({pattern["id"]: pattern["count"] for pattern in wins[winner["seat"]]["patterns"]})
        heaven = () if made["kind"] == "opening" else ("heaven",)
        shapes = [name for name in counts if name not in EVENT_PATTERNS.union(heaven)]
        if (
            counts["luxury_pairs"] > 1
            or {"one_suit", "all_jiang"} <= set(shapes)
            or {"no_jiang", "one_flower"} <= set(shapes)
        ):
            return None
        entry: Record = {"seat": winner["seat"], "declared": shapes}
        if made["kind"] == "win":
            entry["win_tiles"] = max(counts[name] for name in (*EVENT_PATTERNS, "small")) or 1
        if "unready_kong" in winner:
            entry["unready_kong"] = winner["unready_kong"]
        if "indicator" in made:
            entry |= wuhan_facts(winner, wins[winner["seat"]])
        declared["winners"].append(entry)
    if made.get("events") == ["last_tile"] and "indicator" not in made and has_birds(made):
        declared["birds"] = made["winners"][0]["win_on"][:1]
    return declared


def has_birds(made: Record) -> bool:
    return scoring.resolve_rules(made["rules"]).options["birds"] > 0


def wuhan_facts(winner: Record, won: dict[str, Any]) -> Record:
    """Counts of the winner's melds, hard or soft, and whose the third opening was."""
    exposed = [meld for meld in winner["melds"] if meld["kind"] != "concealed_kong"]
    facts: Record = {
        "hard": won["reading"]["hard"],
        "opened": len(exposed),
        "exposed_kongs": sum(meld["kind"].endswith("kong") for meld in exposed),
        "concealed_kongs": len(winner["melds"]) - len(exposed),
    }
    if winner.get("laid_out"):
        facts["laid_out"] = winner["laid_out"]
    if len(exposed) >= 3:
        third = exposed[2]
        giver = (winner["seat"] + 3) % 4 if third["kind"] == "chow" else third.get("from")
        facts |= {} if giver is None else {"third_open_from": giver}
    return facts


@given(SEEDS)
def test_a_declared_win_is_priced_like_one_with_tiles(seed: int) -> None:
    made = drawn(seed)
    assume("winners" in made)
    answer = settled(made)
    declared = as_declared(made, answer)
    assume(declared is not None)
    note(json.dumps(declared))
    other = settled(declared or {})
    for name in ("deltas", "house", "cash", "next_dealer_choices", "transfers"):
        assert other[name] == answer[name], name
    for one, two in zip(answer["wins"], other["wins"], strict=True):
        assert two == {**one, "reading": None}


@given(SEEDS, st.sampled_from(WUHAN))
def test_a_soft_win_collects_no_more_than_a_hard_one(seed: int, preset: str) -> None:
    made = drawn(seed, preset=preset, make=win)
    options = made["rules"].get("options", {}) if isinstance(made["rules"], dict) else {}
    made["rules"] = {"preset": preset, "options": {**options, "minimum": 0}}
    made["winners"] = made["winners"][:1]
    answer = settled(made)
    declared = as_declared(made, answer)
    assume(declared is not None)
    points = []
    for hard in (False, True):
        (winner,) = (declared or {})["winners"]
        winner["hard"] = hard
        transfers = settled(declared or {})["transfers"]
        points.append({(one["from"], one["to"]): one["points"] for one in transfers})
    soft, hard_points = points
    assert soft.keys() == hard_points.keys()
    assert all(soft[pair] <= hard_points[pair] for pair in soft)


@given(SEEDS, st.sampled_from(WUHAN))
def test_a_tile_in_the_place_of_a_wild_one_makes_no_win_cheaper(seed: int, preset: str) -> None:
    """A soft win whose 癞子 are exchanged for the tiles they stand for is still a win, and at least as dear."""
    made = drawn(seed, preset=preset, make=win)
    assume(isinstance(made["rules"], str) or "caps" not in made["rules"]["options"])
    made["winners"] = made["winners"][:1]
    answer = settled(made)
    reading = answer["wins"][0]["reading"]
    assume(reading["hard"] is False)
    ((wild, meanings),) = reading["wild"].items()
    (winner,) = made["winners"]
    exchanged = copy.deepcopy(made)
    concealed = list(parse_tiles(winner["concealed"]))
    assume(winner["win_on"] != [wild])
    for meaning in parse_tiles(meanings):
        concealed[concealed.index(tile(wild))] = meaning
    exchanged["winners"][0]["concealed"] = format_tiles(concealed)
    other = answered(exchanged)
    if "errors" in other:  # the wall has no such tile left, or it is a kong tile
        assert {fault["code"] for fault in other["errors"]} <= {"too_many_copies", "kong_tile_in_hand"}
    else:
        assert sum(one["points"] for one in other["transfers"]) >= sum(one["points"] for one in answer["transfers"])


# --- 癞子 by brute force ---------------------------------------------------------------------------------------------


def complete(counts: list[int], runs: bool, pair: frozenset[int] | None) -> bool:
    """Whether the tiles are sets and one pair, which is among ``pair`` (None: any)."""
    return any(
        counts[kind] >= 2 and (pair is None or kind in pair) and _only_sets(_without(counts, kind, kind), runs)
        for kind in range(KINDS)
    )


def _without(counts: list[int], *kinds: int) -> list[int]:
    left = counts.copy()
    for kind in kinds:
        left[kind] -= 1
    return left


def _only_sets(counts: list[int], runs: bool) -> bool:
    low = next((kind for kind, count in enumerate(counts) if count), None)
    if low is None:
        return True
    if counts[low] >= 3 and _only_sets(_without(counts, low, low, low), runs):
        return True
    if runs and low < SUIT_KINDS and low % 9 <= 6 and counts[low + 1] and counts[low + 2]:
        return _only_sets(_without(counts, low, low + 1, low + 2), runs)
    return False


def brute_force(tiles: list[int], called: list[list[int]], wild: int, self_draw: bool) -> Fraction | None:
    """The dearest reading's base × self-draw × hard factors, trying every meaning of every 癞子; None: no win.

    Only what depends on the reading: the sides' own factors are the same for all of them.
    """
    wilds = tiles.count(wild)
    natural = [kind for kind in tiles if kind != wild]
    meld_tiles = [kind for meld in called for kind in meld]
    no_runs = all(meld[0] == meld[1] for meld in called)
    best: Fraction | None = None
    for meanings in combinations_with_replacement(range(KINDS), wilds):
        every = [*natural, *meanings, *meld_tiles]
        for patterns, hard in _patterns([*natural, *meanings], every, no_runs, len(called) == 4, meanings, wild):
            if not patterns and wilds >= 2:
                continue
            big = len(patterns)
            worth = Fraction(10 * big or 1) * (2 if hard else 1)
            worth *= (Fraction(3, 2) if big else 2) if self_draw else 1
            best = worth if best is None else max(best, worth)
    return best


def _patterns(
    hand: list[int], every: list[int], no_runs: bool, melded: bool, meanings: tuple[int, ...], wild: int
) -> Iterator[tuple[list[str], bool]]:
    """Pattern sets of one meaning, with whether it is hard (rule book 3.2)."""
    counts = [hand.count(kind) for kind in range(KINDS)]
    as_itself = all(kind == wild for kind in meanings)
    winds = all(kind >= SUIT_KINDS for kind in every)
    jiang = all(kind in JIANG for kind in every)
    one_suit = len({kind // 9 for kind in every}) == 1 and not winds
    fitting = [*(["all_winds"] if winds else []), *(["all_jiang"] if jiang else [])]
    for pattern in fitting:  # no shape needed
        yield [pattern], as_itself
    own = [*fitting, *(["one_suit"] if one_suit else []), *(["all_melded"] if melded else [])]
    if no_runs and complete(counts, False, None):
        yield [*own, "all_pungs"], as_itself
    any_pair = winds or jiang or one_suit
    if complete(counts, True, None if any_pair else JIANG):
        yield own, as_itself


WILD_HANDS: Final = {
    # concealed tiles with the winning one: melds, most 癞子 (a meaning more multiplies the work by about ten)
    2: (4, 2),
    5: (3, 3),
    8: (2, 2),
}


def wild_hand(rng: Random) -> tuple[Record, list[int], list[list[int]], int]:
    """A laizi record of few concealed tiles, complete or not, its tiles, its called sets and its 癞子."""
    indicator = rng.randrange(KINDS)
    wild, kong_tiles = special_tiles("wuhan-laizi", indicator)
    size = rng.choice(list(WILD_HANDS))
    melds, most = WILD_HANDS[size]
    left = [0 if kind in kong_tiles else 3 if kind == indicator else 4 for kind in range(KINDS)]
    suit = rng.randrange(3)
    fields = {
        "any": list(range(KINDS)),
        "suit": [kind for kind in range(KINDS) if kind // 9 == suit],
        "honours": list(range(SUIT_KINDS, KINDS)),
        "jiang": sorted(JIANG),
    }
    field = fields[rng.choice(["any", "suit", "suit", "honours", "jiang"])]
    called: list[list[int]] = []
    while len(called) < melds:
        low = rng.choice(field)
        run = low < SUIT_KINDS and low % 9 <= 6 and rng.random() < 0.4 and field is not fields["jiang"]
        tiles = [low, low + 1, low + 2] if run else [low] * 3
        if wild not in tiles and all(left[kind] >= tiles.count(kind) for kind in tiles):
            called.append(tiles)
            for kind in tiles:
                left[kind] -= 1
        elif rng.random() < 0.2:
            field = fields["any"]
    wilds = min(rng.randrange(most + 1), left[wild], size - 1)
    near = rng.choice([field, [kind for kind in field if kind // 9 == field[0] // 9]])
    hand = [wild] * wilds
    left[wild] = 0
    while len(hand) < size:
        pool = [kind for kind in near if left[kind]] or [kind for kind in range(KINDS) if left[kind]]
        kind = rng.choice(pool)
        for one in rng.choice([[kind], [kind, kind], [kind, kind, kind], [kind, kind + 1], [kind, kind + 2]]):
            if one < KINDS and left[one] and len(hand) < size:
                hand.append(one)
                left[one] -= 1
    made = {
        "rules": {"preset": "wuhan-laizi", "options": {"minimum": 0}},
        "kind": "win", "dealer": 1, "by": rng.choice(["self_draw", "discard"]), "indicator": NAMES[indicator],
        "winners": [
            {
                "seat": 0,
                "concealed": format_tiles(hand[:-1]),
                "win_on": [NAMES[hand[-1]]],
                "melds": [
                    {"kind": "pong" if tiles[0] == tiles[1] else "chow", "tiles": format_tiles(tiles), "from": 3}
                    for tiles in called
                ],
            }
        ],
        "players": [{"seat": 2, "ready": True}],
    }  # fmt: skip
    if made["by"] == "discard":
        made["from"] = 2
    return made, hand, called, wild


def check_wild_hand(seed: int) -> bool:
    """Asserts that settlement and brute force agree; whether the hand was a win."""
    made, hand, called, wild = wild_hand(Random(seed))
    wanted = brute_force(hand, called, wild, made["by"] == "self_draw")
    answer = answered(made)
    if wanted is None:
        assert "errors" in answer, made
        assert {fault["code"] for fault in answer["errors"]} <= {"not_a_win", "pair_not_jiang", "two_wilds_small"}
        return False
    assert "errors" not in answer, (made, answer)
    (won,) = answer["wins"]
    small = won["size"] == "small"
    losers = {1: 2 if small else 1, 2: 1, 3: 1}  # a small win: the dealer, who is seat 1, pays twice
    if made["by"] == "discard":
        losers[2] = 2 if small else Fraction(3, 2)  # type: ignore[assignment]
    assert sum(one["points"] for one in answer["transfers"]) == wanted * 2 * sum(losers.values()), made
    return True


@given(SEEDS)
@example(1)
def test_readings_with_wild_tiles_equal_brute_force(seed: int) -> None:
    check_wild_hand(seed)


def test_the_brute_force_meets_wins_and_others() -> None:
    """The hands above are of both sorts, or that test would say little."""
    wins = [check_wild_hand(seed) for seed in range(60)]
    assert 15 <= sum(wins) <= 55


# --- Nothing but a score or a fault ----------------------------------------------------------------------------------

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


@given(JSON)
@example([])
@example({})
@example({"rules": "changsha-classic"})
@example({"kind": "win", "rules": None, "dealer": True})
def test_any_json_is_refused(value: Any) -> None:
    with pytest.raises(scoring.RecordError) as error:
        scoring.score_json(json.dumps(value))
    check_errors(error.value)
    if isinstance(value, dict):
        with pytest.raises(scoring.RecordError):
            scoring.parse_record(value)


@given(st.binary(max_size=60) | st.text(max_size=60))
@example(b"")
@example(b"\xff")
@example(b"\xef\xbb\xbf{}")
@example("\ud800")
@example("[" * 100_000)
@example('{"a":' * 17 + "1" + "}" * 17)
@example(b'{"rules": "' + b"x" * 70_000 + b'"}')
@example('{"dealer": 1e999, "kind": "win"}')
@example('{"dealer": NaN, "kind": "win"}')
@example('{"dealer": ' + "9" * 5_000 + ', "kind": "win"}')
def test_any_text_is_refused(text: bytes | str) -> None:
    with pytest.raises(scoring.RecordError) as error:
        scoring.parse_record(text)
    check_errors(error.value)


def places(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """The paths of every value within a record, outermost first."""
    yield path
    if isinstance(value, dict | list):
        for key in value if isinstance(value, dict) else range(len(value)):
            yield from places(value[key], (*path, key))


def at(value: Any, path: tuple[str | int, ...]) -> Any:
    for key in path:
        value = value[key]
    return value


def put(made: Record, path: tuple[str | int, ...], value: Any) -> Record:
    """A copy of the record with one value in another's place."""
    changed = copy.deepcopy(made)
    at(changed, path[:-1])[path[-1]] = copy.deepcopy(value)
    return changed


ALIENS: tuple[Any, ...] = (1.5, -7, 99, "☃", "", "x" * 500, {"?": 1}, [[]], True, "1m1m1m1m1m", "ﬁ", 2**70)


@given(SEEDS, st.integers(0, 10_000), st.sampled_from(ALIENS))
def test_an_alien_value_is_a_fault_or_means_something(seed: int, place: int, alien: Any) -> None:
    """Whatever stands in the place of a value, the answer is a score that adds up or a fault, never a traceback."""
    made = drawn(seed)
    paths = [path for path in places(made) if path]
    changed = put(made, paths[place % len(paths)], alien)
    note(json.dumps(changed))
    answer = answered(changed)
    if "errors" not in answer:
        check_settlement(changed, answer)


@given(SEEDS, st.integers(0, 10_000), st.sampled_from([1.5, {"?": 1}, [[[]]], -7, 2**70]))
def test_a_wrong_type_is_never_accepted(seed: int, place: int, alien: Any) -> None:
    made = drawn(seed)
    paths = [path for path in places(made) if path and not isinstance(at(made, path), dict | list)]
    changed = put(made, paths[place % len(paths)], alien)
    note(json.dumps(changed))
    assert {fault["code"] for fault in answered(changed)["errors"]} & {"invalid", "bad_option", "unknown_rules"}


@given(SEEDS, st.integers(0, 10_000), st.text(min_size=1, max_size=12), JSON)
def test_an_unknown_field_is_never_accepted(seed: int, place: int, name: str, value: Any) -> None:
    made = drawn(seed)
    objects = [path for path in places(made) if isinstance(at(made, path), dict)]
    path = objects[place % len(objects)]
    changed = put(made, (*path, f"{name}_"), value)
    note(json.dumps(changed))
    codes = {fault["code"] for fault in answered(changed)["errors"]}
    assert codes & {"invalid", "bad_option"}


REQUIRED = ("rules", "kind", "dealer", "by", "winners", "seat", "tiles", "penalty", "reason", "preset")


@given(SEEDS, st.integers(0, 10_000))
def test_a_missing_field_is_never_accepted(seed: int, place: int) -> None:
    made = drawn(seed)
    paths = [path for path in places(made) if path and path[-1] in REQUIRED and not isinstance(path[-1], int)]
    path = paths[place % len(paths)]
    changed = copy.deepcopy(made)
    del at(changed, path[:-1])[path[-1]]
    note(json.dumps(changed))
    dotted = ".".join(map(str, path))
    assert [dotted] == [fault["path"] for fault in answered(changed)["errors"] if fault["path"] == dotted]


@given(SEEDS)
def test_a_fifth_copy_is_never_accepted(seed: int) -> None:
    """A winning hand with a tile exchanged for one that stands four times already."""
    made = drawn(seed, make=win)
    winner = made["winners"][0]
    others = [kind for name in ("concealed",) for kind in parse_tiles(winner[name])]
    known = Counter([*others, *parse_tiles(winner["win_on"][0])])
    kind = others[0]
    winner["concealed"] = format_tiles([kind] * min(5 - known[kind] + others.count(kind), len(others)))
    assume(len(parse_tiles(winner["concealed"])) >= 5)
    assert {"too_many_copies", "wrong_tile_count"} & {fault["code"] for fault in answered(made)["errors"]}


@given(SEEDS, st.sampled_from(CHANGSHA))
def test_honours_are_never_accepted_in_changsha(seed: int, preset: str) -> None:
    made = drawn(seed, preset=preset, make=win)
    tiles = parse_tiles(made["winners"][0]["concealed"])
    made["winners"][0]["concealed"] = format_tiles([tile("7z"), *tiles[1:]])
    assert "tile_not_in_rules" in {fault["code"] for fault in answered(made)["errors"]}


# --- The full-size run -----------------------------------------------------------------------------------------------


def mutated(rng: Random, made: Record) -> Record:
    """The record with one to three values exchanged, dropped, doubled or moved to another place."""
    changed = copy.deepcopy(made)
    for _ in range(rng.randrange(1, 4)):
        paths = [path for path in places(changed) if path]
        path = rng.choice(paths)
        parent, key = at(changed, path[:-1]), path[-1]
        match rng.randrange(6):
            case 0:
                del parent[key]
            case 1:
                parent[key] = copy.deepcopy(rng.choice(ALIENS))
            case 2:
                parent[key] = copy.deepcopy(at(changed, rng.choice(paths)))
            case 3 if isinstance(parent[key], list) and parent[key]:
                parent[key].append(copy.deepcopy(rng.choice(parent[key])))
            case 4 if isinstance(parent[key], int):
                parent[key] += rng.choice([-1, 1])
            case _ if isinstance(parent[key], str) and parent[key]:
                parent[key] = _changed_text(rng, parent[key])
            case _:
                pass
    return changed


def _changed_text(rng: Random, text: str) -> str:
    place = rng.randrange(len(text))
    return text[:place] + rng.choice(["", *"123456789mpsz[]+@ "]) + text[place + rng.randrange(2) :]


def run(count: int) -> Counter[str]:
    """Random records, every second one mutated: how many were scored and refused, and with which codes."""
    seen: Counter[str] = Counter()
    for seed in range(count):
        rng = Random(seed)
        made = record(rng)
        if seed % 2:
            made = mutated(rng, made)
        try:
            answer = answered(made)
            if "errors" in answer:
                seen["refused"] += 1
                seen.update({fault["code"] for fault in answer["errors"]})
            else:
                seen["scored"] += 1
                seen["scored after a mutation"] += seed % 2
                check_settlement(made, answer)
        except Exception as error:
            raise AssertionError(f"seed {seed}: {json.dumps(made, ensure_ascii=False)}") from error
    return seen


def test_random_and_mutated_records() -> None:
    seen = run(1_500)
    assert seen["scored"] > 400
    assert seen["refused"] > 400


@pytest.mark.long
def test_a_hundred_thousand_random_and_mutated_records() -> None:
    seen = run(100_000)
    print(f"\n{seen['scored']} scored, {seen['scored after a mutation']} of them mutated; {seen['refused']} refused")
    print(", ".join(f"{code} {count}" for code, count in seen.most_common() if code in table("faults")))
    assert seen["scored"] + seen["refused"] == 100_000


@pytest.mark.long
def test_two_thousand_wild_hands_equal_brute_force() -> None:
    wins = sum(check_wild_hand(seed) for seed in range(2_000))
    print(f"\n{wins} wins of 2000")


def test_all_permutations_of_one_hand() -> None:
    """Four tiles in every order in a hand line."""
    made: Record = {"rules": "changsha-room", "kind": "win", "dealer": 0, "by": "self_draw"}
    lines = [f"{''.join(order)} [123m] [456m] [777p] +5s" for order in permutations(["4s", "6s", "8s", "8s"])]
    answers = [settled({**made, "winners": [{"seat": 1, "hand": line}]}) for line in lines]
    assert all(answer == answers[0] for answer in answers)

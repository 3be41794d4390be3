"""Records that are refused: which fault, where. Beside the cases, one record for each situation they leave out."""

from __future__ import annotations

import json
from typing import Any

import pytest

import scoring

PLAIN = {"seat": 1, "concealed": "123m456p789s234s2p", "win_on": ["2p"]}
CHANGSHA = {"rules": "changsha-liuqi", "kind": "win", "dealer": 0, "by": "self_draw", "winners": [PLAIN]}
DECLARED: dict[str, Any] = {**CHANGSHA, "winners": [{"seat": 1, "declared": []}]}
OPENING: dict[str, Any] = {"rules": "changsha-liuqi", "kind": "opening", "dealer": 0}
HELD = {
    "seat": 1,
    "concealed": "234s567m2p",
    "melds": [{"kind": "pong", "tiles": "111m", "from": 0}, {"kind": "pong", "tiles": "999p", "from": 2}],
    "win_on": ["2p"],
}
WUHAN: dict[str, Any] = {
    "rules": "wuhan-laizi", "kind": "win", "dealer": 0, "by": "self_draw", "indicator": "8s", "winners": [HELD],
}  # fmt: skip
COUNTED: dict[str, Any] = {"seat": 1, "declared": [], "hard": True, "opened": 1}
FOUR_EXPOSED = [{"kind": "pong", "tiles": f"{rank}{rank}{rank}p"} for rank in (1, 3, 5, 7)]


def counted(**fields: Any) -> dict[str, Any]:
    return {**WUHAN, "winners": [{**COUNTED, **fields}]}


def listed(**player: Any) -> dict[str, Any]:
    return {**WUHAN, "players": [{"seat": 2, **player}]}


def declared(*patterns: str, **fields: Any) -> dict[str, Any]:
    return {**CHANGSHA, "winners": [{"seat": 1, "declared": list(patterns), **fields}]}


# (what, record, faults as code, path)
REFUSED: list[tuple[str, dict[str, Any], list[tuple[str, str]]]] = [
    ("luxury without seven pairs",
     {**declared("luxury_pairs"), "rules": {"preset": "changsha-room", "options": {"luxury_pairs": True}}},
     [("incompatible_patterns", "winners.0.declared")]),
    ("luxury where it is not played", declared("luxury_pairs", "seven_pairs"),
     [("not_in_rules", "winners.0.declared.0")]),
    ("all melded by self-draw", declared("all_melded"), [("incompatible_patterns", "winners.0.declared")]),
    ("all melded at once",
     {**DECLARED, "dealer": 1, "events": ["heaven"], "winners": [{"seat": 1, "declared": ["all_melded"]}]},
     [("event_not_allowed", "events.0"), ("incompatible_patterns", "winners.0.declared")]),
    ("a dead hand, declared", declared(unready_kong=True), [("dead_hand", "winners.0.unready_kong")]),
    ("a dead hand, seven pairs on the last tile",
     {**declared("seven_pairs", unready_kong=True), "events": ["last_tile"]},
     [("dead_hand", "winners.0.unready_kong")]),
    ("declared twice", declared("one_suit", "one_suit"), [("invalid", "winners.0.declared")]),
    ("two winning tiles without a kong", declared(win_tiles=2), [("wrong_tile_count", "winners.0.win_tiles")]),
    ("two winning tiles said, one given",
     {**CHANGSHA, "winners": [{**PLAIN, "win_tiles": 2}]}, [("invalid", "winners.0.win_tiles")]),
    ("no winning tile", {**CHANGSHA, "winners": [{**PLAIN, "win_on": []}]}, [("wrong_tile_count", "winners.0.win_on")]),
    ("no winning tile in a line",
     {**CHANGSHA, "winners": [{"seat": 1, "hand": "123m456p789s234s2p"}]}, [("wrong_tile_count", "winners.0.hand")]),
    ("neither tiles nor patterns", {**CHANGSHA, "winners": [{"seat": 1}]}, [("missing", "winners.0.concealed")]),
    ("a chow with dice",
     {**CHANGSHA, "winners": [{**PLAIN, "concealed": "456p789s234s2p",
                               "melds": [{"kind": "chow", "tiles": "123m", "dice": True}]}]},
     [("bad_meld", "winners.0.melds.0")]),
    ("a hand line that is no text",
     {**CHANGSHA, "winners": [{"seat": 1, "hand": 5}]}, [("invalid", "winners.0.hand")]),
    ("two tiles where one belongs", {**CHANGSHA, "birds": ["1m2m"]}, [("invalid", "birds.0")]),
    ("a creator where nobody asks", {**CHANGSHA, "creator": 1}, [("not_in_rules", "creator")]),
    *((f"stakes and a creator where nobody asks, {kind}",
       {"rules": "wuhan-laizi" if kind == "penalty" else "changsha-classic", "kind": kind, "dealer": 0, "creator": 1,
        "side_bets": ["1", "1", "1", "1"], **said},
       [("not_in_rules", "creator"), ("not_in_rules", "side_bets")])
      for kind, said in (
          ("win", {"by": "self_draw", "winners": [PLAIN]}),
          ("opening", {"winners": [{"seat": 1, "shown": "1111m"}]}),
          ("exhausted", {"last_tile": {"taken_by": 1}}),
          ("penalty", {"penalty": {"seat": 1, "reason": "other", "points": 5, "to": "house"}}),
      )),
    ("an opening in Wuhan, with stakes",
     {**OPENING, "rules": "wuhan-laizi", "winners": [{"seat": 1, "shown": "1111m"}], "side_bets": ["1"] * 4},
     [("not_in_rules", "kind"), ("not_in_rules", "side_bets")]),
    ("heaven with luxury but no seven pairs",
     {**OPENING, "rules": {"preset": "changsha-classic", "options": {"luxury_pairs": True}},
      "winners": [{"seat": 0, "declared": ["heaven", "luxury_pairs"]}]},
     [("incompatible_patterns", "winners.0.declared")]),
    ("every fault of a declared win",
     {**declared("one_suit", "all_jiang", "all_melded", unready_kong=True), "dealer": 1, "events": ["heaven"]},
     [("incompatible_patterns", "winners.0.declared")] * 2
     + [("event_not_allowed", "events.0"), ("dead_hand", "winners.0.unready_kong")]),
    ("an opening without tiles", {**OPENING, "winners": [{"seat": 1}]}, [("missing", "winners.0.concealed")]),
    ("an opening given twice",
     {**OPENING, "winners": [{"seat": 1, "shown": "1111m", "declared": ["three_same"]}]},
     [("invalid", "winners.0.declared")]),
    ("birds and bird dice",
     {**OPENING, "winners": [{"seat": 1, "shown": "1111m"}], "birds": ["1m"], "bird_dice": [1]},
     [("invalid", "bird_dice"), ("too_many_copies", "birds")]),
    ("heaven declared where the hand goes on",
     {**OPENING, "winners": [{"seat": 0, "declared": ["heaven"]}]}, [("event_not_allowed", "winners.0.declared")]),
    ("heaven declared by another",
     {**OPENING, "rules": "changsha-bbs", "winners": [{"seat": 2, "declared": ["heaven"]}]},
     [("event_not_allowed", "winners.0.declared")]),
    ("no pattern declared",
     {**OPENING, "winners": [{"seat": 2, "declared": []}]}, [("no_opening", "winners.0.declared")]),
    ("five melds of a player", listed(melds=[*FOUR_EXPOSED, {"kind": "pong", "tiles": "777m"}]),
     [("wrong_tile_count", "players.0.melds")]),
    ("melds and counts of a player", listed(melds=[], opened=1), [("invalid", "players.0.opened")]),
    ("more kongs than openings", listed(opened=1, exposed_kongs=2), [("invalid", "players.0.exposed_kongs")]),
    ("five sets counted", listed(opened=3, concealed_kongs=2), [("invalid", "players.0.concealed_kongs")]),
    ("癞子 counted beside tiles", listed(laid_out="7z", laid_out_wilds=1), [("invalid", "players.0.laid_out_wilds")]),
    ("more 癞子 than laid out", listed(laid_out=1, laid_out_wilds=2), [("invalid", "players.0.laid_out_wilds")]),
    ("a kong maker without a set of that tile",
     {**WUHAN, "by": "rob_kong", "from": 2, "players": [{"seat": 2, "melds": [{"kind": "pong", "tiles": "333p"}]}],
      "winners": [{**HELD, "concealed": "34s567m22p", "win_on": ["2s"]}]},
     [("missing", "players.0.melds")]),
    ("counts beside tiles", {**WUHAN, "winners": [{**HELD, "opened": 2}]}, [("invalid", "winners.0")]),
    ("hard or soft beside tiles", {**WUHAN, "winners": [{**HELD, "hard": True}]}, [("invalid", "winners.0.hard")]),
    ("the third opening beside tiles",
     {**WUHAN, "winners": [{**HELD, "third_open_from": 0}]}, [("invalid", "winners.0.third_open_from")]),
    ("more 癞子 than laid out beside tiles",
     {**WUHAN, "winners": [{**HELD, "laid_out": 1, "laid_out_wilds": 2}]}, [("invalid", "winners.0.laid_out_wilds")]),
    ("dice of another player in Wuhan",
     listed(melds=[{"kind": "pong", "tiles": "333p"}, {"kind": "exposed_kong", "tiles": "8888m", "dice": True}]),
     [("not_in_rules", "players.0.melds.1")]),
    ("dice in Wuhan",
     {**WUHAN, "winners": [{**HELD, "concealed": "234s567m111s2p",
                            "melds": [{"kind": "exposed_kong", "tiles": "9999p", "dice": True}]}]},
     [("not_in_rules", "winners.0.melds.0")]),
    ("two winning tiles, declared", counted(win_tiles=2), [("wrong_tile_count", "winners.0.win_tiles")]),
    ("hard or soft is not said", counted(hard=None), [("missing", "winners.0.hard")]),
    ("not opened, declared", counted(opened=0), [("not_opened", "winners.0.opened")]),
    ("the third opening from himself", counted(third_open_from=1), [("invalid", "winners.0.third_open_from")]),
    ("the third opening is not said", counted(declared=["one_suit"], opened=3),
     [("missing", "winners.0.third_open_from")]),
    ("all melded without four openings", counted(declared=["all_melded"]),
     [("incompatible_patterns", "winners.0.declared")]),
    ("all melded by self-draw, where that is off",
     {**counted(declared=["all_melded"], opened=4),
      "rules": {"preset": "wuhan-laizi", "options": {"all_melded_self_draw": False}}},
     [("incompatible_patterns", "winners.0.declared")]),
    ("a pattern of another city", counted(declared=["seven_pairs"]), [("not_in_rules", "winners.0.declared.0")]),
    ("the last tile of an exhausted hand in Wuhan",
     {"rules": "wuhan-laizi", "kind": "exhausted", "dealer": 0, "last_tile": {"taken_by": 1}},
     [("not_in_rules", "last_tile")]),
    ("tiles that are no text", {**CHANGSHA, "winners": [{**PLAIN, "concealed": 5}]},
     [("invalid", "winners.0.concealed")]),
    ("an amount that is none",
     {**CHANGSHA, "rules": {"preset": "changsha-liuqi", "options": {"fishing": True}},
      "side_bets": ["1.234", 5, "-1", "1000000.01"]},
     [("invalid", f"side_bets.{seat}") for seat in range(4)]),
    ("a penalty to nobody known",
     {"rules": "wuhan-laizi", "kind": "penalty", "dealer": 0,
      "penalty": {"seat": 1, "reason": "other", "points": 5, "to": "bank"}},
     [("invalid", "penalty.to")]),
    ("a kong maker who had not opened",
     {**counted(), "by": "rob_kong", "from": 2, "players": [{"seat": 2, "opened": 0}]},
     [("missing", "players.0.opened")]),
    ("whether the giver was ready is not said, and he is not listed",
     {**counted(declared=["all_melded"], opened=4), "by": "discard", "from": 2}, [("missing", "players")]),
    ("the same, and he is listed",
     {**counted(declared=["all_melded"], opened=4), "by": "discard", "from": 2, "players": [{"seat": 2}]},
     [("missing", "players.0.ready")]),
    ("two fates of the last tile",
     {"rules": "changsha-bbs", "kind": "exhausted", "dealer": 0, "last_tile": {"taken_by": 1, "replaced_by": 2}},
     [("invalid", "last_tile")]),
]  # fmt: skip


def faults_of(record: Any) -> list[tuple[str, str]]:
    with pytest.raises(scoring.RecordError) as error:
        scoring.settle(scoring.parse_record(record))
    return [(fault.code, fault.path) for fault in error.value.faults]


@pytest.mark.parametrize(("what", "record", "faults"), REFUSED, ids=[what for what, _, _ in REFUSED])
def test_refused(what: str, record: dict[str, Any], faults: list[tuple[str, str]]) -> None:
    assert sorted(faults_of(record)) == sorted(faults)


def test_all_faults_at_once() -> None:
    """Of every part of a record beside each other."""
    short = {"seat": 1, "concealed": "123m", "win_on": ["3p"]}
    record = {**CHANGSHA, "by": "discard", "events": ["heaven"], "birds": ["1s", "1m", "2m"], "indicator": "1m"}
    assert set(faults_of({**record, "winners": [PLAIN, short]})) == {
        ("not_in_rules", "indicator"),
        ("invalid", "winners.1.seat"),
        ("missing", "from"),
        ("event_not_allowed", "events.0"),
        ("invalid", "winners"),
        ("wrong_tile_count", "winners.1.concealed"),
        ("too_many_birds", "birds"),
    }


def test_the_third_opening_may_be_a_chow() -> None:
    """It is the 上家's then, without a word about it."""
    melds = [
        {"kind": "pong", "tiles": "111m", "from": 0},
        {"kind": "pong", "tiles": "999m", "from": 2},
        {"kind": "chow", "tiles": "345m"},
    ]
    winner = {"seat": 1, "concealed": "678m2m", "melds": melds, "win_on": ["2m"]}
    settlement = scoring.settle(scoring.parse_record({**WUHAN, "winners": [winner]}))
    assert [(one.from_, one.why) for one in settlement.transfers] == [(0, "contract")]
    melds[2] = {"kind": "pong", "tiles": "555m"}
    assert faults_of({**WUHAN, "winners": [winner]}) == [("missing", "winners.0.melds.2.from")]
    line = "678m2m [111m@0] [999m@2] [555m] +2m"
    assert faults_of({**WUHAN, "winners": [{"seat": 1, "hand": line}]}) == [("missing", "winners.0.hand")]


def test_a_name_stands_once() -> None:
    assert faults_of('{"rules": "changsha-bbs", "kind": "penalty", "dealer": 0, "dealer": 1}') == [("invalid", "")]


def test_plain_values_are_bounded_in_depth() -> None:
    """Values that were never text are refused like text, before anything walks down them."""
    deep: list[object] = []
    for _ in range(5000):
        deep = [deep]
    with pytest.raises(scoring.RecordError) as refused:
        scoring.parse_record({"rules": "changsha-classic", "kind": "exhausted", "dealer": 0, "extra": deep})
    assert [fault.reason for fault in refused.value.faults] == ["too_deep"]


@pytest.mark.parametrize("value", [[], None, 5, "[]", "5"], ids=repr)
def test_what_is_no_object_is_no_record(value: object) -> None:
    with pytest.raises(scoring.RecordError) as refused:
        scoring.parse_record(value)  # type: ignore[arg-type]
    assert {fault.code for fault in refused.value.faults} == {"invalid"}


def test_a_record_wrong_in_thousands_of_places_gets_a_short_answer() -> None:
    record = {
        "rules": "changsha-classic",
        "kind": "win",
        "dealer": 0,
        "by": "discard",
        "from": 0,
        "winners": [5] * 20_000,
    }
    with pytest.raises(scoring.RecordError) as refused:
        scoring.parse_record(record)
    assert len(refused.value.faults) <= 100


def test_a_dice_kong_added_to_an_earlier_pong_lets_later_sets_stand() -> None:
    """A 补杠 is listed where its pong was opened (contract, `melds`; rule book 3.3)."""
    record = {
        "rules": "changsha-liuqi",
        "kind": "win",
        "dealer": 0,
        "by": "self_draw",
        "events": ["kong_draw"],
        "winners": [
            {
                "seat": 1,
                "concealed": "123m456p5s",
                "melds": [
                    {"kind": "added_kong", "tiles": "1111p", "from": 0, "dice": True},
                    {"kind": "pong", "tiles": "777s", "from": 0},
                ],
                "win_on": ["5s"],
            }
        ],
    }
    assert scoring.settle(scoring.parse_record(record)).deltas == (-8, 22, -7, -7)


SMALL_LET_GO = {"tile": "4m", "big": 0}


@pytest.mark.parametrize(
    ("said", "faults"),
    [
        ({"by": "self_draw"}, []),
        ({"by": "discard", "from": 2}, [("missing", "winners.0.passed.1"), ("passed_win", "winners.0.passed")]),
    ],
)
def test_a_self_draw_need_not_follow_what_was_let_go(said: dict[str, Any], faults: list[tuple[str, str]]) -> None:
    """跟胡 is asked of a win on another's tile; so is how big the win let go was."""
    record = {**CHANGSHA, **said, "rules": "changsha-room", "winners": [{**PLAIN, "passed": [SMALL_LET_GO, "2p"]}]}
    if faults:
        assert sorted(faults_of(record)) == faults
    else:
        assert scoring.settle(scoring.parse_record(record)).deltas == (-3, 7, -2, -2)


# --- What the rules say of a record of which a part is malformed -----------------------------------------------------

SHORT = {"seat": 2, "concealed": "123m", "win_on": ["2p"]}
BY_THE_DEALER = {**CHANGSHA, "by": "discard", "from": 0}

# (what, record, faults as code, path)
HALF_READABLE: list[tuple[str, dict[str, Any], list[tuple[str, str]]]] = [
    ("a winner between others: the later ones keep their places",
     {**BY_THE_DEALER, "winners": [PLAIN, {"seat": 3, "concealed": "?"}, SHORT]},
     [("bad_tile", "winners.1.concealed"), ("wrong_tile_count", "winners.2.concealed")]),
    ("two malformed winners before one that is short",
     {**BY_THE_DEALER, "winners": [{"seat": 1, "hand": 5}, {"seat": 3, "win_on": ["?"]}, SHORT]},
     [("invalid", "winners.0.hand"), ("bad_tile", "winners.1.win_on.0"), ("wrong_tile_count", "winners.2.concealed")]),
    ("birds, the tenth and the second of eleven",
     {**CHANGSHA, "from": 2, "birds": ["1m", 5, *["1m"] * 8, "?"]},
     [("invalid", "birds.1"), ("bad_tile", "birds.10"), ("invalid", "from")]),
    ("a kong that cannot be read is no missing kong",
     {**CHANGSHA, "events": ["kong_draw"], "creator": 1,
      "winners": [{"seat": 1, "concealed": "456p789s234s2p", "win_on": ["2p"],
                   "melds": [{"kind": "concealed_kong", "tiles": "9?"}]}]},
     [("bad_tile", "winners.0.melds.0.tiles"), ("not_in_rules", "creator")]),
    ("an event that cannot be, whatever the tiles",
     {**CHANGSHA, "events": ["heaven"], "winners": [{**PLAIN, "concealed": "?"}]},
     [("bad_tile", "winners.0.concealed"), ("event_not_allowed", "events.0")]),
    ("whether another's win is large enough depends on what cannot be read",
     {**counted(), "rules": "wuhan-koukou", "by": "discard", "from": 3,
      "winners": [{**COUNTED, "laid_out": "?"}, {**COUNTED, "seat": 2}]},
     [("bad_tile", "winners.0.laid_out")]),
    ("unknown fields, however they are written, beside a fault of the rules",
     {**CHANGSHA, "from": 2, "a.b": 1, "winners.0.seat": 2, "winners": [{**PLAIN, "x.y": 1}]},
     [("invalid", "winners.0.x.y"), ("invalid", "a.b"), ("invalid", "winners.0.seat"), ("invalid", "from")]),
    ("what cannot be left out",
     {**CHANGSHA, "dealer": 7, "from": 2}, [("invalid", "dealer")]),
    ("a seat that cannot be read", {**CHANGSHA, "from": 2, "winners": [{**PLAIN, "seat": 7}]},
     [("invalid", "winners.0.seat")]),
]  # fmt: skip


@pytest.mark.parametrize(("what", "record", "faults"), HALF_READABLE, ids=[what for what, _, _ in HALF_READABLE])
def test_what_is_certain_of_the_rest(what: str, record: dict[str, Any], faults: list[tuple[str, str]]) -> None:
    assert sorted(faults_of(record)) == sorted(faults)


@pytest.mark.parametrize(
    ("depth", "reasons"), [(15, ["unknown_field"]), (16, ["too_deep"]), (900, ["too_deep"]), (20_000, ["too_deep"])]
)
def test_text_is_bounded_in_depth(depth: int, reasons: list[str]) -> None:
    """The record itself is the first of sixteen levels; brackets in a text are none."""
    deep = "[" * depth + "]" * depth
    text = f'{{"rules": "changsha-room", "kind": "exhausted", "dealer": 0, "x": {deep}}}'
    with pytest.raises(scoring.RecordError) as refused:
        scoring.parse_record(text)
    assert [fault.reason for fault in refused.value.faults] == reasons
    with pytest.raises(scoring.RecordError) as refused:
        scoring.parse_record(text.replace(deep, json.dumps(deep)))
    assert [fault.reason for fault in refused.value.faults] == ["unknown_field"]

"""Presets and options: the tables of the rule book, as data, against the TOML files; what is said of wrong options."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

import scoring
from scoring.rules import option_types
from scoring.rules_json import preset_json

NOT_OFFERED = object()
ANY = dict.fromkeys(("heaven", "earth", "last_tile", "kong", "rob_kong"), "any")
JIANG = dict.fromkeys(ANY, "jiang")
CHANGSHA = ("changsha-classic", "changsha-liuqi", "changsha-room", "changsha-bbs")
WUHAN = ("wuhan-laizi", "wuhan-kaikou", "wuhan-koukou")

# Rule book 6: each option's default in classic, liuqi, room, bbs, and in laizi, kaikou, koukou.
CHANGSHA_OPTIONS: dict[str, tuple[Any, ...]] = {
    "birds": (1, 2, 2, 0),
    "bird_effect": ("add", "add", "double", "add"),
    "bird_origin": ("dealer", "dealer", "dealer", "dealer"),
    "event_pair": (JIANG, ANY, {**JIANG, "heaven": "any", "earth": "any"}, ANY),
    "dealer_bonus": ("per_pattern", "once", "once", NOT_OFFERED),
    "dealer_deals_in_big": (NOT_OFFERED, NOT_OFFERED, NOT_OFFERED, 6),
    "opening_stack": (True, False, True, True),
    "quad_is_triplet": (True, True, True, True),
    "luxury_pairs": (False, False, False, NOT_OFFERED),
    "all_melded_self_draw": (NOT_OFFERED, False, False, NOT_OFFERED),
    "fishing": (NOT_OFFERED, False, NOT_OFFERED, NOT_OFFERED),
    "fishing_doubles": (NOT_OFFERED, False, NOT_OFFERED, NOT_OFFERED),
    "leave_penalty": (70, 0, 0, 0),
    "leave_penalty_to": ("house", "house", "house", "house"),
}
WUHAN_OPTIONS: dict[str, tuple[Any, ...]] = {
    "open_factor": ("once", "once", "each"),
    "kong_factors": ({"exposed": 2, "concealed": 4},) * 3,
    "laid_out_wild_factor": (2, 2, 2),
    "all_melded_self_draw": (True, True, True),
    "event_self_draw_bonus": (True, True, True),
    "minimum": (0, 32, 64),
    "minimum_counts": ("any_loser", "any_loser", "any_loser"),
    "caps": (
        None,
        {"cap": 500, "gold": 700, "sun": 900, "three_suns": 1200},
        {"cap": 1000, "gold": 1200, "sun": 1500, "three_suns": 1800},
    ),
    "three_suns_when": ("none_opened", "none_opened", "none_opened"),
    "laid_out_opens": (False, False, False),
    "claim_order": ("dealer", "dealer", "dealer"),
    "leave_penalty": (0, 0, 0),
    "leave_penalty_to": ("house", "house", "house"),
}

# The values each option takes, and some it does not.
PAIRS = {"any", "jiang"}
VALUES: dict[str, tuple[list[Any], list[Any]]] = {
    "birds": ([0, 6], [-1, 7, "1", 1.0, True, None]),
    "bird_effect": (["add", "double"], ["triple", 1, None, True]),
    "bird_origin": (["dealer", "winner"], ["loser", 0]),
    "event_pair": ([{}, {"heaven": "any"}, JIANG], [[], "any", None, {"heaven": "x"}, {"moon": "any"}, {"kong": 1}]),
    "dealer_bonus": (["per_pattern", "once"], ["twice", None]),
    "dealer_deals_in_big": ([6, 7], [5, 8, "6"]),
    "opening_stack": ([True, False], [0, 1, "true", None]),
    "quad_is_triplet": ([True, False], [0, None]),
    "luxury_pairs": ([True, False], ["yes"]),
    "all_melded_self_draw": ([True, False], [1]),
    "fishing": ([True, False], [1]),
    "fishing_doubles": ([True, False], [1]),
    "leave_penalty": ([0, 1000], [-1, 1001, 1.5, True]),
    "leave_penalty_to": (["house", "others"], ["all", 2]),
    "open_factor": (["once", "each"], ["never"]),
    "kong_factors": ([{"exposed": 4, "concealed": 2}, {"exposed": 4}], [{"exposed": 3}, {"exposed": "2"}, 2, {"x": 2}]),
    "laid_out_wild_factor": ([2, 4], [3, "2", 2.0]),
    "event_self_draw_bonus": ([True, False], [0]),
    "minimum": ([0, 10000], [-1, 10001, "32"]),
    "minimum_counts": (["any_loser", "every_loser", "winner_fan"], ["sum"]),
    "caps": (
        [None, {"cap": 1}, {"cap": 500, "gold": 1, "sun": 1, "three_suns": 1000000}],
        [{}, {"gold": 700}, {"cap": 0}, {"cap": "500"}, {"cap": None}, {"cap": 500, "moon": 1}, 500, {"cap": True}],
    ),
    "three_suns_when": (["none_opened", "all_opened"], ["some_opened"]),
    "laid_out_opens": ([True, False], ["false"]),
    "claim_order": (["dealer", "giver"], ["winner"]),
}

DEFAULTS = [
    pytest.param(preset, name, defaults[place], id=f"{preset} {name}")
    for presets, table in ((CHANGSHA, CHANGSHA_OPTIONS), (WUHAN, WUHAN_OPTIONS))
    for place, preset in enumerate(presets)
    for name, defaults in table.items()
]
OFFERED = [param for param in DEFAULTS if param.values[2] is not NOT_OFFERED]


def refused(spec: Any) -> list[tuple[str, str]]:
    """(code, path) of every fault."""
    with pytest.raises(scoring.RecordError) as error:
        scoring.resolve_rules(spec)
    for fault in error.value.faults:
        assert fault.message
        assert fault.message_zh
    return [(fault.code, fault.path) for fault in error.value.faults]


@pytest.mark.parametrize(("preset", "name", "default"), DEFAULTS)
def test_default(preset: str, name: str, default: Any) -> None:
    options = scoring.resolve_rules(preset).to_json()["options"]
    if default is NOT_OFFERED:
        assert name not in options
        assert refused({"preset": preset, "options": {name: VALUES[name][0][0]}}) == [
            ("bad_option", f"rules.options.{name}")
        ]
    else:
        assert options[name] == default
        assert type(options[name]) is type(default)


@pytest.mark.parametrize("preset", scoring.PRESET_IDS)
def test_no_option_beside_the_table(preset: str) -> None:
    table = CHANGSHA_OPTIONS if preset in CHANGSHA else WUHAN_OPTIONS
    assert set(scoring.resolve_rules(preset).options) <= set(table)


@pytest.mark.parametrize(("preset", "name", "default"), OFFERED)
def test_values(preset: str, name: str, default: Any) -> None:
    """Each value of the table is taken, and everything else refused at its own path."""
    good, bad = VALUES[name]
    for value in good:
        resolved = scoring.resolve_rules({"preset": preset, "options": {name: value}}).options[name]
        if not isinstance(value, Mapping):
            assert resolved == value
            assert type(resolved) is type(value)
    for value in bad:
        for code, path in refused({"preset": preset, "options": {name: value}}):
            assert code == "bad_option"
            assert path.startswith(f"rules.options.{name}")


def test_order_and_names_of_presets() -> None:
    assert callable(scoring.all_presets)
    assert tuple(preset.id for preset in scoring.all_presets()) == CHANGSHA + WUHAN == scoring.PRESET_IDS
    assert {preset.family for preset in scoring.all_presets()[:4]} == {"changsha"}
    assert {preset.family for preset in scoring.all_presets()[4:]} == {"wuhan"}
    assert len({preset.name_zh for preset in scoring.all_presets()}) == 7


def tables(data: Mapping[str, Any], path: str = "") -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Every table of a TOML file that holds a number or a default of its own."""
    if any(isinstance(value, int | float) and not isinstance(value, bool) for value in data.values()) or (
        path.startswith("options.") and path.count(".") == 1
    ):
        yield path, data
    for key, value in data.items():
        if isinstance(value, Mapping) and key not in ("default", "exhausted"):
            yield from tables(value, f"{path}.{key}".lstrip("."))


@pytest.mark.parametrize("preset", scoring.PRESET_IDS)
def test_every_number_has_the_sentence_of_its_source(preset: str) -> None:
    """So that a page can show why; where the sentence decides nothing the number is marked as a decision."""
    found = dict(tables(scoring.rules.preset(preset).data))
    assert {"pay.small.self_draw", "pay.big.discard"} <= set(found) or {"pay.small", "pay.factors"} <= set(found)
    for path, table in found.items():
        assert len(table.get("source", "")) >= 6, path
    for name, option in scoring.rules.preset(preset).options.items():
        assert option.source, name
        assert isinstance(option.decision, bool)
        if option.source.startswith(("本玩法不提", "篇四不提")):
            assert option.decision, name


def test_partial_maps_are_completed() -> None:
    pairs = scoring.resolve_rules({"preset": "changsha-room", "options": {"event_pair": {"kong": "any"}}})
    assert pairs.options["event_pair"] == {
        "heaven": "any", "earth": "any", "last_tile": "jiang", "kong": "any", "rob_kong": "jiang",
    }  # fmt: skip
    factors = scoring.resolve_rules({"preset": "wuhan-laizi", "options": {"kong_factors": {"concealed": 2}}})
    assert factors.options["kong_factors"] == {"exposed": 2, "concealed": 2}


def test_only_a_cap_is_used_for_all_four() -> None:
    for preset in WUHAN:
        rules = scoring.resolve_rules({"preset": preset, "options": {"caps": {"cap": 300}}})
        assert rules.options["caps"] == {"cap": 300, "gold": 300, "sun": 300, "three_suns": 300}
    some = scoring.resolve_rules({"preset": "wuhan-koukou", "options": {"caps": {"cap": 300, "sun": 400}}})
    assert some.options["caps"] == {"cap": 300, "gold": 300, "sun": 400, "three_suns": 300}


def test_all_faults_of_the_options_at_once() -> None:
    options = {
        "birds": 9,
        "event_pair": {"moon": "any", "kong": "some"},
        "caps": None,
        "minimum": 32,
        "bird_effect": "double",
        "leave_penalty": "70",
    }
    assert sorted(refused({"preset": "changsha-classic", "options": options})) == [
        ("bad_option", "rules.options.birds"),
        ("bad_option", "rules.options.caps"),
        ("bad_option", "rules.options.event_pair.kong"),
        ("bad_option", "rules.options.event_pair.moon"),
        ("bad_option", "rules.options.leave_penalty"),
        ("bad_option", "rules.options.minimum"),
    ]


UNKNOWN: list[tuple[Any, list[tuple[str, str]]]] = [
    ("changsha", [("unknown_rules", "rules")]),
    ("", [("unknown_rules", "rules")]),
    ("x" * 10_000, [("unknown_rules", "rules")]),
    ("changsha-classic ", [("unknown_rules", "rules")]),
    ({"preset": "../x"}, [("unknown_rules", "rules.preset")]),
    ({"preset": None}, [("invalid", "rules.preset")]),
    ({}, [("invalid", "rules.preset")]),
    ({"preset": "changsha-bbs", "options": []}, [("invalid", "rules.options")]),
    ({"preset": 1, "options": 2, "x": 3}, [("invalid", f"rules.{name}") for name in ("x", "options", "preset")]),
    (None, [("invalid", "rules")]),
    (7, [("invalid", "rules")]),
    (["changsha-classic"], [("invalid", "rules")]),
]  # fmt: skip


@pytest.mark.parametrize(("spec", "faults"), UNKNOWN, ids=[repr(spec)[:40] for spec, _ in UNKNOWN])
def test_unknown_rules(spec: Any, faults: list[tuple[str, str]]) -> None:
    assert refused(spec) == faults
    record = {"rules": spec, "kind": "exhausted", "dealer": 0}
    with pytest.raises(scoring.RecordError) as error:
        scoring.parse_record(record)
    assert [(fault.code, fault.path) for fault in error.value.faults] == faults
    assert len(json.dumps(error.value.to_json())) < 2_000


def test_equal_rules_are_equal() -> None:
    """So that what is worked out of them can be remembered by them, however many others came between."""
    plain = scoring.resolve_rules("changsha-liuqi")
    same = {"preset": "changsha-liuqi", "options": {"birds": 2}}
    for points in range(600):
        scoring.resolve_rules({"preset": "changsha-liuqi", "options": {"leave_penalty": points}})
    for again in (same, plain.to_json(), {"preset": "changsha-liuqi", "options": plain.options}):
        assert scoring.resolve_rules(again) == plain
        assert hash(scoring.resolve_rules(again)) == hash(plain)
    assert scoring.resolve_rules({"preset": "changsha-liuqi", "options": {"birds": 3}}) != plain
    assert scoring.resolve_rules("changsha-room") != plain


def test_options_of_one_record_do_not_reach_the_next() -> None:
    given = {"preset": "changsha-bbs", "options": {"event_pair": {"kong": "jiang"}}}
    first = scoring.resolve_rules(given)
    given["options"]["event_pair"]["earth"] = "jiang"  # type: ignore[index]
    assert first.options["event_pair"]["earth"] == "any"


def test_nobody_can_change_rules() -> None:
    """Neither the values themselves, nor by way of what was made of them."""
    rules = scoring.resolve_rules("changsha-room")
    for mapping, key in ((rules.options, "birds"), (rules.options["event_pair"], "kong"), (option_types(), "birds")):
        with pytest.raises(TypeError):
            mapping[key] = "any"  # type: ignore[index]
    with pytest.raises(TypeError):
        rules.preset.options["event_pair"].default["kong"] = "any"
    with pytest.raises(AttributeError):
        rules.preset.data["patterns"]["big"].append("small")

    record = scoring.parse_record({"rules": "changsha-room", "kind": "exhausted", "dealer": 2})
    settlement = scoring.settle(record)
    for said in (
        rules.to_json(),
        record.model_dump()["rules"],
        record.model_dump(mode="json")["rules"],
        settlement.model_dump()["rules"],
        settlement.model_dump(mode="json")["rules"],
    ):
        said["options"]["event_pair"]["kong"] = "any"
        said["options"]["birds"] = 6
    preset_json(rules.preset)["patterns"]["big"].clear()
    preset_json(rules.preset)["options"]["birds"]["max"] = 60

    for said in (scoring.resolve_rules("changsha-room").to_json(), json.loads(settlement.to_json())["rules"]):
        assert said["options"]["event_pair"]["kong"] == "jiang"
        assert said["options"]["birds"] == 2
    assert len(preset_json(rules.preset)["patterns"]["big"]) == 13
    assert refused({"preset": "changsha-room", "options": {"birds": 7}}) == [("bad_option", "rules.options.birds")]


FACTS = {
    # asks for the creator, opening dice, a win let go with its size
    "changsha-liuqi": (False, True, False),
    "changsha-room": (True, False, True),
}


@pytest.mark.parametrize("preset", scoring.all_presets(), ids=lambda preset: preset.id)
def test_facts_of_a_preset(preset: scoring.Preset) -> None:
    """What others ask instead of looking at its name."""
    facts = (preset.asks_creator, preset.opening_dice, preset.passed_with_size)
    assert facts == FACTS.get(preset.id, (False, False, False))


@pytest.mark.parametrize("preset", scoring.all_presets(), ids=lambda preset: preset.id)
def test_as_json(preset: scoring.Preset) -> None:
    """What `rules` prints: every option with its type, both names, default and source."""
    data = json.loads(json.dumps(preset_json(preset)))
    assert (data["preset"], data["zh"], data["en"]) == (preset.id, preset.name_zh, preset.name_en)
    assert set(data["options"]) == set(preset.options)
    for name, option in data["options"].items():
        assert {"type", "zh", "en", "default", "source", "decision"} <= set(option), name
        assert option["default"] == scoring.resolve_rules(preset.id).to_json()["options"][name]


def test_every_option_type_is_offered_somewhere() -> None:
    assert {name for preset in scoring.all_presets() for name in preset.options} == set(option_types())
    assert set(VALUES) == set(option_types())


# --- What the presets say in numbers (rule book 2.2–2.4, 3.1, 3.3) ---------------------------------------------------

PAY = {
    # size, by: base, the dealer's part, added after the birds
    "changsha-classic": {"small": ((10, 10, 0), (10, 10, 0)), "big": ((60, 10, 0), (30, 10, 0))},
    "changsha-liuqi": {"small": ((1, 1, 0), (1, 1, 1)), "big": ((6, 1, 0), (6, 1, 1))},
    "changsha-room": {"small": ((1, 1, 0), (1, 1, 1)), "big": ((6, 1, 0), (6, 1, 0))},
    "changsha-bbs": {"small": ((1, 1, 0), (1, 1, 0)), "big": ((6, 1, 0), (3, 1, 0))},
}
BIG = (
    "heaven earth all_pungs all_jiang one_suit seven_pairs last_tile_draw last_tile_discard "
    "kong_draw kong_discard rob_kong"
)
OPENINGS = "four_of_a_kind no_jiang missing_suit two_triplets"
PATTERNS = {
    "changsha-classic": (f"{BIG} luxury_pairs", OPENINGS),
    "changsha-liuqi": (f"{BIG} luxury_pairs all_melded", f"{OPENINGS} three_same one_flower"),
    "changsha-room": (f"{BIG} luxury_pairs all_melded", OPENINGS),
    "changsha-bbs": (BIG, OPENINGS),
}


@pytest.mark.parametrize("preset", CHANGSHA)
def test_changsha_numbers(preset: str) -> None:
    data = scoring.rules.preset(preset).data
    for size, rows in PAY[preset].items():
        for by, (base, dealer, added) in zip(("discard", "self_draw"), rows, strict=True):
            row = data["pay"][size][by]
            assert (row["base"], row["dealer"], row.get("added", 0)) == (base, dealer, added), (size, by)
    big, openings = PATTERNS[preset]
    assert sorted(data["patterns"]["big"]) == sorted(big.split())
    assert sorted(data["patterns"]["opening"]) == sorted(openings.split())


@pytest.mark.parametrize("preset", WUHAN)
def test_wuhan_numbers(preset: str) -> None:
    data = scoring.rules.preset(preset).data
    pay = data["pay"]
    assert [pay["small"][key] for key in ("base", "self_draw", "gave", "dealer")] == [1, 2, 2, 2]
    assert [pay["big"][key] for key in ("base", "self_draw", "gave", "dealer")] == [10, 1.5, 1.5, 1]
    assert [pay["factors"][key] for key in ("opened", "hard", "laid_out")] == [2, 2, 2]
    assert sorted(data["patterns"]["big"]) == sorted(
        ["all_pungs", "all_melded", "one_suit", "all_winds", "all_jiang", "last_tile_draw", "kong_draw", "rob_kong"]
    )
    assert data["specials"]["kong_tiles"] == (("7z", "6z") if preset == "wuhan-kaikou" else ("7z",))
    assert data["specials"]["indicator_is_skin"] is (preset == "wuhan-koukou")
    assert data["passed"]["any_refuses"] is (preset != "wuhan-laizi")


# indicator: 癞子, and 皮 where there are any (rule book 3.1)
SPECIALS = {
    "wuhan-laizi": {"1m": "2m", "9p": "1p", "1z": "2z", "3z": "4z", "4z": "6z", "7z": "6z", "6z": "5z", "5z": "1z"},
    "wuhan-kaikou": {"9s": "1s", "2z": "3z", "4z": "5z", "7z": "5z", "6z": "5z", "5z": "1z"},
    "wuhan-koukou": {"1m": "2m", "9p": "1p", "4z": "6z", "7z": "6z", "6z": "5z", "5z": "1z"},
}
SKINS = {"5m": "4m5m", "1m": "9m1m", "1z": "5z1z", "6z": "4z6z", "7z": "4z7z", "5z": "6z5z", "4z": "3z4z"}


def laid_out_faults(preset: str, indicator: str, laid_out: str) -> list[str]:
    """Which of these tiles cannot be laid out."""
    winner = {"seat": 0, "declared": [], "hard": True, "opened": 1, "laid_out": laid_out}
    record = {
        "rules": {"preset": preset, "options": {"minimum": 0}}, "kind": "win", "dealer": 0, "by": "self_draw",
        "indicator": indicator, "winners": [winner],
    }  # fmt: skip
    with pytest.raises(scoring.RecordError) as error:
        scoring.settle(scoring.parse_record(record))
    return [fault.detail["tile"] for fault in error.value.faults if fault.code == "bad_laid_out"]


ALL_KINDS = [f"{rank}{suit}" for suit, most in (("m", 9), ("p", 9), ("s", 9), ("z", 7)) for rank in range(1, most + 1)]


@pytest.mark.parametrize("preset", WUHAN)
def test_special_tiles(preset: str) -> None:
    """What an indicator makes special is what can be laid out, and nothing else."""
    kong_tiles = {"7z", "6z"} if preset == "wuhan-kaikou" else {"7z"}
    for indicator, wild in SPECIALS[preset].items():
        skins = set()
        if preset == "wuhan-koukou":
            rank, suit = int(indicator[0]), indicator[1]
            text = SKINS.get(indicator) or f"{indicator}{(rank - 2) % 9 + 1}{suit}"
            skins = {text[:2], text[2:]}
        ordinary = set(laid_out_faults(preset, indicator, "".join(ALL_KINDS)))
        assert set(ALL_KINDS) - ordinary == kong_tiles | skins | {wild}, indicator

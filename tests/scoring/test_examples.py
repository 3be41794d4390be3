"""The worked examples of rule book section 5, and bird examples 1–11 of the liuqi source, readable one by one."""

from __future__ import annotations

import json
from typing import Any

import pytest

import scoring

SMALL = {"concealed": "123m456p789s234s2p", "win_on": ["2p"]}
"""A small win on 2p: four runs and a 将 pair."""
SMALL_TOO = {"concealed": "345m678p456s999m2p", "win_on": ["2p"]}
"""Another one on the same tile."""

Transfers = list[tuple[int, int, int]]


def settled(rules: str, kind: str = "win", **fields: Any) -> scoring.Settlement:
    if "from_" in fields:
        fields["from"] = fields.pop("from_")
    return scoring.settle(scoring.parse_record({"rules": rules, "kind": kind, "dealer": 0, **fields}))


def transfers(settlement: scoring.Settlement) -> Transfers:
    """(from, to, points) of each, in order."""
    return [(one.from_, int(one.to), one.points) for one in settlement.transfers]


def patterns(settlement: scoring.Settlement) -> list[dict[str, int]]:
    """Each win's patterns with their counts, in seat order."""
    return [{pattern.id: pattern.count for pattern in win.patterns} for win in settlement.wins]


def arithmetic(settlement: scoring.Settlement, place: int = 0) -> str:
    """The lines of one transfer: ``60 +10 ×2``."""
    marks = {"value": "", "add": "+", "times": "×", "set": "="}
    lines = json.loads(settlement.to_json())["transfers"][place]["steps"]
    return " ".join(marks[how] + number for line in lines for how, number in line.items() if how != "id")


# --- Rule book section 5 ---------------------------------------------------------------------------------------------


def test_1_classic_small_self_draw_with_the_bird_on_the_winner() -> None:
    found = settled("changsha-classic", by="self_draw", winners=[{"seat": 1, **SMALL}], birds=["6s"])
    assert transfers(found) == [(0, 1, 40), (2, 1, 20), (3, 1, 20)]
    assert found.deltas == (-40, 80, -20, -20)
    assert [arithmetic(found, place) for place in range(3)] == ["10 +10 ×2", "10 ×2", "10 ×2"]
    assert (found.next_dealer, found.hand_ends, patterns(found)) == (1, True, [{"small": 1}])


def test_2_classic_two_patterns_off_the_dealer_without_a_hit() -> None:
    winner = {"seat": 2, "concealed": "111m333m777m999m5m", "win_on": ["5m"]}
    found = settled("changsha-classic", by="discard", from_=0, winners=[winner], birds=["2p"])
    assert transfers(found) == [(0, 2, 140)]
    assert found.deltas == (-140, 0, 140, 0)
    assert patterns(found) == [{"all_pungs": 1, "one_suit": 1}]
    assert arithmetic(found) == "60 +10 ×2"


def test_3_classic_heaven_with_seven_pairs() -> None:
    winner = {"seat": 0, "concealed": "1133m2244p6677s9s", "win_on": ["9s"]}
    found = settled("changsha-classic", by="self_draw", events=["heaven"], winners=[winner], birds=["3s"])
    assert transfers(found) == [(1, 0, 80), (2, 0, 160), (3, 0, 80)]
    assert found.deltas == (320, -80, -160, -80)
    assert patterns(found) == [{"heaven": 1, "seven_pairs": 1}]


def test_4_classic_two_openings_and_the_bird_that_names_the_dealer() -> None:
    openers = [{"seat": 1, "concealed": "1111m333p56p2789s"}, {"seat": 3, "concealed": "23456789m12455p"}]
    found = settled("changsha-classic", "opening", winners=openers, birds=["1s"])
    assert transfers(found) == [(0, 1, 80), (2, 1, 20), (3, 1, 20), (0, 3, 40), (1, 3, 10), (2, 3, 10)]
    assert found.deltas == (-120, 110, -30, 40)
    assert patterns(found) == [{"four_of_a_kind": 1, "two_triplets": 1}, {"missing_suit": 1}]
    assert found.next_dealer == 0


def test_5_liuqi_the_dealer_self_draws_with_birds_on_him_and_on_seat_1() -> None:
    found = settled("changsha-liuqi", by="self_draw", winners=[{"seat": 0, **SMALL}], birds=["1m", "2m"])
    assert transfers(found) == [(1, 0, 7), (2, 0, 5), (3, 0, 5)]
    assert [arithmetic(found, place) for place in range(3)] == ["1 +1 ×3 +1", "1 +1 ×2 +1", "1 +1 ×2 +1"]


def test_6_liuqi_two_winners_off_one_giver() -> None:
    winners = [{"seat": 0, **SMALL}, {"seat": 1, **SMALL_TOO}]
    found = settled("changsha-liuqi", by="discard", from_=2, winners=winners, birds=["1m", "3m"])
    assert transfers(found) == [(2, 0, 6), (2, 1, 2)]
    assert found.deltas == (6, 2, -8, 0)
    assert found.next_dealer == 2


def test_7_room_both_birds_on_the_dealer_who_self_draws() -> None:
    found = settled("changsha-room", by="self_draw", winners=[{"seat": 0, **SMALL}], birds=["1m", "5m"])
    assert transfers(found) == [(1, 0, 9), (2, 0, 9), (3, 0, 9)]
    assert arithmetic(found) == "1 +1 ×4 +1"


def test_8_room_both_kong_tiles_complete_the_hand() -> None:
    kong = {"kind": "concealed_kong", "tiles": "9999s", "dice": True}
    winner = {"seat": 1, "concealed": "123m456p22s34p", "melds": [kong], "win_on": ["2p", "5p"]}
    found = settled("changsha-room", by="self_draw", events=["kong_draw"], winners=[winner])
    assert transfers(found) == [(0, 1, 13), (2, 1, 12), (3, 1, 12)]
    assert patterns(found) == [{"kong_draw": 2}]
    assert [arithmetic(found, place) for place in range(2)] == ["6 ×2 +1", "6 ×2"]


@pytest.mark.parametrize(("dealer", "points"), [(0, 10), (1, 12)])
def test_9_bbs_the_taker_of_the_last_tile_pays_for_all(dealer: int, points: int) -> None:
    winner = {"seat": 2, **SMALL}
    found = settled("changsha-bbs", dealer=dealer, by="discard", from_=1, events=["last_tile"], winners=[winner])
    assert transfers(found) == [(1, 2, points)]
    assert patterns(found) == [{"last_tile_discard": 1}]


def test_10_kaikou_small_hard_self_draw() -> None:
    winner = {
        "seat": 1,
        "concealed": "234s567m2p",
        "melds": [{"kind": "pong", "tiles": "111m", "from": 0}, {"kind": "pong", "tiles": "999p", "from": 2}],
        "win_on": ["2p"],
        "laid_out": "7z",
    }
    players = [{"seat": 0, "opened": 1}, {"seat": 3, "opened": 1, "exposed_kongs": 1}]
    found = settled("wuhan-kaikou", by="self_draw", winners=[winner], players=players, indicator="8s")
    assert transfers(found) == [(0, 1, 64), (2, 1, 16), (3, 1, 64)]
    assert found.deltas == (-64, 144, -16, -64)
    assert [arithmetic(found, place) for place in range(3)] == [
        "1 ×2 ×2 ×2 ×2 ×2 ×2",  # opened, 红中, self-draw, hard; the loser opened, dealer
        "1 ×2 ×2 ×2 ×2",
        "1 ×2 ×2 ×2 ×2 ×2 ×2",  # the loser opened, one exposed kong
    ]
    assert found.wins[0].reading is not None
    assert found.wins[0].reading.hard


def test_11_koukou_the_third_opening_of_one_suit_pays_for_all() -> None:
    pongs = [{"kind": "pong", "tiles": tiles, "from": seat} for tiles, seat in (("111m", 2), ("333m", 3), ("777m", 1))]
    winner = {"seat": 0, "concealed": "9996m", "melds": pongs, "win_on": ["6m"]}
    players = [{"seat": 1, "opened": 2}, {"seat": 3, "opened": 1}]
    found = settled("wuhan-koukou", by="discard", from_=3, winners=[winner], players=players, indicator="3z")
    assert transfers(found) == [(1, 0, 2280)]
    (contract,) = found.transfers
    assert contract.why == "contract"
    assert [(share.seat, share.points) for share in contract.shares] == [(1, 1000), (2, 320), (3, 960)]
    assert arithmetic(found) == "1000 +320 +960"
    assert patterns(found) == [{"all_pungs": 1, "one_suit": 1}]


def test_12_classic_heaven_beside_an_opening() -> None:
    openers = [{"seat": 0, "concealed": "123m456p789s234s22p"}, {"seat": 2, "concealed": "1111s36p2256779m"}]
    found = settled("changsha-classic", "opening", winners=openers, birds=["3s"])
    assert transfers(found) == [(1, 0, 40), (2, 0, 80), (3, 0, 40), (0, 2, 40), (1, 2, 20), (3, 2, 20)]
    assert found.deltas == (120, -60, 0, -60)
    assert patterns(found) == [{"heaven": 1}, {"four_of_a_kind": 1}]
    assert found.next_dealer == 2


SOFT_PUNGS = {
    "seat": 1,
    "concealed": "333s777m88p4z2p",
    "melds": [{"kind": "pong", "tiles": "111m", "from": 0}],
    "win_on": ["2p"],
}


def test_13_kaikou_below_the_minimum() -> None:
    with pytest.raises(scoring.RecordError) as refused:
        settled("wuhan-kaikou", by="discard", from_=2, winners=[SOFT_PUNGS], indicator="3z")
    (fault,) = refused.value.faults
    assert fault.code == "below_minimum"
    assert (fault.detail["reached"], fault.detail["needed"]) == (30, 32)


def test_13_kaikou_one_loser_reaches_the_minimum() -> None:
    players = [{"seat": 0, "opened": 1}]
    found = settled("wuhan-kaikou", by="discard", from_=2, winners=[SOFT_PUNGS], players=players, indicator="3z")
    assert transfers(found) == [(0, 1, 40), (2, 1, 30), (3, 1, 20)]
    assert [arithmetic(found, place) for place in range(3)] == ["10 ×2 ×2", "10 ×2 ×1.5", "10 ×2"]


def test_14_koukou_three_suns() -> None:
    melds = [
        {"kind": kind, "tiles": tiles, "from": 1}
        for kind, tiles in (("exposed_kong", "1111m"), ("pong", "333p"), ("pong", "777s"))
    ]
    winner = {"seat": 0, "concealed": "999p4s", "melds": melds, "win_on": ["4s"], "laid_out": "7z"}
    found = settled("wuhan-koukou", by="self_draw", events=["kong_draw"], winners=[winner], indicator="3z")
    assert transfers(found) == [(1, 0, 1800), (2, 0, 1800), (3, 0, 1800)]
    assert arithmetic(found) == "10 ×2 ×8 ×2 ×2 ×1.5 ×2 =1800"
    assert patterns(found) == [{"all_pungs": 1, "kong_draw": 1}]


# --- Bird examples of the liuqi source (C2) --------------------------------------------------------------------------
# Seats: dealer A 0, B 1, C 2, D 3. The source multiplies 底 and 庄 by the hits and then adds 自摸加1.

BIRDS: dict[str, tuple[int | None, list[int], str, Transfers]] = {
    # the source's sentence: giver, winners, birds, who pays whom how much
    "例1：庄自摸，鸟牌为5、9，每家都必须出3倍": (None, [0], "59", [(1, 0, 7), (2, 0, 7), (3, 0, 7)]),
    "例2：庄自摸，鸟牌为5、6，下家出3倍，其他两家各出2倍": (None, [0], "56", [(1, 0, 7), (2, 0, 5), (3, 0, 5)]),
    "例3：庄自摸，鸟牌为2、2，B出3倍，其他两家各出1倍": (None, [0], "22", [(1, 0, 7), (2, 0, 3), (3, 0, 3)]),
    "例4：庄自摸，鸟牌为2、3，B、C各出2倍，另外一家出1倍": (None, [0], "23", [(1, 0, 5), (2, 0, 5), (3, 0, 3)]),
    "例5：闲家B胡牌，C放炮，鸟牌为2、2，C出3倍": (2, [1], "22", [(2, 1, 3)]),
    "例6：闲家B胡牌，C放炮，鸟牌为2、7，C仍出3倍": (2, [1], "27", [(2, 1, 3)]),
    "例7：闲家B胡牌，C放炮，鸟牌为3、7，C还是出3倍": (2, [1], "37", [(2, 1, 3)]),
    "例8：闲家B胡牌，C放炮，鸟牌为2、8，C是出2倍": (2, [1], "28", [(2, 1, 2)]),
    "例9：闲家B胡牌，C放炮，鸟牌为3、9，C还是出2倍": (2, [1], "39", [(2, 1, 2)]),
    "例10：闲家B胡牌，C放炮，鸟牌为1、4，C仍只出1倍": (2, [1], "14", [(2, 1, 1)]),
    "例11：庄家A和闲家B同时胡牌，C放炮，鸟牌为1、3，A进6片，B进2片": (2, [0, 1], "13", [(2, 0, 6), (2, 1, 2)]),
}


@pytest.mark.parametrize("sentence", BIRDS)
def test_liuqi_bird_example(sentence: str) -> None:
    giver, seats, ranks, paid = BIRDS[sentence]
    winners = [{"seat": seat, **tiles} for seat, tiles in zip(seats, (SMALL, SMALL_TOO), strict=False)]
    birds = [f"{rank}{suit}" for rank, suit in zip(ranks, "ms", strict=True)]
    by = "self_draw" if giver is None else "discard"
    assert transfers(settled("changsha-liuqi", by=by, from_=giver, winners=winners, birds=birds)) == paid


# --- Numbers that stand in the rule book's text ----------------------------------------------------------------------


def test_2_4_room_an_opening_with_two_patterns_and_one_hit() -> None:
    found = settled("changsha-room", "opening", winners=[{"seat": 1, "concealed": "1111m333p56p2789s"}], birds=["1s"])
    assert transfers(found) == [(0, 1, 10), (2, 1, 4), (3, 1, 4)]
    assert arithmetic(found) == "1 +1 ×2 +1 ×2"
    assert (found.hand_ends, found.next_dealer, found.next_dealer_choices) == (False, None, ())


def test_2_7_leaving_is_shared_by_the_others_with_the_odd_point_to_the_next_seat() -> None:
    rules = {"preset": "changsha-classic", "options": {"leave_penalty_to": "others"}}
    found = scoring.settle(
        scoring.parse_record({"rules": rules, "kind": "penalty", "dealer": 0, "penalty": {"seat": 2, "reason": "left"}})
    )
    assert transfers(found) == [(2, 3, 24), (2, 0, 23), (2, 1, 23)]
    assert found.house == 0


def test_2_7_leaving_goes_to_the_house() -> None:
    found = settled("changsha-classic", "penalty", penalty={"seat": 2, "reason": "left"})
    assert (found.deltas, found.house) == ((0, 0, -70, 0), 70)
    assert [(one.from_, one.to, one.points) for one in found.transfers] == [(2, "house", 70)]


def test_2_2_one_suit_on_both_kong_tiles_is_three_patterns() -> None:
    winner = {
        "seat": 1,
        "concealed": "123m456m7788m",
        "melds": [{"kind": "concealed_kong", "tiles": "9999m", "dice": True}],
        "win_on": ["7m", "8m"],
    }
    found = settled("changsha-liuqi", by="self_draw", events=["kong_draw"], winners=[winner])
    assert patterns(found) == [{"one_suit": 1, "kong_draw": 2}]
    assert [arithmetic(found, place) for place in range(2)] == ["6 ×3 +1 +1", "6 ×3 +1"]


def test_2_2_a_robbed_kong_and_a_turned_up_tile_are_two_records_and_the_kong_maker_deals() -> None:
    robbed = {
        "rules": "changsha-liuqi", "kind": "win", "dealer": 0, "by": "rob_kong", "from": 3,
        "winners": [{"seat": 1, "concealed": "123m456p789s34s22p", "win_on": ["5s"]}],
    }  # fmt: skip
    turned_up = {**robbed, "by": "discard", "events": ["kong_discard"], "winners": [{"seat": 2, **SMALL_TOO}]}
    records = [scoring.parse_record(record) for record in (robbed, turned_up)]
    assert [scoring.settle(record).next_dealer for record in records] == [1, 2]
    assert scoring.next_dealer(records) == (3,)
    assert scoring.next_dealer(records[:1]) == (1,)
    opening = scoring.parse_record(
        {"rules": "changsha-liuqi", "kind": "opening", "dealer": 0, "winners": [{"seat": 1, "shown": "1111m"}]}
    )
    assert scoring.next_dealer([opening]) == ()
    assert scoring.next_dealer([opening, records[1]]) == (2,)

"""Form fields to an entry and back."""

from __future__ import annotations

from urllib.parse import parse_qs

import pytest
from django.http import QueryDict
from django.test import RequestFactory
from hypothesis import given
from hypothesis import strategies as st

from mahjong_site.calculator import state, views
from mahjong_site.calculator.outcome import judge
from scoring import all_presets

PRESETS = tuple(preset.id for preset in all_presets())


def entry(query: str) -> state.Entry:
    return state.read(QueryDict(query), presets=PRESETS)


def test_nothing_given() -> None:
    assert entry("").untouched
    assert entry("").rules == "changsha-classic"


def test_what_makes_no_sense_counts_as_not_given() -> None:
    odd = entry("rules=x&kind=y&dealer=9&w=7&w=1&by=-1&ev=z&die=12&die=3&op0=-4&ready0=maybe&last=taken_by:8")
    assert (odd.rules, odd.kind, odd.dealer, odd.winners, odd.giver) == ("changsha-classic", "win", 0, (1,), None)
    assert (odd.event, odd.dice, odd.counters[0]["op"], odd.ready[0], odd.last) == ("", (3,), 0, None, "")


def test_self_draw_until_another_is_named() -> None:
    assert entry("w=1").self_draw
    assert entry("w=1&by=1").self_draw
    assert not entry("w=1&by=2").self_draw
    assert not entry("w=1&w=2").self_draw


def test_a_hand_without_winner_is_the_winners() -> None:
    """The winner was corrected: the tiles typed at the other seat go with him."""
    corrected = entry("w=2&h1=22s")
    assert corrected.lines[2].canonical == "22s"
    assert corrected.lines[1].text == ""
    assert entry("h0=22s").winners == (0,)


def test_half_typed_lines_are_a_state() -> None:
    assert entry("w=1&h1=22s%5B12").lines[1].hand is None
    assert judge(entry("w=1&h1=22s%5B12")).state == "unreadable"
    assert judge(entry("w=1&h1=22s")).short == {1: 12}


def test_the_last_tile_of_a_whole_hand_completes_it() -> None:
    outcome = judge(entry("w=1&h1=345m45p123m555p22s6p"))
    assert outcome.settled is not None
    assert outcome.settled[0].winners[0].win_on == (14,)  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "query",
    [
        "w=1&by=1&h1=345m45p22s%5B123m%5D%5B555p%402%5D%2B6p&birds=6p&n0=%E6%9D%8E%E5%9B%9B&dealer=2&low=1",
        "rules=wuhan-koukou&w=1&by=0&rob=1&h1=777m&ind=4m&laid1=7z&op0=2&ek0=1&ready0=0&passed1=5m",
        "rules=changsha-liuqi&kind=opening&w=1&w=3&h1=1111m&shown=1&die=3&die=5&o.fishing=1&bet0=10",
        "rules=changsha-room&kind=exhausted&creator=3",
        "kind=penalty&pseat=2&preason=other&ppoints=30&pto=others&last=taken_by%3A2&dead1=1&ev=last_tile&passedbig2=1",
    ],
)
def test_address_round_trip(query: str) -> None:
    once = entry(query)
    assert entry(once.query()[1:]) == once
    assert parse_qs(once.query()[1:]).keys() == {*parse_qs(query), "rules"}


SEAT_FIELDS = ("n", "h", "laid", "passed", "passedbig", "dead", "op", "ek", "bet")
FIELDS = [
    *("rules", "kind", "dealer", "w", "by", "rob", "ev", "shown", "birds", "die", "low", "ind", "last", "creator"),
    *("pseat", "preason", "ppoints", "pto", "o.birds", "o.caps.cap", "o.kong_factors.exposed", "o.fishing", "o.x"),
    *(f"{name}{seat}" for name in SEAT_FIELDS for seat in state.SEATS),
]
WORDS = (
    *("0", "1", "2", "3", "win", "opening", "exhausted", "penalty", "last_tile", "heaven", "kong_draw", "house"),
    *("left", "taken_by:2", "[", "+", "五筒", "-1", "1e9", "9999999", "7z", "5m", "4m"),
    *("22s345m45p[123m][555p]+6p", "1111m333p56p2789s", "234s67m88p[111m][999s]+8m", "777m66s99p[222p][8888s]+6s"),
)
VALUES = st.one_of(st.sampled_from(PRESETS), st.sampled_from(WORDS), st.text(max_size=20))


@given(st.lists(st.tuples(st.sampled_from(FIELDS), VALUES), max_size=14))
def test_nothing_a_person_sends_breaks_the_page(fields: list[tuple[str, str]]) -> None:
    request = RequestFactory().get("/result", fields)
    assert views.result(request).status_code == 200


def test_a_seat_of_which_nothing_is_said_has_nothing_open() -> None:
    assert state.Entry(rules="wuhan-koukou").counters == entry("rules=wuhan-koukou").counters


def test_earth_is_the_dealer_s_tile_and_heaven_his_own() -> None:
    def events(query: str) -> tuple[str, ...]:
        outcome = judge(entry(query))
        return outcome.offer.events(outcome.entry.with_(event=""))

    assert "heaven" in events("w=0&by=0")
    assert "heaven" not in events("w=1&by=1")
    assert "earth" in events("w=1&by=0")
    assert "earth" not in events("w=1&by=2")
    assert "earth" not in events("w=1&by=0&h1=22s%5B123m%5D")


def test_an_opening_is_declared_without_tiles() -> None:
    outcome = judge(entry("kind=opening&w=2&d2=missing_suit&birds=3m"))
    assert outcome.settlement is not None
    assert [pattern.id for pattern in outcome.settlement.wins[0].patterns] == ["missing_suit"]
    heaven = judge(entry("kind=opening&w=0&d0=heaven&d0=one_suit&d1=missing_suit"))
    assert heaven.settlement is not None
    assert heaven.settlement.hand_ends
    both = judge(entry("kind=opening&w=2&d2=missing_suit&h2=1111m333p56p2789s"))
    assert both.state == "refused"
    assert judge(entry("kind=opening&w=2&d2=heaven")).state == "empty"

"""A correction starts from the hand as it was recorded: every real record, refilled, is worth what it was worth."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from django.http import QueryDict
from django.test import Client

from mahjong_site.calculator import state
from mahjong_site.calculator.outcome import judge
from mahjong_site.calculator.situation import Offer
from mahjong_site.table import declared
from mahjong_site.table.refill import declared_of, entry_of, is_declared, same_money
from scoring import HandRecord, RecordError, Settlement, all_presets, parse_record, settle
from scoring.record import WinRecord
from tests.ledger.tables import Table
from tests.table.conftest import NAMES, browser

DATA = Path(__file__).parents[1] / "data"
PRESETS = tuple(preset.id for preset in all_presets())
LOST = "有些内容填不进来"


def real() -> Iterator[HandRecord]:
    """Every valid record of the known cases."""
    for name in ("score", "generated"):
        for line in (DATA / f"{name}.jsonl").read_text("utf-8").splitlines():
            case = json.loads(line)
            if "answer" in case:
                yield parse_record(case["request"])


def refilled(record: HandRecord) -> Settlement | None:
    """What the page's fields, sent as they stand, settle to."""
    if not is_declared(record):
        sent = QueryDict(entry_of(record).query()[1:])
        return judge(state.read(sent, presets=PRESETS)).settlement
    assert isinstance(record, WinRecord)
    told = declared_of(record, settle(record))
    facts = {**declared.to_record(told, Offer(record.rules)), "rules": record.rules.to_json(), "dealer": record.dealer}
    try:
        return settle(parse_record(facts))
    except RecordError:
        return None


def test_refilled_records_are_worth_the_same() -> None:
    records = list(real())
    other = [record for record in records if not same_money(refilled(record), settle(record))]
    assert len(records) > 1500
    assert len(other) <= 0.05 * len(records), [record.model_dump_json() for record in other[:3]]


def wuhan(**facts: Any) -> dict[str, Any]:
    winner = {"seat": 1, "hand": "777m66s99p[222p][888s]+6s", "laid_out": 2}
    return {"kind": "win", "by": "self_draw", "indicator": "4m", "winners": [winner], **facts}


SEVERAL = [
    pytest.param("wuhan-koukou", wuhan(), id="a seat is missing from players"),
    pytest.param(
        "wuhan-koukou",
        wuhan(
            players=[
                {"seat": 0, "melds": [{"kind": "pong", "tiles": "333s"}], "laid_out": "7z5m"},
                {"seat": 2, "melds": [{"kind": "concealed_kong", "tiles": "1111s"}]},
            ]
        ),
        id="melds and tiles laid out",
    ),
    pytest.param(
        "changsha-classic",
        {"kind": "opening", "winners": [{"seat": 2, "declared": ["missing_suit"]}], "birds": ["3m"]},
        id="a declared opening",
    ),
    pytest.param(
        {"preset": "changsha-liuqi", "options": {"fishing": True, "birds": 2}},
        {
            "kind": "win",
            "by": "discard",
            "from": 0,
            "winners": [{"seat": 1, "declared": ["one_suit"]}],
            "birds": ["6p"],
            "last_wall_tile_only": True,
            "side_bets": ["5", "10.50", "0", "0"],
        },
        id="declared, with side bets and only the last tile left",
    ),
    pytest.param(
        "changsha-classic",
        {
            "kind": "win",
            "by": "discard",
            "from": 0,
            "winners": [
                {"seat": 1, "declared": ["one_suit"]},
                {"seat": 2, "hand": "22s345m45p[123m][555p]+6p"},
            ],
            "birds": ["6p"],
        },
        id="one declared, one with tiles",
    ),
]


@pytest.mark.parametrize(("rules", "record"), SEVERAL)
def test_the_page_of_a_correction_keeps_every_fact(
    db: None, rules: str | Mapping[str, Any], record: dict[str, Any]
) -> None:
    """Sent back as it was filled in, the form changes nobody's points."""
    table = Table.open(rules, players=NAMES)
    owner = browser(*table.actor.tokens)
    table.post(record)
    before, cash = table.points(), table.totals()
    page = owner.get(f"/t/{table.session.id}/entries/1/correct", follow=True)
    assert page.status_code == 200
    assert LOST not in page.content.decode()
    form = filled(page.content.decode())
    answer = owner.post(f"/t/{table.session.id}/{form.pop('')}", {**form, "reason": "再看一遍"})
    assert answer.status_code == 302, answer.content.decode()
    assert table.now.seq == 3
    assert (table.points(), table.totals()) == (before, cash)


def filled(page: str) -> dict[str, Any]:
    """What a browser sends of a form as it stands; under "" the last part of its address."""
    form = re.search(r'<form id="(?:quick|entry)-form".*?</form>', page, re.S)
    assert form is not None
    sent: dict[str, Any] = {"": "post-quick" if "quick-form" in form[0] else "post"}
    for tag in re.findall(r"<input[^>]*>", form[0]):
        fields = dict(re.findall(r'([\w-]+)="([^"]*)"', tag))
        if "name" not in fields or (
            fields.get("type") in ("radio", "checkbox") and not tag.rstrip(">").endswith("checked")
        ):
            continue
        sent.setdefault(fields["name"], []).append(fields.get("value", ""))
    return sent


def test_what_cannot_be_filled_in_is_said(db: None) -> None:
    """The third opening of 清一色 came from nobody knows whom, beside a declared win: the quick entry cannot say it."""
    table = Table.open("wuhan-laizi", players=NAMES, first_dealer=2)
    winners = [
        {"seat": 1, "declared": ["all_jiang"], "hard": False, "opened": 2},
        {
            "seat": 2,
            "concealed": "1s",
            "win_on": ["1s"],
            "melds": [
                {"kind": "pong", "tiles": "999s", "from": 1},
                {"kind": "chow", "tiles": "123s"},
                {"kind": "chow", "tiles": "789s"},
                {"kind": "pong", "tiles": "777s", "from": 3},
            ],
        },
    ]
    players = [{"seat": 3, "opened": 0, "ready": True}]
    table.post({"kind": "win", "by": "discard", "from": 3, "indicator": "9m", "winners": winners, "players": players})
    page = browser(*table.actor.tokens).get(f"/t/{table.session.id}/entries/1/correct", follow=True).content.decode()
    assert LOST in page
    assert 'name="w" value="1" checked' in page


def test_a_correction_names_who_sat_there_then(table: Table, owner: Client) -> None:
    table.post({"kind": "win", "by": "self_draw", "winners": [{"seat": 1, "hand": "22s345m45p[123m][555p]+6p"}]})
    owner.post(f"/t/{table.session.id}/seats", {"swap": ["1", "3"]})
    page = owner.get(f"/t/{table.session.id}/entries/1/correct").content.decode()
    assert re.search(r'name="w" value="1" checked><b>张三</b>', page)

"""The end: closing, who pays whom, what was paid, the files."""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Callable

import pytest
from django.test import Client

from mahjong_site.clubs.models import Role
from mahjong_site.ledger.models import Session, SettleUp, Transfer
from mahjong_site.table.ending import _cents
from tests.ledger.tables import Table, win
from tests.table.conftest import browser
from tests.table.test_pages import at, text


@pytest.fixture
def ended(table: Table, owner: Client) -> Table:
    """Two hands, closed and settled up through the page."""
    table.post({"kind": "win", "by": "self_draw", "winners": [{"seat": 1, "declared": ["one_suit"]}], "birds": ["6p"]})
    table.post(win(2, 0))
    assert owner.post(at(table, "close"))["Location"] == at(table, "end")
    return table


def test_closing_settles_up(ended: Table, owner: Client) -> None:
    assert ended.now.status == Session.Status.CLOSED
    points = dict(zip(("李四", "张三", "王五", "赵六"), ended.points(), strict=True))
    transfers = list(Transfer.objects.all())
    assert sum(transfer.amount for transfer in transfers) == 100 * sum(won for won in points.values() if won > 0)
    page = text(owner, at(ended, "end"))
    said = re.search(r'<pre id="copy-text">(.*?)</pre>', page, re.S)
    assert said is not None
    lines = said[1].split("\n")
    assert lines[0] == "牌账 · 周六老友局 · 长沙 单鸟 · 2 手 · 1 分 = 1 元"
    assert f"张三 +{points['张三']}" in lines[1]
    assert re.fullmatch(r"\S+ → 张三 \d+ 元", lines[2])
    assert lines[-1].startswith("最大一手：第 1 手 张三 自摸 清一色")
    assert 'aria-label="付给"' in page


def test_before_it_ends_the_page_says_how_it_stands(table: Table, owner: Client) -> None:
    assert "还没有打过" in text(owner, at(table, "end"))
    table.post(win(1))
    page = text(owner, at(table, "end"))
    assert "结束并结账" in page
    assert not SettleUp.objects.exists()


def test_closing_an_evening_without_hands(table: Table, owner: Client) -> None:
    owner.post(at(table, "close"))
    assert table.now.status == Session.Status.CLOSED
    assert "还没有打过" in text(owner, at(table, "end"))


def test_paid_in_part_paid_and_not(ended: Table, owner: Client) -> None:
    transfer = Transfer.objects.order_by("-amount")[0]
    address = at(ended, f"settle/{transfer.settle_up_id}/{transfer.id}")

    def paid(**sent: str) -> int:
        assert owner.post(address, sent).status_code == 302
        transfer.refresh_from_db()
        return transfer.paid

    assert paid(paid="12.5") == 1250
    assert "已付 12.5 元" in text(owner, at(ended, "end"))
    for wrong in ("x", "-1", "1e99", "0.001", "999999", "NaN"):
        assert paid(paid=wrong) == 1250
    assert "金额要在" in text(owner, at(ended, "end"))
    assert paid() == transfer.amount
    assert owner.post(at(ended, f"settle/{transfer.settle_up_id}/cancel")).status_code == 302
    assert SettleUp.objects.get().cancelled_at is None
    assert paid(paid="0") == 0
    owner.post(at(ended, f"settle/{transfer.settle_up_id}/cancel"))
    assert SettleUp.objects.get().cancelled_at is not None
    owner.post(at(ended, "settle"))
    assert SettleUp.objects.filter(cancelled_at__isnull=True).count() == 1


def test_a_viewer_sees_and_marks_nothing(ended: Table, guest: Callable[[Role], Client]) -> None:
    viewer = guest(Role.VIEWER)
    page = text(viewer, at(ended, "end"))
    assert 'name="paid"' not in page
    assert "重新打开" not in page
    transfer = Transfer.objects.all()[0]
    assert viewer.post(at(ended, f"settle/{transfer.settle_up_id}/{transfer.id}")).status_code == 403
    other = Table.open(name="别桌")
    stranger = browser(*other.actor.tokens)
    assert stranger.post(at(other, f"settle/{transfer.settle_up_id}/{transfer.id}")).status_code == 404
    assert stranger.post(at(ended, f"settle/{transfer.settle_up_id}/cancel")).status_code == 404


def test_open_again_and_settle_the_rest(ended: Table, owner: Client) -> None:
    assert owner.post(at(ended, "reopen"))["Location"] == at(ended)
    ended.post(win(3, 1))
    owner.post(at(ended, "close"))
    assert SettleUp.objects.count() == 2
    page = text(owner, at(ended, "end"))
    assert page.count('<ul class="pay">') == 2


def test_the_table_beside_the_chart(ended: Table, owner: Client) -> None:
    page = text(owner, at(ended, "end"))
    data = re.search(r'id="plot-data" type="application/json">(.*?)</script>', page)
    assert data is not None
    plot = json.loads(data[1])
    assert plot["hands"] == [0, 1, 2]
    assert [line[-1] for line in plot["lines"]] == ended.points()
    assert all(sum(column) == 0 for column in zip(*plot["lines"], strict=True))
    rows = re.findall(r'<tr><th scope="row">(\d+)</th>((?:<td class="r \w+">[^<]*</td>)+)</tr>', page)
    assert [int(hand) for hand, _ in rows] == [1, 2]


def test_files(ended: Table, owner: Client) -> None:
    def file(name: str) -> bytes:
        response = owner.get(at(ended, f"export/{name}"))
        assert response.status_code == 200
        assert "attachment" in response["Content-Disposition"]
        return response.content

    assert file("totals.csv").startswith(b"\xef\xbb\xbf")
    assert len(file("hands.csv").splitlines()) == 3
    assert file("legs.csv")
    assert json.loads(file("session.json"))["format"] == "paizhang-session"
    assert zipfile.ZipFile(io.BytesIO(file("session.xlsx"))).testzip() is None
    assert owner.get(at(ended, "export/nothing.csv")).status_code == 404


@pytest.mark.parametrize(
    ("typed", "cents"),
    [("", None), (" 12,5 ", 1250), ("3", 300), ("x", -1), ("1e30", -1), ("0.001", -1), ("Infinity", -1)],
)
def test_amounts_as_typed(typed: str, cents: int | None) -> None:
    assert _cents(typed) == cents

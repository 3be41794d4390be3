"""Every page of a table: who may see it, what it says, what it refuses."""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal
from typing import Any
from urllib.parse import unquote, urlencode
from zoneinfo import ZoneInfo

import pytest
from django.conf import LazySettings
from django.test import Client
from django.utils import timezone

from mahjong_site.clubs.models import Club, JoinLink, Role
from mahjong_site.clubs.services.links import create_link
from mahjong_site.ledger import services
from mahjong_site.ledger.models import Entry, Session
from tests.ledger.tables import SMALL, Table, win
from tests.table.conftest import NAMES, browser

VIEWED = [
    "",
    "live",
    "kong-dice",
    "end",
    "entries/1",
    "export/totals.csv",
    "export/session.xlsx",
    "export/session.json",
]
POSTED = ["hand", "hand?kind=opening", "hand?kind=exhausted", "hand?kind=penalty", "quick", "dealer"]
CORRECTED = ["entries/1/correct", "seats"]
OWNED = ["invite"]
WRITES = ["post", "post-quick", "resolve", "entries/1/reverse", "mode", "close", "settle"]
HOSTILE = ["<script>alert(1)</script>", "W" * 40, "🀄'\"&龘𠮷", "{{ 7*7 }}{% x %}"]


def at(table: Table, path: str = "") -> str:
    return f"/t/{table.session.id}/{path}"


def text(client: Client, address: str, status: int = 200) -> str:
    response = client.get(address)
    assert response.status_code == status, (address, response.status_code)
    return response.content.decode()


def quick(table: Table, **fields: Any) -> dict[str, Any]:
    """What the quick entry of a self-drawn small win of seat 1 sends."""
    now = table.now
    sent = {"key": "k" * 32, "seq": now.seq, "hand_no": now.hand_no, "w": "1", "by": "1", "p1": "small", "bird0": "0"}
    return {**sent, **fields}


# ---- who may


def test_a_stranger_finds_nothing(table: Table) -> None:
    table.post(SMALL)
    stranger = browser()
    for path in [*VIEWED, *POSTED, *CORRECTED, *OWNED]:
        assert stranger.get(at(table, path)).status_code == 404, path
    for path in [*WRITES, "reopen"]:
        assert stranger.post(at(table, path)).status_code == 404, path
    assert stranger.get("/t/join/nonsense").status_code == 404


@pytest.mark.parametrize(
    ("role", "allowed"),
    [(Role.VIEWER, VIEWED), (Role.PLAYER, VIEWED), (Role.SCORER, VIEWED + POSTED + CORRECTED)],
)
def test_every_role_sees_what_it_may(
    table: Table, guest: Callable[[Role], Client], role: Role, allowed: list[str]
) -> None:
    table.post(SMALL)
    client = guest(role)
    for path in [*VIEWED, *POSTED, *CORRECTED, *OWNED]:
        # a declared hand is corrected in the quick entry
        right = (200, 302) if path in allowed else (403,)
        assert client.get(at(table, path)).status_code in right, path
    if role != Role.SCORER:
        for path in WRITES:
            assert client.post(at(table, path)).status_code == 403, path
    assert client.post(at(table, "reopen")).status_code == 403
    assert table.now.status == Session.Status.OPEN


def test_players_enter_where_everybody_does(table: Table, owner: Client, guest: Callable[[Role], Client]) -> None:
    player = guest(Role.PLAYER)
    assert "快速记" not in text(player, at(table))
    owner.post(at(table, "mode"), {"mode": "everybody"})
    assert "快速记" in text(player, at(table))
    assert player.post(at(table, "post-quick"), quick(table)).status_code == 302
    assert "来客player" in text(owner, at(table, "entries/1"))


UNSIGNED = re.compile(r'<span class="small muted">\d\d:\d\d</span>')


def test_the_link_that_opened_the_table_signs_nothing(table: Table, owner: Client) -> None:
    owner.post(at(table, "post-quick"), quick(table))
    assert UNSIGNED.search(text(owner, at(table, "entries/1")))
    _link, token = create_link(
        actor=table.actor,
        club_id=table.session.club_id,
        role=Role.SCORER,
        name=table.session.name,
        session_id=table.session.id,
    )
    browser(token).post(at(table, "post-quick"), quick(table, key="other", seq=1))
    assert not UNSIGNED.search(text(owner, at(table, "entries/2")))
    assert f"{table.session.name} ·" in text(owner, at(table, "entries/2"))


# ---- opening and joining


FORM = {"n0": "甲", "n1": "乙", "n2": "丙", "n3": "丁", "rules": "changsha-classic", "point_value": "0.5"}


def test_open_a_table_and_find_it_again(db: None) -> None:
    client = browser()
    response = client.post("/t/new", {**FORM, "currency": "HKD", "name": "新桌", "dealer": "2"})
    assert response.status_code == 302
    session = Session.objects.get()
    assert (session.point_value, session.currency, session.dealer) == (Decimal("0.5"), "HKD", 2)
    assert response["Location"] == f"/t/{session.id}/"
    assert "新桌" in text(client, "/t/")
    assert "新桌" not in text(browser(), "/t/")


@pytest.mark.parametrize(
    "wrong",
    [
        {"n0": ""},
        {"n1": "甲"},
        {"n2": "x" * 41},
        {"n0": "\u202eevil"},
        {"point_value": "0"},
        {"point_value": "x"},
        {"currency": "€"},
        {"name": "x" * 41},
        {"club": "nonsense"},
    ],
)
def test_opening_says_what_is_wrong(db: None, wrong: dict[str, str]) -> None:
    response = browser().post("/t/new", {**FORM, **wrong})
    assert response.status_code == 422
    assert 'role="alert"' in response.content.decode()
    assert not Session.objects.exists()


def test_options_of_a_preset(db: None) -> None:
    assert 'name="o.birds"' in text(browser(), "/t/new/options?rules=changsha-classic")
    assert 'name="o.minimum"' in text(browser(), "/t/new/options?rules=wuhan-kaikou")


def test_a_link_brings_a_friend_to_the_table(table: Table, owner: Client) -> None:
    page = owner.post(at(table, "invite"), {"role": "scorer", "name": "小王"}).content.decode()
    address = re.search(r"http://testserver(/t/join/[\w-]+)", page)
    assert address is not None
    assert "<svg" in page
    friend = browser()
    assert "周六老友局" in text(friend, address[1])
    assert friend.post(address[1]).status_code == 302
    assert "快速记" in text(friend, at(table))
    link = re.search(r'name="revoke" value="([^"]+)"', text(owner, at(table, "invite")))
    assert link is not None
    owner.post(at(table, "invite"), {"revoke": link[1]})
    assert friend.get(at(table)).status_code == 404
    assert owner.post(at(table, "invite"), {"revoke": "nonsense"}).status_code == 302
    assert owner.post(at(table, "invite"), {"role": "owner"}).status_code == 302
    assert owner.post(at(table, "invite"), {"role": "viewer", "name": " "}, follow=True).status_code == 200
    assert not JoinLink.objects.filter(session_id=table.session.id, revoked_at__isnull=True).exists()


# ---- entering


def test_a_hand_without_javascript(table: Table, owner: Client) -> None:
    """The form's own fields, posted by the browser."""
    page = text(owner, at(table, "hand"))
    hidden = dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', page))
    hand = {**hidden, "w": "1", "by": "1", "h1": "22s345m45p[123m][555p]+6p", "birds": "6p"}
    assert owner.post(at(table, "post"), hand).status_code == 302
    assert table.points() == [-40, 80, -20, -20]


def test_an_unfinished_hand_stays_on_the_page(table: Table, owner: Client) -> None:
    response = owner.post(at(table, "post"), {"key": "k" * 32, "seq": 0, "w": "1", "by": "1", "h1": "22s345m"})
    assert response.status_code == 422
    assert "22s345m" in response.content.decode()
    response = owner.post(at(table, "post-quick"), quick(table, p1=""))
    assert response.status_code == 422
    assert not Entry.objects.exists()


def test_no_examples_inside_a_session(table: Table, owner: Client) -> None:
    page = text(owner, at(table, "hand"))
    assert 'class="eg"' not in page
    assert "例子" not in page


@pytest.mark.parametrize("shown", ["quick", "quick/result"])
def test_nothing_is_recorded_before_it_is_worth_something(table: Table, owner: Client, shown: str) -> None:
    for fields, worth in (({"p1": ""}, False), ({"w": "", "by": ""}, False), ({}, True)):
        page = text(owner, at(table, f"{shown}?{urlencode(quick(table, **fields))}"))
        [button] = re.findall(r'<button[^>]* id="record"[^>]*>', page)
        assert ("disabled" not in button) is worth, fields


@pytest.mark.parametrize(
    ("host", "only_here"),
    [
        ("localhost", True),
        ("127.0.0.1:8000", True),
        ("[::1]:8000", True),
        ("192.168.1.7:8000", False),
        ("testserver", False),
    ],
)
def test_a_link_no_other_phone_can_open_says_so(
    table: Table, owner: Client, settings: LazySettings, host: str, only_here: bool
) -> None:
    settings.ALLOWED_HOSTS = ["*"]
    made = owner.post(at(table, "invite"), {"role": "player", "name": "阿明"}, headers={"host": host}).content.decode()
    assert f"http://{host}/t/join/" in made
    assert ("--host 0.0.0.0" in made) is only_here


def test_both_entries_name_an_event_alike(table: Table, owner: Client) -> None:
    named = [
        re.findall(r'name="ev" value="last_tile"[^>]*><span>([^<]*)<', text(owner, at(table, path)))
        for path in ("hand?w=1&by=2&h1=22s345m45p[123m][555p]%2B6p", "quick?" + urlencode(quick(table, by="2")))
    ]
    assert named == [["海底"], ["海底"]]


def test_nobody_deals_yet(db: None) -> None:
    table = Table.open(first_dealer=None)
    owner = browser(*table.actor.tokens)
    for path in ("hand", "quick"):
        assert owner.get(at(table, path))["Location"] == at(table, "dealer")
    assert owner.post(at(table, "dealer"), {"key": "roll", "seq": 0}).status_code == 302
    assert table.now.dealer is not None
    assert "骰子" in text(owner, at(table))
    owner.post(at(table, "dealer"), {"key": "say", "seat": "3", "seq": 1})
    assert table.now.dealer == 3


def test_a_double_tap_posts_once(table: Table, owner: Client) -> None:
    sent = quick(table)
    for _ in range(2):
        assert owner.post(at(table, "post-quick"), sent)["Location"] == at(table)
    assert Entry.objects.count() == 1
    again = owner.post(at(table, "post-quick"), {**sent, "w": "2", "by": "2", "p2": "small"})
    assert again.status_code == 422
    assert "这一页之前交过别的内容" in again.content.decode()
    assert Entry.objects.count() == 1


def test_opening_exhausted_and_penalty(table: Table, owner: Client) -> None:
    """What is entered beside wins, each through the page."""
    base: dict[str, Any] = {"seq": 0}
    opening = {**base, "key": "a", "kind": "opening", "w": "2", "h2": "1111m333p56p2789s", "birds": "3m"}
    assert owner.post(at(table, "post"), opening).status_code == 302
    assert (
        owner.post(
            at(table, "post"), {**base, "key": "b", "seq": 1, "kind": "exhausted", "last": "taken_by:1"}
        ).status_code
        == 302
    )
    fine = {
        **base,
        "key": "c",
        "seq": 2,
        "kind": "penalty",
        "pseat": 2,
        "preason": "other",
        "ppoints": 5,
        "pto": "house",
    }
    assert owner.post(at(table, "post"), fine).status_code == 302
    kinds = [entry.record["kind"] for entry in Entry.objects.order_by("seq")]
    assert kinds == ["opening", "exhausted", "penalty"]
    assert "桌外" in text(owner, at(table))


def test_second_win_off_the_same_kong(table: Table, owner: Client) -> None:
    table.post({"kind": "win", "by": "rob_kong", "from": 0, "winners": [{"seat": 1, "declared": ["small"]}]})
    page = text(owner, at(table, "hand?same=1"))
    assert "再胡一家" in page
    hidden = dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', page))
    assert (hidden["same"], hidden["hand_no"], hidden["dealer0"]) == ("1", "1", "0")
    second = {**hidden, "w": "2", "by": "0", "ev": "kong_discard", "h2": "22s345m45p[123m][555p]+6p"}
    assert owner.post(at(table, "post"), second).status_code == 302
    assert [entry.hand_no for entry in Entry.objects.order_by("seq")] == [1, 1]


def test_room_several_winners_who_deals_next(db: None) -> None:
    table = Table.open("changsha-room", players=NAMES)
    owner = browser(*table.actor.tokens)
    sent = quick(table, w=["1", "2"], by="3", p1="small", p2="small")
    page = text(
        owner,
        at(
            table,
            "quick/result?"
            + "&".join(f"{k}={v}" for k, vs in sent.items() for v in ([vs] if not isinstance(vs, list) else vs)),
        ),
    )
    assert 'name="next"' in page
    assert owner.post(at(table, "post-quick"), {**sent, "next": "2"}).status_code == 302
    assert table.now.dealer == 2
    sent = quick(table, key="drawn", w=["1", "3"], by="2", p1="small", p3="small")
    assert owner.post(at(table, "post-quick"), sent).status_code == 302
    assert table.now.dealer in (1, 3)
    assert "抽签" in text(owner, at(table))


def test_room_asks_how_big_the_win_let_go_was(db: None) -> None:
    table = Table.open("changsha-room", players=NAMES)
    assert 'name="passedbig1"' in text(browser(*table.actor.tokens), at(table, "hand?w=1&by=1"))
    classic = Table.open(players=NAMES)
    assert 'name="passedbig1"' not in text(browser(*classic.actor.tokens), at(classic, "hand?w=1&by=1"))


# ---- correcting


def test_correct_a_declared_hand(table: Table, owner: Client) -> None:
    table.post(win(1, birds=["6p"]))
    assert owner.get(at(table, "entries/1/correct"))["Location"] == at(table, "quick?correct=1")
    page = text(owner, at(table, "quick?correct=1"))
    assert re.search(r'name="bird0" value="6" checked', page)
    sent = quick(table, correct="1", bird0="3")
    assert owner.post(at(table, "post-quick"), sent).status_code == 422
    assert owner.post(at(table, "post-quick"), {**sent, "reason": "鸟看错了"}).status_code == 302
    book = text(owner, at(table))
    assert "鸟看错了" in book
    assert "<del>" in book
    assert owner.get(at(table, "entries/1/correct"))["Location"] == at(table, "entries/1")


def test_correct_a_hand_of_tiles(table: Table, owner: Client) -> None:
    table.post(
        {
            "kind": "win",
            "by": "self_draw",
            "winners": [{"seat": 1, "hand": "22s345m45p[123m][555p]+6p"}],
            "birds": ["6p"],
        }
    )
    page = text(owner, at(table, "entries/1/correct"))
    assert "[123m]" in page
    assert 'name="reason"' in page


def test_take_back(table: Table, owner: Client) -> None:
    table.post(SMALL)
    assert owner.post(at(table, "entries/1/reverse"), {"key": "a", "reason": "", "seq": 1}).status_code == 302
    assert table.now.seq == 1
    owner.post(at(table, "entries/1/reverse"), {"key": "b", "reason": "看错人了", "seq": 1})
    assert table.points() == [0, 0, 0, 0]
    assert "看错人了" in text(owner, at(table))


# ---- two phones


def slower(table: Table, owner: Client, **fields: Any) -> str:
    """Another phone is first; the answer to ours."""
    sent = quick(table, **fields)
    table.post(win(2, 3, birds=["4m"]))
    response = owner.post(at(table, "post-quick"), sent)
    assert response.status_code == 409
    return response.content.decode()


@pytest.mark.parametrize("path", ["dealer", "entries/1/reverse"])
def test_a_stale_page_writes_nothing(table: Table, owner: Client, guest: Callable[[Role], Client], path: str) -> None:
    """Two phones look at the same page; the slower one is told, and nothing of his is written."""
    table.post(SMALL)
    page = at(table, path.removesuffix("/reverse"))
    seen = fields(text(owner, page), '<form method="post"')
    assert seen["seq"] == "1"
    sent = {**seen, "seat": "3", "reason": "看错了"}
    assert guest(Role.SCORER).post(at(table, "post-quick"), quick(table, key="faster")).status_code == 302
    answer = owner.post(at(table, path), sent, follow=True)
    assert "刚好有人也在记" in answer.content.decode()
    assert Entry.objects.count() == 2
    now = fields(text(owner, page), '<form method="post"')
    owner.post(at(table, path), {**sent, **now})
    assert Entry.objects.count() == 3


@pytest.mark.parametrize("path", ["post", "post-quick", "dealer", "entries/1/reverse"])
def test_a_form_that_does_not_say_what_it_saw_writes_nothing(table: Table, owner: Client, path: str) -> None:
    table.post(SMALL)
    sent = quick(table, seat="3", reason="看错了", h1="22s345m45p[123m][555p]+6p")
    del sent["seq"]
    owner.post(at(table, path), sent)
    assert Entry.objects.count() == 1


def test_times_are_the_club_s(table: Table, owner: Client) -> None:
    """In the middle of an afternoon in China it is another hour in Honolulu, at night another day."""
    table.post(SMALL)
    posted = Entry.objects.get().posted_at
    for zone in ("Pacific/Honolulu", "Asia/Shanghai", "Pacific/Kiritimati"):
        Club.objects.filter(id=table.session.club_id).update(time_zone=zone)
        there, opened = (moment.astimezone(ZoneInfo(zone)) for moment in (posted, table.session.created_at))
        assert f"{there:%H:%M}" in text(owner, at(table, "entries/1"))
        assert f"{opened.month}月{opened.day}日" in text(owner, "/t/")
        assert f"{opened:%Y-%m-%d}" in unquote(owner.get(at(table, "export/totals.csv"))["Content-Disposition"])
        assert timezone.get_current_timezone_name() == "Asia/Shanghai"


def fields(page: str, form: str) -> dict[str, str]:
    """The hidden fields of a form, by what stands in front of them."""
    part = page.split(form, 1)[1].split("</form>")[0]
    return dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', part))


def test_conflict_both(table: Table, owner: Client) -> None:
    page = slower(table, owner)
    assert "先记了一笔" in page
    assert Entry.objects.count() == 1
    assert owner.post(at(table, "resolve"), fields(page, 'id="both"')).status_code == 302
    assert [entry.hand_no for entry in Entry.objects.order_by("seq")] == [1, 2]


def test_conflict_mine_instead(table: Table, owner: Client) -> None:
    page = slower(table, owner)
    mine = {**fields(page, "</p>\n<form"), "reason": "点炮的记错了"}
    assert owner.post(at(table, "resolve"), mine).status_code == 302
    kinds = [entry.kind for entry in Entry.objects.order_by("seq")]
    assert kinds == ["hand", "reversal", "hand"]
    assert table.points()[1] > 0


@pytest.mark.parametrize("facts", ["", "nonsense", "eyJhIjoxfQ:1tXXXX:abc"])
def test_conflict_facts_are_signed(table: Table, owner: Client, facts: str) -> None:
    assert owner.post(at(table, "resolve"), {"facts": facts, "key": "x"})["Location"] == at(table)
    assert not Entry.objects.exists()


def test_conflict_with_what_is_no_hand(table: Table, owner: Client) -> None:
    sent = quick(table)
    table.ask(services.choose_dealer, seat=2)
    page = owner.post(at(table, "post-quick"), sent).content.decode()
    assert "王五 坐庄" in page


# ---- seats, poll, closed


def test_two_change_places_and_a_fifth_sits_down(table: Table, owner: Client) -> None:
    owner.post(at(table, "seats"), {"swap": ["0", "2"]})
    assert re.search(r'name="n0" value="王五"', text(owner, at(table, "seats")))
    assert owner.post(at(table, "seats"), {"swap": ["0"]}).status_code == 422
    assert owner.post(at(table, "seats"), {"n0": "王五", "n1": "王五", "n2": "甲", "n3": "乙"}).status_code == 422
    assert owner.post(at(table, "seats"), {"n0": "王五", "n1": "张三", "n2": "李四", "n3": "钱七"}).status_code == 302
    assert "钱七" in text(owner, at(table))


def test_the_poll_says_what_is_new(table: Table, owner: Client) -> None:
    table.post(SMALL)
    seen = re.search(r"live\?v=([^\"]+)", text(owner, at(table)))
    assert seen is not None
    address = at(table, f"live?v={seen[1]}")
    assert owner.get(address).status_code == 204
    table.post(win(2))
    fresh = text(owner, address)
    status = re.search(r'role="status"[^>]*>([^<]*)<', fresh)
    assert status is not None
    assert "王五 自摸 小胡" in status[1]
    assert "张三" not in status[1]
    assert fresh.count('class="new"') == 1
    services.swap_seats(actor=table.actor, session_id=table.session.id, seat=0, other=1)
    silent = text(owner, at(table, f"live?v={table.now.seq}-open-x"))
    assert re.search(r'role="status"[^>]*><', silent)


def test_a_closed_table_takes_nothing(table: Table, owner: Client) -> None:
    table.post(SMALL)
    sent = quick(table)
    assert owner.post(at(table, "close"))["Location"] == at(table, "end")
    for path in ("hand", "quick"):
        assert owner.get(at(table, path))["Location"] == at(table)
    assert owner.post(at(table, "post-quick"), sent).status_code == 422
    assert owner.get(at(table, "entries/1/correct"))["Location"] == at(table, "entries/1")
    assert "快速记" not in text(owner, at(table))
    assert Entry.objects.count() == 1


# ---- nothing a user sends ends in a 500


@pytest.mark.parametrize(
    "query",
    [
        "w=9&by=x&p1=nonsense",
        "w=1&w=2&w=3&w=0&by=0",
        "seq=-1&hand_no=x&dealer0=7&key=" + "k" * 500,
        "correct=999",
        "bird0=99&ev=heaven",
        "next=9",
    ],
)
def test_nonsense_is_answered(table: Table, owner: Client, query: str) -> None:
    for path in ("hand", "quick"):
        found = 404 if "correct=999" in query else 200
        assert owner.get(at(table, f"{path}?key=a&{query}")).status_code == found
        assert owner.get(at(table, f"{path}/result?{query}")).status_code == found
    sent = {name: value for name, _, value in (pair.partition("=") for pair in query.split("&"))}
    assert owner.post(at(table, "post-quick"), sent).status_code in (302, 404, 409, 422)
    assert owner.post(at(table, "post"), sent).status_code in (302, 404, 409, 422)


@pytest.mark.parametrize(
    "path",
    [
        "?before=x",
        "?before=99999999999",
        "entries/999",
        "export/x.csv",
        "kong-dice?stacks=x&die=9&die=3",
        "kong-dice?stacks=12&die=3",
    ],
)
def test_odd_addresses(table: Table, owner: Client, path: str) -> None:
    assert owner.get(at(table, path)).status_code in (200, 404, 422)


@pytest.mark.parametrize("language", ["zh-hans", "en"])
def test_hostile_names_on_every_page(db: None, language: str) -> None:
    table = Table.open(name="</title><b>'\"&", players=HOSTILE)
    owner = browser(*table.actor.tokens, language=language)
    table.post(
        {
            "kind": "win",
            "by": "discard",
            "from": 0,
            "winners": [win(2)["winners"][0], win(3)["winners"][0]],
            "birds": ["1m"],
        }
    )
    table.post(win(1))
    table.ask(services.correct_entry, seq=2, record=win(3), reason="</pre><script>x</script>")
    for path in [
        "",
        "live",
        "quick",
        "hand",
        "hand?kind=penalty",
        "dealer",
        "seats",
        "invite",
        "end",
        "entries/1",
        "entries/4",
        "quick?correct=4",
    ]:
        page = text(owner, at(table, path))
        assert "<script>alert" not in page, path
        assert "<script>x" not in page, path
        assert "</title><b>" not in page, path
        assert ">49" not in page, path
    conflict = slower(table, owner)
    assert "<script>alert" not in conflict
    for name in ("totals.csv", "hands.csv", "session.json"):
        assert owner.get(at(table, f"export/{name}")).status_code == 200


def test_no_inline_style_or_script(table: Table, owner: Client) -> None:
    table.post(SMALL)
    for path in ["", "quick", "hand", "dealer", "seats", "invite", "end", "entries/1", "kong-dice"]:
        page = text(owner, at(table, path))
        assert not re.search(r'\sstyle="|\son\w+="|<style|<script(?![^>]*(src=|application/json))', page), path


TERMS = re.compile("牌账|周六老友局|[胡庄鸟定]|^中文?$|李四|张三|王五|赵六")


def test_english_is_complete(table: Table) -> None:
    owner = browser(*table.actor.tokens, language="en")
    table.post(win(1, birds=["6p"]))
    for path in ["", "quick", "dealer", "seats", "invite", "end", "entries/1", "kong-dice", "hand?kind=penalty"]:
        page = re.sub(r"<q lang=.*?</q>|<script.*?</script>", "", text(owner, at(table, path)), flags=re.S)
        shown = re.findall(r">([^<>]+)<", page) + re.findall(r'(?:aria-label|title|placeholder)="([^"]*)"', page)
        assert [words for words in shown if re.search("[\u4e00-\u9fff]", TERMS.sub("", words))] == [], path

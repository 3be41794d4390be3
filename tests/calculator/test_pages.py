"""The hand entry over HTTP, as a browser without JavaScript sees it."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from mahjong_site.calculator.examples import EXAMPLES
from mahjong_site.calculator.outcome import judge

SETTLED = "/?w=1&by=1&h1=22s345m45p[123m][555p]%2B6p&birds=6p&n1=%E5%BC%A0%E4%B8%89"
ZH = {"accept-language": "zh-CN"}


def text(client: Client, address: str, language: str = "zh-CN") -> str:
    response = client.get(address, headers={"accept-language": language})
    assert response.status_code == 200
    return response.content.decode()


def test_a_typed_line_and_a_button_are_enough(client: Client) -> None:
    page = text(client, SETTLED)
    assert "+80" in page
    assert "自摸 小胡 · 鸟 6 张三" in page
    assert re.search(r'<form id="entry-form" method="get" action="/"', page)
    assert re.search(r'class="nojs"><button type="submit" class="btn main">', page)


def test_source_sentence_is_in_the_page(client: Client) -> None:
    assert "庄家自摸，闲家每人输 20 分" in text(client, SETTLED)


def test_every_example_is_a_settled_hand() -> None:
    amounts = [outcome.settlement.deltas[1] for outcome in map(judge, EXAMPLES) if outcome.settlement]
    assert amounts == [80, 140, 144]


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("/", "谁胡了？"),
        ("/?w=1&h1=22s", "还差 12 张"),
        ("/?w=1&h1=555p6p777s[222s][888m]", "听 3 种 11 张：6 筒、4 筒、7 筒"),
        ("/?w=1&h1=1478m147p147s[222s]", "没听"),
        ("/?w=1&by=1&h1=99s345m45p[123m][555p]%2B6p", "诈胡：将是 9 索"),
        ("/?rules=wuhan-kaikou&w=1&by=2&ind=4m&h1=777m66s9p5m[222p][333s]%2B6s", "不够起胡：最多一家付 30"),
        ("/?rules=wuhan-kaikou&w=1&h1=777m66s9p5m[222p][333s]%2B6s", "没有写翻出的牌"),
        ("/?w=1&h1=22q", "这种牌"),
        ("/?kind=exhausted&last=taken_by:2", "流局 · 下一庄 对家"),
        ("/?kind=penalty&pseat=2&preason=left", "对家 中途离开 −70"),
        ("/?kind=opening&w=1&w=3&h1=1111m333p56p2789s&h3=23456789m12455p&birds=1s", "+110"),
        ("/?rules=wuhan-laizi&kind=opening", "先点翻出的牌"),
    ],
)
def test_states(client: Client, address: str, said: str) -> None:
    assert said in text(client, address)


def test_fixes_are_tried_before_they_are_offered(client: Client) -> None:
    page = text(client, "/?w=1&by=1&h1=99s345m45p[123m][555p]%2B6p&birds=6p")
    assert page.count("+80</b>") == 3
    assert "记罚分" in page


def test_only_what_the_rules_and_the_situation_allow(client: Client) -> None:
    changsha = text(client, SETTLED)
    assert 'name="ind"' not in changsha
    assert 'value="heaven"' not in changsha  # the dealer did not win
    assert 'value="kong_draw"' not in changsha  # no kong in the hand
    assert 'data-tile="1z"' not in changsha
    dealer = text(client, "/?w=0&by=0&h0=1133m2244p6677s9s%2B9s")
    assert 'value="heaven"' in dealer
    wuhan = text(client, "/?rules=wuhan-koukou&w=1&ind=4m&h1=777m66s99p[222p][8888s]%2B6s")
    assert 'data-mark="癞"' in wuhan
    assert 'data-tiles="3m 4m"' in wuhan
    assert 'value="bird"' not in wuhan
    assert 'name="op0"' in wuhan
    assert 'name="op1"' not in wuhan


def test_ready_is_asked_only_where_a_contract_depends_on_it(client: Client) -> None:
    melded = "/?rules=wuhan-laizi&w=1&by=0&ind=4m&h1=9p[222p][333s][444s][666p]%2B9p"
    assert 'name="ready0"' in text(client, melded)
    assert 'name="ready0"' not in text(client, melded.replace("[222p]", "222p"))


def test_third_opening_is_asked_with_buttons(client: Client) -> None:
    page = text(client, "/?rules=wuhan-laizi&w=1&by=1&ind=4m&h1=99p22p[333p][444p][666p]%2B9p")
    assert "第三口是本家的" in page
    assert "%404%40" not in page
    assert "666p%400" in page


TERMS = re.compile("牌账|红中|张三|[胡庄定将中]|六六顺|癞子|杠上花|海底捞|钓鱼|口口翻|开口翻|三阳开泰")
"""Players' words that English texts keep, and what was typed in."""


@pytest.mark.parametrize("address", [SETTLED, "/", "/?rules=wuhan-koukou", "/?kind=penalty", "/?kind=exhausted"])
def test_english_is_complete(client: Client, address: str) -> None:
    page = re.sub(r"<q lang=.*?</q>|<svg.*?</svg>", "", text(client, address, "en"), flags=re.S)
    shown = re.findall(r">([^<>]+)<", page) + re.findall(r'(?:aria-label|title|placeholder)="([^"]*)"', page)
    assert [words for words in shown if re.search("[\u4e00-\u9fff]", TERMS.sub("", words)) and words != "中文"] == []


@pytest.mark.parametrize("name", ['"><script>alert(1)</script>', "{{ 7*7 }}", "王" * 40, "a" * 300, "‮evil"])
def test_hostile_names(client: Client, name: str) -> None:
    response = client.get("/", {"w": "1", "by": "1", "h1": "22s345m45p[123m][555p]+6p", "n1": name})
    page = response.content.decode()
    assert response.status_code == 200
    assert "<script>alert" not in page
    assert "49" not in re.findall(r"<b>([^<]*)</b>", page)


def test_no_inline_style_or_script(client: Client) -> None:
    page = text(client, SETTLED)
    assert not re.search(r'\sstyle="|\son\w+="|<style|<script(?![^>]*src=)', page)


def test_theme_without_javascript(client: Client) -> None:
    response = client.post("/theme", {"theme": "dark", "next": "/?w=1"})
    assert response["Location"] == "/?w=1"
    assert 'data-theme="dark"' in text(client, "/")
    assert client.post("/theme", {"next": "https://elsewhere.example/"})["Location"] == "/"
    assert 'data-theme="light"' in text(client, "/")
    assert client.get("/theme").status_code == 405


def test_language_without_javascript(client: Client) -> None:
    client.post("/i18n/setlang/", {"language": "en", "next": "/"})
    assert "Who won?" in client.get("/", headers=ZH).content.decode()


@pytest.mark.parametrize(("code", "words"), [(404, "没有这一页")])
def test_error_pages(client: Client, code: int, words: str) -> None:
    response = client.get("/no/such/page", headers=ZH)
    assert response.status_code == code
    assert words in response.content.decode()

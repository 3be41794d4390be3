"""The analysis over HTTP, as a browser without JavaScript sees it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from typing import Any
from urllib.parse import urlencode

import pytest
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from mahjong_site.analysis import answers, page, question
from mahjong_site.limits import allowances
from scoring import all_presets
from scoring import analysis as engine
from scoring.analysis import Analysis, AnalysisIn, analyze_json

pytestmark = pytest.mark.django_db

PRESETS = tuple(preset.id for preset in all_presets())
NAMES = {"n0": "李四", "n1": "张三", "n2": "王五", "n3": "赵六"}
READY = {"w": "1", "h1": "555p6p777s[222s][888m]"}
THROW = {"h0": "123m456p789s22s45p+8m"}
MINIMUM = {"rules": "wuhan-kaikou", "ind": "4m", "h0": "777m66s9p5m[222p][333s]"}


def text(client: Client, fields: dict[str, Any] | None = None, language: str = "zh-CN", path: str = "/analyse") -> str:
    response = client.get(path, fields or {}, headers={"accept-language": language})
    assert response.status_code == 200
    return response.content.decode()


def said(shown: str) -> str:
    """The one line that says it."""
    found = re.search(r'id="verdict-text">([^<]*)<', shown)
    assert found
    return unescape(found[1])


def faults(shown: str) -> dict[str, list[str]]:
    """What is shown beside each field."""
    places = re.findall(r'<div id="fault-(\w+)"[^>]*>(.*?)</div>', shown, re.S)
    return {name: words for name, inner in places if (words := re.findall(r'<p class="fault">(.*?)</p>', inner))}


def words(markup: str) -> str:
    return " ".join(unescape(re.sub(r"<svg.*?</svg>|<[^>]+>", " ", markup, flags=re.S)).split())


def rows(shown: str) -> list[str]:
    """The rows of waits or discards, in words."""
    return [words(row) for row in re.findall(r"<summary>(.*?)</summary>", shown, re.S)]


# ---- what is said


@pytest.mark.parametrize(
    ("fields", "line"),
    [
        ({}, "点出手里的牌。"),
        ({"rules": "wuhan-laizi"}, "先点翻出的牌，癞子就知道了。"),
        ({"h0": "123m456p"}, "还差 7 张"),
        (READY, "听 3 种 11 张：4 筒、6 筒、7 筒"),
        ({"h0": "13m2246p4577s[222s]"}, "二向听 · 进 5 种 18 张"),
        ({"h0": "123m456p789s234s2p", "seen": "222p"}, "听 2 筒，已经绝了"),
        (THROW, "打 8 万：听牌，2 种 7 张"),
        ({**READY, "h1": READY["h1"] + "+6p"}, "胡了：碰碰胡 +100"),
        ({"rules": "wuhan-laizi", "h0": "123m456p789s234s2p"}, "没有写翻出的牌"),
    ],
)
def test_one_line_says_it(client: Client, fields: dict[str, str], line: str) -> None:
    assert line in said(text(client, fields))


@pytest.mark.parametrize("preset", PRESETS)
def test_every_rule_set_answers_both_questions(client: Client, preset: str) -> None:
    wuhan = {"ind": "9s"} if preset.startswith("wuhan") else {}
    waiting = said(text(client, {"rules": preset, "h0": "345p55s34m[222s][888m]", **wuhan}))
    assert re.match(r"听 \d 种 \d+ 张", waiting), waiting
    throwing = said(text(client, {"rules": preset, "h0": "345p55s34m9p[222s][888m]", **wuhan}))
    assert throwing.startswith("打 9 筒：听牌"), throwing


def test_waits_in_money(client: Client) -> None:
    shown = text(client, READY | NAMES)
    assert [row.split(" 剩")[0] for row in rows(shown)] == ["6 筒 碰碰胡", "4 筒 小胡", "7 筒 小胡"]
    assert "剩 3 张 · 点炮 60、庄点 70" in shown
    table = words(re.findall(r'<table class="ways">(.*?)</table>', shown, re.S)[0])
    assert "自摸 −40 +100 −30 −30" in table
    assert "李四点炮 −70 +70 0 0" in table
    assert "王五点炮 0 +60 −60 0" in table


def test_amounts_are_the_engines(client: Client) -> None:
    asked = {"rules": "changsha-classic", "dealer": 2, "seat": 0, "concealed": "5556p777s", "from": 2}
    melds = [{"kind": "pong", "tiles": tiles} for tiles in ("222s", "888m")]
    answer = analyze_json({**asked, "melds": melds})
    shown = text(client, {"dealer": "2", "h0": "5556p777s[222s][888m]"})
    for wait in answer["waits"]:
        for price in (wait["self_draw"], wait["discard"]):
            amounts = [f"+{one}" if one > 0 else f"−{-one}" if one else "0" for one in price["deltas"]]
            assert " ".join(amounts) in words(shown)


def test_a_wait_that_is_used_up_is_marked(client: Client) -> None:
    shown = text(client, {"h0": "123m456p789s22s45p", "seen": "3333p"})
    assert said(shown).startswith("听 2 种 3 张")
    *_, last = rows(shown)
    assert last.startswith("3 筒 小胡 绝张")
    assert len(re.findall(r'<li class="dead"><details>', shown)) == 1


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"h0": "123m456p789s22s45p", "passed0": "3p"}, "只能自摸 漏胡：放过这张，自己摸牌前不能再胡它"),
        (MINIMUM, "不能胡 不够起胡：最多一家付 30，要 32"),
        ({"rules": "wuhan-kaikou", "ind": "4m", "h0": "777m66s9p567m222p3s"}, ""),
    ],
)
def test_refused_wins_say_why(client: Client, fields: dict[str, str], told: str) -> None:
    assert told in words(text(client, fields))


def test_openings_of_others_reach_the_minimum(client: Client) -> None:
    shown = text(client, MINIMUM | {"op1": "1"})
    assert "自摸" in " ".join(rows(shown))
    assert 'name="op0"' not in shown, "the counters are those of the other three"


def test_discards_stand_in_the_engines_order(client: Client) -> None:
    answer = analyze_json(
        {"rules": "changsha-classic", "dealer": 0, "seat": 0, "concealed": "123m445566p22789s8m".replace("66", "6")}
    )
    shown = text(client, THROW)
    found = re.findall(r'<span class="throw">.*?<use href="[^"]*#(\d[mpsz])"', shown, re.S)
    assert found == [one["tile"] for one in answer["discards"]]
    assert [one["left"] for one in answer["discards"]] == [
        int(row) for row in re.findall(r'<span class="share"><b class="num">(\d+)</b><small', shown)
    ]
    assert re.search(r"<b>7</b> = 4 \+ 3<", shown)


def rounded(chance: float) -> str:
    return f"{100 * chance:.{1 if chance < 0.0995 else 0}f}%"


@pytest.mark.parametrize("fields", [{}, {"draws": "3"}, {"draws": "18", "detours": "1"}, {"seen": "3336p"}])
def test_what_is_expected_is_the_engines(client: Client, fields: dict[str, Any]) -> None:
    asked = {"rules": "changsha-classic", "dealer": 0, "seat": 0, "concealed": "123m44556p22789s8m"}
    more = {"draws": int(fields.get("draws", 10)), "detours": "detours" in fields, "seen": fields.get("seen", "")}
    answer = analyze_json({**asked, **more})
    shown = text(client, THROW | fields)
    cells = re.findall(r'<span class="share(?: nil)?">(?:<b class="num">([^<]*)</b>|–)', shown)
    weighed = [tuple(cells[at + 1 : at + 3]) for at in range(0, len(cells), 3)]
    told = [
        (f"{one['expected']:+.1f}", rounded(one["win_probability"])) if "expected" in one else ("", "")
        for one in answer["discards"]
    ]
    assert weighed == told
    assert weighed[0][0].startswith("+")


def test_what_a_waiting_hand_brings(client: Client) -> None:
    melds = [{"kind": "pong", "tiles": tiles} for tiles in ("222s", "888m")]
    asked = {"rules": "changsha-classic", "dealer": 0, "seat": 1, "concealed": "5556p777s", "melds": melds}
    answer = analyze_json({**asked, "draws": 10})
    shown = text(client, READY)
    points, chance = f"+{answer['expected']:.1f}", rounded(answer["win_probability"])
    mean = f"{answer['expected'] / answer['win_probability']:.1f}"
    assert f"{points} = {chance} × 平均一胡 {mean}" in words(shown)
    assert 'popovertarget="about-expected"' in shown
    assert 'popovertarget="about-chance"' in shown
    assert "不放回，只算自己摸的" in shown
    unasked = text(client, READY | {"draws": ""})
    assert 'class="figures"' not in unasked
    assert said(unasked) == said(shown)
    assert "离胡太远" in text(client, {"h0": "1479m258p369s147m"})
    assert "不吃、不碰、不杠" in words(shown)


def test_kong_tiles_and_wilds_are_laid_out(client: Client) -> None:
    shown = text(client, {"rules": "wuhan-laizi", "ind": "4p", "h0": "234s67m5p8p7z[111m][999s]"})
    assert "打出 红中" not in shown
    address = unescape(re.search(r'href="(\?[^"]*)">亮出 红中，接着看', shown)[1])  # type: ignore[index]
    assert "laid0=7z" in address
    assert "seen" not in address


def test_dashes_of_discards_that_step_back_are_explained_beside_them(client: Client) -> None:
    why = "退一步的打法，开「绕路」才算。"
    shown = text(client, THROW)
    assert "–" in rows(shown)[-1]
    assert why in shown
    assert why not in text(client, THROW | {"detours": "1"})
    assert why not in text(client, THROW | {"draws": ""}), "no figures at all"


def test_throwing_and_drawing_lead_on(client: Client) -> None:
    shown = text(client, THROW | {"dealer": "3", "passed0": "3p"} | NAMES)
    address = unescape(re.search(r'href="(\?[^"]*)">打出 8 万，接着看', shown)[1])  # type: ignore[index]
    after = client.get("/analyse" + address, headers={"accept-language": "zh-CN"}).content.decode()
    assert said(after) == "听 2 种 7 张：3 筒、6 筒"
    assert 'name="seen" id="seen" value="8m"' in after, "what was thrown has been seen"
    assert 'id="dealer3" name="dealer" value="3" checked' in after
    assert 'name="passed0" value=""' in after, "who drew a tile is bound no longer"
    away = text(client, {"h0": "13m2246p4577s[222s]"})
    chips = re.findall(r'<ul class="chips">.*?</ul>', away, re.S)[0]
    draws = [unescape(one) for one in re.findall(r'href="(\?[^"]*)"', chips)]
    assert len(draws) == 5
    assert said(client.get("/analyse" + draws[0]).content.decode()).startswith("打 ")


def test_a_hand_takes_along_what_is_its_own(client: Client) -> None:
    wuhan = {"rules": "wuhan-laizi", "ind": "4p", "h0": "234s67m5p88p[111m][999s]", "laid0": "7z", "passed0": "5m"}
    shown = text(client, wuhan | {"w": "2"})
    assert re.search(r'name="laid2"[^>]* value="7z"', shown)
    assert re.search(r'name="passed2"[^>]* value="5m"', shown)
    room = {"rules": "changsha-room", "h0": "123m456p789s22s45p", "passed0": "3p", "passedbig0": "2", "w": "3"}
    assert re.search(r'name="passedbig3" value="2"', text(client, room))
    # of two winners that come over from the hand entry one is looked at, with nothing of the other's
    both = text(client, wuhan | {"h1": "1m", "laid1": "5p", "w": ["0", "1"]})
    assert re.search(r'name="laid0"[^>]* value="7z"', both)
    assert "5p" not in re.findall(r'name="laid\d"[^>]* value="([^"]*)"', both)


# ---- from the hand entry and back


def test_the_hand_entry_leads_here_and_back(client: Client) -> None:
    entered = {"rules": "wuhan-koukou", "w": "1", "by": "2", "dealer": "3", "ind": "4m", "laid1": "7z", "op0": "1"}
    home = text(client, {**entered, "h1": "777m66s99p[222p][8888s]", "o.minimum": "5"} | NAMES, path="/")
    address = unescape(re.search(r'href="(/analyse\?[^"]*)">分析这手牌', home)[1])  # type: ignore[index]
    shown = client.get(address, headers={"accept-language": "zh-CN"}).content.decode()
    assert said(shown).startswith("听 ")
    for kept in ('name="h1" value="777m99p66s[222p][8888s]"', 'name="ind" id="ind" value="4m"', 'value="7z"'):
        assert kept in shown
    for kept in ('value="3" checked', 'name="rules" value="wuhan-koukou"', 'name="n1" value="张三"'):
        assert kept in shown
    assert re.search(r'id="op0" name="op0" value="1"', shown)
    assert re.search(r'name="o.minimum"[^>]* value="5"', shown)
    back = unescape(re.search(r'<a class="btn" href="(/\?[^"]*)">算这手牌', shown)[1])  # type: ignore[index]
    assert 'name="h1" value="777m99p66s[222p][8888s]"' in client.get(back).content.decode()


def test_a_whole_hand_comes_over_as_fourteen(client: Client) -> None:
    assert said(text(client, {"w": "1", "by": "1", "h1": "22s345m45p[123m][555p]+6p", "birds": "6p"})).startswith(
        "胡了"
    )


@pytest.mark.parametrize("kind", ["exhausted", "penalty", "opening"])
def test_only_a_win_is_analysed(client: Client, kind: str) -> None:
    assert "/analyse?" not in text(client, {"kind": kind}, path="/")


def test_a_wait_leads_to_its_arithmetic(client: Client) -> None:
    shown = text(client, READY | NAMES)
    address = unescape(re.search(r'href="(/\?[^"]*)">怎么算的', shown)[1])  # type: ignore[index]
    assert "自摸 碰碰胡" in client.get(address).content.decode()


# ---- faults


def test_faults_stand_beside_their_fields_all_at_once(client: Client) -> None:
    fields = {"h0": "55555m147p14s[222s]", "seen": "3q", "passed0": "x", "draws": "99", "o.birds": "99"}
    shown = text(client, fields)
    assert set(faults(shown)) == {"hand", "seen", "passed", "draws", "rules"}
    assert faults(shown)["hand"] == ["5 万 出现了五张，一共只有四张"]
    assert '<details class="more-facts" id="facts" open>' in shown
    english = text(client, fields, "en")
    assert set(faults(english)) == set(faults(shown))
    assert faults(shown)["draws"] == ["还能摸 1 到 20 次。"]
    assert faults(english)["hand"] == ["5 characters stands five times, there are four"]


def test_nothing_is_worked_out_for_a_question_that_is_refused(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    looked_at: list[Any] = []

    def analyze(request: AnalysisIn) -> Analysis:
        looked_at.append(request.draws)
        return engine.analyze(request)

    monkeypatch.setattr(answers, "analyze", analyze)
    assert set(faults(text(client, THROW | {"seen": "3q"}))) == {"seen"}
    assert looked_at == [None]


@pytest.mark.parametrize(
    ("draws", "right"), [("0", False), ("1", True), ("20", True), ("21", False), ("2.5", False), ("", True)]
)
def test_draws_that_are_possible(client: Client, draws: str, right: bool) -> None:
    assert ("draws" not in faults(text(client, READY | {"draws": draws}))) == right


@pytest.mark.parametrize(
    ("fields", "place"),
    [
        ({"h0": "123m45"}, "hand"),
        ({"h0": "123m456p789s11p55m222m"}, "hand"),
        ({"h0": "1z", "seen": "5p"}, "hand"),
        ({"h0": "[124m]"}, "hand"),
        ({"h0": "123m456p789s22s45p", "seen": "2222s"}, "seen"),
        ({"h0": "1m", "seen": "55555p"}, "seen"),
        ({"h0": "1m", "seen": "1z"}, "seen"),
        ({"rules": "wuhan-laizi", "h0": "1m", "ind": "44p"}, "indicator"),
        ({"rules": "wuhan-laizi", "h0": "123m456p789s22s45p"}, "indicator"),
        ({"rules": "wuhan-laizi", "h0": "1m", "ind": "4p", "laid0": "1m"}, "hand"),
        ({"h0": "1m", "passed0": "5q"}, "passed"),
        ({"h0": "1m", "draws": "0"}, "draws"),
        ({"draws": "x"}, "draws"),
        ({"o.birds": "99"}, "rules"),
    ],
)
@pytest.mark.parametrize("language", ["zh-CN", "en"])
def test_every_fault_has_its_place(client: Client, fields: dict[str, str], place: str, language: str) -> None:
    for path in ("/analyse", "/analyse/answer"):
        shown = text(client, fields, language, path)
        assert place in faults(shown), faults(shown)
        assert said(shown) in [unescape(one) for told in faults(shown).values() for one in told]


# ---- addresses


ADDRESSES = (
    READY | NAMES,
    THROW | {"dealer": "2", "seen": "33p55s", "draws": "4", "detours": "1"},
    MINIMUM | {"op1": "2", "ek1": "1", "ready2": "0", "laid0": "7z", "o.minimum": "5"},
    {"rules": "changsha-room", "h0": "123m456p789s22s45p", "passed0": "3p", "passedbig0": "2", "draws": ""},
)


@pytest.mark.parametrize("fields", ADDRESSES)
def test_the_address_gives_the_same_page(client: Client, fields: dict[str, str]) -> None:
    shown = text(client, fields)
    address = unescape(re.search(r'data-address="(\?[^"]*)"', shown)[1])  # type: ignore[index]
    again = client.get("/analyse" + address, headers={"accept-language": "zh-CN"}).content.decode()
    typed = r'value="/analyse[^"]*"|csrfmiddlewaretoken" value="[^"]*"|data-typed\d="[^"]*"'
    plain = [re.sub(typed, "", one) for one in (shown, again)]
    assert plain[0] == plain[1]


def test_answer_and_page_say_the_same(client: Client) -> None:
    for fields in ADDRESSES:
        whole, parts = text(client, fields), text(client, fields, path="/analyse/answer")
        assert said(whole) == said(parts)
        assert rows(whole) == rows(parts)


NAMES_OF_FIELDS = (
    *("rules", "dealer", "w", "ind", "seen", "draws", "detours", "o.birds", "o.minimum", "o.caps.cap", "kind", "by"),
    *(
        f"{name}{seat}"
        for name in ("h", "laid", "passed", "passedbig", "op", "ek", "lo", "ready", "n")
        for seat in "03"
    ),
)
TEXTS = st.one_of(
    st.sampled_from((*PRESETS, "0", "1", "3", "-1", "99999999999999999999", "4m", "7z", "5p5p", "(1111m)", "[123m]")),
    st.text(max_size=40),
    st.text("0123456789mpsz+@*[]() 一二三万筒索东", max_size=30),
)


@given(st.lists(st.tuples(st.sampled_from(NAMES_OF_FIELDS), TEXTS), max_size=10))
def test_hostile_parameters_read_the_same_twice(fields: list[tuple[str, str]]) -> None:
    from django.http import QueryDict

    asked = question.read(QueryDict(urlencode(fields, errors="replace")), presets=PRESETS)
    context = page.page_context(asked)
    again = question.read(QueryDict(context["address"][1:]), presets=PRESETS)
    assert page.answer_context(again)["address"] == context["address"]


@given(st.data(), st.sampled_from(PRESETS), st.integers(0, 4), st.sampled_from((13, 14)))
def test_any_hand_is_answered(data: st.DataObject, preset: str, melds: int, size: int) -> None:
    """Whatever thirteen or fourteen tiles there are: something is said, and no refusal but of a rule."""
    from django.http import QueryDict

    suits = "mps" if preset.startswith("changsha") else "mpsz"
    wall = [f"{rank}{suit}" for suit in suits for rank in range(1, 8 if suit == "z" else 10) for _ in range(4)]
    kinds = data.draw(st.lists(st.sampled_from(wall[::4]), min_size=melds, max_size=melds, unique=True))
    rest = [tile for tile in wall if tile not in kinds]
    tiles = data.draw(st.permutations(rest))[: size - 3 * melds]
    line = "".join(tiles) + "".join(f"[{kind[0] * 3}{kind[1]}]" for kind in kinds)
    given_ = {"rules": preset, "h0": line, **({} if suits == "mps" else {"ind": "4m"})}
    context = page.page_context(question.read(QueryDict(urlencode(given_)), presets=PRESETS))
    assert context["headline"]
    assert context["answer"].state in ("drawing", "throwing", "refused")
    if context["answer"].state == "refused":
        assert suits == "mpsz"


@pytest.mark.parametrize(
    "fields",
    [
        {"n0": '"><script>alert(1)</script>', "h0": "{{ 7*7 }}"},
        {"h0": "1" * 5000, "seen": "9" * 5000},
        {"draws": "²", "dealer": "٣", "w": "9"},
        {"h0": "\x00", "ind": "‮"},
    ],
)
def test_hostile_texts(client: Client, fields: dict[str, str]) -> None:
    shown = text(client, fields)
    assert "<script>alert" not in shown


def test_no_inline_style_or_script(client: Client) -> None:
    for fields in ADDRESSES:
        assert not re.search(r'\sstyle="|\son\w+="|<style|<script(?![^>]*src=)', text(client, fields))


TERMS = re.compile("牌账|中文|癞子|红中|[癞皮杠摸胡庄中]|开口翻|口口翻|张三|李四|王五|赵六")


@pytest.mark.parametrize("fields", [{}, *ADDRESSES])
def test_english_is_complete(client: Client, fields: dict[str, str]) -> None:
    rule_sheet = r'<div popover class="sheet" id="rules-sheet".*?</button>\s*</div>'
    shown = re.sub(rf"<svg.*?</svg>|{rule_sheet}", "", text(client, fields, "en"), flags=re.S)
    told = re.findall(r">([^<>]+)<", shown) + re.findall(r'(?:aria-label|title|placeholder)="([^"]*)"', shown)
    assert [one for one in told if re.search("[\u4e00-\u9fff]", TERMS.sub("", one))] == []


# ---- the menu, methods and allowances


def test_the_menu_names_it(client: Client) -> None:
    assert re.search(r'<a href="/analyse"\s*>分析</a>', text(client, path="/"))
    assert '<a href="/analyse" aria-current="page">分析</a>' in text(client)


def test_nothing_is_posted(client: Client) -> None:
    assert client.post("/analyse").status_code == 405
    assert client.post("/analyse/answer").status_code == 405


@pytest.fixture
def two_a_minute(settings: Any) -> Iterator[None]:
    settings.API_RATES = settings.API_RATES | {"analyze": "2/min", "detours": "1/min"}
    allowances.rate_of.cache_clear()
    yield
    allowances.rate_of.cache_clear()


@pytest.mark.usefixtures("two_a_minute")
def test_looking_takes_from_the_allowance_of_the_api(client: Client) -> None:
    assert [client.get(path).status_code for path in ("/analyse", "/analyse/answer")] == [200, 200]
    refused = client.get("/analyse/answer")
    assert refused.status_code == 429
    assert 0 < int(refused["Retry-After"]) <= 30
    around = [client.get("/analyse/answer?detours=1").status_code for _ in range(2)]
    assert around == [200, 429], "detours take longer, and have an allowance of their own"

"""Text to tiles and back."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from scoring.hand import Hand, Meld
from scoring.notation import (
    MAX_LENGTH,
    NotationError,
    Problem,
    format_hand,
    format_tiles,
    parse_hand,
    parse_tiles,
    to_chinese,
    to_unicode,
)
from scoring.tiles import KINDS, NAMES, rank, suit, tile


def named(names: str) -> tuple[int, ...]:
    """Kinds of canonical two-character names, spaces between."""
    return tuple(tile(name) for name in names.split())


def faults(text: str, parse=parse_hand) -> list[tuple[str, int, str]]:
    with pytest.raises(NotationError) as error:
        parse(text)
    return [(problem.part, problem.position, problem.reason) for problem in error.value.problems]


def outcome(parse, text: str) -> tuple[object, tuple[Problem, ...]]:
    """What was read, or None and what was wrong."""
    try:
        return parse(text), ()
    except NotationError as error:
        return None, error.problems


FORMS = {
    "": "",
    "  ": "",
    "123m 456p 99s 11z": "1m 2m 3m 4p 5p 6p 9s 9s 1z 1z",
    "123m456p99s11z": "1m 2m 3m 4p 5p 6p 9s 9s 1z 1z",
    "9s1m": "9s 1m",
    "1m 2m  4m": "1m 2m 4m",
    "2255P1S77Z": "2p 2p 5p 5p 1s 7z 7z",
    "１１３m２p３z": "1m 1m 3m 2p 3z",
    "２２Ｍ　８８Ｐ": "2m 2m 8p 8p",
    "一二三万": "1m 2m 3m",
    "一二三萬": "1m 2m 3m",
    "壹贰叁肆伍陆柒捌玖万": "1m 2m 3m 4m 5m 6m 7m 8m 9m",
    "壹貳參肆伍陸柒捌玖萬": "1m 2m 3m 4m 5m 6m 7m 8m 9m",
    "伍萬": "5m",
    "两万兩万": "2m 2m",
    "幺万么筒一条": "1m 1p 1s",
    "幺鸡么雞1鸡": "1s 1s 1s",
    "2万2万": "2m 2m",
    "3条三條3索3竹": "3s 3s 3s 3s",
    "五筒五饼五餅5砣5坨": "5p 5p 5p 5p 5p",
    "5索": "5s",
    "二二万六六六六七七七七筒七九九条": "2m 2m 6p 6p 6p 6p 7p 7p 7p 7p 7s 9s 9s",
    "1二3万": "1m 2m 3m",
    "东东": "1z 1z",
    "东南西北": "1z 2z 3z 4z",
    "東風南风西風北风": "1z 2z 3z 4z",
    "红中中紅中": "7z 7z 7z",
    "发财发發財發": "6z 6z 6z 6z",
    "白板白": "5z 5z",
    "中发白": "7z 6z 5z",
    "1字7字": "1z 7z",
    "🀇🀏🀙🀡🀐🀘": "1m 9m 1p 9p 1s 9s",
    "🀀🀁🀂🀃🀆🀅🀄": "1z 2z 3z 4z 5z 6z 7z",
    "🀄\ufe0f🀄\ufe0e 🀇\ufe0e": "7z 7z 1m",
    "1m,2m，3m、4m;5m；6m": "1m 2m 3m 4m 5m 6m",
    "\ufeff1m\t2m\n3m\r\n4m\xa05m\u200b6m": "1m 2m 3m 4m 5m 6m",
    "6筒5索5索7索7索7索白板": "6p 5s 5s 7s 7s 7s 5z",
    "五砣红中": "5p 7z",
    "123m五筒🀄东": "1m 2m 3m 5p 7z 1z",
}


@pytest.mark.parametrize(("text", "names"), FORMS.items())
def test_forms(text: str, names: str) -> None:
    assert parse_tiles(text) == named(names)
    assert parse_hand(text) == Hand(named(names))
    assert parse_tiles(format_tiles(named(names))) == tuple(sorted(named(names)))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("0m", [("0m", 0)]),
        ("102m", [("0m", 1)]),
        ("零万", [("零万", 0)]),
        ("12m 8z9z", [("8z", 4), ("9z", 6)]),
        ("89字", [("8字", 0), ("9字", 1)]),
        ("5", [("5", 0)]),
        ("558m228p7", [("7", 8)]),
        ("55 5m", [("55", 0)]),
        ("1,2,3m", [("1", 0), ("2", 2)]),
        ("5中", [("5", 0)]),
        ("三幺鸡", [("三幺鸡", 0)]),
        ("5x 2m", [("5x", 0)]),
        ("万", [("万", 0)]),
        ("1mm", [("m", 2)]),
        ("1m m2m", [("m", 3)]),
        ("🀢", [("🀢", 0)]),
        ("1m🀪🀫", [("🀪🀫", 2)]),
        ("红", [("红", 0)]),
        ("发财财", [("财", 2)]),
        ("红5m", [("红", 0)]),
        ("五百万", [("五百", 0), ("万", 2)]),
        ("十万", [("十", 0), ("万", 1)]),
        ("²m", [("²", 0), ("m", 1)]),
        ("٥m", [("٥", 0), ("m", 1)]),
        ("[123m]", [("[", 0), ("]", 5)]),
        ("+5m@2", [("+", 0), ("@", 3), ("2", 4)]),
        ("\ud8001m", [("\ud800", 0)]),
        ("0m 你好 5 8z", [("0m", 0), ("你好", 3), ("5", 6), ("8z", 8)]),
    ],
)
def test_no_tiles(text: str, expected: list[tuple[str, int]]) -> None:
    assert faults(text, parse_tiles) == [(part, position, "bad_tile") for part, position in expected]


def test_every_cause_has_words_in_both_languages() -> None:
    texts = ["0m", "5", "m", "[124m]", "[555m+]", "[]", "[5m", "]", "[555m@4]", "@", "+", "1" * (MAX_LENGTH + 1)]
    problems = []
    for text in texts:
        with pytest.raises(NotationError) as error:
            parse_hand(text)
        problems += error.value.problems
    assert len({problem.cause for problem in problems}) == len(texts)
    for problem in problems:
        assert "{" not in problem.message + problem.message_zh
        assert problem.message != problem.message_zh
        assert problem.message in str(NotationError([problem]))


@pytest.mark.parametrize(
    ("text", "hand", "canonical"),
    [
        (
            "22s 345m [123m] [555p@2] [9999s+] (8888p) +5p",
            Hand(
                named("2s 2s 3m 4m 5m"),
                (
                    Meld("chow", named("1m 2m 3m")),
                    Meld("pong", named("5p 5p 5p"), 2),
                    Meld("added_kong", named("9s 9s 9s 9s")),
                    Meld("concealed_kong", named("8p 8p 8p 8p")),
                ),
                named("5p"),
            ),
            "345m22s [123m] [555p@2] [9999s+] (8888p) +5p",
        ),
        ("", Hand(()), ""),
        ("+5p", Hand((), (), named("5p")), "+5p"),
        ("+5p+6p 22s", Hand(named("2s 2s"), (), named("5p 6p")), "22s +56p"),
        ("+56p22z 2s", Hand(named("2s"), (), named("5p 6p 2z 2z")), "2s +56p22z"),
        ("22s+ 5p [123m]3m", Hand(named("2s 2s 3m"), (Meld("chow", named("1m 2m 3m")),), named("5p")), None),
        ("+🀄\ufe0f🀄 2s", Hand(named("2s"), (), named("7z 7z")), "2s +77z"),
        ("2s+红中", Hand(named("2s"), (), named("7z")), "2s +7z"),
        ("[ 3m 1m,2m ]", Hand((), (Meld("chow", named("1m 2m 3m")),)), "[123m]"),
        ("[1111z@0]", Hand((), (Meld("exposed_kong", named("1z 1z 1z 1z"), 0),)), "[1111z@0]"),
        ("[9999s+@2]", Hand((), (Meld("added_kong", named("9s 9s 9s 9s"), 2),)), "[9999s+@2]"),
        ("[9999s@2+]", Hand((), (Meld("added_kong", named("9s 9s 9s 9s"), 2),)), "[9999s+@2]"),
        ("[9999s@2*]", Hand((), (Meld("exposed_kong", named("9s 9s 9s 9s"), 2, True),)), "[9999s*@2]"),
        ("[9999s @3 * +]", Hand((), (Meld("added_kong", named("9s 9s 9s 9s"), 3, True),)), "[9999s+*@3]"),
        ("(8888p*)", Hand((), (Meld("concealed_kong", named("8p 8p 8p 8p"), None, True),)), "(8888p*)"),
        (
            "【三四五万＠２】［发财发发＠1］（四四四四索）［9999s＋］＋五筒",
            Hand(
                (),
                (
                    Meld("chow", named("3m 4m 5m"), 2),
                    Meld("pong", named("6z 6z 6z"), 1),
                    Meld("concealed_kong", named("4s 4s 4s 4s")),
                    Meld("added_kong", named("9s 9s 9s 9s")),
                ),
                named("5p"),
            ),
            "[345m@2] [666z@1] (4444s) [9999s+] +5p",
        ),
    ],
)
def test_hands(text: str, hand: Hand, canonical: str | None) -> None:
    assert parse_hand(text) == hand
    if canonical is not None:
        assert format_hand(hand) == canonical


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("22s [124m] +5p", [("[124m]", 4, "bad_meld")]),
        ("[89m1p]", [("[89m1p]", 0, "bad_meld")]),
        ("[123z]", [("[123z]", 0, "bad_meld")]),
        ("[9s12z]", [("[9s12z]", 0, "bad_meld")]),
        ("[1234m]", [("[1234m]", 0, "bad_meld")]),
        ("[11m]", [("[11m]", 0, "bad_meld")]),
        ("[11111m]", [("[11111m]", 0, "bad_meld")]),
        ("[555p+]", [("[555p+]", 0, "bad_meld")]),
        ("[123p*]", [("[123p*]", 0, "bad_meld")]),
        ("(555p)", [("(555p)", 0, "bad_meld")]),
        ("(1234p)", [("(1234p)", 0, "bad_meld")]),
        ("[]", [("[]", 0, "invalid")]),
        ("1m ( )", [("( )", 3, "invalid")]),
        ("[@2]", [("[@2]", 0, "invalid")]),
        ("1m [123m", [("[123m", 3, "invalid")]),
        ("[123m [456m]", [("[123m ", 0, "invalid")]),
        ("[123m[456m]]", [("[123m", 0, "invalid"), ("]", 11, "invalid")]),
        ("[123m)", [("[123m)", 0, "invalid")]),
        ("1m]", [("]", 2, "invalid")]),
        ("[555p@4]", [("@4", 5, "invalid")]),
        ("[555p@12]", [("@12", 5, "invalid")]),
        ("[555p@]", [("@", 5, "invalid")]),
        ("[555p@1@2]", [("@2", 7, "invalid")]),
        ("[5555p++]", [("+", 7, "invalid")]),
        ("[555p@2 6p]", [("6p", 8, "invalid")]),
        ("(5555p+)", [("+", 6, "invalid")]),
        ("(5555p@2)", [("@2", 6, "invalid")]),
        ("555p@2", [("@", 4, "invalid"), ("2", 5, "bad_tile")]),
        ("5555p*", [("*", 5, "invalid")]),
        ("22s +", [("+", 4, "invalid")]),
        ("+ [123m]", [("+", 0, "invalid")]),
        ("+\ufe0f", [("+", 0, "invalid")]),
        ("+x", [("x", 1, "bad_tile")]),
        ("5x [12q@7] [135m] +0p ]", [
            ("5x", 0, "bad_tile"),
            ("12q", 4, "bad_tile"),
            ("@7", 7, "invalid"),
            ("[135m]", 11, "bad_meld"),
            ("0p", 19, "bad_tile"),
            ("]", 22, "invalid"),
        ]),
    ],
)  # fmt: skip
def test_bad_hands(text: str, expected: list[tuple[str, int, str]]) -> None:
    assert faults(text) == expected


@pytest.mark.parametrize("parse", [parse_tiles, parse_hand])
@pytest.mark.parametrize("character", "1m +[(@万东 🀇")
def test_over_long_text_is_refused(parse, character: str) -> None:
    ((_, position, reason),) = faults(character * (MAX_LENGTH + 1), parse)
    assert (position, reason) == (MAX_LENGTH, "invalid")


def test_text_of_the_greatest_length_is_read() -> None:
    assert len(parse_tiles("1m" * (MAX_LENGTH // 2))) == MAX_LENGTH // 2


# Any tile in any of its spellings. Between two spellings there may be nothing: no spelling runs into the next.
RANKS = ("1１一壹幺", "2２二贰两", "3３三叁參", "4４四肆", "5５五伍", "6６六陆陸", "7７七柒", "8８八捌", "9９九玖")
SUITS = ("mMｍ万萬", "pP筒饼餅砣", "sSｓ条條索", "zZ字")
HONOURS = ("东東", "南", "西", "北", ("白", "白板"), ("发", "發", "发财", "發財"), ("中", "红中", "紅中"))
KIND = st.integers(0, KINDS - 1)


@st.composite
def spelt(draw: st.DrawFn, kind: int) -> str:
    if suit(kind) == 3 and draw(st.booleans()):
        return draw(st.sampled_from(HONOURS[rank(kind) - 1]))
    if draw(st.integers(0, 3)) == 0:
        return to_unicode([kind]) + draw(st.sampled_from(("", "\ufe0e", "\ufe0f")))
    return draw(st.sampled_from(RANKS[rank(kind) - 1])) + draw(st.sampled_from(SUITS[suit(kind)]))


@st.composite
def spelt_tiles(
    draw: st.DrawFn, tiles: tuple[int, ...], gaps: tuple[str, ...] = ("", "", " ", "，", "、", "　")
) -> str:
    return "".join(draw(spelt(kind)) + draw(st.sampled_from(gaps)) for kind in tiles)


@st.composite
def melds(draw: st.DrawFn) -> Meld:
    kind = draw(st.sampled_from(("chow", "pong", "exposed_kong", "added_kong", "concealed_kong")))
    if kind == "chow":
        first = draw(st.integers(0, 2)) * 9 + draw(st.integers(0, 6))
        tiles = (first, first + 1, first + 2)
    else:
        tiles = (draw(KIND),) * (3 if kind == "pong" else 4)
    seat = None if kind == "concealed_kong" else draw(st.sampled_from((None, 0, 1, 2, 3)))
    return Meld(kind, tiles, seat, kind.endswith("kong") and draw(st.booleans()))


HANDS = st.builds(
    Hand,
    st.lists(KIND, max_size=14).map(tuple),
    st.lists(melds(), max_size=4).map(tuple),
    st.lists(KIND, max_size=2).map(lambda kinds: tuple(sorted(kinds))),
)


@given(st.data(), st.lists(KIND, max_size=14).map(tuple))
def test_mixed_spellings_are_read(data: st.DataObject, tiles: tuple[int, ...]) -> None:
    text = data.draw(spelt_tiles(tiles))
    assert parse_tiles(text) == tiles


@given(st.lists(KIND, max_size=60).map(tuple))
def test_written_tiles_are_read_again(tiles: tuple[int, ...]) -> None:
    for write in (format_tiles, to_chinese, to_unicode):
        assert parse_tiles(write(tiles)) == tuple(sorted(tiles))
    assert parse_tiles("".join(NAMES[kind] for kind in tiles)) == tiles
    assert format_tiles(tiles) == format_tiles(reversed(tiles))


@given(HANDS)
def test_hand_round_trip(hand: Hand) -> None:
    text = format_hand(hand)
    assert parse_hand(text) == hand._replace(concealed=tuple(sorted(hand.concealed)))
    assert format_hand(parse_hand(text)) == text


@given(st.data(), HANDS)
def test_mixed_spellings_of_a_hand_are_read(data: st.DataObject, hand: Hand) -> None:
    pieces = []
    for meld in hand.melds:
        marks = ["+"] * (meld.kind == "added_kong") + ["*"] * meld.dice
        marks += [f"@{meld.taken_from}"] * (meld.taken_from is not None)
        inside = data.draw(spelt_tiles(meld.tiles)) + "".join(data.draw(st.permutations(marks)))
        brackets = ("[]", "【】", "［］") if meld.is_exposed else ("()", "（）")
        opening, closing = data.draw(st.sampled_from(brackets))
        pieces.append(opening + inside + closing)
    if hand.win_on:
        where = data.draw(st.integers(0, len(pieces)))
        win = data.draw(st.sampled_from("+＋")) + data.draw(spelt_tiles(hand.win_on, gaps=("",)))
        pieces.insert(where, win + " ")
    pieces.insert(data.draw(st.integers(0, len(pieces))), data.draw(spelt_tiles(hand.concealed)))
    assert parse_hand("".join(pieces)) == hand


LIKELY = st.text(
    "0123456789mpszMPSZ一两幺万筒条东南西北中发白红财板风鸡🀀🀇🀡🀢\ufe0f []()【】（）+＋@＠*，、　xX", max_size=60
)


@given(LIKELY | st.text(max_size=60))
@example("12m" + "3" * 300)
@example("[" * MAX_LENGTH)
@example("1" * MAX_LENGTH)
def test_any_text_is_read_or_refused_with_positions(text: str) -> None:
    for parse, write in ((parse_tiles, format_tiles), (parse_hand, format_hand)):
        found, problems = outcome(parse, text)
        if found is None:
            assert problems
            assert list(problems) == sorted(problems, key=lambda problem: problem.position)
            for problem in problems:
                assert text[problem.position] == problem.part[0]
        else:
            assert write(parse(write(found))) == write(found)


@given(st.text("123456789mpsz ", max_size=20))
def test_the_short_way_agrees_with_the_long_one(text: str) -> None:
    """A full-width blank in front keeps a text from being canonical and shifts its positions by one."""

    found, problems = outcome(parse_tiles, text)
    long_found, long_problems = outcome(parse_tiles, "　" + text)
    assert found == long_found
    assert problems == tuple(problem._replace(position=problem.position - 1) for problem in long_problems)

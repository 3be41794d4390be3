"""Text to tiles and back: every form people type, and the whole hand in one line.

Tiles are ranks followed by their suit (``123m``, ``一二三万``, ``5筒``), names of honours (``东``, ``红中``,
``发财``) or Unicode tiles, in any mixture and order. A hand is one line

    22s 345m [123m] [555p@2] [9999s+] (8888p) +5p

where ``[…]`` is an exposed meld, ``@2`` the seat that gave its tile, ``+`` in it an added kong (补杠), ``*`` a
dice kong (开杠), ``(…)`` a concealed kong (暗杠), and ``+…`` outside brackets the winning tile or tiles.

Reading goes in two steps. `_FOLD` replaces each code point by one plain one, so that positions stay; what is
left is a small regular language. None of its patterns can backtrack over more than one run of digits.

>>> parse_tiles("二二万 5饼 红中")
(1, 1, 13, 33)
>>> format_tiles(parse_tiles("东9S９s一二三万"))
'123m99s1z'
>>> format_hand(parse_hand("+五筒 【123m】 [9999s@2+] 22S"))
'22s [123m] [9999s+@2] +5p'
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import groupby
from typing import Final, Literal, NamedTuple, TypeAlias

from scoring.hand import Hand, Meld, MeldKind
from scoring.tiles import KINDS, NAMES, SUIT_KINDS, Tile, rank, suit, tile

MAX_LENGTH: Final = 400
"""Longest text that is read, in code points; a spelt-out hand has less than a quarter of it."""

Reason: TypeAlias = Literal["bad_tile", "bad_meld", "invalid"]

_CAUSES: Final[dict[str, tuple[Reason, str, str]]] = {
    "no_tile": ("bad_tile", "没有「{}」这种牌", "“{}” is no tile"),
    "no_suit": ("bad_tile", "「{}」后面缺花色（万、筒、条）", "“{}” lacks its suit (m, p or s)"),
    "no_rank": ("bad_tile", "「{}」前面缺点数", "“{}” lacks its rank"),
    "not_a_set": ("bad_meld", "「{}」不是顺子、刻子或杠", "“{}” is no run, triplet or quad"),
    "not_a_kong": ("bad_meld", "「{}」不是四张一样的牌，不能是杠", "“{}” is not four of a kind, so no kong"),
    "empty_meld": ("invalid", "「{}」里没有牌", "“{}” holds no tile"),
    "unclosed": ("invalid", "「{}」没有收尾的括号", "“{}” is not closed"),
    "unopened": ("invalid", "「{}」没有开头的括号", "“{}” closes nothing"),
    "no_seat": ("invalid", "「{}」不是座位 @0 到 @3", "“{}” is no seat from @0 to @3"),
    "mark": ("invalid", "「{}」不能写在这里", "“{}” cannot stand here"),
    "no_win_tile": ("invalid", "「{}」后面缺胡的那张牌", "“{}” lacks the winning tile"),
    "too_long": ("invalid", f"超过 {MAX_LENGTH} 个字", f"longer than {MAX_LENGTH} characters"),
}


class Problem(NamedTuple):
    """One thing a text gets wrong.

    ``part`` is the text at fault, ``position`` the 0-based index of its first code point, ``reason`` the error code
    it answers with, and ``cause`` a finer id (the keys of `_CAUSES`).
    """

    part: str
    position: int
    reason: Reason
    cause: str

    @property
    def message(self) -> str:
        """What is wrong, in English."""
        return _CAUSES[self.cause][2].format(self.part)

    @property
    def message_zh(self) -> str:
        """What is wrong, in Chinese."""
        return _CAUSES[self.cause][1].format(self.part)


class NotationError(ValueError):
    """A text that cannot be read; `problems` holds everything wrong with it, from left to right."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems: tuple[Problem, ...] = tuple(problems)
        super().__init__("; ".join(f"{problem.message} (at {problem.position})" for problem in self.problems))


_SPELLINGS: Final = {
    "1": "一壹弌幺么",
    "2": "二贰貳弍两兩",
    "3": "三叁參参弎",
    "4": "四肆",
    "5": "五伍",
    "6": "六陆陸",
    "7": "七柒",
    "8": "八捌",
    "9": "九玖",
    "0": "零〇",
    "m": "M万萬",
    "p": "P筒饼餅砣坨同桶",
    "s": "S条條索竹",
    "z": "Z字",
    "东": "東",
    "发": "發発",
    "财": "財",
    "红": "紅",
    "风": "風",
    "鸡": "雞鷄",
    "[": "【〔",
    "]": "】〕",
    " ": ",，、;；·\t\n\v\f\r\x85\xa0\u2002\u2003\u2009\u202f\u3000",
    # Invisible companions of a tile: emoji style, text style, joiners, a byte order mark.
    "\ufe0f": "\ufe0e\u200b\u200c\u200d\u2060\ufeff",
}
_FOLD: Final = str.maketrans(
    # Full-width ASCII first: a spelling may overrule it.
    {chr(code + 0xFEE0): chr(code).lower() for code in range(0x21, 0x7F)}
    | {spelling: plain for plain, spellings in _SPELLINGS.items() for spelling in spellings}
)

_UNICODE: Final = "🀇🀈🀉🀊🀋🀌🀍🀎🀏🀙🀚🀛🀜🀝🀞🀟🀠🀡🀐🀑🀒🀓🀔🀕🀖🀗🀘🀀🀁🀂🀃🀆🀅🀄"
_HONOUR_NAMES: Final = ("东", "南", "西", "北", "白板", "发财", "红中")
_NAMED: Final[dict[str, Tile]] = (
    {symbol: kind for kind, symbol in enumerate(_UNICODE)}
    | {name: SUIT_KINDS + index for index, name in enumerate(_HONOUR_NAMES)}
    | {wind + "风": SUIT_KINDS + index for index, wind in enumerate("东南西北")}
    | {"白": tile("5z"), "发": tile("6z"), "中": tile("7z"), "1鸡": tile("1s")}
)
"""Folded names that are a tile by themselves; 幺鸡 is 1s."""

_BY_SUIT: Final[dict[str, dict[str, Tile]]] = {
    letter: {NAMES[kind][0]: kind for kind in range(KINDS) if NAMES[kind][1] == letter} for letter in "mpsz"
}
_CANONICAL: Final = re.compile(r"(?: *+(?:[1-9]++[mps]|[1-7]++z))*+ *+")

_TOKEN: Final = re.compile(
    r"""(?P<blank>[ \ufe0f]++)
    | (?P<named>1鸡|[东南西北]风?|红中|发财|白板|[发白中🀀-🀡])
    | (?P<ranks>[0-9]++)(?P<suit>[mpsz])
    | (?P<unknown>[0-9]*+[^0-9mpsz东南西北发白中红🀀-🀡\ \ufe0f]++)
    | (?P<no_suit>[0-9]++)
    | (?P<no_rank>[mpsz])
    | (?P<rest>.)""",
    re.VERBOSE | re.DOTALL,
)
_PIECE: Final = re.compile(
    r"""(?P<open>[\[(])(?P<tiles>[^\[\]()+@*]*+)(?P<marks>[^\[\]()]*+)(?P<close>[\])]?)
    | \+[ \ufe0f]*+(?P<win>[^\[\]()+@* ]*+)
    | (?P<plain>[^\[\]()+@*]++)
    | (?P<stray>.)""",
    re.VERBOSE,
)
_MARK: Final = re.compile(r"@[0-9]*+|[+*]|[^@+* \ufe0f]++")
_SEATS: Final = {f"@{seat}": seat for seat in range(4)}


class _Reader:
    """One text being read, and what was found wrong with it so far."""

    def __init__(self, text: str) -> None:
        if len(text) > MAX_LENGTH:
            raise NotationError([_problem("too_long", text[MAX_LENGTH : MAX_LENGTH + 20], MAX_LENGTH)])
        self.text = text
        self.folded = text.translate(_FOLD)
        self.problems: list[Problem] = []

    def fault(self, cause: str, start: int, stop: int) -> None:
        self.problems.append(_problem(cause, self.text[start:stop], start))

    def check(self) -> None:
        """Raise NotationError if anything was wrong."""
        if self.problems:
            raise NotationError(sorted(self.problems, key=lambda problem: problem.position))

    def tiles(self, start: int, stop: int) -> tuple[Tile, ...]:
        """The tiles of a stretch without brackets and marks, in the order typed."""
        tiles: list[Tile] = []
        for token in _TOKEN.finditer(self.folded, start, stop):
            if token["ranks"]:
                kinds = _BY_SUIT[token["suit"]]
                for position, digit in enumerate(token["ranks"], token.start()):
                    if digit in kinds:
                        tiles.append(kinds[digit])
                    else:  # 0m, 8z: name the tile by its own rank and the suit further on
                        part = self.text[position] + self.text[token.end() - 1]
                        self.problems.append(_problem("no_tile", part, position))
            elif token["named"]:
                tiles.append(_NAMED[token["named"]])
            elif not token["blank"]:
                cause = token.lastgroup if token.lastgroup in ("no_suit", "no_rank") else "no_tile"
                self.fault(cause, *token.span())
        return tuple(tiles)

    def meld(self, piece: re.Match[str]) -> Meld | None:
        """The meld of one bracket, or None where it has a fault."""
        before = len(self.problems)
        concealed = piece["open"] == "("
        if piece["close"] != (")" if concealed else "]"):
            self.fault("unclosed", *piece.span())
        tiles = tuple(sorted(self.tiles(*piece.span("tiles"))))
        marks = self._marks(*piece.span("marks"), allowed="*" if concealed else "@+*")
        if len(self.problems) > before:
            return None
        kind = _meld_kind(tiles, concealed, "+" in marks)
        if not tiles:
            self.fault("empty_meld", *piece.span())
        elif (concealed or "+" in marks or "*" in marks) and len(tiles) != 4:
            self.fault("not_a_kong", *piece.span())
        elif kind is None:
            self.fault("not_a_set", *piece.span())
        else:
            return Meld(kind, tiles, _SEATS.get(marks.get("@", "")), "*" in marks)
        return None

    def _marks(self, start: int, stop: int, allowed: str) -> dict[str, str]:
        """Marks of a bracket by their first character."""
        marks: dict[str, str] = {}
        for mark in _MARK.finditer(self.folded, start, stop):
            sign = mark[0][0]
            if sign == "@" and mark[0] not in _SEATS:
                self.fault("no_seat", *mark.span())
            elif sign not in allowed or sign in marks:
                self.fault("mark", *mark.span())
            else:
                marks[sign] = mark[0]
        return marks


def _problem(cause: str, part: str, position: int) -> Problem:
    return Problem(part, position, _CAUSES[cause][0], cause)


def _meld_kind(tiles: tuple[Tile, ...], concealed: bool, added: bool) -> MeldKind | None:
    """What sorted tiles make, or None for no set."""
    if len(tiles) not in (3, 4):
        return None
    if tiles[0] == tiles[-1]:
        if len(tiles) == 3:
            return "pong"
        return "concealed_kong" if concealed else "added_kong" if added else "exposed_kong"
    first = tiles[0]
    if tiles == (first, first + 1, first + 2) and suit(first) == suit(first + 2) and first < SUIT_KINDS:
        return "chow"
    return None


def parse_tiles(text: str) -> tuple[Tile, ...]:
    """Tiles of a text, in the order typed.

    Raises:
        NotationError: with every part that names no tile (``bad_tile``), or for an over-long text (``invalid``).

    >>> parse_tiles("0m 5 🀇")
    Traceback (most recent call last):
    scoring.notation.NotationError: “0m” is no tile (at 0); “5” lacks its suit (m, p or s) (at 3)
    """
    if len(text) <= MAX_LENGTH and _CANONICAL.fullmatch(text):
        # The common case, four times as fast: from the right, each suit letter comes before its ranks.
        tiles: list[Tile] = []
        kinds: dict[str, Tile] = {}
        for character in reversed(text):
            if character in _BY_SUIT:
                kinds = _BY_SUIT[character]
            elif character != " ":
                tiles.append(kinds[character])
        tiles.reverse()
        return tuple(tiles)
    reader = _Reader(text)
    found = reader.tiles(0, len(text))
    reader.check()
    return found


def parse_hand(text: str) -> Hand:
    """The hand of a whole-hand line; concealed and winning tiles in the order typed, those of a meld sorted.

    The kind of a meld follows from its tiles. Whether the hand is legal is not looked at: it may have any number of
    tiles.

    Raises:
        NotationError: ``bad_tile`` as `parse_tiles`; ``bad_meld`` for a bracket that is no run, triplet or quad;
            ``invalid`` for brackets within brackets, open or empty ones, seats outside 0–3, marks out of place, a
            ``+`` without a tile, and over-long text.

    >>> parse_hand("22s [555p@2] (8888p*) +5m").melds[1]
    Meld(kind='concealed_kong', tiles=(16, 16, 16, 16), taken_from=None, dice=True)
    >>> parse_hand("22s [579p] +5m")
    Traceback (most recent call last):
    scoring.notation.NotationError: “[579p]” is no run, triplet or quad (at 4)
    """
    reader = _Reader(text)
    concealed: list[Tile] = []
    melds: list[Meld] = []
    win_on: list[Tile] = []
    for piece in _PIECE.finditer(reader.folded):
        if piece["open"]:
            meld = reader.meld(piece)
            if meld:
                melds.append(meld)
        elif piece["plain"]:
            concealed += reader.tiles(*piece.span())
        elif piece["stray"]:
            reader.fault("unopened" if piece["stray"] in "])" else "mark", *piece.span())
        elif piece["win"]:
            win_on += reader.tiles(*piece.span("win"))
        else:
            reader.fault("no_win_tile", piece.start(), piece.start() + 1)
    reader.check()
    return Hand(tuple(concealed), tuple(melds), tuple(win_on))


def format_tiles(tiles: Iterable[Tile]) -> str:
    """Canonical text: sorted, one group a suit.

    >>> format_tiles([27, 26, 0, 27, 1]), format_tiles([])
    ('12m9s11z', '')
    """
    text = letter = ""
    for kind in sorted(tiles):
        name = NAMES[kind]
        if name[1] != letter:
            text += letter
            letter = name[1]
        text += name[0]
    return text + letter


def format_hand(hand: Hand) -> str:
    """Canonical line: concealed tiles, melds in the order they were opened, winning tiles.

    Only a kong shows ``*``; a 暗杠, which nobody gave a tile for, shows no seat.

    >>> format_hand(Hand((19, 19), (Meld("added_kong", (26, 26, 26, 26), 2, True),), (13, 4)))
    '22s [9999s+*@2] +5m5p'
    """
    parts = [format_tiles(hand.concealed), *map(_format_meld, hand.melds)]
    if hand.win_on:
        parts.append("+" + format_tiles(hand.win_on))
    return " ".join(filter(None, parts))


def _format_meld(meld: Meld) -> str:
    text = format_tiles(meld.tiles)
    if meld.kind == "added_kong":
        text += "+"
    if meld.is_kong and meld.dice:
        text += "*"
    if not meld.is_exposed:
        return f"({text})"
    return f"[{text}]" if meld.taken_from is None else f"[{text}@{meld.taken_from}]"


def to_unicode(tiles: Iterable[Tile]) -> str:
    """Sorted Unicode tiles, one code point each.

    >>> to_unicode([33, 13, 0])
    '🀇🀝🀄'
    """
    return "".join(_UNICODE[kind] for kind in sorted(tiles))


def to_chinese(tiles: Iterable[Tile]) -> str:
    """Sorted tiles in Chinese words, a space between suits; `parse_tiles` reads them again.

    >>> to_chinese([13, 1, 1, 26, 33, 27])
    '二二万 五筒 九条 东红中'
    """
    return " ".join(_chinese_suit(number, tuple(group)) for number, group in groupby(sorted(tiles), suit))


def _chinese_suit(number: int, tiles: tuple[Tile, ...]) -> str:
    if number == 3:
        return "".join(_HONOUR_NAMES[rank(kind) - 1] for kind in tiles)
    return "".join("一二三四五六七八九"[rank(kind) - 1] for kind in tiles) + "万筒条"[number]

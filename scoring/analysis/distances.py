"""How many tiles a suit lacks: a small min-plus algebra over the sets it is to hold.

A *profile* answers, for one suit or several together, all at once: the fewest tiles missing from ``sets`` sets (0–4)
with no pair, a 将 pair or any pair, where at most ``over`` tiles of the target go past what is in play (a 癞子 stands
there). Each answer is one byte, a *lane*, of a single whole number, so that profiles are added and compared in a few
operations.

A suit's profile is found by walking its ranks through an automaton whose steps are remembered. Equal profiles have one
number. The profiles of suits of which every tile is in play are built ahead by ``python -m scoring.analysis.build``.
"""

from __future__ import annotations

import sys
import zlib
from array import array
from collections.abc import Iterable
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

from scoring.analysis.memory import Memory, split
from scoring.tables import CODES, RANKS

NO_PAIR, JIANG_PAIR, ANY_PAIR = range(3)
SETS: Final = 4
FAR: Final = 60
"""Cannot be reached. Two of them, or one and a hand, still fit in a lane."""

Profile: TypeAlias = int
"""The number of a profile."""
Lanes: TypeAlias = int
"""One byte a lane: the answers of a profile, or a mark in the top bit."""
State: TypeAlias = tuple[Lanes, ...]
"""Answers so far by the chows begun two ranks and one rank ago, at most two of each: three are three triplets."""
Caps: TypeAlias = tuple[int, ...]
"""How many tiles of each rank a hand can hold beside its melds."""

FILE: Final = Path(__file__).parents[1] / "data" / "distance.bin"
IN_PLAY: Final[Caps] = (4,) * RANKS
"""The caps of a suit of which every tile is in play: the built table answers for it."""
TABLE_LEVELS: Final = 2

_COLUMNS: Final = 3
_BLOCK: Final = (SETS + 1) * _COLUMNS


def lane(sets: int, pair: int, over: int) -> int:
    """The lane of ``sets`` sets and that pair, with at most ``over`` tiles past what is in play."""
    return over * _BLOCK + sets * _COLUMNS + pair


class Wanted(NamedTuple):
    """What a lane answers for."""

    sets: int
    pair: int
    over: int


class Distances:
    """Profiles that answer for 0 to ``levels - 1`` tiles past what is in play."""

    def __init__(self, levels: int) -> None:
        self.levels = levels
        self._width = levels * _BLOCK
        self._ones = int.from_bytes(b"\1" * self._width, "little")
        self._top = self._ones << 7
        self._far = self._ones * FAR
        self._bare = self._mask(range(NO_PAIR, self._width, _COLUMNS))
        # by sets and tiles past what is in play: the lanes that get an answer when a row is moved up by so many
        self._moved_to = [
            [
                self._mask(to for to in range(over * _BLOCK, self._width) if to % _BLOCK >= _COLUMNS * sets)
                for over in range(levels)
            ]
            for sets in range(SETS + 1)
        ]
        self._start: State = (self._filled(self._far & ~0xFF), *[self._far] * 8)
        self._rows: list[Lanes] = []
        self._numbers: dict[Lanes, Profile] = {}
        self.marks: list[Lanes] = []
        """Marks by number: small numbers are cheaper keys than rows of lanes."""
        self._mark_numbers: dict[Lanes, int] = {}
        self.merged = Memory(self._merge)
        """The profile of two lots of tiles together: ``merged[one << PAIR | other]``."""
        self.step = lru_cache(1 << 16)(self._step)
        self.profile = lru_cache(1 << 17)(self._profile)
        """``(code, caps, chows)``: a suit's profile. Without chows no pair is 将, and honours (seven caps) have one."""

    @staticmethod
    def _mask(lanes: Iterable[int]) -> Lanes:
        return sum(0xFF << 8 * lane for lane in lanes)

    def value(self, profile: Profile, lane: int) -> int:
        """Tiles missing, ``FAR`` or more where it cannot be."""
        return self._rows[profile] >> 8 * lane & 0xFF

    @staticmethod
    def wanted(lane: int) -> Wanted:
        """The sets, the pair, and how many tiles may go past what is in play.

        >>> Distances.wanted(lane(3, ANY_PAIR, 1))
        Wanted(sets=3, pair=2, over=1)
        """
        over, rest = divmod(lane, _BLOCK)
        return Wanted(*divmod(rest, _COLUMNS), over)

    @staticmethod
    def below(lane: int) -> int | None:
        """The lane for one tile less past what is in play, if there is one."""
        return lane - _BLOCK if lane >= _BLOCK else None

    def number(self, row: Lanes) -> Profile:
        """The number of the profile with these answers."""
        number = self._numbers.setdefault(row, len(self._rows))
        if number == len(self._rows):
            self._rows.append(row)
        return number

    def rows(self) -> list[bytes]:
        """The answers of every profile so far, by number."""
        return [row.to_bytes(self._width, "little") for row in self._rows]

    @cached_property
    def nothing(self) -> Profile:
        """The profile of no suit at all: no set, no pair, nothing missing."""
        return self.number(self._start[0])

    # ---- all lanes at once; a lane never passes 127

    def _least(self, one: Lanes, other: Lanes) -> Lanes:
        not_less = (one | self._top) - other & self._top
        return one ^ (one ^ other) & not_less - (not_less >> 7)

    def _moved(self, row: Lanes, cost: int, sets: int, over: int) -> Lanes:
        to = self._moved_to[sets][over]
        return row + cost * self._ones << 8 * lane(sets, 0, over) & to | self._far & ~to

    def _paired(self, row: Lanes, *pairs: int) -> Lanes:
        bare, lanes, to = row & self._bare, 0, 0
        for pair in pairs:
            lanes |= bare << 8 * pair
            to |= self._bare << 8 * pair
        return lanes | self._far & ~to

    def _filled(self, row: Lanes) -> Lanes:
        """With more tiles past what is in play allowed, no more are missing."""
        for _ in range(1, self.levels):
            row = self._least(row, self._moved(row, 0, 0, 1))
        return row

    # ---- one suit

    @property
    def start(self) -> State:
        """The state before the first rank."""
        return self._start

    def _step(self, state: State, have: int, cap: int, jiang: bool, chows: bool) -> State:
        """The state one rank on: ``have`` tiles of it in hand, ``cap`` that there can be."""
        after = [self._far] * len(state)
        for place, bare in enumerate(state):
            if bare == self._far:
                continue
            old, last = divmod(place, 3)
            paired = self._paired(bare, *([JIANG_PAIR, ANY_PAIR] if jiang else [ANY_PAIR]))
            for row, pair in ((bare, 0), (paired, 2)):
                for pungs in range(3):
                    for new in range(3 if chows else 1):
                        used = old + last + new + 3 * pungs + pair
                        over = max(0, used - cap)
                        if over >= self.levels or new + pungs > SETS:
                            break
                        to = 3 * last + new
                        cost = max(0, used - have)
                        after[to] = self._least(after[to], self._moved(row, cost, new + pungs, over))
        return self._reduced(after)

    def _reduced(self, after: list[Lanes]) -> State:
        """Without what is no better than the same with fewer chows to finish."""
        best: list[Lanes] = []
        for place, row in enumerate(after):
            row = self._least(self._filled(row), self._far)
            old, last = divmod(place, 3)
            least = self._far
            if old:
                least = best[place - 3]
            if last:
                least = self._least(least, best[place - 1])
            no_better = ((row | self._top) - least) & self._top
            lanes = no_better - (no_better >> 7)
            after[place] = row & ~lanes | self._far & lanes
            best.append(self._least(row, least))
        return tuple(after)

    def finished(self, state: State) -> Profile:
        """The profile of a suit whose ranks are all walked."""
        return self.number(state[0])

    def walk(self, state: State, rank: int, have: int, cap: int, chows: bool = True) -> State:
        """The state after that rank (0–8): no chow begins at the last two, and 将 are 2, 5 and 8."""
        return self.step(state, have, cap, chows and rank % 3 == 1, chows and rank < RANKS - 2)

    def _profile(self, code: int, caps: Caps, chows: bool) -> Profile:
        state = self._start
        for rank, cap in enumerate(caps):
            code, have = divmod(code, 5)
            state = self.walk(state, rank, have, cap, chows)
        return self.finished(state)

    # ---- several suits

    def _merge(self, key: int) -> Profile:
        one, other = (self._rows[profile] for profile in split(key))
        together = self._far
        sources = other, self._paired(other, JIANG_PAIR), self._paired(other, ANY_PAIR)
        costs = one.to_bytes(self._width, "little")
        for place, cost in enumerate(costs):
            over, rest = divmod(place, _BLOCK)
            if cost >= FAR or (over and cost == costs[place - _BLOCK]):
                continue
            sets, pair = divmod(rest, _COLUMNS)
            together = self._least(together, self._moved(sources[pair], cost, sets, over))
        return self.number(self._least(self._filled(together), self._far))

    def complement(self, rest: Profile, sets: int, pair: int, over: int) -> Lanes:
        """Lane by lane, what ``rest`` lacks of the goal where another part has that lane; no share in the goal: FAR."""
        row = self._rows[rest].to_bytes(self._width, "little")
        lanes = bytearray([FAR] * self._width)
        for x in range(over + 1):
            source = row[(over - x) * _BLOCK :][: _COLUMNS * (sets + 1)]
            end = x * _BLOCK + _COLUMNS * (sets + 1)
            lanes[x * _BLOCK + NO_PAIR : end : _COLUMNS] = source[pair::_COLUMNS][::-1]
            lanes[x * _BLOCK + pair : end : _COLUMNS] = source[NO_PAIR::_COLUMNS][::-1]
        return int.from_bytes(lanes, "little")

    def least_sum(self, part: Profile, complement: Lanes) -> tuple[int, int]:
        """How many tiles a part and its complement miss at least, and the number of the marks in the lanes that do."""
        sums = self._rows[part] + complement
        least = min(sums.to_bytes(self._width, "little"))
        marks = self._top & ~((sums | self._top) - (least + 1) * self._ones)
        number = self._mark_numbers.setdefault(marks, len(self.marks))
        if number == len(self.marks):
            self.marks.append(marks)
        return least, number

    # ---- which tile helps

    def lowered(self, before: Profile, after: Profile) -> Lanes:
        """A mark in every lane in which ``after`` is less than ``before``."""
        return ((self._rows[before] | self._top) - self._rows[after] - self._ones) & self._top


def as_little_endian(numbers: array[int]) -> bytes:
    """Two bytes a number, the same on every machine."""
    numbers = numbers[:]
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers.tobytes()


class Table(NamedTuple):
    """The built table: the profile of each code of a suit of which every tile is in play."""

    distances: Distances
    of_code: array[int]


@cache
def table() -> Table:
    """The table, from its file on first use."""
    data = FILE.read_bytes()
    distances = Distances(TABLE_LEVELS)
    width = TABLE_LEVELS * _BLOCK
    end = 2 + width * int.from_bytes(data[:2], "little")
    for start in range(2, end, width):
        distances.number(int.from_bytes(data[start : start + width], "little"))
    of_code = array("H", zlib.decompress(data[end:], bufsize=2 * CODES))
    if sys.byteorder == "big":
        of_code.byteswap()
    return Table(distances, of_code)

"""What a hand can expect: the chance to win and the points, over a number of own draws.

The model. Each own draw is one of the tiles nobody has seen, each as likely as any other, without replacement. What the
others do meanwhile is left out. A tile that wins is taken; one that lowers the shanten is kept, and of the discards
that keep it as low the best is thrown; every other tile is thrown at once. With a *detour*, one discard on the way may
raise the shanten by one.

A winning hand that is nearest stays nearest as long as only what it lacks is kept and only what it has no use for is
thrown, and no other hand becomes nearest. So the whole play is told by the nearest hands there are at its start, by
what each lacks and what it has no use for: a draw leaves those within reach that lack it, a discard those that have no
use for it. It follows that no tile thrown is needed later, so that nothing depends on which ones were. A detour breaks
that: what was thrown before it is taken not to be needed after it. A 癞子 laid out on the way makes the win dearer, but
the tile drawn for it is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial, reduce
from itertools import islice
from operator import sub
from typing import Final, NamedTuple, TypeAlias

from scoring.analysis.families import Tiles, ranks
from scoring.analysis.shanten import Discard, Situation
from scoring.tiles import COPIES, KINDS, Tile

FARTHEST: Final = 3
"""The largest shanten that is looked into."""
MOST_LACKING: Final = 5
"""The most tiles that a nearest hand may lack, those for which 癞子 stand included."""
MOST_NEAREST: Final = 4_000
MOST_LOOKED_AT: Final = 40_000
"""How much is looked at before an answer is given up, in states; what else takes time counts as so many of them:"""
_A_PLAY: Final = 60
_A_NEAREST_HAND: Final = 4
_A_PRICE: Final = 4

Gain: TypeAlias = "Callable[[Tiles], float | None]"
"""The points that a complete hand brings, drawn by oneself; None where the rules refuse the win."""

Course: TypeAlias = Sequence[complex]
"""A value by the draws to come, the first for the fewest that can win: one more than the shanten.

Its real part are points, its imaginary part is the chance to win: both add up alike. So that of two discards that bring
the same points the one that wins more often is the better one, each win counts `_TIE` points more."""

Reach: TypeAlias = int
"""The nearest hands within reach: bit ``n`` is set for the ``n``-th."""
Packed: TypeAlias = int
"""How many tiles of each kind, `_BITS` a kind."""

_BITS: Final = 3
_FIELD: Final = (1 << _BITS) - 1
_TIE: Final = 1e-10


class Outlook(NamedTuple):
    """The chance to win (0–1), and the mean of the points it brings (0 where there is no win)."""

    win_probability: float
    expected: float


class TooFar(Exception):
    """The hand is too far from winning, or has too many ways to go, to be looked into."""


class Budget:
    """What may still be looked at for one answer."""

    def __init__(self, most: int = MOST_LOOKED_AT) -> None:
        self._left = most

    def take(self, number: int) -> None:
        """So much is looked at.

        Raises:
            TooFar: that is more than there is left.
        """
        self._left -= number
        if self._left < 0:
            raise TooFar


class Prospect:
    """A hand from now on, with ``draws`` of its own to come from ``unseen``, the tiles by kind that nobody has seen.

    ``idle`` tiles are held beside those that count: kong tiles, which every win can do without.
    """

    def __init__(
        self,
        now: Situation,
        hand: Tiles,
        draws: int,
        unseen: Sequence[int],
        gain: Gain,
        *,
        idle: int = 0,
        detours: bool = False,
        budget: Budget | None = None,
    ) -> None:
        self.now, self.idle, self.budget = now, idle, budget or Budget()
        self.gain = lru_cache(None)(partial(self._priced, gain))
        self._hand, self._draws, self._unseen, self._detours = hand, draws, unseen, detours
        self._pool = sum(unseen)
        self._after_detours: dict[Tiles, Course] = {}

    def drawing(self) -> Outlook:
        """The outlook of a hand with a tile to come.

        Raises:
            TooFar: it cannot be looked into.
        """
        return _outlook(self._play(self._hand, 0, self._detours).course())

    def throwing(self, discards: Sequence[Discard]) -> dict[Tile, Outlook]:
        """By the tile thrown, the outlook after each discard that keeps the shanten, or raises it by a detour.

        Raises:
            TooFar: one of them cannot be looked into.
        """
        found: dict[Tile, Outlook] = {}
        complete = self.now.shanten(self._hand) < 0
        shanten = 0 if complete else self.now.shanten(self._hand)
        play = None if complete else self._play(self._hand, 0, self._detours)
        for one in discards:
            after = self.now.thrown(self._hand, one.tile)
            if one.shanten == shanten:
                course = play.after(one.tile) if play else self._play(after, 0, self._detours).course()
            elif one.shanten == shanten + 1 and self._detours:
                course = self._play(after, 0, False).course()
            else:
                continue
            found[one.tile] = _outlook(course)
        return found

    def after_detour(self, hand: Tiles, behind: int) -> Course:
        """The course of a hand that a detour leads to after so many draws, or later."""
        found = self._after_detours.get(hand)
        if found is None:
            found = self._after_detours[hand] = self._play(hand, behind, False).course()
        return found

    def _priced(self, gain: Gain, hand: Tiles) -> float | None:
        self.budget.take(_A_PRICE)
        return gain(hand)

    def _play(self, hand: Tiles, behind: int, detours: bool) -> Play:
        """That hand played after so many draws. What it holds more of than at the start is no longer unseen."""
        held = self.now.held
        drawn = (max(0, held(hand, kind) - held(self._hand, kind)) for kind in range(KINDS))
        left = [unseen - more for unseen, more in zip(self._unseen, drawn, strict=True)]
        return Play(self, hand, self._draws - behind, left, self._pool - behind, detours)


def _outlook(course: Course) -> Outlook:
    value = course[-1] if course else 0j
    return Outlook(value.imag, value.real - _TIE * value.imag)


class Play:
    """A hand played towards the winning hands nearest to it: what `Prospect` looks at.

    ``left`` are the tiles that can be drawn, by kind, out of ``pool`` unseen ones. ``detours``: one may be made.

    Raises:
        TooFar: there are too many such hands, or they lack too much.
    """

    def __init__(
        self, prospect: Prospect, hand: Tiles, draws: int, left: Sequence[int], pool: int, detours: bool
    ) -> None:
        now = prospect.now
        self._prospect, self._now, self._hand, self._left = prospect, now, hand, left
        self._last_pool = pool - draws + 1
        """How many tiles are unseen when the last draw comes."""
        self._shanten, self._detours = now.shanten(hand), detours
        if self._shanten > FARTHEST or self._shanten + 1 + hand.wilds > MOST_LACKING:
            raise TooFar
        self._nothing: Course = [0j] * max(0, draws - self._shanten)
        found = list(islice(now.nearest(hand), MOST_NEAREST))
        if len(found) == MOST_NEAREST:
            raise TooFar
        prospect.budget.take(_A_PLAY + _A_NEAREST_HAND * len(found))
        self._nearest = list(set(found))
        self._lacking = _by_copies((one.lack for one in self._nearest), now.wild)
        self._wasted = _by_copies((one.waste for one in self._nearest), now.wild)
        # which of the tiles that all can do without is thrown first makes no difference, if none of them goes twice
        self._told_apart = {kind for kind, copies in self._wasted.items() if detours or copies[1]}
        self._throws = prospect.idle + sum(number for _, number in _numbers(self._nearest[0].waste, now.wild))
        self._courses: dict[tuple[Reach, Packed, Packed], Course] = {}
        self._choices: dict[tuple[Reach, Packed, Packed], Course] = {}
        self._wins: dict[tuple[int, complex], Course] = {}
        self._odds: dict[tuple[int, int], list[tuple[float, float]]] = {}

    def course(self) -> Course:
        """The course of a hand with a tile to come."""
        every = (1 << len(self._nearest)) - 1
        return self._drawing(every, 0, 0, self._shanten, list(self._lacking)) if self._nothing else ()

    def after(self, tile: Tile) -> Course:
        """The course of a hand with a tile to throw, after it throws this one, which does not raise the shanten."""
        thrown = 1 << _BITS * tile if tile in self._told_apart else 0
        within = self._wasted[tile][0]
        return self._drawing(within, 0, thrown, self._shanten, list(self._lacking)) if self._nothing else ()

    def _drawing(self, reach: Reach, drawn: Packed, thrown: Packed, shanten: int, among: Sequence[Tile]) -> Course:
        """The course of a state with a tile to come, which can only be one ``among`` these."""
        key = reach, drawn, thrown
        known = self._courses.get(key)
        if known is not None:
            return known
        self._prospect.budget.take(1)
        useful: list[tuple[Tile, int, Reach]] = []
        lacking, left = self._lacking, self._left
        for kind in among:
            held = drawn >> _BITS * kind & _FIELD
            within = reach & lacking[kind][held]
            if within and left[kind] > held:
                useful.append((kind, left[kind] - held, within))
        if shanten:
            course = self._nearer(useful, drawn, thrown, shanten)
        else:
            course = self._winning(useful, self._ready(reach, drawn)) if useful else self._nothing
        return self._courses.setdefault(key, course)

    def _nearer(self, useful: Sequence[tuple[Tile, int, Reach]], drawn: Packed, thrown: Packed, shanten: int) -> Course:
        """The course of a state with these useful tiles, how many are left of each, and what it leaves within reach."""
        wanted, values = 0, self._nothing
        among = [kind for kind, _, _ in useful]
        for kind, copies, within in useful:
            wanted += copies
            course = self._choosing(within, drawn + (1 << _BITS * kind), thrown, shanten - 1, among)
            number = float(copies)  # faster times a complex number than a whole one
            values = [value + number * more for value, more in zip(values, course, strict=True)]
        return self._waiting(values, wanted, shanten)

    def _winning(self, useful: Sequence[tuple[Tile, int, Reach]], hand: Tiles) -> Course:
        """The course of a ready hand that these tiles complete."""
        wanted, win = 0, 0j
        for kind, copies, _ in useful:
            gain = self._prospect.gain(self._now.drawn(hand, kind))
            if gain is not None:
                wanted += copies
                win += copies * complex(gain + _TIE, 1)
        course = self._wins.get((wanted, win))
        if course is None:
            course = self._waiting([win] * len(self._nothing), wanted, 0)
        return self._wins.setdefault((wanted, win), course)

    def _waiting(self, values: Course, wanted: int, shanten: int) -> Course:
        """The course of a hand that waits for ``wanted`` tiles, of which ``values`` add up what they bring."""
        odds = self._odds.get((wanted, shanten))
        if odds is None:
            # more than are left can be wanted after a detour, and where there are fewer tiles than draws
            pool = [max(self._last_pool + shanten + place, wanted, 1) for place in range(len(self._nothing))]
            odds = self._odds[wanted, shanten] = [(1 / left, (left - wanted) / left) for left in pool]
        course, value = [], 0j
        for drawn, (each, other) in zip(values, odds, strict=True):
            value = each * drawn + other * value
            course.append(value)
        return course

    def _choosing(self, reach: Reach, drawn: Packed, thrown: Packed, shanten: int, among: Sequence[Tile]) -> Course:
        """The course of a state with a tile to throw: at each place of the best discard."""
        key = reach, drawn, thrown
        known = self._choices.get(key)
        if known is not None:
            return known
        options = [
            self._drawing(within, drawn, after, shanten, among)
            for within, after in self._discards(reach, thrown, shanten)
        ]
        if self._detours:
            options += self._raising(_unpacked(self._now, self._hand, drawn, thrown), shanten)
        return self._choices.setdefault(key, reduce(_better, options))

    def _discards(self, reach: Reach, thrown: Packed, shanten: int) -> set[tuple[Reach, Packed]]:
        """What is within reach after each discard that does not raise the shanten, and what has been thrown then.

        ``free`` counts the tiles still held that nothing within reach has a use for: all there are, less those thrown
        before. One throw is left for each draw to come, and this one.
        """
        found: set[tuple[Reach, Packed]] = set()
        thrown_before = self._throws - (shanten + 1)
        free = self._prospect.idle - thrown_before
        for kind, copies in self._wasted.items():
            if kind in self._told_apart:
                gone = thrown >> _BITS * kind & _FIELD
                free += gone
                within, after = reach & copies[gone], thrown + (1 << _BITS * kind)
            else:
                within, after = reach & copies[0], thrown
                free += within == reach
            if within:
                found.add((within, after))
        if free > 0:
            found.add((reach, thrown))
        else:
            found.discard((reach, thrown))
        return found

    def _ready(self, reach: Reach, drawn: Packed) -> Tiles:
        """The ready hand after all discards: they are what any hand still within reach has no use for."""
        waste = self._nearest[(reach & -reach).bit_length() - 1].waste
        return _unpacked(self._now, Tiles(*map(sub, self._hand, waste)), drawn, 0)

    def _raising(self, hand: Tiles, shanten: int) -> list[Course]:
        """The courses after the discards that raise the shanten. One draw more is needed, so each begins one later."""
        return [
            [0j, *self._prospect.after_detour(self._now.thrown(hand, one.tile), self._shanten - shanten)]
            for one in self._now.discards(hand)
            if one.shanten > shanten
        ]


Copies: TypeAlias = list[Reach]
"""Which of the nearest hands have a kind at least once, twice, and so on; none more than `COPIES` times."""


def _by_copies(parts: Iterator[Tiles], wild: Tile | None) -> dict[Tile, Copies]:
    found: dict[Tile, Copies] = {}
    for place, part in enumerate(parts):
        for kind, number in _numbers(part, wild):
            copies = found.setdefault(kind, [0] * (COPIES + 1))
            for nth in range(number):
                copies[nth] |= 1 << place
    return found


def _numbers(part: Tiles, wild: Tile | None) -> Iterator[tuple[Tile, int]]:
    """Each kind among these tiles, and how many there are."""
    for suit, code in enumerate(part[:4]):
        for rank, number in ranks[code]:
            yield 9 * suit + rank, number
    if part.wilds and wild is not None:
        yield wild, part.wilds


def _unpacked(now: Situation, hand: Tiles, drawn: Packed, thrown: Packed) -> Tiles:
    """The hand with these tiles drawn and thrown."""
    for packed, moved in ((drawn, now.drawn), (thrown, now.thrown)):
        while packed:
            kind = (packed.bit_length() - 1) // _BITS
            packed -= 1 << _BITS * kind
            hand = moved(hand, kind)
    return hand


def _better(one: Course, other: Course) -> Course:
    """At each place the value with more points."""
    return [a if a.real >= b.real else b for a, b in zip(one, other, strict=True)]

"""How people play: figures per player, each with the formula that says what it counts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from types import MappingProxyType
from typing import NamedTuple
from uuid import UUID

from django.http import Http404
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from mahjong_site.clubs.access import Actor
from mahjong_site.clubs.selectors import ALWAYS, Days
from mahjong_site.ledger.selectors.letters import DREW, GAVE, WON, count, hands_of, longest_run
from mahjong_site.ledger.selectors.scope import Person, Scope, club_scope, session_scope
from scoring.texts import text


class Figure(NamedTuple):
    """What a figure is called, and how it is worked out."""

    label: str | Promise
    formula: str | Promise


FIGURES: Mapping[str, Figure] = MappingProxyType(
    {
        "hands": Figure(
            _("Hands sat"),
            _("hands with a win, an opening win or an exhausted wall that the player sat; reversed ones left out"),
        ),
        "wins": Figure(_("Wins"), _("hands the player won; an opening win (起手胡) is counted apart")),
        "win_share": Figure(_("Win rate"), _("wins ÷ hands sat")),
        "self_drawn": Figure(_("Self-draws"), _("hands the player won by self-draw (自摸)")),
        "self_drawn_share": Figure(_("Self-draw rate"), _("self-draws ÷ hands sat")),
        "gave": Figure(_("Deal-ins"), _("hands in which the player gave a winning tile (点炮) or had a kong robbed")),
        "gave_share": Figure(_("Deal-in rate"), _("deal-ins ÷ hands sat")),
        "openings": Figure(_("Opening wins"), _("opening wins (起手胡) the player was paid for")),
        "points": Figure(_("Points"), _("everything won less everything lost, penalties and fees included")),
        "average": Figure(_("Average per hand"), _("points ÷ hands sat")),
        "biggest_win": Figure(_("Biggest win"), _("the most points collected with one win")),
        "longest_run": Figure(_("Longest run"), _("most hands won in a row, of the hands sat, across sessions")),
        "patterns": Figure(_("Patterns made"), _("wins and opening wins that showed the pattern, priced or not")),
    }
)
"""The figures of `Statistics`, by the name of its field or property."""


@dataclass(frozen=True, slots=True)
class BiggestWin:
    """A win and where it stands: the session and the entry's sequence."""

    points: int
    session_id: UUID
    seq: int


@dataclass(frozen=True, slots=True)
class PatternCount:
    """How often a pattern was made."""

    id: str
    zh: str
    en: str
    times: int


@dataclass(frozen=True, slots=True)
class Statistics:
    """A player's figures, as `FIGURES` defines them. Shares and averages are None where no hand was sat."""

    player: Person
    hands: int
    wins: int
    self_drawn: int
    gave: int
    longest_run: int
    points: int
    openings: int
    biggest_win: BiggestWin | None
    patterns: tuple[PatternCount, ...]

    @property
    def win_share(self) -> Fraction | None:
        """Wins ÷ hands sat."""
        return self._per_hand(self.wins)

    @property
    def self_drawn_share(self) -> Fraction | None:
        """Self-draws ÷ hands sat."""
        return self._per_hand(self.self_drawn)

    @property
    def gave_share(self) -> Fraction | None:
        """Deal-ins ÷ hands sat."""
        return self._per_hand(self.gave)

    @property
    def average(self) -> Fraction | None:
        """Points ÷ hands sat."""
        return self._per_hand(self.points)

    def _per_hand(self, number: int) -> Fraction | None:
        return Fraction(number, self.hands) if self.hands else None


_HANDS = """
    SELECT ARRAY(SELECT w.id FROM unnest(seats) WITH ORDINALITY u(sat, at) JOIN who w USING (sat) ORDER BY at), letters
    FROM stretches ORDER BY place, seating
"""
_PEOPLE = """
    , won AS (
        SELECT w.id, o.session_id, o.seq, o.place, o.times, win->>'size' AS size, (win->>'points')::bigint AS points,
            win->'patterns' AS patterns
        FROM outcomes o CROSS JOIN LATERAL jsonb_path_query(o.outcome, '$.wins[*]') win
        JOIN who w ON w.sat = o.seats[(win->>'seat')::int + 1]
    ), biggest AS (
        SELECT DISTINCT ON (id) id, points, session_id, seq FROM won
        WHERE size <> 'opening' ORDER BY id, points DESC, place, seq
    ), openings AS (
        SELECT id, sum(times)::bigint AS times FROM won WHERE size = 'opening' GROUP BY id
    ), shown AS (
        SELECT won.id, pattern, sum(won.times) AS times
        FROM won, jsonb_array_elements_text(won.patterns) pattern GROUP BY won.id, pattern
    ), patterns AS (
        SELECT id, jsonb_object_agg(pattern, times) AS patterns FROM shown GROUP BY id
    ), sums AS (
        SELECT id, sum(points)::bigint AS points FROM moved GROUP BY id
    )
    SELECT p.id, p.name, p.is_house, coalesce(sums.points, 0), coalesce(openings.times, 0),
        biggest.points, biggest.session_id, biggest.seq, coalesce(patterns.patterns, '{}')
    FROM clubs_player p
    LEFT JOIN sums USING (id) LEFT JOIN openings USING (id) LEFT JOIN biggest USING (id) LEFT JOIN patterns USING (id)
    WHERE p.club_id = %(club)s AND NOT p.is_house AND (%(player)s::uuid IS NULL OR p.id = %(player)s)
        AND (p.id = ANY(%(sat)s::uuid[]) OR sums.points IS NOT NULL)
"""


def session_statistics(*, actor: Actor, session_id: UUID) -> tuple[Statistics, ...]:
    """Figures of everybody who sat in a session. Raises: as `access_session`."""
    return _statistics(session_scope(actor, session_id))


def club_statistics(*, actor: Actor, club_id: UUID, days: Days = ALWAYS) -> tuple[Statistics, ...]:
    """Figures of everybody who sat in the sessions a club opened in these days; who sat most, first.

    Raises: as `access_club`.
    """
    return _statistics(club_scope(actor, club_id, days))


def player_statistics(*, actor: Actor, club_id: UUID, player_id: UUID, days: Days = ALWAYS) -> Statistics:
    """One player's figures; those of the player he counts for, if he is a guest with an alias.

    Raises: as `access_club`; Http404: the club has no such player.
    """
    scope = club_scope(actor, club_id, days)
    found = scope.ask(
        """
        SELECT p.id, p.name, p.is_house FROM who JOIN clubs_player p ON p.club_id = %(club)s AND p.id = who.id
        WHERE who.sat = %(player)s AND NOT p.is_house
        """,
        player=player_id,
    )
    if not found:
        raise Http404
    person = Person(*found[0])
    told = _statistics(replace(scope, player_id=person.id))
    return told[0] if told else Statistics(person, 0, 0, 0, 0, 0, 0, 0, None, ())


def _statistics(scope: Scope) -> tuple[Statistics, ...]:
    hands = hands_of((players, letters) for players, letters in scope.ask(_HANDS))
    told = []
    for *person, points, openings, most, session_id, seq, patterns in scope.ask(_PEOPLE, sat=list(hands)):
        sat = hands.get(person[0], "")
        told.append(
            Statistics(
                player=Person(*person),
                hands=len(sat),
                wins=count(sat, WON),
                self_drawn=count(sat, DREW),
                gave=count(sat, GAVE),
                longest_run=longest_run(sat),
                points=points,
                openings=openings,
                biggest_win=None if most is None else BiggestWin(most, session_id, seq),
                patterns=_patterns(patterns),
            )
        )
    return tuple(sorted(told, key=lambda one: (-one.hands, one.player.name, one.player.id)))


def _patterns(times: Mapping[str, int]) -> tuple[PatternCount, ...]:
    ordered = sorted(times.items(), key=lambda item: (-item[1], item[0]))
    return tuple(PatternCount(name, *text("patterns", name), count) for name, count in ordered)

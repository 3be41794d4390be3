"""How people play: figures per player, each with the formula that says what it counts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import Any, NamedTuple
from uuid import UUID

from django.http import Http404
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from mahjong_site.clubs.access import Actor
from mahjong_site.clubs.selectors import ALWAYS, Days
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


# A hand has several records at times, and a player is in it once.
_STATISTICS = """
    , asked AS (
        SELECT w.sat, w.id, dense_rank() OVER (ORDER BY w.id)::int AS number
        FROM who w WHERE %(player)s::uuid IS NULL OR w.id = %(player)s
    ), sat AS (
        SELECT w.number, live.place, live.hand_no,
            bool_or(u.seat - 1 = ANY(live.winners)) IS TRUE AS won,
            bool_or(u.seat - 1 = ANY(live.winners) AND live.giver IS NULL) IS TRUE AS self_drawn,
            bool_or(u.seat - 1 = live.giver) IS TRUE AS gave
        FROM live, unnest(live.seats) WITH ORDINALITY AS u(sat, seat) JOIN asked w USING (sat)
        WHERE live.played GROUP BY w.number, live.place, live.hand_no
    ), runs AS (
        SELECT number, won, self_drawn, gave,
            count(*) FILTER (WHERE NOT won) OVER (PARTITION BY number ORDER BY place, hand_no) AS run
        FROM sat
    ), run_sums AS (
        SELECT number, count(*) AS hands, count(*) FILTER (WHERE won) AS wins,
            count(*) FILTER (WHERE self_drawn) AS self_drawn, count(*) FILTER (WHERE gave) AS gave
        FROM runs GROUP BY number, run
    ), figures AS (
        SELECT number, sum(hands)::bigint AS hands, sum(wins)::bigint AS wins, sum(self_drawn)::bigint AS self_drawn,
            sum(gave)::bigint AS gave, max(wins) AS longest_run
        FROM run_sums GROUP BY number
    ), moved AS (
        SELECT w.id, sum(l.points)::bigint AS points
        FROM scope JOIN ledger_leg l ON l.club_id = %(club)s AND l.session_id = scope.id
        JOIN asked w ON w.sat = l.player_id GROUP BY w.id
    )
    SELECT p.id, p.name, p.is_house, coalesce(f.hands, 0), coalesce(f.wins, 0), coalesce(f.self_drawn, 0),
        coalesce(f.gave, 0), coalesce(f.longest_run, 0), coalesce(moved.points, 0)
    FROM (SELECT DISTINCT a.id, figures.* FROM figures JOIN asked a USING (number)) f FULL JOIN moved USING (id)
    JOIN clubs_player p ON p.club_id = %(club)s AND p.id = coalesce(f.id, moved.id)
    WHERE NOT p.is_house
    ORDER BY coalesce(f.hands, 0) DESC, p.name, p.id
"""
_WINS = """
    , asked AS (
        SELECT sat, id FROM who WHERE %(player)s::uuid IS NULL OR id = %(player)s
    ), won AS (
        SELECT w.id, live.session_id, live.seq, live.place, win->>'size' AS size, (win->>'points')::bigint AS points,
            win->'patterns' AS patterns
        FROM live CROSS JOIN LATERAL jsonb_array_elements(live.wins) win
        JOIN asked w ON w.sat = live.seats[(win->>'seat')::int + 1]
    ), biggest AS (
        SELECT DISTINCT ON (id) id, points, session_id, seq FROM won
        WHERE size <> 'opening' ORDER BY id, points DESC, place, seq
    ), openings AS (
        SELECT id, count(*) AS times FROM won WHERE size = 'opening' GROUP BY id
    ), shown AS (
        SELECT won.id, pattern, count(*) AS times
        FROM won, jsonb_array_elements_text(won.patterns) pattern GROUP BY won.id, pattern
    )
    SELECT shown.id, jsonb_object_agg(pattern, shown.times), coalesce(max(openings.times), 0),
        (SELECT b.points FROM biggest b WHERE b.id = shown.id),
        (SELECT b.session_id FROM biggest b WHERE b.id = shown.id),
        (SELECT b.seq FROM biggest b WHERE b.id = shown.id)
    FROM shown LEFT JOIN openings USING (id) GROUP BY shown.id
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
    return next(iter(_statistics(scope, person.id)), Statistics(person, 0, 0, 0, 0, 0, 0, 0, None, ()))


def _statistics(scope: Scope, player_id: UUID | None = None) -> tuple[Statistics, ...]:
    rows = scope.ask(_STATISTICS, player=player_id)
    wins = {row[0]: row[1:] for row in scope.ask(_WINS, player=player_id)}
    told = []
    for row in rows:
        patterns, openings, *biggest = wins.get(row[0], ({}, 0, None))
        values: list[Any] = [
            Person(*row[:3]),
            *row[3:],
            openings,
            BiggestWin(*biggest) if biggest[0] is not None else None,
            _patterns(patterns),
        ]
        told.append(Statistics(*values))
    return tuple(told)


def _patterns(times: Mapping[str, int]) -> tuple[PatternCount, ...]:
    ordered = sorted(times.items(), key=lambda item: (-item[1], item[0]))
    return tuple(PatternCount(name, *text("patterns", name), count) for name, count in ordered)

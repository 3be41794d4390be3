"""Club totals and the leaderboard."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from uuid import UUID

from mahjong_site.clubs.access import Actor
from mahjong_site.clubs.selectors import ALWAYS, Days
from mahjong_site.ledger.selectors.scope import Person, club_scope
from mahjong_site.ledger.selectors.totals import CENT


@dataclass(frozen=True, slots=True)
class Standing:
    """A player's place: totals over the board's sessions. ``money``: points × value + side cash, exact, by currency."""

    rank: int | None
    player: Person
    points: int
    money: Mapping[str, Decimal]
    sessions: int
    hands: int


@dataclass(frozen=True, slots=True)
class Board:
    """A club's totals over some days: how many sessions and hands, and who stands where (the house last, unranked)."""

    days: Days
    currency: str | None
    sessions: int
    hands: int
    standings: tuple[Standing, ...]


_BOARD = f"""
    , money AS (
        SELECT moved.id, scope.currency, sum(moved.points) AS points,
            sum(moved.points * scope.point_value + moved.cash * {CENT}) AS amount
        FROM moved JOIN scope ON scope.id = moved.session_id GROUP BY moved.id, scope.currency
    ), sums AS (
        SELECT id, sum(points)::bigint AS points, sum(amount) AS amount,
            jsonb_object_agg(currency, amount::text) AS money
        FROM money GROUP BY id
    ), ranked AS (
        SELECT p.id, p.name, p.is_house, coalesce(sums.points, 0) AS points, coalesce(sums.money, '{{}}') AS money,
            coalesce(sat.sessions, 0) AS sessions, coalesce(sat.hands, 0) AS hands,
            CASE WHEN %(currency)s::text IS NULL THEN sums.points ELSE sums.amount END AS worth
        FROM sums FULL JOIN sat USING (id)
        JOIN clubs_player p ON p.club_id = %(club)s AND p.id = coalesce(sums.id, sat.id)
    )
    SELECT (SELECT count(*) FROM scope), (SELECT coalesce(sum(tables.hands), 0)::bigint FROM tables),
        CASE WHEN NOT is_house THEN rank() OVER (PARTITION BY is_house ORDER BY coalesce(worth, 0) DESC) END,
        ranked.id, name, is_house, points, money, sessions, ranked.hands
    FROM (VALUES (1)) one LEFT JOIN ranked ON true
    ORDER BY is_house, coalesce(worth, 0) DESC, name, id
"""  # noqa: S608 - a number of ours


def leaderboard(*, actor: Actor, club_id: UUID, days: Days = ALWAYS, currency: str | None = None) -> Board:
    """The standings over the sessions a club opened in these days: a day, a month, a season.

    With a ``currency`` over its sessions only, ranked by money; without over all sessions, ranked by points.

    Raises:
        Http404, PermissionDenied: as `access_club`.
    """
    rows = club_scope(actor, club_id, days, currency).ask(_BOARD)
    standings = tuple(
        Standing(
            rank, Person(*person), points, {unit: Decimal(amount) for unit, amount in money.items()}, sessions, hands
        )
        for _, _, rank, *person, points, money, sessions, hands in rows
        if person[0] is not None
    )
    return Board(days, currency, rows[0][0], rows[0][1], standings)

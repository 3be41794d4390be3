"""Head to head: who has taken how much from whom."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID

from mahjong_site.clubs.access import Actor
from mahjong_site.clubs.selectors import ALWAYS, Days
from mahjong_site.ledger.selectors.scope import Person, Scope, club_scope, session_scope


@dataclass(frozen=True, slots=True)
class HeadToHead:
    """``taken[winner, payer]``: points the one took from the other, by every transfer between the two.

    A player's net over all others, the house included, is his total in points. Side cash has no payer and is left out.
    """

    players: tuple[Person, ...]
    taken: Mapping[tuple[UUID, UUID], int]

    def net(self, one: UUID, other: UUID) -> int:
        """What ``one`` has won from ``other``, less what he has lost to him."""
        return self.taken.get((one, other), 0) - self.taken.get((other, one), 0)


_MATRIX = """
    , paid AS (
        SELECT seats[(flow->>0)::int + 1] AS payer, seats[(flow->>1)::int + 1] AS payee,
            sum((flow->>2)::bigint * times) AS points
        FROM outcomes, jsonb_path_query(outcome, '$.flows[*]') flow
        GROUP BY 1, 2
    ), house AS (
        SELECT id FROM clubs_player WHERE club_id = %(club)s AND is_house
    ), pairs AS (
        SELECT coalesce(payee.id, house.id) AS payee, coalesce(payer.id, house.id) AS payer,
            sum(paid.points)::bigint AS points
        FROM house, paid
        LEFT JOIN who payer ON payer.sat = paid.payer
        LEFT JOIN who payee ON payee.sat = paid.payee
        GROUP BY 1, 2
    )
    SELECT a.id, a.name, a.is_house, b.id, b.name, b.is_house, pairs.points
    FROM pairs
    JOIN clubs_player a ON a.club_id = %(club)s AND a.id = pairs.payee
    JOIN clubs_player b ON b.club_id = %(club)s AND b.id = pairs.payer
"""


def session_head_to_head(*, actor: Actor, session_id: UUID) -> HeadToHead:
    """The matrix of one session. Raises: as `access_session`."""
    return _head_to_head(session_scope(actor, session_id))


def club_head_to_head(*, actor: Actor, club_id: UUID, days: Days = ALWAYS) -> HeadToHead:
    """The matrix of the sessions a club opened in these days. Raises: as `access_club`."""
    return _head_to_head(club_scope(actor, club_id, days))


def _head_to_head(scope: Scope) -> HeadToHead:
    rows = scope.ask(_MATRIX)
    people = {Person(*row[:3]) for row in rows} | {Person(*row[3:6]) for row in rows}
    players = sorted(people, key=lambda person: (person.is_house, person.name, person.id))
    return HeadToHead(tuple(players), {(row[0], row[3]): row[6] for row in rows})

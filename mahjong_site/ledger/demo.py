"""A club to look around in: what ``demo.toml`` tells, posted through the services like anything else."""

from __future__ import annotations

import itertools
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from decimal import Decimal
from pathlib import Path
from types import MappingProxyType
from typing import Any
from zoneinfo import ZoneInfo

from django.db import transaction
from django.utils import timezone

from mahjong_site.clubs.access import Actor
from mahjong_site.clubs.models import Club
from mahjong_site.clubs.services.clubs import create_club
from mahjong_site.clubs.services.players import add_player
from mahjong_site.clubs.services.seasons import save_season
from mahjong_site.ledger import services
from mahjong_site.ledger.models import Session
from mahjong_site.ledger.settle_up import settle_up

STORY = Path(__file__).with_name("demo.toml")
SEASON = timedelta(days=90)


@dataclass
class Evening:
    """A session while its steps are played."""

    actor: Actor
    session: Session
    keys: Any = field(default_factory=lambda: map("demo-{}".format, itertools.count(1)))
    last: int = 0

    def ask(self, service: Callable[..., services.Result], **asked: Any) -> None:
        """Calls a posting service, which has to post."""
        answer = service(
            actor=self.actor,
            session_id=self.session.id,
            client_key=next(self.keys),
            expected_seq=self.session.seq,
            **asked,
        )
        if not isinstance(answer, services.Posted):
            raise TypeError(f"the demo posts to its own sessions only: {answer}")
        self.session = answer.session
        self.last = answer.entry.seq

    def roll(self, dice: list[int], **_: Any) -> None:
        """The first dealer."""
        self.ask(services.roll_first_dealer, dice=dice)

    def post(self, record: dict[str, Any], same_hand: bool = False, choose: int | None = None) -> None:
        """A record."""
        self.ask(services.post_record, record=record, same_hand=same_hand, choose_next_dealer=choose)

    def correct(self, record: dict[str, Any], reason: str) -> None:
        """Another record in place of the last one."""
        self.ask(services.correct_entry, seq=self.last, record=record, reason=reason)

    def reverse(self, reason: str) -> None:
        """Takes the last one back."""
        self.ask(services.reverse_entry, seq=self.last, reason=reason)

    def penalty(self, told: dict[str, Any]) -> None:
        """A penalty."""
        self.ask(services.post_penalty, **told)

    def fee(self, points: int) -> None:
        """A table fee to the house."""
        self.ask(services.post_table_fee, points=points)

    def swap(self, seats: list[int]) -> None:
        """Two change places."""
        seat, other = seats
        self.session = services.swap_seats(actor=self.actor, session_id=self.session.id, seat=seat, other=other)

    def seat(self, players: list[str]) -> None:
        """Someone else sits in."""
        self.session = services.seat_players(actor=self.actor, session_id=self.session.id, players=players)


STEPS: Mapping[str, Callable[..., None]] = MappingProxyType(
    {
        step.__name__: step
        for step in (
            Evening.roll,
            Evening.post,
            Evening.correct,
            Evening.reverse,
            Evening.penalty,
            Evening.fee,
            Evening.swap,
            Evening.seat,
        )
    }
)


def make_demo(*, user_id: int) -> Club:
    """The demo club, the account its owner; all of it or nothing.

    Raises: as `create_club`.
    """
    story = tomllib.loads(STORY.read_text("utf-8"))
    with transaction.atomic():
        club = create_club(user_id=user_id, name=story["club"])
        actor = Actor(user_id)
        for name in story["players"]:
            add_player(actor=actor, club_id=club.id, name=name)
        today = timezone.now().astimezone(ZoneInfo(club.time_zone)).date()
        save_season(actor=actor, club_id=club.id, name=story["season"], first_day=today, last_day=today + SEASON)
        for told in story["session"]:
            play(actor, club, told)
    return club


def play(actor: Actor, club: Club, told: Mapping[str, Any]) -> Session:
    """One session of the story."""
    session = services.open_session(
        actor=actor,
        club_id=club.id,
        terms=services.Terms(
            name=told["name"],
            rules=told["rules"],
            players=told["players"],
            point_value=Decimal(told["point_value"]),
            first_dealer=told.get("first_dealer"),
        ),
    )
    evening = Evening(actor, session)
    for step in told["steps"]:
        (name, what), *more = step.items()
        STEPS[name](evening, what, **dict(more))
    if told["closed"]:
        services.close_session(actor=actor, session_id=session.id)
    if told.get("settle_up"):
        settle_up(actor=actor, session_ids=[session.id])
    return evening.session

"""Bodies and parameters of the endpoints that keep a ledger. What is read is the selectors' own dataclasses."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from fractions import Fraction
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, PlainSerializer, WithJsonSchema

from mahjong_site.api.shapes import Day, Whole
from mahjong_site.clubs.access import Action, Grant
from mahjong_site.clubs.models import Club, Role
from mahjong_site.ledger.access import everybody_enters
from mahjong_site.ledger.models import Entry, Session
from mahjong_site.ledger.selectors import HeadToHead, HistoryEntry, Person, SessionRow, Statistics, Total
from mahjong_site.ledger.selectors.statistics import BiggestWin, PatternCount
from mahjong_site.ledger.settle_up import Balance, Covered, Plan
from scoring.fields import RulesSpec
from scoring.record import Model

Text = Annotated[str, Field(max_length=400, pattern=r"^[^\x00]*$")]
Name = Annotated[str, Field(min_length=1, max_length=40, pattern=r"^[^\x00]*$")]
SeatNo = Annotated[int, Field(strict=True, ge=0, le=3)]
Seq = Annotated[int, Field(strict=True, ge=0, le=2_000_000_000)]
Die = Annotated[int, Field(strict=True, ge=1, le=6)]
RoleName = Literal["viewer", "player", "scorer", "owner"]
_POINT_VALUE = r"^[0-9]{1,7}(\.[0-9]{1,4})?$"


def _plain_number(value: Any) -> Any:
    """Digits as the contract writes them, and nothing else that Python would take for a number."""
    if isinstance(value, str) and not re.fullmatch(_POINT_VALUE, value, re.ASCII):
        raise ValueError("a number is written as digits, with at most four decimals")
    return value


PointValue = Annotated[
    Decimal,
    BeforeValidator(_plain_number),
    Field(gt=0, le=1_000_000, decimal_places=4, allow_inf_nan=False),
    PlainSerializer(lambda value: f"{value.normalize():f}", return_type=str),
    WithJsonSchema({"type": "string", "pattern": _POINT_VALUE, "examples": ["0.5"]}),
]
PlayerRef = Annotated[
    UUID | Name,
    Field(union_mode="left_to_right", description="A player of the club by id, or by name: added if there is none."),
]
Facts = Annotated[
    dict[str, Any],
    WithJsonSchema(
        {
            "type": "object",
            "description": "A hand record as `POST score` takes it; `rules` and `dealer` are the session's and may be "
            "left out.",
            "properties": {"kind": {"type": "string", "enum": ["win", "opening", "exhausted", "penalty"]}},
            "required": ["kind"],
        }
    ),
]
Rules = Annotated[dict[str, Any] | str, WithJsonSchema(RulesSpec.__metadata__[-1].json_schema)]


# --- In --------------------------------------------------------------------------------------------------------------


class ClubIn(Model):
    """A club to be made or changed."""

    name: Name
    time_zone: Text = "Asia/Shanghai"


class MemberIn(Model):
    """An account and its role."""

    username: Text
    role: RoleName


class PlayerIn(Model):
    """A player's name."""

    name: Name


class GuestIn(Model):
    """The guest that a player turned out to have been."""

    guest_id: UUID


class LinkIn(Model):
    """A join link: its role, how what is posted through it is signed, for one session or the club, for how long."""

    role: RoleName
    name: Name
    session_id: UUID | None = None
    days: Annotated[int, Field(strict=True, ge=1, le=365)] | None = 7


class JoinIn(Model):
    """The token of a join link: the last part of its address."""

    token: Annotated[str, Field(min_length=1, max_length=200, pattern=r"^[A-Za-z0-9_-]+$")]


class SeasonIn(Model):
    """A named range of days, both included."""

    name: Name
    first_day: Day
    last_day: Day


class HouseRulesIn(Model):
    """Rules to be kept under a name."""

    name: Name
    rules: Rules


class SessionIn(Model):
    """A session to be opened. `first_dealer` null: to be rolled or chosen."""

    name: Name
    rules: Rules
    players: Annotated[list[PlayerRef], Field(min_length=4, max_length=4)]
    point_value: PointValue = Decimal(1)
    currency: Annotated[str, Field(pattern=r"^[A-Z]{3}$")] = "CNY"
    entry_mode: Literal["scorer", "everybody"] = "scorer"
    first_dealer: SeatNo | None = None
    creator_seat: SeatNo = 0


class TableIn(SessionIn):
    """A guest table to be opened: players by name."""

    players: Annotated[list[Name], Field(min_length=4, max_length=4)]  # type: ignore[assignment]
    time_zone: Text = "Asia/Shanghai"


class ModeIn(Model):
    """Who enters: the scorers, or every player."""

    entry_mode: Literal["scorer", "everybody"]


class SeatsIn(Model):
    """Who sits on seats 0–3 from the next entry on."""

    players: Annotated[list[PlayerRef], Field(min_length=4, max_length=4)]


class SwapIn(Model):
    """Two seats whose players change places."""

    seat: SeatNo
    other: SeatNo


class EntryIn(Model):
    """A record to be posted. `expected_seq`: the session's `seq` as the poster knows it."""

    record: Facts
    expected_seq: Seq
    same_hand: Annotated[bool, Field(strict=True)] = False
    choose_next_dealer: SeatNo | None = None


class PreviewIn(Model):
    """A record to be settled without posting."""

    record: Facts


class FeeIn(Model):
    """A table fee: each of the four pays so many points to the house."""

    points: Annotated[int, Field(strict=True, ge=1, le=1_000_000)]
    expected_seq: Seq


class DealerIn(Model):
    """The dealer of the hand to be played: `seat` chosen, or `dice` thrown at the table, or neither: thrown here."""

    expected_seq: Seq
    seat: SeatNo | None = None
    dice: Annotated[list[Die], Field(min_length=2, max_length=2)] | None = None


class ReverseIn(Model):
    """Why an entry is taken back."""

    reason: Annotated[str, Field(min_length=1, max_length=200, pattern=r"^[^\x00]*$")]
    expected_seq: Seq


class CorrectIn(ReverseIn):
    """The right record in place of another."""

    record: Facts
    choose_next_dealer: SeatNo | None = None


class SettleIn(Model):
    """The sessions to be settled up together."""

    session_ids: Annotated[list[UUID], Field(min_length=1, max_length=200)]


class PaidIn(Model):
    """How much of a transfer is paid by now, in hundredths; null: all of it."""

    paid: Annotated[int, Field(strict=True, ge=0, le=9_000_000_000_000_000_000)] | None = None


class Query(BaseModel):
    """Query parameters: no others are taken."""

    model_config = ConfigDict(extra="forbid")


class PageIn(Query):
    """A page of a list; `cursor` is the `next` of the page before."""

    cursor: Annotated[str, Field(max_length=80, pattern=r"^[A-Za-z0-9_.:+-]*$")] = ""
    limit: Annotated[Whole, Field(ge=1, le=200)] = 50


class SessionsIn(PageIn):
    """Which sessions."""

    status: Literal["open", "closed"] | None = None


class PeriodIn(Query):
    """Which days: from `first` to `last`, both included, in the club's time zone; or those of a season."""

    first: Day | None = None
    last: Day | None = None
    season: UUID | None = None


class BoardIn(PeriodIn):
    """With a currency the board ranks by money, over that currency's sessions."""

    currency: Annotated[str, Field(pattern=r"^[A-Z]{3}$")] | None = None


class ExportIn(Query):
    """csv and xlsx for people, json to be imported again; `table` for csv."""

    format: Literal["csv", "xlsx", "json"] = "json"
    table: Literal["totals", "hands", "legs"] = "hands"


class ClubExportIn(PeriodIn):
    """Which sessions, in which form."""

    format: Literal["csv", "xlsx"] = "xlsx"
    table: Literal["totals", "hands", "legs"] = "hands"


# --- Out -------------------------------------------------------------------------------------------------------------

Who = Person


class ClubOut(Model):
    """A club, and what the asker is in it. `hidden`: a guest table."""

    id: UUID
    name: str
    time_zone: str
    hidden: bool
    created_at: datetime
    role: Role

    @classmethod
    def of(cls, club: Club, role: str) -> ClubOut:
        """The club as someone of that role sees it."""
        return cls(
            id=club.id,
            name=club.name,
            time_zone=club.time_zone,
            hidden=club.hidden,
            created_at=club.created_at,
            role=Role(role),
        )


class MemberOut(Model):
    """A member."""

    id: UUID
    role: Role
    joined_at: datetime


class PlayerOut(Model):
    """A player."""

    id: UUID
    name: str


class LinkOut(Model):
    """A link; `token` is shown this once."""

    id: UUID
    role: Role
    name: str
    session_id: UUID | None
    expires_at: datetime | None
    token: str


class JoinOut(Model):
    """What a link gives: `Authorization: Link <token>` acts in this role, in this session or in the whole club."""

    token: str
    role: Role
    club_id: UUID
    session_id: UUID | None
    expires_at: datetime | None
    member: bool


class SessionOut(Model):
    """A session: what is frozen, where it stands, and what the asker may do. `seq` is the last entry's sequence."""

    id: UUID
    club_id: UUID
    name: str
    rules: dict[str, Any]
    point_value: PointValue
    currency: str
    entry_mode: str
    status: str
    created_at: datetime
    closed_at: datetime | None
    creator_id: UUID
    seq: int
    hand_no: int
    dealer: int | None
    streak: int
    players: list[Who]
    role: Role
    may: list[str]

    @classmethod
    def of(cls, session: Session, grant: Grant, totals: Sequence[Total]) -> SessionOut:
        """The session as the holder of a grant sees it."""
        seated = sorted((total for total in totals if total.seat is not None), key=lambda total: total.seat or 0)
        everybody = everybody_enters(session)
        return cls(
            id=session.id,
            club_id=session.club_id,
            name=session.name,
            rules=session.rules,
            point_value=session.point_value,
            currency=session.currency,
            entry_mode=session.entry_mode,
            status=session.status,
            created_at=session.created_at,
            closed_at=session.closed_at,
            creator_id=session.creator_id,
            seq=session.seq,
            hand_no=session.hand_no,
            dealer=session.dealer,
            streak=session.streak,
            players=[total.player for total in seated],
            role=Role(grant.role),
            may=[action.name.lower() for action in Action if grant.may(action, everybody_enters=everybody)],
        )


class TableOut(Model):
    """A guest table, and its owner's token: `Authorization: Link <token>`. It is shown this once."""

    session: SessionOut
    token: str


class EntryOut(Model):
    """An entry as it was posted; nothing of it ever changes. `seats`: the players of its hand."""

    id: UUID
    seq: int
    kind: str
    hand_no: int
    dealer: int
    streak: int
    seats: list[UUID]
    record: dict[str, Any] | None
    settlement: dict[str, Any] | None
    choice: dict[str, Any] | None
    engine: str
    reason: str
    author: str
    posted_at: datetime
    reverses_id: UUID | None
    corrects_id: UUID | None
    hash: str

    @classmethod
    def of(cls, entry: Entry, rules: Mapping[str, Any]) -> EntryOut:
        """The entry; ``rules`` are the session's."""
        settled = entry.settlement is not None
        return cls(
            id=entry.id,
            seq=entry.seq,
            kind=entry.kind,
            hand_no=entry.hand_no,
            dealer=entry.dealer,
            streak=entry.streak,
            seats=list(entry.seats),
            record={**entry.record, "rules": rules} if settled and entry.record else entry.record,
            settlement={**entry.settlement, "rules": rules} if entry.settlement else None,
            choice=entry.choice,
            engine=entry.engine,
            reason=entry.reason,
            author=entry.author_name,
            posted_at=entry.posted_at,
            reverses_id=entry.reverses_id,
            corrects_id=entry.corrects_id,
            hash=bytes(entry.hash).hex(),
        )


class EntryPage(Model):
    """Entries, latest first; `next` is the cursor of the page after, null at the end."""

    entries: tuple[HistoryEntry, ...]
    next: str | None


class SessionPage(Model):
    """Sessions, latest first; `next` is the cursor of the page after, null at the end."""

    sessions: tuple[SessionRow, ...]
    next: str | None


class Taken(Model):
    """Points that one player took from another."""

    winner: UUID
    payer: UUID
    points: int


class HeadToHeadOut(Model):
    """Who has taken how much from whom."""

    players: tuple[Who, ...]
    taken: list[Taken]

    @classmethod
    def of(cls, found: HeadToHead) -> HeadToHeadOut:
        """The matrix as a list."""
        taken = [Taken(winner=one, payer=other, points=points) for (one, other), points in found.taken.items()]
        return cls(players=found.players, taken=taken)


class StatisticsOut(Model):
    """A player's figures; shares and averages rounded to four decimals, null where no hand was sat."""

    player: Who
    hands: int
    wins: int
    win_share: float | None
    self_drawn: int
    self_drawn_share: float | None
    gave: int
    gave_share: float | None
    openings: int
    points: int
    average: float | None
    longest_run: int
    biggest_win: BiggestWin | None
    patterns: tuple[PatternCount, ...]

    @classmethod
    def of(cls, found: Statistics) -> StatisticsOut:
        """The figures as plain numbers."""
        told = {name: getattr(found, name) for name in cls.model_fields}
        return cls(**{name: _rounded(value) for name, value in told.items()})


def _rounded(value: Any) -> Any:
    return round(float(value), 4) if isinstance(value, Fraction) else value


class PaymentOut(Model):
    """Who would pay whom how much, in hundredths of the currency."""

    payer: Who
    payee: Who
    amount: int


class PlanOut(Model):
    """What a settle-up would say; nothing is written."""

    club_id: UUID
    currency: str
    sessions: tuple[Covered, ...]
    balances: tuple[Balance, ...]
    payments: list[PaymentOut]

    @classmethod
    def of(cls, plan: Plan) -> PlanOut:
        """The plan."""
        return cls(
            club_id=plan.club_id,
            currency=plan.currency,
            sessions=plan.sessions,
            balances=plan.balances,
            payments=[PaymentOut(payer=one.payer, payee=one.payee, amount=one.amount) for one in plan.payments],
        )

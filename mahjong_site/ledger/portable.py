"""A whole session as one JSON file, and back: the same ids, times, totals and chain.

A file is not trusted. Its shape, names and numbers are checked, its chain is worked out anew, every record is settled
again, and PostgreSQL holds it to the same rules as a posting. What is here already is refused, never changed.
"""

from __future__ import annotations

import zoneinfo
from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Annotated, Literal
from uuid import UUID

from django.db import DataError, IntegrityError, connection, transaction
from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, JsonValue, ValidationError

from mahjong_site.clubs.access import Action, Actor, access_club
from mahjong_site.clubs.models import NAME_LENGTH, Alias, Club, Membership, Player, Role
from mahjong_site.clubs.names import clean_name
from mahjong_site.clubs.refusals import Refusal, Refused
from mahjong_site.clubs.services.players import join_guest
from mahjong_site.ledger.access import access_session
from mahjong_site.ledger.chain import entry_hash, genesis
from mahjong_site.ledger.hands import record_of
from mahjong_site.ledger.models import HOUSE_SEAT, Entry, Leg, Occupancy, Session
from mahjong_site.ledger.replay import Replay
from mahjong_site.ledger.rows import refused_by
from mahjong_site.ledger.services.corrections import LONGEST_REASON
from mahjong_site.ledger.verify import same_settlement, settled_anew
from scoring import ENGINE_VERSION, RecordError, Settlement, resolve_rules

LARGEST_FILE = 64 * 2**20
MOST_FAULTS = 20

Number = Annotated[int, Field(strict=True, ge=0, le=1_000_000)]
Seq = Annotated[int, Field(strict=True, ge=1, le=1_000_000)]
Seat = Annotated[int, Field(strict=True, ge=0, le=3)]
Amount = Annotated[int, Field(strict=True, ge=-(2**62), le=2**62)]
Hash = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
Text = Annotated[str, Field(max_length=LONGEST_REASON)]
Json = dict[str, JsonValue]


class Part(BaseModel):
    """Nothing that is not named."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class ClubPart(Part):
    """The club the session is of."""

    id: UUID
    name: Text
    time_zone: Text
    hidden: bool


class PlayerPart(Part):
    """Everybody who sat, whom they count for, and the house."""

    id: UUID
    name: Text
    house: bool
    counts_for: UUID | None


class SessionPart(Part):
    """What was frozen at the start, and the state at the end."""

    id: UUID
    name: Text
    rules: Json
    point_value: Annotated[Decimal, Field(gt=0, le=1_000_000, decimal_places=4)]
    currency: Annotated[str, Field(pattern=r"^[A-Z]{3}$")]
    creator: UUID
    created_at: AwareDatetime
    genesis: Hash
    status: Session.Status
    closed_at: AwareDatetime | None
    entry_mode: Session.EntryMode
    hand_no: Seq
    dealer: Seat | None
    streak: Number


class OccupancyPart(Part):
    """Who sits on a seat from an entry on."""

    seat: Seat
    from_seq: Seq
    player: UUID


class ChoicePart(Part):
    """As `mahjong_site.ledger.hands.Choice`."""

    seat: Seat
    of: Annotated[list[Seat], Field(min_length=2, max_length=4)]
    how: Literal["taken", "drawn", "kept"]


class DealerPart(Part):
    """What the record of a *dealer* entry says."""

    dealer: Seat
    how: Literal["taken", "drawn"]
    dice: Annotated[list[Annotated[int, Field(strict=True, ge=1, le=6)]], Field(min_length=2, max_length=2)] | None = (
        None
    )


class LegPart(Part):
    """A share; seat 4 is the house."""

    seat: Annotated[int, Field(strict=True, ge=0, le=HOUSE_SEAT)]
    points: Amount
    cash: Amount


class AuthorPart(Part):
    """Who posted it."""

    id: UUID
    name: Text


class EntryPart(Part):
    """An entry with its legs."""

    id: UUID
    seq: Seq
    kind: Entry.Kind
    hand_no: Seq
    dealer: Seat
    streak: Number
    seated_at: Seq
    seats: Annotated[list[UUID], Field(min_length=4, max_length=4)]
    record: Json | None
    settlement: Json | None
    engine: Annotated[str, Field(pattern=r"^[0-9A-Za-z.+-]{1,20}$")]
    choice: ChoicePart | None
    reverses: UUID | None
    corrects: UUID | None
    reason: Text
    author: AuthorPart
    time: AwareDatetime
    client_key: Annotated[str, Field(pattern=r"^[!-~]{1,64}$")] | None
    request: Hash | None
    hash: Hash
    legs: Annotated[list[LegPart], Field(max_length=5)]


class File(Part):
    """The whole file."""

    format: Literal["paizhang-session"]
    version: Literal[1]
    club: ClubPart
    players: Annotated[list[PlayerPart], Field(max_length=2000)]
    session: SessionPart
    occupancies: Annotated[list[OccupancyPart], Field(max_length=20_000)]
    entries: Annotated[list[EntryPart], Field(max_length=100_000)]


# --- out -------------------------------------------------------------------------------------------------------------


def export_session(*, actor: Actor, session_id: UUID) -> bytes:
    """The file of a session, JSON in UTF-8; who may see a session may export it.

    Raises:
        Http404, PermissionDenied: as `access_session`.
    """
    session, _ = access_session(actor, session_id, Action.VIEW)
    here = {"club_id": session.club_id, "session_id": session.id}
    seated = list(Occupancy.objects.filter(**here).order_by("from_seq", "seat"))
    legs: dict[UUID, list[LegPart]] = {}
    for leg in Leg.objects.filter(**here).order_by("seat"):
        legs.setdefault(leg.entry_id, []).append(LegPart(seat=leg.seat, points=leg.points, cash=leg.cash))
    file = File(
        format="paizhang-session",
        version=1,
        club=_club_part(Club.objects.get(id=session.club_id)),
        players=_player_parts(session.club_id, {row.player_id for row in seated} | {session.creator_id}),
        session=SessionPart(
            id=session.id,
            name=session.name,
            rules=session.rules,
            point_value=session.point_value,
            currency=session.currency,
            creator=session.creator_id,
            created_at=session.created_at,
            genesis=bytes(session.genesis).hex(),
            status=Session.Status(session.status),
            closed_at=session.closed_at,
            entry_mode=Session.EntryMode(session.entry_mode),
            hand_no=session.hand_no,
            dealer=session.dealer,
            streak=session.streak,
        ),
        occupancies=[OccupancyPart(seat=row.seat, from_seq=row.from_seq, player=row.player_id) for row in seated],
        entries=[
            _entry_part(entry, legs.get(entry.id, []))
            for entry in Entry.objects.filter(**here, seq__lte=session.seq).order_by("seq")
        ],
    )
    return file.model_dump_json().encode()


def _club_part(club: Club) -> ClubPart:
    return ClubPart(id=club.id, name=club.name, time_zone=club.time_zone, hidden=club.hidden)


def _player_parts(club_id: UUID, seated: set[UUID]) -> list[PlayerPart]:
    """Those who sat, those they count for, the house."""
    counts_for = dict(Alias.objects.filter(club_id=club_id, guest_id__in=seated).values_list("guest_id", "player_id"))
    wanted = seated | set(counts_for.values())
    players = Player.objects.filter(club_id=club_id).order_by("created_at", "id")
    return [
        PlayerPart(id=player.id, name=player.name, house=player.is_house, counts_for=counts_for.get(player.id))
        for player in players
        if player.is_house or player.id in wanted
    ]


def _entry_part(entry: Entry, legs: list[LegPart]) -> EntryPart:
    return EntryPart(
        id=entry.id,
        seq=entry.seq,
        kind=Entry.Kind(entry.kind),
        hand_no=entry.hand_no,
        dealer=entry.dealer,
        streak=entry.streak,
        seated_at=entry.seated_at,
        seats=entry.seats,
        record=entry.record,
        settlement=entry.settlement,
        engine=entry.engine,
        choice=entry.choice,
        reverses=entry.reverses_id,
        corrects=entry.corrects_id,
        reason=entry.reason,
        author=AuthorPart(id=entry.author_id, name=entry.author_name),
        time=entry.posted_at,
        client_key=entry.client_key,
        request=bytes(entry.request_sha256).hex() if entry.request_sha256 else None,
        hash=bytes(entry.hash).hex(),
        legs=legs,
    )


# --- in --------------------------------------------------------------------------------------------------------------


def import_session(
    *, data: bytes, actor: Actor | None, owner_id: int | None = None, other_engines: bool = False
) -> Session:
    """Writes the session of a file, with its own ids and times.

    ``actor``: an owner of the club it is of; None: the operator at the command line, for whom the club is made where
    there is none, with ``owner_id`` as its owner. ``other_engines``: takes entries that another version of the engine
    settled and this one would settle otherwise.

    Raises:
        Http404, PermissionDenied: as `access_club`.
        Refused: ``bad_file``, ``session_exists``, ``other_player``, ``broken_chain``, ``other_settlement``,
            ``refused_by_ledger``, ``bad_name``, ``bad_time_zone``.
    """
    file = _read(data)
    session = _session(file)
    entries = [_entry(file, part) for part in file.entries]
    _check_chain(session, entries)
    _check_entries(session, entries, other_engines)
    _check_deals(file.session, entries, other_engines)
    try:
        with transaction.atomic():
            if actor is not None:
                access_club(actor, file.club.id, Action.EXPORT)
            _put_club(file.club, owner_id)
            house = _put_players(file)
            if Session.objects.filter(id=session.id).exists():
                raise Refused.because("session_exists", "session.id")
            _put_session(file, session, entries, house)
            with connection.cursor() as cursor:
                cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
    except (IntegrityError, DataError) as error:
        raise Refused.because("refused_by_ledger", rule=refused_by(error)) from None
    return session


def _read(data: bytes) -> File:
    if len(data) > LARGEST_FILE:
        raise Refused.because("bad_file", what=f"larger than {LARGEST_FILE} bytes")
    try:
        return File.model_validate_json(data)
    except ValidationError as error:
        faults = [
            Refusal("bad_file", ".".join(map(str, fault["loc"])), {"what": fault["msg"]})
            for fault in error.errors(include_url=False, include_context=False, include_input=False)[:MOST_FAULTS]
        ]
        raise Refused(*faults) from None


def _session(file: File) -> Session:
    """The session as it was when it was opened."""
    part = file.session
    try:
        rules = resolve_rules(part.rules).to_json()
    except RecordError as error:
        raise Refused.because("bad_file", "session.rules", what=str(error)) from None
    if rules != part.rules:
        raise Refused.because("bad_file", "session.rules", what="not resolved")
    if (part.status == Session.Status.CLOSED) != (part.closed_at is not None):
        raise Refused.because("bad_file", "session.closed_at", what="a closed session has it")
    session = Session(
        club_id=file.club.id,
        id=part.id,
        name=_same(part.name, "session.name"),
        rules=rules,
        point_value=part.point_value,
        currency=part.currency,
        creator_id=part.creator,
        created_at=part.created_at,
        entry_mode=part.entry_mode,
        dealer=part.dealer,
    )
    session.genesis = session.head = genesis(session)
    if bytes(session.genesis).hex() != part.genesis:
        raise Refused.because("bad_file", "session.genesis", what="not the hash of what the session froze")
    return session


def _entry(file: File, part: EntryPart) -> Entry:
    path = f"entries.{part.seq - 1}"
    return Entry(
        club_id=file.club.id,
        session_id=file.session.id,
        id=part.id,
        seq=part.seq,
        kind=part.kind,
        hand_no=part.hand_no,
        dealer=part.dealer,
        streak=part.streak,
        seated_at=part.seated_at,
        seats=part.seats,
        record=part.record,
        settlement=part.settlement,
        engine=part.engine,
        choice=part.choice and part.choice.model_dump(),
        reverses_id=part.reverses,
        corrects_id=part.corrects,
        reason=part.reason and _same(part.reason, f"{path}.reason", LONGEST_REASON),
        author_id=part.author.id,
        author_name=_same(part.author.name, f"{path}.author.name"),
        posted_at=part.time,
        client_key=part.client_key,
        request_sha256=part.request and bytes.fromhex(part.request),
        hash=bytes.fromhex(part.hash),
    )


def _check_chain(session: Session, entries: Sequence[Entry]) -> None:
    """Sets each entry's ``prev_hash``; the file's hashes have to be those of what it says."""
    head = bytes(session.genesis)
    for seq, entry in enumerate(entries, 1):
        entry.prev_hash = head
        head = entry_hash(entry)
        if entry.seq != seq or head != entry.hash:
            raise Refused.because("broken_chain", f"entries.{seq - 1}.hash", seq=seq)


def _check_entries(session: Session, entries: Sequence[Entry], other_engines: bool) -> None:
    """Settles every record again; and holds the record to the form in which one is stored."""
    for entry in entries:
        path = f"entries.{entry.seq - 1}.record"
        if entry.kind == Entry.Kind.DEALER:
            try:
                DealerPart.model_validate(entry.record)
            except ValidationError:
                raise Refused.because("bad_file", path, what="not a dealer found") from None
        if entry.kind != Entry.Kind.HAND:
            continue
        try:
            if other_engines and entry.engine != ENGINE_VERSION:
                Settlement.model_validate({**(entry.settlement or {}), "rules": session.rules})
                continue
            record = record_of(entry, session.rules).model_dump(mode="json", by_alias=True, exclude_unset=True)
            now = settled_anew(entry, session.rules)
        except (RecordError, ValidationError) as error:
            raise Refused.because("bad_file", path, what=str(error)) from None
        del record["rules"]  # the session's
        if record != entry.record:
            raise Refused.because("bad_file", path, what="not in the form it is stored in")
        if not same_settlement(entry, now):
            said = (entry.settlement or {}).get("deltas")
            raise Refused.because("other_settlement", path, seq=entry.seq, said=str(said), now=str(now["deltas"]))


def _check_deals(part: SessionPart, entries: Sequence[Entry], other_engines: bool) -> None:
    """Works out which hand each entry is of, and where the session stands; another engine may have found otherwise."""
    if other_engines and any(entry.engine != ENGINE_VERSION for entry in entries):
        return
    replay = Replay(part.rules)
    for entry in entries:
        for what in replay.follow(entry):
            raise Refused.because("bad_file", f"entries.{entry.seq - 1}", what=what)
    if not replay.leads_to(part.hand_no, part.dealer, part.streak):
        raise Refused.because("bad_file", "session.hand_no", what="not where its entries lead")


def _put_club(part: ClubPart, owner_id: int | None) -> None:
    if part.time_zone not in zoneinfo.available_timezones():
        raise Refused.because("bad_time_zone", "club.time_zone")
    Club.objects.get_or_create(
        id=part.id,
        defaults={"name": _same(part.name, "club.name"), "time_zone": part.time_zone, "hidden": part.hidden},
    )
    if owner_id is not None:
        Membership.objects.get_or_create(club_id=part.id, user_id=owner_id, defaults={"role": Role.OWNER})


def _put_players(file: File) -> UUID:
    """Adds those the club does not have; gives the house."""
    here = {player.id: player for player in Player.objects.filter(club_id=file.club.id)}
    for index, part in enumerate(file.players):
        if part.id not in here:
            name = _same(part.name, f"players.{index}.name")
            here[part.id] = Player.objects.create(club_id=file.club.id, id=part.id, name=name, is_house=part.house)
        elif here[part.id].is_house != part.house:
            raise Refused.because("other_player", f"players.{index}.id", name=part.name)
    for index, part in enumerate(file.players):
        known = Alias.objects.filter(club_id=file.club.id, guest_id=part.id).values_list("player_id", flat=True).first()
        if part.counts_for and known != part.counts_for:
            if known or part.counts_for not in here:
                raise Refused.because("other_player", f"players.{index}.counts_for", name=part.name)
            join_guest(club_id=file.club.id, guest_id=part.id, player=here[part.counts_for])
    houses = [player.id for player in here.values() if player.is_house]
    if len(houses) != 1:
        raise Refused.because("bad_file", "players", what="one of them is the house")
    return houses[0]


def _put_session(file: File, session: Session, entries: Sequence[Entry], house: UUID) -> None:
    """Writes seats and entries in the order they came: a seat changes hands between two entries."""
    part = file.session
    session.save(force_insert=True)
    changes = sorted({1, *(row.from_seq for row in file.occupancies)})
    for begin, end in zip(changes, [*changes[1:], len(entries) + 1], strict=True):
        if session.seq != begin - 1:
            raise Refused.because("bad_file", "occupancies", what="a seat changes hands after the last entry")
        Occupancy.objects.bulk_create(
            Occupancy(
                club_id=session.club_id, session_id=session.id, seat=row.seat, from_seq=begin, player_id=row.player
            )
            for row in file.occupancies
            if row.from_seq == begin
        )
        if run := entries[begin - 1 : end - 1]:
            Entry.objects.bulk_create(run, batch_size=500)
            Leg.objects.bulk_create(_legs(run, file.entries[begin - 1 : end - 1], house), batch_size=2000)
            session.seq, session.head = run[-1].seq, run[-1].hash
            session.hand_no, session.dealer, session.streak = part.hand_no, part.dealer, part.streak
            session.save(update_fields=["seq", "head", "hand_no", "dealer", "streak"])
    if part.status == Session.Status.CLOSED:
        session.status, session.closed_at = part.status, part.closed_at
        session.save(update_fields=["status", "closed_at"])


def _legs(entries: Iterable[Entry], parts: Iterable[EntryPart], house: UUID) -> Iterable[Leg]:
    for entry, part in zip(entries, parts, strict=True):
        for leg in part.legs:
            yield Leg(
                club_id=entry.club_id,
                session_id=entry.session_id,
                entry_id=entry.id,
                seat=leg.seat,
                player_id=house if leg.seat == HOUSE_SEAT else entry.seats[leg.seat],
                points=leg.points,
                cash=leg.cash,
            )


def _same(name: str, path: str, longest: int = NAME_LENGTH) -> str:
    """A name that is as this site writes names."""
    if clean_name(name, path=path, longest=longest) != name:
        raise Refused.because("bad_name", path)
    return name

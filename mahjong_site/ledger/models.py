"""Sessions, entries, legs. Only `mahjong_site.ledger.services` writes them.

What PostgreSQL itself refuses stands in migration 0002, each rule under its own constraint name.
"""

# ruff: noqa: DJ008 - nothing prints a row; there is no admin.

from __future__ import annotations

from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q

from mahjong_site.clubs.models import NAME_LENGTH, Club, OfClub, Player, in_club

HOUSE_SEAT = 4
"""The seat of a leg that is the house's."""
CENTS = 100
"""Cash is kept in hundredths of the currency: a side bet has at most two decimals."""


def club_of_session() -> models.ForeignKey[Club, Club]:
    """The club of a row that hangs on a session: the composite key to the session says that it exists."""
    return models.ForeignKey(Club, on_delete=models.PROTECT, db_index=False, db_constraint=False, related_name="+")


class Session(OfClub):
    """An evening at one table.

    Frozen at its start: rules (preset and all options resolved), point value, currency, genesis hash.
    State, moved by entries only: ``seq`` and ``head`` (sequence and hash of the last entry), ``hand_no`` (the hand
    being played, from 1), ``dealer`` (None before the first dealer is known), ``streak`` (连庄: how many hands in a
    row he has kept the deal).
    """

    class Status(models.TextChoices):
        OPEN = "open"
        CLOSED = "closed"

    class EntryMode(models.TextChoices):
        """Who posts: the scorers, or every player of the club."""

        SCORER = "scorer"
        EVERYBODY = "everybody"

    name = models.CharField(max_length=NAME_LENGTH)
    rules = models.JSONField()
    point_value = models.DecimalField(max_digits=11, decimal_places=4)
    currency = models.CharField(max_length=3, default="CNY")
    creator_id = models.UUIDField()
    created_at = models.DateTimeField()
    genesis = models.BinaryField(max_length=32)

    status = models.CharField(max_length=6, choices=Status, default=Status.OPEN)
    closed_at = models.DateTimeField(null=True, blank=True)
    entry_mode = models.CharField(max_length=9, choices=EntryMode, default=EntryMode.SCORER)

    seq = models.IntegerField(default=0)
    head = models.BinaryField(max_length=32)
    hand_no = models.IntegerField(default=1)
    dealer = models.SmallIntegerField(null=True, blank=True)
    streak = models.IntegerField(default=0)

    creator = in_club(Player, "creator_id")

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(point_value__gt=0, point_value__lte=1_000_000), name="ledger_session_point_value"
            ),
            models.CheckConstraint(condition=Q(currency__regex=r"^[A-Z]{3}$"), name="ledger_session_currency"),
            models.CheckConstraint(condition=Q(status__in=["open", "closed"]), name="ledger_session_status"),
            models.CheckConstraint(
                condition=Q(entry_mode__in=["scorer", "everybody"]), name="ledger_session_entry_mode"
            ),
            models.CheckConstraint(
                condition=Q(seq__gte=0, hand_no__gte=1, streak__gte=0)
                & (Q(dealer__isnull=True) | Q(dealer__gte=0, dealer__lte=3)),
                name="ledger_session_state",
            ),
        ]
        indexes: ClassVar = [
            # A page's address names the session only.
            models.Index(fields=["id"], name="ledger_session_by_id"),
            models.Index(fields=["club", "created_at"], name="ledger_session_by_time"),
        ]


class Occupancy(models.Model):
    """Who sits on a seat from entry ``from_seq`` on, until the seat's next row.

    Only a row that no entry relies on yet (``from_seq`` = the session's ``seq`` + 1) can still be changed.
    """

    pk = models.CompositePrimaryKey("club_id", "session_id", "seat", "from_seq")
    club = club_of_session()
    session_id = models.UUIDField()
    seat = models.SmallIntegerField()
    from_seq = models.IntegerField()
    player_id = models.UUIDField()
    session = in_club(Session, "session_id", related_name="occupancies")
    player = in_club(Player, "player_id", related_name="occupancies")

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(condition=Q(seat__gte=0, seat__lte=3), name="ledger_occupancy_seat"),
            models.CheckConstraint(condition=Q(from_seq__gte=1), name="ledger_occupancy_from"),
        ]


class Entry(OfClub):
    """One posted fact of a session; never changed, never deleted.

    ``kind``: *hand*, a record with its settlement; *reversal*, the exact negative of another entry; *dealer*, the
    first dealer thrown or a dealer the table chose (no legs).

    ``hand_no``, ``dealer`` and ``streak`` are those of the hand it belongs to, ``seats`` the players 0–3 of that hand,
    who sat there at entry ``seated_at`` (a correction of an old hand counts for those who played it). ``record`` and
    ``settlement`` are the contract's, without ``rules``: these are the session's. ``choice`` says how the next dealer
    was found where the rule leaves several, after a record or a reversal:
    ``{"seat", "of", "how": "taken" | "drawn" | "kept"}``.
    """

    class Kind(models.TextChoices):
        HAND = "hand"
        REVERSAL = "reversal"
        DEALER = "dealer"

    session_id = models.UUIDField()
    seq = models.IntegerField()
    kind = models.CharField(max_length=8, choices=Kind)
    hand_no = models.IntegerField()
    dealer = models.SmallIntegerField()
    streak = models.IntegerField()
    seated_at = models.IntegerField()
    seats = ArrayField(models.UUIDField(), size=4)
    record = models.JSONField(null=True)
    settlement = models.JSONField(null=True)
    engine = models.CharField(max_length=20)
    choice = models.JSONField(null=True)
    reverses_id = models.UUIDField(null=True)
    corrects_id = models.UUIDField(null=True)
    reason = models.CharField(max_length=200, blank=True)
    author_id = models.UUIDField()
    author_name = models.CharField(max_length=NAME_LENGTH)
    posted_at = models.DateTimeField()
    client_key = models.CharField(max_length=64, null=True)  # noqa: DJ001 - unique where there is one
    request_sha256 = models.BinaryField(max_length=32, null=True)
    prev_hash = models.BinaryField(max_length=32)
    hash = models.BinaryField(max_length=32)

    session = in_club(Session, "session_id", related_name="entries")
    reverses = in_club("ledger.Entry", "reverses_id", null=True, related_name="reversals")
    corrects = in_club("ledger.Entry", "corrects_id", null=True, related_name="corrections")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["club", "session_id", "seq"], name="ledger_entry_seq_once"),
            models.UniqueConstraint(fields=["club", "session_id", "seq", "hash"], name="ledger_entry_chain_key"),
            models.UniqueConstraint(fields=["club", "session_id", "id"], name="ledger_entry_session_key"),
            # Partial: most entries reverse and correct nothing, and a small index tempts no other query.
            models.UniqueConstraint(
                fields=["club", "session_id", "client_key"],
                condition=Q(client_key__isnull=False),
                name="ledger_entry_client_key_once",
            ),
            models.UniqueConstraint(
                fields=["club", "session_id", "reverses_id"],
                condition=Q(reverses_id__isnull=False),
                name="ledger_entry_reversed_once",
            ),
            models.UniqueConstraint(
                fields=["club", "session_id", "corrects_id"],
                condition=Q(corrects_id__isnull=False),
                name="ledger_entry_corrected_once",
            ),
            models.CheckConstraint(condition=Q(kind__in=["hand", "reversal", "dealer"]), name="ledger_entry_kind"),
            models.CheckConstraint(
                condition=Q(seq__gte=1, hand_no__gte=1, streak__gte=0, seated_at__gte=1)
                & Q(seated_at__lte=F("seq"), dealer__gte=0, dealer__lte=3),
                name="ledger_entry_numbers",
            ),
            models.CheckConstraint(
                condition=Q(kind="hand", record__isnull=False, settlement__isnull=False, reverses_id__isnull=True)
                | Q(
                    kind="reversal",
                    record__isnull=True,
                    settlement__isnull=True,
                    reverses_id__isnull=False,
                    corrects_id__isnull=True,
                )
                | Q(
                    kind="dealer",
                    record__isnull=False,
                    settlement__isnull=True,
                    reverses_id__isnull=True,
                    corrects_id__isnull=True,
                ),
                name="ledger_entry_facts",
            ),
            models.CheckConstraint(
                condition=Q(reverses_id__isnull=True, corrects_id__isnull=True) | ~Q(reason=""),
                name="ledger_entry_reason",
            ),
            models.CheckConstraint(
                condition=Q(client_key__isnull=True) | Q(request_sha256__isnull=False), name="ledger_entry_request"
            ),
        ]
        indexes: ClassVar = [
            models.Index(fields=["club", "session_id", "hand_no"], name="ledger_entry_by_hand"),
        ]


class Leg(models.Model):
    """One player's share of an entry: whole points, and cash in hundredths. Seat 4 is the house."""

    pk = models.CompositePrimaryKey("club_id", "entry_id", "seat")
    club = club_of_session()
    session_id = models.UUIDField()
    entry_id = models.UUIDField()
    seat = models.SmallIntegerField()
    player_id = models.UUIDField()
    points = models.BigIntegerField()
    cash = models.BigIntegerField(default=0)

    session = in_club(Session, "session_id", related_name="legs")
    entry = models.ForeignObject(
        Entry,
        on_delete=models.DO_NOTHING,
        from_fields=("club_id", "session_id", "entry_id"),
        to_fields=("club_id", "session_id", "id"),
        related_name="legs",
    )
    player = in_club(Player, "player_id", related_name="legs")

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(condition=Q(seat__gte=0, seat__lte=HOUSE_SEAT), name="ledger_leg_seat"),
            models.CheckConstraint(condition=~Q(points=0, cash=0), name="ledger_leg_moves"),
        ]


class SettleUp(OfClub):
    """Balances of one or several sessions of one currency turned into transfers."""

    currency = models.CharField(max_length=3)
    author_id = models.UUIDField()
    author_name = models.CharField(max_length=NAME_LENGTH)
    created_at = models.DateTimeField(auto_now_add=True)
    cancelled_at = models.DateTimeField(null=True, blank=True)


class SettledSession(models.Model):
    """A session that a settle-up covers, up to and including entry ``through_seq``."""

    pk = models.CompositePrimaryKey("club_id", "settle_up_id", "session_id")
    club = club_of_session()
    settle_up_id = models.UUIDField()
    session_id = models.UUIDField()
    through_seq = models.IntegerField()
    settle_up = in_club(SettleUp, "settle_up_id", related_name="sessions")
    session = in_club(Session, "session_id", related_name="settle_ups")

    class Meta:
        indexes: ClassVar = [models.Index(fields=["club", "session_id"], name="ledger_settled_by_session")]


class Transfer(OfClub):
    """What one player owes another after a settle-up, and how much of it is paid; hundredths of the currency."""

    settle_up_id = models.UUIDField()
    payer_id = models.UUIDField()
    payee_id = models.UUIDField()
    amount = models.BigIntegerField()
    paid = models.BigIntegerField(default=0)
    paid_at = models.DateTimeField(null=True, blank=True)
    marked_by = models.CharField(max_length=NAME_LENGTH, blank=True)
    settle_up = in_club(SettleUp, "settle_up_id", related_name="transfers")
    payer = in_club(Player, "payer_id")
    payee = in_club(Player, "payee_id")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["club", "settle_up_id", "payer_id", "payee_id"], name="ledger_transfer_once"
            ),
            models.CheckConstraint(condition=Q(amount__gt=0), name="ledger_transfer_amount"),
            models.CheckConstraint(condition=Q(paid__gte=0, paid__lte=F("amount")), name="ledger_transfer_paid"),
            models.CheckConstraint(condition=~Q(payer_id=F("payee_id")), name="ledger_transfer_to_another"),
        ]

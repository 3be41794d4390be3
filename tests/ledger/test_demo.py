"""The demo: everything in it is posted, counts, verifies, and is the same each time."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Callable

import pytest
from django.contrib.auth import authenticate
from django.core.management import CommandError, call_command
from django.test import RequestFactory

from mahjong_site.clubs.access import Actor
from mahjong_site.clubs.models import Club, Player
from mahjong_site.ledger import selectors
from mahjong_site.ledger.models import Entry, Session, Transfer

pytestmark = pytest.mark.django_db(transaction=True)


def demo() -> str:
    out = io.StringIO()
    call_command("demo", stdout=out)
    return out.getvalue()


def told() -> list[tuple[object, ...]]:
    entries = Entry.objects.order_by("session__created_at", "seq")
    return list(entries.values_list("session__name", "seq", "kind", "hand_no", "dealer", "streak", "record"))


def test_what_is_in_it() -> None:
    said = demo()
    assert "江边茶馆" in said
    password = said.split()[-1]
    user = authenticate(RequestFactory().post("/"), username="demo", password=password)
    assert user is not None
    # The owner is a player of his club too, who has not sat yet.
    assert Player.objects.filter(is_house=False, user=None).count() == 6
    assert Counter(Session.objects.values_list("status", flat=True)) == {"closed": 3, "open": 1}
    assert len(set(Session.objects.values_list("rules__preset", flat=True))) == 4
    kinds = set(Entry.objects.values_list("kind", "record__kind"))
    assert kinds >= {
        ("hand", "win"),
        ("hand", "opening"),
        ("hand", "exhausted"),
        ("hand", "penalty"),
        ("reversal", None),
    }
    settlements = list(Entry.objects.filter(kind="hand").values_list("settlement", flat=True))
    assert any(len(settlement["wins"]) > 1 for settlement in settlements)
    transfers = [transfer for settlement in settlements for transfer in settlement["transfers"]]
    assert any(transfer["why"] == "contract" for transfer in transfers)
    told_shares = [
        step["id"] for transfer in transfers for share in transfer.get("shares", ()) for step in share["steps"]
    ]
    assert "cap" in told_shares
    assert any(settlement["house"] for settlement in settlements)
    assert any(float(cash) for settlement in settlements for cash in settlement["cash"])
    assert Entry.objects.filter(corrects_id__isnull=False).exists()
    assert Transfer.objects.exists()
    club = Club.objects.get()
    board = selectors.leaderboard(actor=Actor(user.pk), club_id=club.id)
    assert board.sessions == 4
    assert {standing.player.name for standing in board.standings if standing.hands} >= {"陈建国", "赵丽华"}
    assert sum(standing.points for standing in board.standings) == 0
    out = io.StringIO()
    call_command("verify_ledger", stdout=out)
    assert " 0 faults" in out.getvalue()


def test_the_same_each_time(empty_tables: Callable[[], None]) -> None:
    demo()
    before = told()
    empty_tables()
    demo()
    assert told() == before


def test_only_into_an_empty_database(django_user_model: object) -> None:
    django_user_model.objects.create_user("someone")  # type: ignore[attr-defined]
    with pytest.raises(CommandError, match="empty database"):
        demo()
    assert not Club.objects.exists()

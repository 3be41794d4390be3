"""What an owner arranges for a club: seasons and house rules."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any
from uuid import UUID

from django.db import transaction

from mahjong_site.clubs.access import Action, Actor, access_club
from mahjong_site.clubs.models import HouseRules, Season
from mahjong_site.clubs.names import clean_name
from mahjong_site.clubs.refusals import Refused
from scoring import resolve_rules


def save_season(*, actor: Actor, club_id: UUID, name: str, first_day: date, last_day: date) -> Season:
    """Makes a season, or moves the one of that name. Both days belong to it, in the club's time zone.

    Raises: as `access_club`; ``bad_name``, ``bad_days``.
    """
    if first_day > last_day:
        raise Refused.because("bad_days", "last_day")
    with transaction.atomic():
        access_club(actor, club_id, Action.MANAGE)
        season, _ = Season.objects.update_or_create(
            club_id=club_id, name=clean_name(name), defaults={"first_day": first_day, "last_day": last_day}
        )
        return season


def delete_season(*, actor: Actor, club_id: UUID, season_id: UUID) -> None:
    """Removes a season; the sessions stay. Raises: as `access_club`."""
    with transaction.atomic():
        access_club(actor, club_id, Action.MANAGE)
        Season.objects.filter(club_id=club_id, id=season_id).delete()


def save_house_rules(*, actor: Actor, club_id: UUID, name: str, rules: str | Mapping[str, Any]) -> HouseRules:
    """Keeps a preset with options under a name, or replaces what the name stood for. Sessions keep what they froze.

    Raises: as `access_club`; ``bad_name``; scoring.RecordError: ``unknown_rules``, ``bad_option``.
    """
    resolved = resolve_rules(rules).to_json()
    with transaction.atomic():
        access_club(actor, club_id, Action.MANAGE)
        saved, _ = HouseRules.objects.update_or_create(
            club_id=club_id,
            name=clean_name(name),
            defaults={"preset": resolved["preset"], "options": resolved["options"]},
        )
        return saved


def delete_house_rules(*, actor: Actor, club_id: UUID, house_rules_id: UUID) -> None:
    """Removes saved rules. Raises: as `access_club`."""
    with transaction.atomic():
        access_club(actor, club_id, Action.MANAGE)
        HouseRules.objects.filter(club_id=club_id, id=house_rules_id).delete()

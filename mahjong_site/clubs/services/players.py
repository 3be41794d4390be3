"""Players: adding, renaming, and joining a guest to a player with an account."""

from __future__ import annotations

from uuid import UUID

from django.db import IntegrityError, transaction

from mahjong_site.clubs.access import Action, Actor, access_club
from mahjong_site.clubs.models import Alias, Club, Player
from mahjong_site.clubs.names import clean_name
from mahjong_site.clubs.refusals import Refused


def find_or_add(club_id: UUID, who: UUID | str, *, path: str = "player") -> Player:
    """The player of that id; or of that name, added as a guest where there is none, inside the caller's transaction.

    Of several with one name the one with an account is meant, then the one there longest; a guest who turned out to be
    someone else is never meant by name.

    Raises:
        Refused: ``unknown_player``, ``bad_name``.
    """
    players = Player.objects.filter(club_id=club_id, is_house=False)
    if isinstance(who, UUID):
        player = players.filter(id=who).first()
        if player is None:
            raise Refused.because("unknown_player", path)
        return player
    name = clean_name(who, path=path)
    lock_names(club_id)
    known = players.filter(name=name).exclude(id__in=Alias.objects.filter(club_id=club_id).values("guest_id"))
    return known.order_by("user_id", "created_at").first() or Player.objects.create(club_id=club_id, name=name)


def lock_names(club_id: UUID) -> None:
    """Until the transaction ends nobody else adds or renames a player of the club: what is free stays free."""
    Club.objects.select_for_update(no_key=True).filter(id=club_id).first()


def add_player(*, actor: Actor, club_id: UUID, name: str) -> Player:
    """Adds a guest to a club's players; who may open sessions may.

    Raises: as `access_club`; ``bad_name``, ``name_taken``.
    """
    cleaned = clean_name(name)
    with transaction.atomic():
        access_club(actor, club_id, Action.OPEN)
        lock_names(club_id)
        if Player.objects.filter(club_id=club_id, name=cleaned).exists():
            raise Refused.because("name_taken", "name")
        return Player.objects.create(club_id=club_id, name=cleaned)


def rename_player(*, actor: Actor, club_id: UUID, player_id: UUID, name: str) -> Player:
    """Renames a player; who may open sessions may. Entries name players by id, none changes.

    Raises: as `access_club`; ``bad_name``, ``name_taken``, ``unknown_player``.
    """
    cleaned = clean_name(name)
    with transaction.atomic():
        access_club(actor, club_id, Action.OPEN)
        lock_names(club_id)
        player = _player(club_id, player_id)
        if Player.objects.filter(club_id=club_id, name=cleaned).exclude(id=player_id).exists():
            raise Refused.because("name_taken", "name")
        player.name = cleaned
        player.save(update_fields=["name"])
        return player


def alias_guest(*, actor: Actor, club_id: UUID, guest_id: UUID, player_id: UUID) -> Alias:
    """Says that a guest was this player all along; the owner may.

    Raises: as `access_club`; ``unknown_player``, ``not_a_guest``, ``alias_of_alias``.
    """
    with transaction.atomic():
        access_club(actor, club_id, Action.MANAGE)
        return join_guest(club_id=club_id, guest_id=guest_id, player=_player(club_id, player_id))


def join_guest(*, club_id: UUID, guest_id: UUID, player: Player) -> Alias:
    """Writes the alias, inside the caller's transaction. Raises: as `alias_guest`."""
    guest = _player(club_id, guest_id)
    if guest.user_id is not None:
        raise Refused.because("not_a_guest", "guest_id")
    try:
        with transaction.atomic():
            return Alias.objects.create(club_id=club_id, guest_id=guest.id, player_id=player.id)
    except IntegrityError:
        raise Refused.because("alias_of_alias", "guest_id") from None


def _player(club_id: UUID, player_id: UUID) -> Player:
    player = Player.objects.filter(club_id=club_id, id=player_id, is_house=False).first()
    if player is None:
        raise Refused.because("unknown_player", "player_id")
    return player

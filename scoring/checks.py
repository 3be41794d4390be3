"""Checks that both families share: who won from whom, how a winner is given, melds, tile counts, copies.

Every function appends what it finds to ``faults`` and goes on.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import chain
from operator import eq
from typing import Final

from scoring.faults import Fault, fault
from scoring.hand import Hand, Meld
from scoring.record import HandRecord, WinnerIn, WinRecord
from scoring.tiles import COPIES, KINDS, NAMES, SUIT_KINDS, Seat, Tile

Faults = list[Fault]

HAND_TILES: Final = 13

FOREIGN_FIELDS: Final = {
    "changsha": (
        frozenset({"indicator", "players"}),
        frozenset(
            {"laid_out", "hard", "opened", "exposed_kongs", "concealed_kongs", "laid_out_wilds", "third_open_from"}
        ),
    ),
    "wuhan": (frozenset({"birds", "bird_dice", "last_wall_tile_only"}), frozenset({"unready_kong"})),
}
"""Fields that a family has no use for (contract, `not_in_rules`): of the record, of a winner."""
_SAYING: Final = frozenset({"indicator", "hard", "third_open_from"})


def check_foreign_fields(record: WinRecord, faults: Faults) -> None:
    """``not_in_rules`` for each field that says something this family cannot use."""
    of_record, of_winner = FOREIGN_FIELDS[record.rules.family]
    faults += [fault("not_in_rules", "field", name, field=name) for name in _said(record, of_record)]
    for index, winner in enumerate(record.winners):
        faults += [
            fault("not_in_rules", "field", f"winners.{index}.{name}", field=name) for name in _said(winner, of_winner)
        ]


def _said(model: WinRecord | WinnerIn, names: frozenset[str]) -> list[str]:
    """Those of the fields that say something: an empty list or a false says nothing, a seat 0 or a tile 0 does."""
    if names.isdisjoint(model.model_fields_set):
        return []
    return [
        name
        for name in sorted(names & model.model_fields_set)
        if getattr(model, name) or (name in _SAYING and getattr(model, name) is not None)
    ]


def check_shared_fields(record: HandRecord, faults: Faults) -> None:
    """What every kind of record may say: the creator where the deal can pass to him, stakes where 钓鱼 is on."""
    if record.creator is not None and not record.rules.preset.asks_creator:
        faults.append(fault("not_in_rules", "creator", "creator"))
    if record.side_bets is not None and not record.rules.options.get("fishing", False):
        faults.append(fault("not_in_rules", "side_bets", "side_bets"))


def check_seats(record: WinRecord, faults: Faults) -> None:
    """A self-draw has one winner and no giver; any other win has a giver who is no winner; no seat wins twice."""
    seats = [winner.seat for winner in record.winners]
    check_distinct(seats, "winners", faults)
    if record.by == "self_draw":
        if record.from_ is not None:
            faults.append(fault("invalid", "from_on_self_draw", "from"))
        if len(seats) > 1:
            faults.append(fault("invalid", "self_draw_alone", "winners"))
    elif record.from_ is None:
        faults.append(fault("missing", "from", "from"))
    elif record.from_ in seats:
        faults.append(fault("invalid", "winner_gave", "from"))


def check_distinct(seats: Sequence[Seat], path: str, faults: Faults) -> None:
    """``invalid`` where a seat stands twice in a list of winners or players."""
    for index, seat in enumerate(seats):
        if seat in seats[:index]:
            faults.append(fault("invalid", "same_seat", f"{path}.{index}.seat"))


def winner_hands(record: WinRecord, faults: Faults) -> list[Hand | None]:
    """Each winner's tiles as a hand; None for a declared win, or where it is not said clearly."""
    return [_winner_hand(winner, f"winners.{index}", faults) for index, winner in enumerate(record.winners)]


def _winner_hand(winner: WinnerIn, path: str, faults: Faults) -> Hand | None:
    said = winner.model_fields_set
    given: list[str] = [name for name in ("concealed", "melds", "win_on") if name in said]
    if winner.declared is not None:
        given += ["hand"] if winner.hand is not None else []
        faults += [fault("invalid", "declared_and_tiles", f"{path}.{name}") for name in given]
        return None
    if winner.hand is not None:
        faults += [fault("invalid", "hand_and_tiles", f"{path}.{name}") for name in given]
        hand = winner.hand
    elif winner.concealed is None:
        faults.append(fault("missing", "tiles", f"{path}.concealed"))
        return None
    else:
        hand = Hand(winner.concealed, tuple(meld.meld() for meld in winner.melds), winner.win_on)
    if "win_tiles" in said and winner.win_tiles != len(hand.win_on):
        faults.append(fault("invalid", "win_tiles_and_tiles", f"{path}.win_tiles"))
    return hand


def hand_paths(winner: WinnerIn, path: str) -> tuple[str, str]:
    """Where the concealed and the winning tiles stand: in fields of their own, or in the whole-hand line."""
    return (f"{path}.hand",) * 2 if winner.hand is not None else (f"{path}.concealed", f"{path}.win_on")


def meld_paths(winner: WinnerIn, hand: Hand, path: str) -> list[str]:
    """Where each meld stands."""
    lined = winner.hand is not None
    return [f"{path}.hand" if lined else f"{path}.melds.{place}" for place in range(len(hand.melds))]


def check_melds(
    melds: Sequence[Meld], seat: Seat, paths: Sequence[str], faults: Faults, barred: Collection[Tile] = ()
) -> None:
    """Melds are sets this seat can have called. ``barred`` kinds can be in none (Wuhan)."""
    dice_kong = False
    for meld, path in zip(melds, paths, strict=True):
        if not _is_set(meld):
            faults.append(fault("bad_meld", "not_a_set", path))
        if meld.dice and not meld.is_kong:
            faults.append(fault("bad_meld", "dice_without_kong", path))
        if not barred and meld.tiles and meld.tiles[0] >= SUIT_KINDS:
            faults.append(fault("tile_not_in_rules", "honour", path, tile=NAMES[meld.tiles[0]]))
        for tile in dict.fromkeys(meld.tiles):
            if tile in barred:
                faults.append(fault("bad_meld", "special", path, tile=NAMES[tile]))
        if meld.taken_from == seat:
            faults.append(fault("bad_meld", "from_self", path))
        elif meld.kind == "chow" and meld.taken_from not in (None, (seat + 3) % 4):
            faults.append(fault("bad_meld", "chow_from", path))
        if dice_kong and not meld.is_kong:
            faults.append(fault("bad_meld", "after_dice_kong", path))
        # A 补杠 stands where its pong was opened; the kong itself may have come after the sets behind it.
        dice_kong = dice_kong or (meld.dice and meld.kind != "added_kong")


def _is_set(meld: Meld) -> bool:
    tiles = meld.tiles
    if meld.kind == "chow":
        low = min(tiles, default=0)
        return low < SUIT_KINDS and low % 9 <= 6 and sorted(tiles) == [low, low + 1, low + 2]
    return len(tiles) == (4 if meld.is_kong else 3) and len(set(tiles)) == 1


def check_hand_size(hand: Hand, path: str, faults: Faults) -> None:
    """The concealed tiles fit the melds: 13 − 3 × melds, before the winning tile."""
    wanted = HAND_TILES - 3 * len(hand.melds)
    if len(hand.concealed) != wanted:
        faults.append(fault("wrong_tile_count", "concealed", path, held=len(hand.concealed), wanted=max(wanted, 0)))


def check_copies(groups: Iterable[tuple[Sequence[Tile], str]], faults: Faults, indicator: Tile | None = None) -> None:
    """At most four of a kind among all tiles known in a record (rule book 4); ``groups`` are tiles with their path."""
    known = list(groups)
    face_up = () if indicator is None else (indicator,)
    if not _five_of_a_kind(chain(face_up, *(tiles for tiles, _ in known))):
        return
    counts = [0] * KINDS
    for tile in face_up:
        counts[tile] += 1
    for tiles, path in known:
        for tile in tiles:
            counts[tile] += 1
            if counts[tile] == COPIES + 1:
                reason = "indicator" if tile == indicator else "copies"
                faults.append(fault("too_many_copies", reason, path, tile=NAMES[tile]))


def overfull(hand: Hand) -> bool:
    """Whether a hand alone holds five of a kind: such a hand has no code in the tables."""
    return _five_of_a_kind([*hand.concealed, *hand.win_on, *chain.from_iterable(meld.tiles for meld in hand.melds)])


def _five_of_a_kind(tiles: Iterable[Tile]) -> bool:
    in_order = sorted(tiles)
    return any(map(eq, in_order, in_order[COPIES:]))


SHAPE_PATTERNS: Final = frozenset(
    {"all_pungs", "all_jiang", "one_suit", "seven_pairs", "luxury_pairs", "all_melded", "all_winds"}
)
"""Patterns of the tiles alone; the other big patterns come from `by` and `events`."""

INCOMPATIBLE: Final = (
    *(("small", name) for name in sorted(SHAPE_PATTERNS)),
    ("seven_pairs", "all_pungs"),
    ("seven_pairs", "all_melded"),
    ("one_suit", "all_jiang"),
    ("one_suit", "all_winds"),
    ("all_jiang", "all_winds"),
    ("no_jiang", "one_flower"),
)


def check_declared(declared: Sequence[str], known: Collection[str], path: str, faults: Faults) -> bool:
    """Whether declared patterns exist here and can hold together (contract, "Declared wins")."""
    before = len(faults)
    faults += [
        fault("not_in_rules", "pattern", f"{path}.{index}", pattern=name)
        for index, name in enumerate(declared)
        if name not in known
    ]
    if len(set(declared)) < len(declared):
        faults.append(fault("invalid", "declared_twice", path))
    faults += [
        fault("incompatible_patterns", "together", path, one=one, other=other)
        for one, other in INCOMPATIBLE
        if one in declared and other in declared
    ]
    if "luxury_pairs" in declared and "seven_pairs" not in declared:
        faults.append(fault("incompatible_patterns", "luxury_alone", path))
    return len(faults) == before


def check_single_event(record: WinRecord, faults: Faults) -> str | None:
    """The record's event, if any; a record has at most one (rule book 2.2)."""
    if len(record.events) > 1:
        faults.append(fault("event_not_allowed", "several", "events"))
    return record.events[0] if record.events else None

"""What a Wuhan record can have: players, counts, laid-out tiles, the maker of a robbed kong, four of a kind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from scoring import checks
from scoring.checks import Faults
from scoring.faults import fault
from scoring.hand import Hand, Meld
from scoring.record import PlayerIn, WinnerIn, WinRecord
from scoring.tiles import COPIES, NAMES, Seat, Tile
from scoring.wuhan.specials import NO_BARRED, Specials, specials

EVENT_PATTERNS: Final[Mapping[tuple[str, str | None], str]] = {
    ("self_draw", "last_tile"): "last_tile_draw",  # 海底捞
    ("self_draw", "kong_draw"): "kong_draw",  # 杠上花
    ("rob_kong", None): "rob_kong",  # 抢杠
}
"""The pattern an event makes, by how the tile was won. What is not here is not allowed (3.2)."""


def event_pattern(record: WinRecord, faults: Faults) -> str | None:
    """The pattern that the record's event makes, if it is one this record can have."""
    event = checks.check_single_event(record, faults)
    pattern = EVENT_PATTERNS.get((record.by, event))
    if event is not None and pattern is None:
        faults.append(fault("event_not_allowed", "by", "events.0", event=event, by=record.by))
    return pattern


def special_tiles(record: WinRecord, hands: Sequence[Hand | None], faults: Faults) -> Specials | None:
    """What the indicator makes special; it is missing where the record names any tile."""
    if record.indicator is not None:
        return specials(record.rules, record.indicator)
    laid_out = [*(winner.laid_out for winner in record.winners), *(player.laid_out for player in record.players)]
    if (
        any(hand is not None for hand in hands)
        or any(player.melds for player in record.players)
        or any(laid and not isinstance(laid, int) for laid in laid_out)
    ):
        faults.append(fault("missing", "indicator", "indicator"))
    return None


def check_players(record: WinRecord, special: Specials | None, faults: Faults) -> None:
    """The other seats: each once, no winner, tiles or counts, counts that can be true, melds that are sets."""
    winners = {winner.seat for winner in record.winners}
    checks.check_distinct([player.seat for player in record.players], "players", faults)
    for index, player in enumerate(record.players):
        path = f"players.{index}"
        if player.seat in winners:
            faults.append(fault("invalid", "player_won", f"{path}.seat"))
        if player.melds is not None and counts_given(player):
            faults.append(fault("invalid", "melds_and_counts", f"{path}.opened"))
        check_counts(player, path, faults)
        check_laid_out(player.laid_out, special, path, faults)
        melds = [meld.meld() for meld in player.melds or ()]
        if len(melds) > 4:
            faults.append(fault("wrong_tile_count", "melds", f"{path}.melds"))
        paths = [f"{path}.melds.{place}" for place in range(len(melds))]
        check_melds(melds, player.seat, paths, special, faults)


def check_melds(
    melds: Sequence[Meld], seat: Seat, paths: Sequence[str], special: Specials | None, faults: Faults
) -> None:
    """Sets this seat can have called, none of them with special tiles; no dice are thrown for a kong in Wuhan."""
    checks.check_melds(melds, seat, paths, faults, special.barred if special else NO_BARRED)
    dice = [where for where, meld in zip(paths, melds, strict=True) if meld.dice]
    faults += [fault("not_in_rules", "field", where, field="dice") for where in dice]


def check_told_by_tiles(winner: WinnerIn, path: str, faults: Faults) -> None:
    """What a winner's tiles tell is not said beside them: the counts, hard or soft, the third opening."""
    if counts_given(winner):
        faults.append(fault("invalid", "melds_and_counts", path))
    faults += [
        fault("invalid", "declared_facts", f"{path}.{name}")
        for name in ("hard", "third_open_from")
        if getattr(winner, name) is not None
    ]


def counts_given(player: PlayerIn | WinnerIn) -> bool:
    """Whether openings are given as counts."""
    said = player.model_fields_set
    return any(
        name in said and getattr(player, name) is not None for name in ("opened", "exposed_kongs", "concealed_kongs")
    )


def check_counts(player: PlayerIn | WinnerIn, path: str, faults: Faults) -> None:
    """Kongs are openings too; four sets are the most."""
    opened, exposed, concealed = player.opened or 0, player.exposed_kongs or 0, player.concealed_kongs or 0
    if exposed > opened:
        faults.append(fault("invalid", "kongs_over_openings", f"{path}.exposed_kongs"))
    if opened + concealed > 4:
        faults.append(fault("invalid", "too_many_melds", f"{path}.concealed_kongs"))
    check_laid_out_wilds(player, path, faults)


def check_laid_out_wilds(player: PlayerIn | WinnerIn, path: str, faults: Faults) -> None:
    """癞子 laid out are among what is laid out, and counted only where that is a number."""
    wilds = player.laid_out_wilds or 0
    if isinstance(player.laid_out, tuple):
        if wilds:
            faults.append(fault("invalid", "laid_out_twice", f"{path}.laid_out_wilds"))
    elif wilds > (player.laid_out or 0):
        faults.append(fault("invalid", "wilds_over_laid_out", f"{path}.laid_out_wilds"))


def check_laid_out(
    laid_out: tuple[Tile, ...] | int | None, special: Specials | None, path: str, faults: Faults
) -> None:
    """Only kong tiles and 癞子 are laid out."""
    if special is None or not isinstance(laid_out, tuple):
        return
    for tile in dict.fromkeys(laid_out):
        if tile not in special.barred:
            faults.append(fault("bad_laid_out", "ordinary", f"{path}.laid_out", tile=NAMES[tile]))


def check_kong_maker(record: WinRecord, hands: Sequence[Hand | None], faults: Faults) -> None:
    """A robbed kong's maker had opened, so he is listed; by tiles, with the pong or the kong that was robbed."""
    if record.by != "rob_kong" or record.from_ is None:
        return
    index, maker = next(
        ((index, player) for index, player in enumerate(record.players) if player.seat == record.from_), (0, None)
    )
    if maker is None:
        faults.append(fault("missing", "kong_maker", "players"))
    elif maker.melds is None:
        if not maker.opened:
            faults.append(fault("missing", "kong_maker", f"players.{index}.opened"))
    else:
        robbed = {tile for hand in hands if hand is not None for tile in hand.win_on}
        kongs = [set(meld.tiles) for meld in maker.melds if meld.kind in ("pong", "added_kong")]
        if not any(not robbed or robbed & tiles for tiles in kongs):
            faults.append(fault("missing", "kong_maker", f"players.{index}.melds"))


def check_copies(record: WinRecord, hands: Sequence[Hand | None], faults: Faults) -> None:
    """The winning tile is one tile, even for several winners and as the fourth of a robbed kong (rule book 4)."""
    robbing = record.by == "rob_kong"
    won_on = {tile for hand in hands if hand is not None for tile in hand.win_on[:1]}
    if len(won_on) > 1:
        faults.append(fault("invalid", "different_win_tiles", "winners"))
    groups: list[tuple[Sequence[Tile], str]] = []
    for index, (winner, hand) in enumerate(zip(record.winners, hands, strict=True)):
        if hand is not None:
            groups.append((hand.concealed, f"winners.{index}.concealed"))
            groups += [(meld.tiles, f"winners.{index}.melds.{place}") for place, meld in enumerate(hand.melds)]
        if isinstance(winner.laid_out, tuple):
            groups.append((winner.laid_out, f"winners.{index}.laid_out"))
    for index, player in enumerate(record.players):
        for place, meld in enumerate(player.melds or ()):
            robbed = robbing and player.seat == record.from_ and meld.kind in ("pong", "added_kong")
            if not (robbed and won_on & set(meld.tiles)):
                groups.append((meld.tiles, f"players.{index}.melds.{place}"))
        if isinstance(player.laid_out, tuple):
            groups.append((player.laid_out, f"players.{index}.laid_out"))
    groups.append(([tile for tile in won_on for _ in range(COPIES if robbing else 1)], "winners"))
    checks.check_copies(groups, faults, record.indicator)

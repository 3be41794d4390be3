"""A Wuhan record's settlement: check everything, read the hands, pay (rule book 3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from scoring import checks
from scoring.checks import Faults
from scoring.faults import RecordError, fault
from scoring.hand import Hand, Meld
from scoring.layout import lay_out
from scoring.notation import format_tiles
from scoring.record import (
    ExhaustedRecord,
    OpeningRecord,
    PlayerIn,
    ReadingOut,
    Settlement,
    ShareOut,
    TransferOut,
    WinnerIn,
    WinOut,
    WinRecord,
)
from scoring.settlement import SEATS, pattern_out, settlement
from scoring.steps import step
from scoring.tiles import EAST, NAMES, Seat, Tile
from scoring.wuhan.caps import apply_caps
from scoring.wuhan.contract import Facts, contractor
from scoring.wuhan.fan import (
    Factor,
    Priced,
    Side,
    base_steps,
    factor_steps,
    loser_factors,
    product,
    side_of,
    win_factors,
)
from scoring.wuhan.readings import Reading, readings
from scoring.wuhan.rules import WuhanRules, wuhan_rules
from scoring.wuhan.specials import Specials, specials

EVENT_PATTERNS: Final = {
    ("self_draw", "last_tile"): "last_tile_draw",  # 海底捞
    ("self_draw", "kong_draw"): "kong_draw",  # 杠上花
    ("rob_kong", None): "rob_kong",  # 抢杠
}
"""The pattern an event makes, by how the tile was won. What is not here is not allowed (3.2)."""

DRAWN_EVENTS: Final = frozenset({"last_tile_draw", "kong_draw"})
"""The events for which option `event_self_draw_bonus` decides whether the self-draw still counts ×1.5."""


class Claim(NamedTuple):
    """One winner's claim as it would be priced alone."""

    patterns: tuple[str, ...]
    hard: bool
    reading: Reading | None
    hand: Hand | None


class Table(NamedTuple):
    """What is known of the record before any hand is read."""

    record: WinRecord
    rules: WuhanRules
    specials: Specials | None
    sides: Mapping[Seat, Side]
    ready: Mapping[Seat, bool | None]
    event: str | None


# --- The whole record ------------------------------------------------------------------------------------------------


def settle_win(record: WinRecord) -> Settlement:
    """The settlement of a win; of several claims the first in turn (3.6), all of which must be legal.

    Raises:
        RecordError: all faults of the record.
    """
    rules = wuhan_rules(record.rules)
    faults: Faults = []
    _check_fields(record, faults)
    checks.check_seats(record, faults)
    event = _event_pattern(record, faults)
    hands = [checks.winner_hand(winner, f"winners.{index}", faults) for index, winner in enumerate(record.winners)]
    special = _specials(record, hands, faults)
    _check_players(record, special, faults)
    _check_kong_maker(record, hands, faults)
    _check_copies(record, hands, faults)
    table = Table(record, rules, special, _sides(record, hands, special), _ready(record), event)
    claims = [
        _claim(table, index, winner, hand, faults)
        for index, (winner, hand) in enumerate(zip(record.winners, hands, strict=True))
    ]
    first = _first_in_turn(record, rules)
    for index, (winner, claim) in enumerate(zip(record.winners, claims, strict=True)):
        if claim is not None:
            _check_minimum(table, winner.seat, claim, f"winners.{index}", faults)
    place = next(index for index, winner in enumerate(record.winners) if winner.seat == first)
    claim = claims[place]
    if claim is None:
        raise RecordError(faults)
    paying = contractor(_contract_facts(table, place, record.winners[place], claim), faults)
    if faults:
        raise RecordError(faults)
    return settlement(
        record,
        wins=[_win_out(table, first, claim)],
        transfers=_transfers(table, first, claim, paying),
        overruled=sorted(winner.seat for winner in record.winners if winner.seat != first),
        next_dealers=next_dealers(record.dealer, first),
    )


def settle_openings(record: OpeningRecord) -> Settlement:
    """There is no 起手胡 in Wuhan.

    Raises:
        RecordError: ``not_in_rules``.
    """
    raise RecordError([fault("not_in_rules", "openings", "kind")])


def settle_exhausted(record: ExhaustedRecord) -> Settlement:
    """A hand nobody won: nothing is paid and the dealer stays (3.7).

    Raises:
        RecordError: ``not_in_rules`` for what Wuhan has no use for.
    """
    faults: Faults = []
    checks.check_creator(record, faults)
    if record.last_tile is not None:
        faults.append(fault("not_in_rules", "field", "last_tile", field="last_tile"))
    if record.side_bets is not None:
        faults.append(fault("not_in_rules", "side_bets", "side_bets"))
    if faults:
        raise RecordError(faults)
    return settlement(record, next_dealers=next_dealers(record.dealer, None))


def next_dealers(dealer: Seat, winner: Seat | None) -> tuple[Seat, ...]:
    """The dealer keeps the deal if he wins or nobody does; else it passes to his 下家 (3.7).

    >>> next_dealers(3, 1), next_dealers(3, None)
    ((0,), (3,))
    """
    return (dealer,) if winner in (None, dealer) else ((dealer + 1) % 4,)


def _first_in_turn(record: WinRecord, rules: WuhanRules) -> Seat:
    """一炮单响: the first counter-clockwise from the dealer, himself included; by option the first after the giver."""
    start = record.dealer
    if rules.claim_order == "giver" and record.from_ is not None:
        start = record.from_ + 1
    return min((winner.seat for winner in record.winners), key=lambda seat: (seat - start) % 4)


# --- Checks ----------------------------------------------------------------------------------------------------------


def _check_fields(record: WinRecord, faults: Faults) -> None:
    checks.check_foreign_fields(record, faults)
    checks.check_creator(record, faults)
    if record.side_bets is not None:
        faults.append(fault("not_in_rules", "side_bets", "side_bets"))


def _event_pattern(record: WinRecord, faults: Faults) -> str | None:
    event = checks.check_single_event(record, faults)
    pattern = EVENT_PATTERNS.get((record.by, event))
    if event is not None and pattern is None:
        faults.append(fault("event_not_allowed", "by", "events.0", event=event, by=record.by))
    return pattern


def _specials(record: WinRecord, hands: Sequence[Hand | None], faults: Faults) -> Specials | None:
    """What the indicator makes special; it is missing where the record names any tile."""
    if record.indicator is not None:
        return specials(record.rules, record.indicator)
    shown = (
        *(hand is not None for hand in hands),
        *(bool(player.melds) for player in record.players),
        *(bool(laid) and not isinstance(laid, int) for laid in _all_laid_out(record)),
    )
    if any(shown):
        faults.append(fault("missing", "indicator", "indicator"))
    return None


def _all_laid_out(record: WinRecord) -> list[tuple[Tile, ...] | int | None]:
    return [*(winner.laid_out for winner in record.winners), *(player.laid_out for player in record.players)]


def _check_players(record: WinRecord, special: Specials | None, faults: Faults) -> None:
    """The other seats: each once, no winner, tiles or counts, counts that can be true, melds that are sets."""
    winners = {winner.seat for winner in record.winners}
    checks.check_distinct([player.seat for player in record.players], "players", faults)
    for index, player in enumerate(record.players):
        path = f"players.{index}"
        if player.seat in winners:
            faults.append(fault("invalid", "player_won", f"{path}.seat"))
        if player.melds is not None and _counts_given(player):
            faults.append(fault("invalid", "melds_and_counts", f"{path}.opened"))
        _check_counts(player, path, faults)
        _check_laid_out(player.laid_out, special, path, faults)
        melds = [meld.meld() for meld in player.melds or ()]
        if len(melds) > 4:
            faults.append(fault("wrong_tile_count", "melds", f"{path}.melds"))
        paths = [f"{path}.melds.{place}" for place in range(len(melds))]
        checks.check_melds(melds, player.seat, paths, faults, special.barred if special else (-1,))


def _counts_given(player: PlayerIn) -> bool:
    return any(count is not None for count in (player.opened, player.exposed_kongs, player.concealed_kongs))


def _check_counts(player: PlayerIn | WinnerIn, path: str, faults: Faults) -> None:
    """Kongs are openings too; four sets are the most; 癞子 laid out are among what is laid out."""
    opened, exposed, concealed = player.opened or 0, player.exposed_kongs or 0, player.concealed_kongs or 0
    if exposed > opened:
        faults.append(fault("invalid", "kongs_over_openings", f"{path}.exposed_kongs"))
    if opened + concealed > 4:
        faults.append(fault("invalid", "too_many_melds", f"{path}.concealed_kongs"))
    wilds = player.laid_out_wilds or 0
    if isinstance(player.laid_out, tuple):
        if wilds:
            faults.append(fault("invalid", "laid_out_twice", f"{path}.laid_out_wilds"))
    elif wilds > (player.laid_out or 0):
        faults.append(fault("invalid", "wilds_over_laid_out", f"{path}.laid_out_wilds"))


def _check_laid_out(
    laid_out: tuple[Tile, ...] | int | None, special: Specials | None, path: str, faults: Faults
) -> None:
    if special is None or not isinstance(laid_out, tuple):
        return
    for tile in dict.fromkeys(laid_out):
        if tile not in special.barred:
            faults.append(fault("bad_laid_out", "ordinary", f"{path}.laid_out", tile=NAMES[tile]))


def _check_kong_maker(record: WinRecord, hands: Sequence[Hand | None], faults: Faults) -> None:
    """A robbed kong's maker had opened, so he is listed; by tiles, with the pong or the kong that was robbed."""
    if record.by != "rob_kong" or record.from_ is None:
        return
    index, maker = next(
        ((index, player) for index, player in enumerate(record.players) if player.seat == record.from_), (0, None)
    )
    if maker is None:
        faults.append(fault("missing", "kong_maker", "players"))
        return
    robbed = {tile for hand in hands if hand is not None for tile in hand.win_on}
    if maker.melds is None:
        if not maker.opened:
            faults.append(fault("missing", "kong_maker", f"players.{index}.opened"))
    elif not any(
        meld.kind in ("pong", "added_kong") and (not robbed or robbed & set(meld.tiles)) for meld in maker.melds
    ):
        faults.append(fault("missing", "kong_maker", f"players.{index}.melds"))


def _check_copies(record: WinRecord, hands: Sequence[Hand | None], faults: Faults) -> None:
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
    groups.append(([tile for tile in won_on for _ in range(4 if robbing else 1)], "winners"))
    checks.check_copies(groups, faults, record.indicator)


# --- Sides -----------------------------------------------------------------------------------------------------------


def _sides(record: WinRecord, hands: Sequence[Hand | None], special: Specials | None) -> dict[Seat, Side]:
    """What each seat has open: from tiles where they are given, from counts elsewhere, nothing where not listed."""
    wild = special.wild if special else None
    sides = dict.fromkeys(SEATS, Side())
    for winner, hand in zip(record.winners, hands, strict=True):
        sides[winner.seat] = _side(winner, None if hand is None else hand.melds, wild)
    for player in record.players:
        melds = None if player.melds is None else [meld.meld() for meld in player.melds]
        sides[player.seat] = _side(player, melds, wild)
    return sides


def _side(player: PlayerIn | WinnerIn, melds: Sequence[Meld] | None, wild: Tile | None) -> Side:
    laid_out = player.laid_out
    tiles = laid_out if isinstance(laid_out, tuple) else ()
    side = side_of(melds or (), tiles, wild)
    if melds is None:
        side = side._replace(
            opened=player.opened or 0,
            exposed_kongs=player.exposed_kongs or 0,
            concealed_kongs=player.concealed_kongs or 0,
        )
    if isinstance(laid_out, int):
        wilds = player.laid_out_wilds or 0
        side = side._replace(laid_out=laid_out - wilds, laid_out_wilds=wilds)
    return side


def _ready(record: WinRecord) -> dict[Seat, bool | None]:
    return {player.seat: player.ready for player in record.players}


# --- Claims ----------------------------------------------------------------------------------------------------------


def _claim(table: Table, index: int, winner: WinnerIn, hand: Hand | None, faults: Faults) -> Claim | None:
    """One winner's claim, or None with the faults said."""
    path = f"winners.{index}"
    _check_laid_out(winner.laid_out, table.specials, path, faults)
    if hand is None:
        return _declared_claim(table, winner, path, faults) if winner.declared is not None else None
    before = len(faults)
    in_hand = f"{path}.hand" if winner.hand is not None else f"{path}.concealed"
    win_path = f"{path}.hand" if winner.hand is not None else f"{path}.win_on"
    if any(name in winner.model_fields_set for name in ("opened", "exposed_kongs", "concealed_kongs")):
        faults.append(fault("invalid", "melds_and_counts", path))
    _check_counts(winner, path, faults) if isinstance(winner.laid_out, tuple) else None
    if len(hand.win_on) != 1:
        faults.append(fault("wrong_tile_count", "win_on", win_path, held=len(hand.win_on), wanted=1))
    paths = [checks.meld_path(winner, path, place) for place in range(len(hand.melds))]
    barred = table.specials.barred if table.specials else (-1,)
    checks.check_melds(hand.melds, winner.seat, paths, faults, barred)
    checks.check_hand_size(hand, in_hand, faults)
    faults += [
        fault("not_in_rules", "field", paths[place], field="dice") for place, meld in enumerate(hand.melds) if meld.dice
    ]
    if table.event == "kong_draw" and not any(meld.is_kong for meld in hand.melds) and not winner.laid_out:
        faults.append(fault("event_not_allowed", "no_kong", "events.0"))
    if table.record.by != "self_draw" and winner.passed and table.rules.any_pass_refuses:
        faults.append(fault("passed_win", "any", f"{path}.passed"))
    if not any(meld.is_exposed for meld in hand.melds):
        faults.append(fault("not_opened", "opened", path))
    if table.specials is not None:
        _check_special_tiles(table.record, table.specials, hand, in_hand, win_path, faults)
    called = [tile for meld in hand.melds for tile in meld.tiles]
    structural = {"bad_meld", "wrong_tile_count", "kong_tile_in_hand", "bad_win_tile", "tile_not_in_rules"}
    if (
        table.specials is None
        or any(found.code in structural for found in faults[before:])
        or checks.overfull((*hand.concealed, *called, *hand.win_on))
    ):
        return None
    return _best_claim(table, winner.seat, hand, table.specials.wild, win_path, faults)


def _check_special_tiles(
    record: WinRecord, special: Specials, hand: Hand, in_hand: str, win_path: str, faults: Faults
) -> None:
    """Kong tiles must be laid out before winning; neither they nor 癞子 are won from another."""
    drawn = record.by == "self_draw"
    held = (*hand.concealed, *hand.win_on) if drawn else hand.concealed
    still = sorted(special.kong_tiles.intersection(held))
    if still:
        faults.append(fault("kong_tile_in_hand", "held", in_hand, tile=format_tiles(still)))
    if not drawn:
        faults += [
            fault("bad_win_tile", "special", win_path, tile=NAMES[tile])
            for tile in hand.win_on
            if tile in special.barred
        ]


def _best_claim(table: Table, seat: Seat, hand: Hand, wild: Tile, path: str, faults: Faults) -> Claim | None:
    """The reading that collects most before caps and contract; among equals the hard one, then more patterns (3.2)."""
    tiles = (*hand.concealed, *hand.win_on)
    exposed = len(hand.melds) == 4 and all(meld.is_exposed for meld in hand.melds)
    all_melded = exposed and (table.record.by != "self_draw" or table.rules.all_melded_self_draw)
    read = readings(tiles, hand.melds, wild, all_melded=all_melded)
    claims = [
        Claim((*reading.patterns, table.event) if table.event else reading.patterns, reading.hard, reading, hand)
        for reading in read.found
    ]
    wilds = tiles.count(wild)
    legal = [claim for claim in claims if claim.patterns or wilds < 2]
    if legal:
        return max(
            legal,
            key=lambda claim: (sum(_amounts(table, seat, claim).values()), claim.hard, len(claim.patterns)),
        )
    if claims:
        faults.append(fault("two_wilds_small", "wilds", path, wilds=wilds))
    elif read.complete_but_pair:
        body = [tile for tile in tiles if tile != wild]
        layout = lay_out(body, wilds, chows=True, jiang_pair=False, spare=0)
        faults.append(fault("pair_not_jiang", "pair", path, pair=format_tiles(layout.pair[:1])))
    else:
        faults.append(fault("not_a_win", "incomplete", path, tile=format_tiles(hand.win_on)))
    return None


def _declared_claim(table: Table, winner: WinnerIn, path: str, faults: Faults) -> Claim | None:
    """A win the table declared: shape patterns, hard or soft, and counts."""
    declared = winner.declared or ()
    _check_counts(winner, path, faults)
    if winner.win_tiles != 1:
        faults.append(fault("wrong_tile_count", "win_on", f"{path}.win_tiles", held=winner.win_tiles, wanted=1))
    if winner.hard is None:
        faults.append(fault("missing", "hard", f"{path}.hard"))
    if not winner.opened:
        faults.append(fault("not_opened", "opened", f"{path}.opened"))
    if winner.third_open_from == winner.seat:
        faults.append(fault("invalid", "third_from_self", f"{path}.third_open_from"))
    known = (checks.SHAPE_PATTERNS & set(table.rules.big)) | {"small"}
    where = f"{path}.declared"
    if not checks.check_declared(declared, known, checks.INCOMPATIBLE, where, faults):
        return None
    if "all_melded" in declared:
        if winner.opened != 4:
            faults.append(fault("incompatible_patterns", "all_melded_opened", where))
        if table.record.by == "self_draw" and not table.rules.all_melded_self_draw:
            faults.append(fault("incompatible_patterns", "all_melded_self_draw", where))
    shapes = tuple(name for name in declared if name != "small")
    return Claim((*shapes, table.event) if table.event else shapes, bool(winner.hard), None, None)


# --- Amounts ---------------------------------------------------------------------------------------------------------


def _priced(table: Table, claim: Claim) -> Priced:
    self_draw = table.record.by == "self_draw"
    if not table.rules.event_self_draw_bonus and DRAWN_EVENTS.intersection(claim.patterns):
        self_draw = False
    return Priced(len(claim.patterns), claim.hard, self_draw)


def _loser_factors(table: Table, seat: Seat, win: Priced, loser: Seat) -> list[Factor]:
    record = table.record
    return list(
        loser_factors(
            table.rules, win, table.sides[loser],
            gave=loser == record.from_, dealer=record.dealer in (seat, loser),
        )
    )  # fmt: skip


def _amounts(table: Table, seat: Seat, claim: Claim) -> dict[Seat, int]:
    """What each loser would pay before caps and contract."""
    win = _priced(table, claim)
    own = list(win_factors(table.rules, win, table.sides[seat]))
    return {
        loser: product(table.rules, win, [*own, *_loser_factors(table, seat, win, loser)])
        for loser in SEATS
        if loser != seat
    }


def _check_minimum(table: Table, seat: Seat, claim: Claim, path: str, faults: Faults) -> None:
    """起胡: tested before caps and contract (3.4)."""
    rules = table.rules
    if not rules.minimum:
        return
    amounts = _amounts(table, seat, claim).values()
    win = _priced(table, claim)
    reached = {
        "any_loser": max(amounts),
        "every_loser": min(amounts),
        "winner_fan": product(rules, win, list(win_factors(rules, win, table.sides[seat]))),
    }[rules.minimum_counts]
    if reached < rules.minimum:
        faults.append(fault("below_minimum", rules.minimum_counts, path, reached=reached, needed=rules.minimum))


def _contract_facts(table: Table, index: int, winner: WinnerIn, claim: Claim) -> Facts:
    record = table.record
    giver = record.from_
    place = next((place for place, player in enumerate(record.players) if player.seat == giver), None)
    third_from, third_path = winner.third_open_from, f"winners.{index}.third_open_from"
    if claim.hand is not None:
        exposed = [(place_, meld) for place_, meld in enumerate(claim.hand.melds) if meld.is_exposed]
        if len(exposed) >= 3:
            where, third = exposed[2]
            third_from = (winner.seat + 3) % 4 if third.kind == "chow" else third.taken_from
            path = checks.meld_path(winner, f"winners.{index}", where)
            third_path = path if winner.hand is not None else f"{path}.from"
    return Facts(
        by=record.by,
        giver=giver,
        all_melded="all_melded" in claim.patterns,
        one_suit="one_suit" in claim.patterns,
        giver_ready=table.ready.get(giver) if giver is not None else None,
        third_opening=table.sides[winner.seat].opened >= 3,
        third_open_from=third_from,
        giver_path="players" if place is None else f"players.{place}.ready",
        third_path=third_path,
    )


def _transfers(table: Table, seat: Seat, claim: Claim, paying: Seat | None) -> list[TransferOut]:
    """One transfer a loser, or a single one from the player who pays for all."""
    rules = table.rules
    win = _priced(table, claim)
    own = list(win_factors(rules, win, table.sides[seat]))
    losers = [loser for loser in SEATS if loser != seat]
    amounts = _amounts(table, seat, claim)
    capped = apply_caps(
        rules, [amounts[loser] for loser in losers], [_opened_for_caps(table, loser) for loser in losers]
    )
    shares = []
    for loser, (points, cap) in zip(losers, capped, strict=True):
        factors = [*own, *_loser_factors(table, seat, win, loser)]
        steps = (*base_steps(rules, win), *factor_steps(factors))
        steps = (*steps, step(cap, "set", points)) if cap is not None else steps
        shares.append(ShareOut(seat=loser, points=points, steps=steps))
    if paying is None:
        return [
            TransferOut(from_=share.seat, to=seat, points=share.points, why="win", steps=share.steps)
            for share in shares
        ]
    whole = tuple(step("share", "value" if place == 0 else "add", share.points) for place, share in enumerate(shares))
    total = sum(share.points for share in shares)
    return [TransferOut(from_=paying, to=seat, points=total, why="contract", steps=whole, shares=tuple(shares))]


def _opened_for_caps(table: Table, seat: Seat) -> bool:
    side = table.sides[seat]
    return side.opened > 0 or (table.rules.laid_out_opens and side.laid_out + side.laid_out_wilds > 0)


# --- What is shown ---------------------------------------------------------------------------------------------------


def _win_out(table: Table, seat: Seat, claim: Claim) -> WinOut:
    names = sorted(claim.patterns, key=table.rules.order.__getitem__)
    return WinOut(
        seat=seat,
        size="big" if names else "small",
        paid=max(len(names), 1),
        patterns=tuple(pattern_out("wuhan", name, 1) for name in names or ("small",)),
        reading=_reading_out(table, claim),
    )


def _reading_out(table: Table, claim: Claim) -> ReadingOut | None:
    if claim.reading is None or claim.hand is None or table.specials is None:
        return None
    reading, wild = claim.reading, table.specials.wild
    tiles = (*claim.hand.concealed, *claim.hand.win_on)
    wilds = tiles.count(wild)
    body = tiles if reading.hard else tuple(tile for tile in tiles if tile != wild)
    standing = 0 if reading.hard else wilds
    every = (*body, *(tile for meld in claim.hand.melds for tile in meld.tiles))
    spare = EAST if "all_winds" in reading.patterns else next((tile // 9 * 9 + 1 for tile in every if tile < EAST), 1)
    sets = [meld.tiles for meld in claim.hand.melds]
    pair: tuple[Tile, ...] = ()
    if reading.shape == "standard":
        any_pair = reading.pungs or "one_suit" in reading.patterns
        layout = lay_out(body, standing, chows=not reading.pungs, jiang_pair=not any_pair, spare=spare)
        sets, pair, stands_for = [*layout.sets, *sets], layout.pair, layout.stands_for
    else:
        stands_for = (spare,) * standing
        sets = [*((tile,) for tile in sorted((*body, *stands_for))), *sets]
    if reading.hard:
        stands_for = (wild,) * wilds
    return ReadingOut(
        shape=reading.shape,
        sets=tuple(map(format_tiles, sets)),
        pair=format_tiles(pair) or None,
        wild={NAMES[wild]: format_tiles(stands_for)} if wilds else {},
        hard=reading.hard,
    )

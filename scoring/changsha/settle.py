"""A Changsha record's settlement: check everything, read the hands, pay (rule book 2)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from operator import itemgetter
from typing import Final, Literal, NamedTuple

from scoring import checks
from scoring.changsha import birds, next_dealer, payments
from scoring.changsha.openings import opening_patterns
from scoring.changsha.patterns import EVENT_PATTERNS, PAIR_RULE, NoReading, Patterns, Reading, best_reading
from scoring.changsha.rules import ChangshaRules, changsha_rules
from scoring.checks import Faults
from scoring.faults import RecordError, fault
from scoring.hand import Hand, Meld
from scoring.layout import lay_out
from scoring.notation import format_tiles
from scoring.record import (
    ExhaustedRecord,
    OpenerIn,
    OpeningRecord,
    ReadingOut,
    Settlement,
    TransferOut,
    WinnerIn,
    WinOut,
    WinRecord,
)
from scoring.settlement import SEATS, pattern_out, settlement
from scoring.tiles import NAMES, SUIT_KINDS, Seat, Tile

NO_MELDS: Final = frozenset({"heaven", "earth"})
"""Events that need a winner without melds."""


class Win(NamedTuple):
    """One win as priced: all patterns that hold, and how many of them are paid (0: a small win)."""

    patterns: Patterns
    paid: int
    reading: Reading | None
    tiles: tuple[Tile, ...] = ()
    melds: tuple[Meld, ...] = ()


# --- Wins ------------------------------------------------------------------------------------------------------------


def price(hand: Hand, by: str, event: str | None, rules: ChangshaRules) -> Win | NoReading:
    """The win a complete hand makes; with two kong tiles the better of the two, which must be tried one by one.

    ``by`` is the record's; ``event`` the pattern it makes (a value of `EVENT_PATTERNS`), None without one.
    """
    event_pair = rules.event_pair[PAIR_RULE[event]] if event else None
    tiles = (*hand.concealed, *hand.win_on[:1])
    reading = best_reading(tiles, hand.melds, rules, event_pair, others_tile=by != "self_draw")
    if isinstance(reading, NoReading):
        return reading
    patterns = (*reading.patterns, (event, len(hand.win_on))) if event else reading.patterns
    paid = min(sum(count for _, count in patterns), rules.counted)
    return Win(patterns, paid, reading, tiles, hand.melds)


def settle_win(record: WinRecord) -> Settlement:
    """The settlement of a win.

    Raises:
        RecordError: all faults of the record.
    """
    rules = changsha_rules(record.rules)
    faults: Faults = []
    checks.check_foreign_fields(record, faults)
    checks.check_creator(record, faults)
    checks.check_seats(record, faults)
    event = _event_pattern(record, faults)
    hands = [checks.winner_hand(winner, f"winners.{index}", faults) for index, winner in enumerate(record.winners)]
    _check_win_tiles(record, rules, hands, event, faults)
    wins = [
        _claim(record, rules, index, winner, hand, event, faults)
        for index, (winner, hand) in enumerate(zip(record.winners, hands, strict=True))
    ]
    bird_tiles, weight = _bird_tiles(record, rules, hands, faults)
    _check_copies(record, hands, faults)
    _check_fishing(record, rules, faults)
    claimed = sorted(
        ((winner.seat, win) for winner, win in zip(record.winners, wins, strict=True) if win is not None),
        key=itemgetter(0),
    )
    if faults:
        raise RecordError(faults)
    giver = record.from_
    origin = _bird_origin(record, rules)
    counts = birds.hits(bird_tiles, (), origin, weight)
    transfers, cash = [], [0, 0, 0, 0]
    for seat, win in claimed:
        for payer in SEATS if giver is None else (giver,):
            if payer == seat:
                continue
            bird = birds.effect(rules, payer, seat, counts)
            if event in rules.all_in:
                points, steps = payments.all_in_payment(rules, payer, record.dealer, bird)
            else:
                paid_by: payments.By = "self_draw" if giver is None else "discard"
                points, steps = payments.win_payment(rules, paid_by, win.paid, payer, seat, record.dealer, bird)
            transfers.append(TransferOut(from_=payer, to=seat, points=points, why="win", steps=steps))
            stake = _stakes(record, rules, payer, seat, bird * max(win.paid, 1))
            cash[payer] -= stake
            cash[seat] += stake
    return settlement(
        record,
        wins=_wins_out(rules, claimed),
        transfers=transfers,
        cash=cash,
        next_dealers=next_dealer.after_win(record.rules, [seat for seat, _ in claimed], giver),
    )


def _event_pattern(record: WinRecord, faults: Faults) -> str | None:
    """The pattern that the record's event makes, if it is one this record can have."""
    event = checks.check_single_event(record, faults)
    pattern = EVENT_PATTERNS.get((record.by, event))
    if event is not None and pattern is None:
        faults.append(fault("event_not_allowed", "by", "events.0", event=event, by=record.by))
    if event == "heaven" and any(winner.seat != record.dealer for winner in record.winners):
        faults.append(fault("event_not_allowed", "heaven_dealer", "events.0"))
    if event == "earth" and pattern and (record.from_ is not None and record.from_ != record.dealer):
        faults.append(fault("event_not_allowed", "earth_dealer", "events.0"))
    if event == "earth" and any(winner.seat == record.dealer for winner in record.winners):
        faults.append(fault("event_not_allowed", "earth_dealer_wins", "events.0"))
    return pattern


def _claim(
    record: WinRecord,
    rules: ChangshaRules,
    index: int,
    winner: WinnerIn,
    hand: Hand | None,
    event: str | None,
    faults: Faults,
) -> Win | None:
    """One winner's win, or None with the faults said."""
    path = f"winners.{index}"
    if hand is None:
        return _declared_win(record, rules, winner, path, event, faults) if winner.declared is not None else None
    before = len(faults)
    number_right = 1 <= len(hand.win_on) <= _most_win_tiles(rules, event)
    paths = [checks.meld_path(winner, path, place) for place in range(len(hand.melds))]
    in_hand = f"{path}.hand" if winner.hand is not None else f"{path}.concealed"
    win_path = f"{path}.hand" if winner.hand is not None else f"{path}.win_on"
    checks.check_melds(hand.melds, winner.seat, paths, faults)
    checks.check_hand_size(hand, in_hand, faults)
    _check_suits(hand.concealed, in_hand, faults)
    _check_suits(hand.win_on, win_path, faults)
    _check_suits((passed.tile for passed in winner.passed), f"{path}.passed", faults)
    if event in NO_MELDS and hand.melds:
        faults.append(fault("event_not_allowed", "melded", "events.0"))
    if event == "kong_draw" and not any(meld.is_kong for meld in hand.melds):
        faults.append(fault("event_not_allowed", "no_kong", "events.0"))
    own_tiles = (*hand.concealed, *(tile for meld in hand.melds for tile in meld.tiles))
    if len(faults) > before or not number_right or checks.overfull((*own_tiles, *hand.win_on)):
        _check_passed(record, rules, winner, hand, None, path, faults)
        return None
    win = _better_tile(hand, record.by, event, rules, win_path, faults)
    _check_passed(record, rules, winner, hand, win, path, faults)
    if winner.unready_kong and not (
        event == "last_tile_draw"
        and (
            win is None or (win.reading is not None and win.reading.shape == "standard" and not win.reading.jiang_pair)
        )
    ):
        faults.append(fault("dead_hand", "unready_kong", f"{path}.unready_kong"))
    return win


def _better_tile(hand: Hand, by: str, event: str | None, rules: ChangshaRules, path: str, faults: Faults) -> Win | None:
    """The better of the winning tiles, each of which must complete the hand; the event counts once for each (2.2)."""
    wins: list[Win] = []
    for place, tile in enumerate(hand.win_on):
        win = price(hand._replace(win_on=(tile, *hand.win_on[:place], *hand.win_on[place + 1 :])), by, event, rules)
        if isinstance(win, Win):
            wins.append(win)
        elif win.complete_but_pair:
            pairs = _false_pairs((*hand.concealed, tile))
            faults.append(fault("pair_not_jiang", "pair", path, pair=format_tiles(pairs)))
        else:
            faults.append(fault("not_a_win", "incomplete", path, tile=NAMES[tile]))
    if len(wins) < len(hand.win_on):
        return None
    return max(wins, key=lambda win: sum(count for _, count in win.patterns))


def _false_pairs(tiles: Sequence[Tile]) -> tuple[Tile, ...]:
    """The pair of a hand that is complete but for it (诈胡)."""
    layout = lay_out(tiles, 0, chows=True, jiang_pair=False, spare=0)
    return layout.pair[:1]


def _declared_win(
    record: WinRecord, rules: ChangshaRules, winner: WinnerIn, path: str, event: str | None, faults: Faults
) -> Win | None:
    """A win the table declared: shape patterns, and the event's own."""
    declared = winner.declared or ()
    _check_suits((passed.tile for passed in winner.passed), f"{path}.passed", faults)
    known = _known_shapes(rules) | {"small"}
    if not checks.check_declared(declared, known, checks.INCOMPATIBLE, f"{path}.declared", faults):
        return None
    shapes = _declared_shapes(declared, rules)
    if event in NO_MELDS and "all_melded" in declared:
        faults.append(fault("event_not_allowed", "melded", "events.0"))
    if "luxury_pairs" in declared and "seven_pairs" not in declared:
        faults.append(fault("incompatible_patterns", "luxury_alone", f"{path}.declared"))
    if "all_melded" in declared and record.by == "self_draw" and not rules.all_melded_self_draw:
        faults.append(fault("incompatible_patterns", "all_melded_self_draw", f"{path}.declared"))
    drawn_last = event == "last_tile_draw" and not {"seven_pairs", "all_jiang"} & set(declared)
    if winner.unready_kong and not drawn_last:
        faults.append(fault("dead_hand", "unready_kong", f"{path}.unready_kong"))
    patterns = (*shapes, (event, winner.win_tiles)) if event else shapes
    return Win(patterns, min(sum(count for _, count in patterns), rules.counted), None)


def _known_shapes(rules: ChangshaRules) -> frozenset[str]:
    known = rules.big & checks.SHAPE_PATTERNS
    return known if rules.luxury_pairs else known - {"luxury_pairs"}


def _declared_shapes(declared: Sequence[str], rules: ChangshaRules) -> Patterns:
    return tuple((name, 1) for name in declared if name != "small")


# --- Checks ----------------------------------------------------------------------------------------------------------


def _check_suits(tiles: Iterable[Tile], path: str, faults: Faults) -> None:
    """In Changsha there are no honours."""
    for tile in tiles:
        if tile >= SUIT_KINDS:
            faults.append(fault("tile_not_in_rules", "honour", path, tile=NAMES[tile]))
            return


def _most_win_tiles(rules: ChangshaRules, event: str | None) -> int:
    return rules.kong_tiles if event in ("kong_draw", "kong_discard") else 1


def _check_win_tiles(
    record: WinRecord, rules: ChangshaRules, hands: Sequence[Hand | None], event: str | None, faults: Faults
) -> None:
    """One winning tile; two only where 开杠 turned up two. All winners win on the tile or tiles that were given."""
    most = _most_win_tiles(rules, event)
    turned_up: Counter[Tile] = Counter()
    for index, (winner, hand) in enumerate(zip(record.winners, hands, strict=True)):
        number = winner.win_tiles if hand is None else len(hand.win_on)
        if not 1 <= number <= most:
            name = "hand" if winner.hand is not None else "win_on" if hand is not None else "win_tiles"
            faults.append(fault("wrong_tile_count", "win_on", f"winners.{index}.{name}", held=number, wanted=most))
        if hand is not None:
            turned_up |= Counter(hand.win_on)
    if sum(turned_up.values()) > most and len(record.winners) > 1:
        faults.append(fault("invalid", "different_win_tiles", "winners"))


def _check_passed(
    record: WinRecord, rules: ChangshaRules, winner: WinnerIn, hand: Hand, win: Win | None, path: str, faults: Faults
) -> None:
    """漏胡; in room 跟胡: a win on another's tile must be bigger than every one let go (2.7)."""
    sizes = [passed.big for passed in winner.passed]
    if rules.passed_strictly_bigger:
        faults += [
            fault("missing", "passed_size", f"{path}.passed.{place}")
            for place, size in enumerate(sizes)
            if size is None
        ]
    if record.by == "self_draw":
        return
    if not rules.passed_strictly_bigger:
        if any(passed.tile in hand.win_on for passed in winner.passed):
            faults.append(fault("passed_win", "tile", f"{path}.passed"))
        return
    most = max((size for size in sizes if size is not None), default=-1)
    if win is not None and win.paid <= most:
        faults.append(fault("passed_win", "not_bigger", f"{path}.passed", passed=most, now=win.paid))


def _bird_tiles(
    record: WinRecord, rules: ChangshaRules, hands: Sequence[Hand | None], faults: Faults
) -> tuple[Sequence[Tile], int]:
    """The birds of a win and how often each counts: those turned up, or 海底 itself (2.5)."""
    _check_suits(record.birds, "birds", faults)
    if record.bird_dice:
        faults.append(fault("not_in_rules", "bird_dice", "bird_dice"))
    on_last_tile = "last_tile" in record.events
    last_tiles = [hand.win_on[0] for hand in hands if hand is not None and hand.win_on] if on_last_tile else []
    only_one = on_last_tile or record.last_wall_tile_only
    most = 0 if last_tiles else min(rules.birds, 1) if only_one else rules.birds
    if len(record.birds) > most:
        reason = "last_tile" if last_tiles else "number"
        faults.append(fault("too_many_birds", reason, "birds", given=len(record.birds), most=most))
    weight = rules.birds if only_one and rules.last_tile_counts_all_birds else min(rules.birds, 1) if only_one else 1
    return (last_tiles[:1] or record.birds), weight


def _bird_origin(record: WinRecord, rules: ChangshaRules) -> Seat:
    """Birds are counted from the dealer; by option from the winner, or from the giver when several win."""
    if rules.bird_origin == "dealer":
        return record.dealer
    return record.winners[0].seat if len(record.winners) == 1 or record.from_ is None else record.from_


def _check_copies(record: WinRecord, hands: Sequence[Hand | None], faults: Faults) -> None:
    """The winning tile is one tile, even for several winners; a kong maker holds the other three of a robbed one."""
    groups: list[tuple[Sequence[Tile], str]] = []
    turned_up: Counter[Tile] = Counter()
    for index, hand in enumerate(hands):
        if hand is None:
            continue
        path = f"winners.{index}"
        groups.append((hand.concealed, f"{path}.concealed"))
        groups += [(meld.tiles, f"{path}.melds.{place}") for place, meld in enumerate(hand.melds)]
        turned_up |= Counter(hand.win_on)
    if record.by == "rob_kong":
        turned_up = Counter(dict.fromkeys(turned_up, 4))
    groups.append((list(turned_up.elements()), "winners"))
    groups.append((record.birds, "birds"))
    checks.check_copies(groups, faults)


# --- 钓鱼 ------------------------------------------------------------------------------------------------------------


def _check_fishing(record: WinRecord | OpeningRecord | ExhaustedRecord, rules: ChangshaRules, faults: Faults) -> None:
    if record.side_bets is not None and not rules.fishing:
        faults.append(fault("not_in_rules", "side_bets", "side_bets"))


def _stakes(record: WinRecord, rules: ChangshaRules, payer: Seat, winner: Seat, times: int) -> int:
    """What the payer pays in cash, in hundredths: the winner's stake and his own (2.7)."""
    if record.side_bets is None:
        return 0
    both = int(100 * (record.side_bets[payer] + record.side_bets[winner]))
    return both * times if rules.fishing_doubles else both


# --- Openings --------------------------------------------------------------------------------------------------------


def settle_openings(record: OpeningRecord) -> Settlement:
    """The settlement of the opening wins of one deal (2.4); the dealer's 天胡 among them where the hand ends.

    Raises:
        RecordError: all faults of the record.
    """
    rules = changsha_rules(record.rules)
    faults: Faults = []
    checks.check_creator(record, faults)
    seats = [winner.seat for winner in record.winners]
    checks.check_distinct(seats, "winners", faults)
    wins = [_opening(record, rules, index, winner, faults) for index, winner in enumerate(record.winners)]
    _check_opening_birds(record, rules, faults)
    groups = [
        (winner.concealed or winner.shown or (), f"winners.{index}") for index, winner in enumerate(record.winners)
    ]
    checks.check_copies([*groups, (record.birds, "birds")], faults)
    _check_fishing(record, rules, faults)
    if faults:
        raise RecordError(faults)
    found = sorted(((seat, win) for seat, win in zip(seats, wins, strict=True) if win is not None), key=itemgetter(0))
    transfers = []
    for seat, win in found:
        origin = record.dealer if rules.bird_origin == "dealer" else seat
        counts = birds.hits(record.birds, record.bird_dice, origin)
        for payer in SEATS:
            if payer == seat:
                continue
            bird = birds.effect(rules, payer, seat, counts)
            if _is_heaven(win):
                points, steps = payments.win_payment(rules, "self_draw", win.paid, payer, seat, record.dealer, bird)
            else:
                points, steps = payments.opening_payment(rules, win.paid, payer, seat, record.dealer, bird)
            why: Literal["win", "opening"] = "win" if _is_heaven(win) else "opening"
            transfers.append(
                TransferOut.model_validate({"from": payer, "to": seat, "points": points, "why": why, "steps": steps})
            )
    return settlement(
        record,
        wins=_wins_out(rules, found),
        transfers=transfers,
        next_dealers=next_dealer.after_openings(record),
    )


def _is_heaven(win: Win) -> bool:
    return any(name == "heaven" for name, _ in win.patterns)


def _opening(record: OpeningRecord, rules: ChangshaRules, index: int, opener: OpenerIn, faults: Faults) -> Win | None:
    path = f"winners.{index}"
    given = [name for name in ("concealed", "shown", "declared") if getattr(opener, name) is not None]
    if len(given) != 1:
        faults += [fault("invalid", "opening_given_twice", f"{path}.{name}") for name in given[1:]]
        if not given:
            faults.append(fault("missing", "tiles", f"{path}.concealed"))
        return None
    if opener.declared is not None:
        return _declared_opening(record, rules, opener, path, faults)
    tiles = opener.concealed if opener.concealed is not None else opener.shown or ()
    before = len(faults)
    dealt = checks.HAND_TILES + (opener.seat == record.dealer)
    if opener.concealed is not None and len(tiles) != dealt:
        faults.append(fault("wrong_tile_count", "opening", f"{path}.concealed", held=len(tiles), wanted=dealt))
    if opener.shown is not None and len(tiles) > dealt:
        faults.append(fault("wrong_tile_count", "opening", f"{path}.shown", held=len(tiles), wanted=dealt))
    _check_suits(tiles, f"{path}.{given[0]}", faults)
    if len(faults) > before or checks.overfull(tiles):
        return None
    if opener.concealed is not None and opener.seat == record.dealer and rules.openings_end_hand:
        heaven = price(Hand(tiles[:-1], (), tiles[-1:]), "self_draw", "heaven", rules)
        if isinstance(heaven, Win):
            return heaven
    patterns = opening_patterns(tiles, rules, shown=opener.shown is not None)
    if not patterns:
        faults.append(fault("no_opening", "tiles", f"{path}.{given[0]}"))
        return None
    return _opening_win(patterns, rules)


def _opening_win(patterns: Sequence[str], rules: ChangshaRules) -> Win:
    return Win(tuple((name, 1) for name in patterns), len(patterns) if rules.opening_stack else 1, None)


def _declared_opening(
    record: OpeningRecord, rules: ChangshaRules, opener: OpenerIn, path: str, faults: Faults
) -> Win | None:
    """Opening patterns as the table declared them; the dealer of classic and bbs may declare 天胡 with its shapes."""
    declared, path = opener.declared or (), f"{path}.declared"
    heaven = "heaven" in declared
    known = {*rules.opening, "heaven"} | (_known_shapes(rules) if heaven else frozenset())
    if heaven and (opener.seat != record.dealer or not rules.openings_end_hand):
        reason = "heaven_dealer" if opener.seat != record.dealer else "heaven_goes_on"
        faults.append(fault("event_not_allowed", reason, path))
    if not checks.check_declared(declared, known, checks.INCOMPATIBLE, path, faults):
        return None
    if heaven:
        shapes = [name for name in declared if name in checks.SHAPE_PATTERNS]
        patterns = (*((name, 1) for name in shapes), ("heaven", 1))
        return Win(patterns, min(len(patterns), rules.counted), None)
    if not declared:
        faults.append(fault("no_opening", "declared", path))
        return None
    return _opening_win(declared, rules)


def _check_opening_birds(record: OpeningRecord, rules: ChangshaRules, faults: Faults) -> None:
    """Birds entered with the openings: as many tiles as birds, in liuqi as many dice instead (2.4)."""
    _check_suits(record.birds, "birds", faults)
    if record.bird_dice and not rules.opening_dice:
        faults.append(fault("not_in_rules", "bird_dice", "bird_dice"))
    if record.birds and record.bird_dice:
        faults.append(fault("invalid", "birds_and_dice", "bird_dice"))
    for name, given in (("birds", len(record.birds)), ("bird_dice", len(record.bird_dice))):
        if given > rules.birds:
            faults.append(fault("too_many_birds", "number", name, given=given, most=rules.birds))


# --- Exhausted hands -------------------------------------------------------------------------------------------------


def settle_exhausted(record: ExhaustedRecord) -> Settlement:
    """A hand nobody won: nothing is paid, the deal moves by what became of 海底 (2.8).

    Raises:
        RecordError: ``missing`` where it is not said, ``not_in_rules`` for side bets nobody plays.
    """
    faults: Faults = []
    checks.check_creator(record, faults)
    dealers = next_dealer.after_exhausted(record, faults)
    _check_fishing(record, changsha_rules(record.rules), faults)
    if faults:
        raise RecordError(faults)
    return settlement(record, next_dealers=dealers)


# --- What is shown ---------------------------------------------------------------------------------------------------


def _wins_out(rules: ChangshaRules, wins: Sequence[tuple[Seat, Win]]) -> list[WinOut]:
    """The wins, in the order given, patterns in the preset's order."""
    out = []
    for seat, win in wins:
        patterns = sorted(win.patterns, key=lambda item: rules.order[item[0]]) or [("small", 1)]
        opening = patterns[0][0] in rules.opening
        out.append(
            WinOut(
                seat=seat,
                size="opening" if opening else "big" if win.patterns else "small",
                paid=win.paid or 1,
                patterns=tuple(pattern_out("changsha", name, count) for name, count in patterns),
                reading=_reading_out(win),
            )
        )
    return out


def _reading_out(win: Win) -> ReadingOut | None:
    if win.reading is None:
        return None
    sets = [meld.tiles for meld in win.melds]
    pair: Sequence[Tile] = ()
    if win.reading.shape == "standard":
        layout = lay_out(
            win.tiles,
            0,
            chows=not win.reading.pungs,
            jiang_pair=win.reading.jiang_pair and not win.reading.pungs,
            spare=0,
        )
        sets, pair = [*layout.sets, *sets], layout.pair
    elif win.reading.shape == "seven_pairs":
        ordered = sorted(win.tiles)
        sets = [(tile, tile) for tile in ordered[::2]]
    else:
        sets = [*((tile,) for tile in sorted(win.tiles)), *sets]
    return ReadingOut(
        shape=win.reading.shape,
        sets=tuple(map(format_tiles, sets)),
        pair=format_tiles(pair) or None,
        wild={},
        hard=None,
    )

"""Records made at random: hands built set by set so that they win, then dressed with melds, events, birds and options.

Everything is drawn from one `random.Random`, so that a seed names a record. A record need not be allowed by the rules:
`valid` draws until one is.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any, Final, NamedTuple

import scoring
from scoring.notation import format_tiles
from scoring.tiles import JIANG, KINDS, NAMES, SUIT_KINDS, tile

Record = dict[str, Any]

CHANGSHA: Final = tuple(preset for preset in scoring.PRESET_IDS if preset.startswith("changsha"))
WUHAN: Final = tuple(preset for preset in scoring.PRESET_IDS if preset.startswith("wuhan"))

OPTIONS: Final[dict[str, Callable[[Random], Any]]] = {
    "birds": lambda rng: rng.randrange(7),
    "bird_effect": lambda rng: rng.choice(["add", "double"]),
    "bird_origin": lambda rng: rng.choice(["dealer", "winner"]),
    "event_pair": lambda rng: {
        name: rng.choice(["any", "jiang"])
        for name in ("heaven", "earth", "last_tile", "kong", "rob_kong")
        if _half(rng)
    },
    "dealer_bonus": lambda rng: rng.choice(["per_pattern", "once"]),
    "dealer_deals_in_big": lambda rng: rng.choice([6, 7]),
    "open_factor": lambda rng: rng.choice(["once", "each"]),
    "kong_factors": lambda rng: {"exposed": rng.choice([2, 4]), "concealed": rng.choice([2, 4])},
    "laid_out_wild_factor": lambda rng: rng.choice([2, 4]),
    "minimum": lambda rng: rng.choice([0, 0, 8, 20, 32, 64]),
    "minimum_counts": lambda rng: rng.choice(["any_loser", "every_loser", "winner_fan"]),
    "caps": lambda rng: rng.choice([None, {"cap": 60}, {"cap": 100, "gold": 150, "sun": 200, "three_suns": 300}]),
    "three_suns_when": lambda rng: rng.choice(["none_opened", "all_opened"]),
    "claim_order": lambda rng: rng.choice(["dealer", "giver"]),
    "leave_penalty": lambda rng: rng.choice([0, 70, 71]),
    "leave_penalty_to": lambda rng: rng.choice(["house", "others"]),
}
"""A value for each option; the others are true or false."""


def _half(rng: Random) -> bool:
    return rng.random() < 0.5


def record(rng: Random, preset: str | None = None) -> Record:
    """A record of any kind, most of them wins."""
    preset = preset or rng.choice(scoring.PRESET_IDS)
    make = _wuhan_win if preset in WUHAN else _changsha_win
    drawn = rng.random()
    if drawn < 0.05:
        return _penalty(rng, preset)
    if drawn < 0.1:
        return _exhausted(rng, preset)
    if drawn < 0.25 and preset in CHANGSHA:
        return _opening(rng, preset)
    return make(rng, preset)


def valid(rng: Random, preset: str | None = None, make: Callable[[Random, str | None], Record] = record) -> Record:
    """A record that the rules allow."""
    while True:
        made = make(rng, preset)
        try:
            scoring.settle(scoring.parse_record(made))
        except scoring.RecordError:
            continue
        return made


def win(rng: Random, preset: str | None = None) -> Record:
    """A win with tiles."""
    preset = preset or rng.choice(scoring.PRESET_IDS)
    return (_wuhan_win if preset in WUHAN else _changsha_win)(rng, preset)


def rules(rng: Random, preset: str) -> Any:
    """The preset, or with some of its options."""
    if _half(rng):
        return preset
    offered = [name for name in scoring.rules.preset(preset).options if rng.random() < 0.3]
    return {"preset": preset, "options": {name: OPTIONS.get(name, _half)(rng) for name in offered}}


# --- Hands -----------------------------------------------------------------------------------------------------------


class Built(NamedTuple):
    """A complete hand: concealed tiles, the winning one last, and melds."""

    concealed: list[int]
    melds: list[Record]


class Wall:
    """How many of each kind are still to be had."""

    def __init__(self, kinds: int, barred: frozenset[int] = frozenset()) -> None:
        self.left = [4 if kind < kinds else 0 for kind in range(KINDS)]
        self.barred = barred

    def take(self, tiles: list[int]) -> bool:
        """Takes these tiles if all are there and none is barred."""
        if any(self.left[one] < tiles.count(one) or one in self.barred for one in tiles):
            return False
        for one in tiles:
            self.left[one] -= 1
        return True

    def any(self, rng: Random) -> int:
        """One tile of those left."""
        kind = rng.choice([kind for kind, left in enumerate(self.left) if left])
        self.left[kind] -= 1
        return kind


STYLES: Final = ("plain", "plain", "plain", "pungs", "suit", "suit pungs", "pairs", "jiang", "jiang pungs", "honours")


def _set(rng: Random, wall: Wall, kinds: list[int], runs: bool) -> list[int] | None:
    for _ in range(30):
        low = rng.choice(kinds)
        run = runs and low < SUIT_KINDS and low % 9 <= 6 and rng.random() < 0.7
        tiles = [low, low + 1, low + 2] if run else [low] * 3
        if all(one in kinds for one in tiles) and wall.take(tiles):
            return tiles
    return None


def _pair(rng: Random, wall: Wall, kinds: list[int]) -> list[int] | None:
    for _ in range(30):
        kind = rng.choice(kinds)
        if wall.take([kind, kind]):
            return [kind, kind]
    return None


def _kinds(rng: Random, style: str, wall: Wall) -> list[int]:
    every = [kind for kind, left in enumerate(wall.left) if left and kind not in wall.barred]
    suit = rng.randrange(3)
    chosen = {
        "suit": [kind for kind in every if kind // 9 == suit],
        "jiang": [kind for kind in every if kind in JIANG],
        "honours": [kind for kind in every if kind >= SUIT_KINDS],
    }.get(style.split()[0], every)
    return chosen or every


def build(rng: Random, wall: Wall, seat: int, *, must: int | None = None, melded: float = 0.3) -> Built | None:
    """A complete hand of a random style from the wall; ``must`` is its winning tile, which is not in the wall."""
    style = rng.choice(STYLES)
    kinds = _kinds(rng, style, wall)
    if must is not None:
        wall.left[must] += 1
    if style == "pairs" and wall.left[SUIT_KINDS] == 0:
        pairs = [_pair(rng, wall, kinds) for _ in range(7)]
        if None in pairs:
            return None
        concealed = [one for pair in pairs if pair for one in pair]
        return _win_on(rng, concealed, [], must)
    if style == "jiang" and _half(rng):
        some = [kind for kind in kinds for _ in range(wall.left[kind])]
        concealed = rng.sample(some, min(14, len(some)))
        return _win_on(rng, concealed, [], must) if len(concealed) == 14 and wall.take(concealed) else None
    sets = [_set(rng, wall, kinds, "pungs" not in style and style != "jiang") for _ in range(4)]
    pair_kinds = kinds if rng.random() < 0.3 else [kind for kind in kinds if kind in JIANG] or kinds
    pair = _pair(rng, wall, pair_kinds)
    if None in sets or pair is None:
        return None
    melds: list[Record] = []
    concealed = list(pair)
    if rng.random() < 0.2:
        melded = 1.0
    for tiles in sets:
        if tiles and rng.random() < melded and must not in tiles:
            melds.append(_meld(rng, wall, tiles, seat))
        elif tiles:
            concealed += tiles
    return _win_on(rng, concealed, melds, must)


def _win_on(rng: Random, concealed: list[int], melds: list[Record], must: int | None) -> Built | None:
    rng.shuffle(concealed)
    if must is not None:
        if must not in concealed:
            return None
        concealed.remove(must)
        concealed.append(must)
    return Built(concealed, melds)


def _meld(rng: Random, wall: Wall, tiles: list[int], seat: int) -> Record:
    kind = "chow" if tiles[0] != tiles[1] else "pong"
    giver = (seat + 3) % 4 if kind == "chow" else (seat + rng.randrange(1, 4)) % 4
    if kind == "pong" and rng.random() < 0.4 and wall.take([tiles[0]]):
        kind = rng.choice(["exposed_kong", "added_kong", "concealed_kong"])
        tiles = [*tiles, tiles[0]]
    meld: Record = {"kind": kind, "tiles": format_tiles(tiles)}
    if kind != "concealed_kong" and rng.random() < 0.8:
        meld["from"] = giver
    return meld


def _winner(rng: Random, seat: int, built: Built, win_on: list[int] | None = None) -> Record:
    *concealed, won = built.concealed
    return {
        "seat": seat,
        "concealed": format_tiles(concealed),
        "melds": built.melds,
        "win_on": [NAMES[one] for one in win_on or [won]],
    }


# --- Changsha --------------------------------------------------------------------------------------------------------

BY_EVENTS: Final = {
    "self_draw": ["heaven", "last_tile", "kong_draw"],
    "discard": ["earth", "last_tile", "kong_discard"],
    "rob_kong": [],
}


def _changsha_win(rng: Random, preset: str) -> Record:
    wall = Wall(SUIT_KINDS)
    dealer = rng.randrange(4)
    by = rng.choice(["self_draw", "self_draw", "discard", "discard", "rob_kong"])
    seats = rng.sample(range(4), 4)
    event = rng.choice(BY_EVENTS[by]) if BY_EVENTS[by] and rng.random() < 0.5 else None
    if event == "heaven":
        seats = [dealer]
    if event == "earth":
        seats = [*(seat for seat in seats if seat != dealer), dealer]
    number = 1 if by == "self_draw" or rng.random() < 0.6 else rng.randrange(2, 4)
    melded = 0.0 if event in ("heaven", "earth") else 0.3
    winners: list[Record] = []
    won: int | None = None
    for seat in seats[:number]:
        built = build(rng, wall, seat, must=won, melded=melded)
        if built is None:
            break
        won = built.concealed[-1]
        winners.append(_winner(rng, seat, built))
    if not winners:
        return _changsha_win(rng, preset)
    made: Record = {
        "rules": rules(rng, preset),
        "kind": "win",
        "dealer": dealer,
        "by": by,
        "from": None if by == "self_draw" else seats[-1],
        "winners": winners,
    }
    if event:
        made["events"] = [event]
    if event == "kong_draw" and winners[0]["melds"] and _half(rng):
        winners[0]["melds"][-1]["dice"] = winners[0]["melds"][-1]["kind"].endswith("kong")
    if event in ("kong_draw", "kong_discard") and preset in ("changsha-liuqi", "changsha-room") and number == 1:
        winners[0]["win_on"] *= rng.choice([1, 1, 2])
    if event != "last_tile" and _half(rng):
        most = scoring.resolve_rules(made["rules"]).options["birds"]
        made["birds"] = [NAMES[wall.any(rng)] for _ in range(rng.randrange(most + 1))]
        made["last_wall_tile_only"] = len(made["birds"]) < 2 and rng.random() < 0.2
    if rng.random() < 0.1:
        winners[0]["passed"] = [
            {"tile": NAMES[rng.randrange(SUIT_KINDS)], "big": rng.randrange(3)} if preset == "changsha-room"
            else NAMES[rng.randrange(SUIT_KINDS)]
        ]  # fmt: skip
    if rng.random() < 0.05:
        winners[0]["unready_kong"] = True
    if preset == "changsha-liuqi" and scoring.resolve_rules(made["rules"]).options["fishing"]:
        made["side_bets"] = [rng.choice(["0", "5", "10.00", "0.25"]) for _ in range(4)]
    return made


def _opening(rng: Random, preset: str) -> Record:
    wall = Wall(SUIT_KINDS)
    dealer = rng.randrange(4)
    openers: list[Record] = []
    for seat in rng.sample(range(4), rng.choice([1, 1, 2, 3])):
        dealt = 13 + (seat == dealer)
        kinds = rng.choice([range(27), range(18), range(9, 27), [kind for kind in range(27) if kind not in JIANG]])
        tiles: list[int] = []
        if seat == dealer and _half(rng):
            built = build(rng, wall, seat, melded=0.0)
            tiles = built.concealed if built and len(built.concealed) == 14 else []
        while len(tiles) < dealt:
            kind = rng.choice(list(kinds))
            copies = min(rng.choice([1, 1, 2, 3, 4]), wall.left[kind], dealt - len(tiles))
            wall.left[kind] -= copies
            tiles += [kind] * copies
        shown = [one for one in tiles if tiles.count(one) >= 3]
        openers.append(
            {"seat": seat, "shown": format_tiles(shown)}
            if shown and rng.random() < 0.2
            else {"seat": seat, "concealed": format_tiles(tiles)}
        )
    made: Record = {"rules": rules(rng, preset), "kind": "opening", "dealer": dealer, "winners": openers}
    most = scoring.resolve_rules(made["rules"]).options["birds"]
    if preset == "changsha-liuqi" and _half(rng):
        made["bird_dice"] = [rng.randrange(1, 7) for _ in range(most)]
    else:
        made["birds"] = [NAMES[wall.any(rng)] for _ in range(rng.randrange(most + 1))]
    return made


# --- Wuhan -----------------------------------------------------------------------------------------------------------


def special_tiles(preset: str, indicator: int) -> tuple[int, frozenset[int]]:
    """癞子 and kong tiles of an indicator (rule book 3.1)."""
    ring = [tile(name) for name in (["1z", "2z", "3z", "4z", "5z"] if preset == "wuhan-kaikou" else
                                    ["1z", "2z", "3z", "4z", "6z", "5z"])]  # fmt: skip
    red, green, white, north = (tile(name) for name in ("7z", "6z", "5z", "4z"))
    kong_tiles = {red, green} if preset == "wuhan-kaikou" else {red}
    if indicator < SUIT_KINDS:
        following, before = (indicator // 9 * 9 + (indicator % 9 + step) % 9 for step in (1, -1))
    elif indicator in ring:
        place = ring.index(indicator)
        following, before = ring[(place + 1) % len(ring)], ring[place - 1]
    else:
        following, before = (white if preset == "wuhan-kaikou" else green), north
    if preset == "wuhan-koukou":
        kong_tiles |= {indicator, before}
    return following, frozenset(kong_tiles)


def _wuhan_win(rng: Random, preset: str) -> Record:
    indicator = rng.randrange(KINDS)
    wild, kong_tiles = special_tiles(preset, indicator)
    wall = Wall(KINDS, kong_tiles | {wild})
    wall.left[indicator] -= 1
    dealer = rng.randrange(4)
    by = rng.choice(["self_draw", "self_draw", "discard", "discard", "rob_kong"])
    seats = rng.sample(range(4), 4)
    number = 1 if by == "self_draw" or rng.random() < 0.8 else 2
    winners: list[Record] = []
    won: int | None = None
    for seat in seats[:number]:
        built = build(rng, wall, seat, must=won, melded=rng.choice([0.4, 0.7]))
        if built is None or not any(meld["kind"] != "concealed_kong" for meld in built.melds):
            break
        won = built.concealed[-1]
        for place in range(len(built.concealed) - (by != "self_draw")):  # 癞子 in the place of some tiles
            if wall.left[wild] and rng.random() < rng.choice([0.0, 0.15, 0.4]):
                wall.left[built.concealed[place]] += 1
                wall.left[wild] -= 1
                built.concealed[place] = wild
        winner = _winner(rng, seat, built)
        if rng.random() < 0.4:
            winner["laid_out"] = _laid_out(rng, wall, wild, kong_tiles)
        if preset == "wuhan-laizi" and rng.random() < 0.1:
            winner["passed"] = ["5m"]
        winners.append(winner)
    if not winners:
        return _wuhan_win(rng, preset)
    made: Record = {
        "rules": rules(rng, preset) if rng.random() < 0.7 else {"preset": preset, "options": {"minimum": 0}},
        "kind": "win",
        "dealer": dealer,
        "by": by,
        "from": None if by == "self_draw" else seats[-1],
        "indicator": NAMES[indicator],
        "winners": winners,
        "players": [],
    }
    if by == "self_draw" and rng.random() < 0.4:
        made["events"] = [rng.choice(["last_tile", "kong_draw"])]
    for seat in seats[len(winners) :]:
        robbed = by == "rob_kong" and seat == seats[-1]
        if rng.random() < 0.7 or robbed:
            made["players"].append(_player(rng, wall, seat, wild, kong_tiles, robbed=robbed))
    return made


def _laid_out(rng: Random, wall: Wall, wild: int, kong_tiles: frozenset[int]) -> str:
    chosen = []
    for kind in (wild, *sorted(kong_tiles)):
        for _ in range(rng.choice([0, 0, 1, 2])):
            if wall.left[kind]:
                wall.left[kind] -= 1
                chosen.append(kind)
    return format_tiles(chosen)


def _player(rng: Random, wall: Wall, seat: int, wild: int, kong_tiles: frozenset[int], *, robbed: bool) -> Record:
    player: Record = {"seat": seat, "ready": _half(rng)}
    if robbed or _half(rng):
        opened = rng.randrange(1 if robbed else 0, 4)
        player |= {"opened": opened, "exposed_kongs": rng.randrange(opened + 1), "concealed_kongs": rng.randrange(2)}
        if _half(rng):
            player |= {"laid_out": 2, "laid_out_wilds": rng.randrange(3)}
    else:
        kinds = _kinds(rng, "plain", wall)
        sets = [_set(rng, wall, kinds, runs=True) for _ in range(rng.randrange(4))]
        player["melds"] = [_meld(rng, wall, tiles, seat) for tiles in sets if tiles]
        player["laid_out"] = _laid_out(rng, wall, wild, kong_tiles)
    return player


# --- The other kinds -------------------------------------------------------------------------------------------------


def _exhausted(rng: Random, preset: str) -> Record:
    made: Record = {"rules": rules(rng, preset), "kind": "exhausted", "dealer": rng.randrange(4)}
    if preset == "changsha-room":
        made["creator"] = rng.randrange(4)
    elif preset in CHANGSHA:
        made["last_tile"] = {rng.choice(["taken_by", "refused_from", "replaced_by"]): rng.randrange(4)}
    return made


def _penalty(rng: Random, preset: str) -> Record:
    seat = rng.randrange(4)
    penalty: Record = {"seat": seat, "reason": rng.choice(["left", "false_win", "other"])}
    if penalty["reason"] != "left" or _half(rng):
        penalty["points"] = rng.randrange(1, 500)
        penalty["to"] = rng.choice(["house", "others", (seat + rng.randrange(1, 4)) % 4])
    return {"rules": rules(rng, preset), "kind": "penalty", "dealer": rng.randrange(4), "penalty": penalty}

"""Putting a settlement together: transfers in, deltas, house and cash out. The sums are zero by construction."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final, Literal

from scoring.notation import format_tiles
from scoring.record import HandRecord, PatternOut, ReadingOut, Settlement, TransferOut, WinOut
from scoring.texts import table, text
from scoring.tiles import NAMES, Seat, Tile

ENGINE_VERSION: Final = "1.0.0"

SEATS: Final = range(4)


@lru_cache(maxsize=1024)
def pattern_out(family: str, name: str, count: int) -> PatternOut:
    """A pattern with its names; Wuhan has its own names for some."""
    own = table("patterns").get(family, {}).get(name)
    words = own or text("patterns", name)._asdict()
    return PatternOut(id=name, zh=words["zh"], en=words["en"], count=count)


_text_of_set: Final = lru_cache(maxsize=1 << 12)(format_tiles)
"""Sets are few and are shown often."""


def reading_out(
    shape: Literal["standard", "seven_pairs", "all_jiang", "all_winds"],
    sets: Iterable[Sequence[Tile]],
    pair: Sequence[Tile] = (),
    *,
    wild: Tile | None = None,
    stands_for: Sequence[Tile] = (),
    hard: bool | None = None,
) -> ReadingOut:
    """How a hand reads, as text. ``stands_for`` are what each 癞子 (``wild``) in the hand stands for."""
    return ReadingOut(
        shape=shape,
        sets=tuple(map(_text_of_set, map(tuple, sets))),
        pair=_text_of_set(tuple(pair)) if pair else None,
        wild={NAMES[wild]: format_tiles(stands_for)} if wild is not None and stands_for else {},
        hard=hard,
    )


def settlement(
    record: HandRecord,
    *,
    wins: Sequence[WinOut] = (),
    transfers: Sequence[TransferOut] = (),
    cash: Sequence[int] = (0, 0, 0, 0),
    next_dealers: Sequence[Seat] = (),
    overruled: Sequence[Seat] = (),
) -> Settlement:
    """The settlement of these transfers.

    ``cash`` is in hundredths, by seat. ``next_dealers`` are the seats that may deal next; none: the hand goes on.
    """
    deltas = [0, 0, 0, 0]
    house = 0
    for transfer in transfers:
        deltas[transfer.from_] -= transfer.points
        if transfer.to == "house":
            house += transfer.points
        else:
            deltas[transfer.to] += transfer.points
    return Settlement(
        rules=record.rules,
        engine=ENGINE_VERSION,
        wins=tuple(wins),
        overruled=tuple(overruled),
        transfers=tuple(transfers),
        deltas=(deltas[0], deltas[1], deltas[2], deltas[3]),
        house=house,
        cash=(money(cash[0]), money(cash[1]), money(cash[2]), money(cash[3])),
        hand_ends=bool(next_dealers),
        next_dealer=next_dealers[0] if len(next_dealers) == 1 else None,
        next_dealer_choices=tuple(next_dealers),
    )


def money(cents: int) -> str:
    """Hundredths as text with two decimals.

    >>> money(-50), money(1000)
    ('-0.50', '10.00')
    """
    if not cents:
        return "0.00"
    sign = "-" if cents < 0 else ""
    return f"{sign}{abs(cents) // 100}.{abs(cents) % 100:02}"

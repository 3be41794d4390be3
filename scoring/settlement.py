"""Putting a settlement together: transfers in, deltas, house and cash out. The sums are zero by construction."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from scoring.record import HandRecord, PatternOut, Settlement, TransferOut, WinOut
from scoring.texts import table, text
from scoring.tiles import Seat

ENGINE_VERSION: Final = "1.0.0"

SEATS: Final = range(4)


@lru_cache(maxsize=1024)
def pattern_out(family: str, name: str, count: int) -> PatternOut:
    """A pattern with its names; Wuhan has its own names for some."""
    own = table("patterns").get(family, {}).get(name)
    words = own or text("patterns", name)._asdict()
    return PatternOut(id=name, zh=words["zh"], en=words["en"], count=count)


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
    sign = "-" if cents < 0 else ""
    return f"{sign}{abs(cents) // 100}.{abs(cents) % 100:02}"

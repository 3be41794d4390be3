"""A meld and a hand, as immutable values.

Shapes only: whether a meld or a hand is legal under some rules is said elsewhere (`scoring.checks`).
"""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

from scoring.tiles import Seat, Tile

MeldKind: TypeAlias = Literal["chow", "pong", "exposed_kong", "added_kong", "concealed_kong"]
"""吃, 碰, 明杠, 补杠, 暗杠."""

KONGS: frozenset[str] = frozenset({"exposed_kong", "added_kong", "concealed_kong"})


class Meld(NamedTuple):
    """One called set (吃, 碰, 杠).

    ``taken_from`` is the seat that gave the tile, where known. ``dice`` says that the kong was a 开杠.
    """

    kind: MeldKind
    tiles: tuple[Tile, ...]
    taken_from: Seat | None = None
    dice: bool = False

    @property
    def is_kong(self) -> bool:
        """Whether it is a kong of any kind (杠)."""
        return self.kind in KONGS

    @property
    def is_exposed(self) -> bool:
        """Whether it counts as an opening (开口): everything but a 暗杠."""
        return self.kind != "concealed_kong"


class Hand(NamedTuple):
    """Tiles in hand without the winning tile(s), melds in the order they were opened, winning tile(s)."""

    concealed: tuple[Tile, ...]
    melds: tuple[Meld, ...] = ()
    win_on: tuple[Tile, ...] = ()

"""Geometry of the picture: arrows from who pays to who receives, as thick as the amount."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, NamedTuple

WIDTH: Final = 128
HEIGHT: Final = 80
SLOT: Final = 16
GAP: Final = 8


class Point(NamedTuple):
    """A place in the 128 × 80 picture."""

    x: float
    y: float


_PLACES: Final = {
    "s": Point(64, 79),
    "e": Point(127, 40),
    "n": Point(64, 1),
    "w": Point(1, 40),
    "house": Point(64, 40),
}
_INWARD: Final = {"s": (0, -1), "e": (-1, 0), "n": (0, 1), "w": (1, 0)}
_EDGES: Final = {"s": "M36 79h56", "e": "M127 16v48", "n": "M36 1h56", "w": "M1 16v48"}


@dataclass(frozen=True)
class Arrow:
    """One arrow as SVG path data, with the ends of its gradient."""

    id: str
    path: str
    head: str
    width: float
    start: Point
    end: Point


def edges(receivers: Iterable[str]) -> tuple[str, ...]:
    """The lines along the sides of those who receive."""
    return tuple(_EDGES[side] for side in receivers if side in _EDGES)


def arrows(flows: Iterable[tuple[str, str, int]], prefix: str = "flow") -> tuple[Arrow, ...]:
    """Arrows for flows ``(payer's side, receiver's side or "house", amount above 0)``; the largest is 5 units wide.

    Arrows into one side are spread along it, so that they do not cover one another.
    """
    flows = [flow for flow in flows if flow[2] > 0]
    largest = max((amount for *_, amount in flows), default=1)
    drawn = []
    for number, (payer, receiver, amount) in enumerate(flows):
        together = {other for other, into, _ in flows if into == receiver}
        width = round(1.8 + 3.2 * amount / largest, 1)
        drawn.append(_arrow(f"{prefix}{number}", payer, receiver, width, spread=len(together) > 1))
    return tuple(drawn)


def _arrow(identity: str, payer: str, receiver: str, width: float, *, spread: bool) -> Arrow:
    start = _PLACES[payer]
    length, half = round(6.9 + 0.62 * width, 1), round(3.8 + 0.68 * width, 1)
    if receiver == "house":
        dx, dy = _INWARD[payer]
        tip = Point(64 - dx * 10, 40 - dy * 10)
        back = (-dx, -dy)
    else:
        back = _INWARD[receiver]
        tip = _tip(payer, receiver, spread=spread)
    base = Point(tip.x + back[0] * length, tip.y + back[1] * length)
    end = Point(base.x - back[0] * 1.8, base.y - back[1] * 1.8)
    across = (-back[1], back[0])
    corners = [Point(base.x + across[0] * half * way, base.y + across[1] * half * way) for way in (1, -1)]
    bend = _bend(start, end, back)
    return Arrow(
        id=identity,
        path=f"M{_at(start)}Q{_at(bend)} {_at(end)}",
        head=f"M{_at(tip)}L{_at(corners[0])}L{_at(corners[1])}z",
        width=width,
        start=start,
        end=end,
    )


def _tip(payer: str, receiver: str, *, spread: bool) -> Point:
    start, place = _PLACES[payer], _PLACES[receiver]
    dx, dy = _INWARD[receiver]
    tip = Point(place.x + dx * (GAP - 1), place.y + dy * (GAP - 1))
    if not spread:
        return tip
    along_x = dy != 0
    offset = start.x - place.x if along_x else start.y - place.y
    shift = SLOT * ((offset > 0) - (offset < 0))
    return Point(tip.x + shift, tip.y) if along_x else Point(tip.x, tip.y + shift)


def _bend(start: Point, end: Point, back: tuple[int, int]) -> Point:
    """Control point: leave straight from the payer, arrive straight at the receiver."""
    horizontal = back[0] != 0
    if start.x in (1, 127) and horizontal:
        return Point((start.x + end.x) / 2, end.y)
    if start.y in (1, 79) and not horizontal:
        return Point(end.x, (start.y + end.y) / 2)
    return Point(start.x, end.y) if horizontal else Point(end.x, start.y)


def _at(point: Point) -> str:
    return f"{point.x:.4g} {point.y:.4g}"

"""钓鱼: cash stakes beside the points (rule book 2.7)."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from scoring.changsha.rules import ChangshaRules
from scoring.tiles import Seat


def stakes(bets: Sequence[Decimal], rules: ChangshaRules, payer: Seat, winner: Seat, times: int) -> int:
    """What the payer pays in cash, in hundredths: the winner's stake and his own, by option ``times`` as much."""
    both = int(100 * (bets[payer] + bets[winner]))
    return both * times if rules.fishing_doubles else both

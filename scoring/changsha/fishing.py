"""钓鱼: cash stakes beside the points (rule book 2.7)."""

from __future__ import annotations

from scoring.changsha.rules import ChangshaRules
from scoring.record import WinRecord
from scoring.tiles import Seat


def stakes(record: WinRecord, rules: ChangshaRules, payer: Seat, winner: Seat, times: int) -> int:
    """What the payer pays in cash, in hundredths: the winner's stake and his own, by option ``times`` as much."""
    if record.side_bets is None:
        return 0
    both = int(100 * (record.side_bets[payer] + record.side_bets[winner]))
    return both * times if rules.fishing_doubles else both

"""钓鱼: cash stakes beside the points (rule book 2.7)."""

from __future__ import annotations

from scoring.changsha.rules import ChangshaRules
from scoring.checks import Faults
from scoring.faults import fault
from scoring.record import HandRecord, WinRecord
from scoring.tiles import Seat


def check_fishing(record: HandRecord, rules: ChangshaRules, faults: Faults) -> None:
    """Stakes are put down only where the option is on."""
    if record.side_bets is not None and not rules.fishing:
        faults.append(fault("not_in_rules", "side_bets", "side_bets"))


def stakes(record: WinRecord, rules: ChangshaRules, payer: Seat, winner: Seat, times: int) -> int:
    """What the payer pays in cash, in hundredths: the winner's stake and his own, by option ``times`` as much."""
    if record.side_bets is None:
        return 0
    both = int(100 * (record.side_bets[payer] + record.side_bets[winner]))
    return both * times if rules.fishing_doubles else both

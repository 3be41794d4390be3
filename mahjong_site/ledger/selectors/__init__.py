"""What people may read of the ledger. Keyword-only, typed, frozen answers; every one passes `access` first.

Amounts are summed by PostgreSQL over legs: a reversal takes away what its original gave, so nothing counts twice. Who
won, gave and sat is asked of the entries that were not reversed. A guest who turned out to be a player with an account
(an alias) counts as that player everywhere. A session counts on the day it was opened, in the club's time zone, so an
evening past midnight, and a correction made a day later, stay whole.
"""

from mahjong_site.ledger.selectors.boards import Board, Standing, leaderboard
from mahjong_site.ledger.selectors.history import Amount, HistoryEntry, Line, Share, entry_at, history
from mahjong_site.ledger.selectors.matrix import HeadToHead, club_head_to_head, session_head_to_head
from mahjong_site.ledger.selectors.scope import Person
from mahjong_site.ledger.selectors.series import Series, session_series
from mahjong_site.ledger.selectors.sessions import SessionRow, club_sessions
from mahjong_site.ledger.selectors.statistics import (
    FIGURES,
    BiggestWin,
    PatternCount,
    Statistics,
    club_statistics,
    player_statistics,
    session_statistics,
)
from mahjong_site.ledger.selectors.totals import Total, session_totals

__all__ = [
    "FIGURES",
    "Amount",
    "BiggestWin",
    "Board",
    "HeadToHead",
    "HistoryEntry",
    "Line",
    "PatternCount",
    "Person",
    "Series",
    "SessionRow",
    "Share",
    "Standing",
    "Statistics",
    "Total",
    "club_head_to_head",
    "club_sessions",
    "club_statistics",
    "entry_at",
    "history",
    "leaderboard",
    "player_statistics",
    "session_head_to_head",
    "session_series",
    "session_statistics",
    "session_totals",
]

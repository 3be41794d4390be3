"""The only code that writes sessions, entries and legs. Keyword-only, one transaction each, access checked inside."""

from mahjong_site.ledger.services.corrections import correct_entry, reverse_entry
from mahjong_site.ledger.services.posting import (
    choose_dealer,
    post_penalty,
    post_record,
    post_table_fee,
    preview_record,
    roll_first_dealer,
)
from mahjong_site.ledger.services.results import Conflict, KeyReused, Posted, Replayed, Result
from mahjong_site.ledger.services.sessions import (
    Terms,
    close_session,
    open_guest_table,
    open_session,
    reopen_session,
    seat_players,
    set_entry_mode,
    swap_seats,
)

__all__ = [
    "Conflict",
    "KeyReused",
    "Posted",
    "Replayed",
    "Result",
    "Terms",
    "choose_dealer",
    "close_session",
    "correct_entry",
    "open_guest_table",
    "open_session",
    "post_penalty",
    "post_record",
    "post_table_fee",
    "preview_record",
    "reopen_session",
    "reverse_entry",
    "roll_first_dealer",
    "seat_players",
    "set_entry_mode",
    "swap_seats",
]

"""The ledger: sessions, entries, legs, settle-up."""

from typing import ClassVar

from django.apps import AppConfig


class LedgerConfig(AppConfig):
    """Sessions and their append-only entries."""

    name = "mahjong_site.ledger"

    # What the web role may do; a row lock (FOR NO KEY UPDATE) needs UPDATE on some column.
    web_privileges: ClassVar[dict[str, str]] = {
        "ledger_session": "SELECT, INSERT, "
        "UPDATE (name, status, closed_at, entry_mode, seq, head, hand_no, dealer, streak)",
        "ledger_occupancy": "SELECT, INSERT, UPDATE (player_id)",
        "ledger_entry": "SELECT, INSERT",
        "ledger_leg": "SELECT, INSERT",
        "ledger_settleup": "SELECT, INSERT, UPDATE (cancelled_at)",
        "ledger_settledsession": "SELECT, INSERT",
        "ledger_transfer": "SELECT, INSERT, UPDATE (paid, paid_at, marked_by)",
    }

"""Which hand each entry must be of, and where the session must stand, by its entries alone.

The rule is that of `mahjong_site.ledger.hands`; here it is followed from the first entry to the last, with no regard
to what the entries and the session say of it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from uuid import UUID

from mahjong_site.ledger.hands import Deal, chosen, deal_after, deal_of, live, record_of
from mahjong_site.ledger.models import Entry
from scoring import next_dealer

SEATS = range(4)


class Replay:
    """Follows a session under its ``rules``.

    ``deals``: the hands that may be played next. Several at the start, since a session may open with any first
    dealer; and between a reversal and the correction after it, which says who deals next.
    """

    def __init__(self, rules: Mapping[str, Any]) -> None:
        self.deals = {Deal(1, seat, 0) for seat in SEATS}
        self._rules = rules
        self._entries: dict[UUID, Entry] = {}
        self._hands: defaultdict[int, list[Entry]] = defaultdict(list)

    def follow(self, entry: Entry) -> Iterator[str]:
        """Takes the next entry; gives what is wrong with the hand it says it is of, and goes on from what it says.

        Raises:
            scoring.RecordError: the running engine refuses a record of a hand of several.
        """
        about = entry.reverses_id or entry.corrects_id
        original = self._entries.get(about) if about else None
        if about and (original is None or original.kind != Entry.Kind.HAND or original.hand_no != entry.hand_no):
            yield "it takes back what is no record of its hand"
            return
        deal, due = deal_of(entry), self._due(entry, original)
        if deal not in due:
            yield f"it is of {told({deal})}, and should be of {told(due)}"
        follows = original is None or self._is_last(original.hand_no)
        self._entries[entry.id] = entry
        self._hands[entry.hand_no].append(entry)
        records = live(self._hands[entry.hand_no])
        choices = self._choices(records) if follows and entry.kind != Entry.Kind.DEALER else ()
        seat, of = ((entry.choice or {}).get(name) for name in ("seat", "of"))
        several = list(choices) if len(choices) > 1 else None
        corrected = entry.kind == Entry.Kind.REVERSAL and of is None
        if not corrected and (of != several or (several and seat not in several)):
            yield f"it chooses seat {seat} of {of} as next dealer, the rule leaves {several or 'no choice'}"
        if follows:
            taken = chosen([original, *records] if original else records, self._hands[entry.hand_no])
            seats = [seat for seat in choices if seat == taken] or choices
            self.deals = {deal_after(deal, [seat])[0] for seat in seats} or {deal}

    def leads_to(self, hand_no: int, dealer: int | None, streak: int) -> bool:
        """Whether the session may stand there now. Before its first entry its dealer may be still unknown."""
        return (hand_no, dealer, streak) in self.deals or (
            not self._entries and (hand_no, dealer, streak) == (1, None, 0)
        )

    def _due(self, entry: Entry, original: Entry | None) -> set[Deal]:
        """The hands the entry may be of."""
        if original and entry.kind == Entry.Kind.REVERSAL:
            return {deal_of(original)}
        if original:
            others = live(self._hands[original.hand_no])
            dealers = {others[0].dealer} if others else SEATS
            return {Deal(original.hand_no, dealer, original.streak) for dealer in dealers}
        going_on = live(self._hands[self._now])
        if entry.kind == Entry.Kind.DEALER:
            return set() if going_on else {Deal(self._now, dealer, 0) for dealer in SEATS}
        ended = [] if going_on else live(self._hands[self._now - 1])
        return {deal_of(ended[-1])} if ended and entry.hand_no < self._now else self.deals

    @property
    def _now(self) -> int:
        """The number of the hand being played."""
        return next(iter(self.deals)).hand_no

    def _is_last(self, hand_no: int) -> bool:
        return hand_no == self._now or (hand_no == self._now - 1 and not live(self._hands[self._now]))

    def _choices(self, records: Sequence[Entry]) -> Sequence[int]:
        """Who may deal after these records of a hand; of a single one its settlement says it."""
        if len(records) == 1:
            choices: Sequence[int] = (records[0].settlement or {}).get("next_dealer_choices", ())
            return choices
        return next_dealer([record_of(entry, self._rules) for entry in records])


def told(deals: set[Deal]) -> str:
    """``hand 3, dealer 1, streak 0``; several with *or*."""
    words = [f"hand {deal.hand_no}, dealer {deal.dealer}, streak {deal.streak}" for deal in sorted(deals)]
    return " or ".join(words) or "no hand"

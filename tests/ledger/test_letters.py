"""Hands as letters against the same hands counted one by one."""

from __future__ import annotations

from uuid import UUID

from hypothesis import given
from hypothesis import strategies as st

from mahjong_site.ledger.selectors.letters import (
    DREW,
    FIRST_LETTER,
    GAVE,
    SAME_HAND,
    WON,
    count,
    hands_of,
    longest_run,
)

PEOPLE = [UUID(int=number) for number in range(5)]
Record = tuple[frozenset[int], int | None]
"""The seats that won, and the one that gave."""

records = st.tuples(st.frozensets(st.integers(0, 3)), st.none() | st.integers(0, 3))
seatings = st.lists(st.sampled_from(PEOPLE), min_size=4, max_size=4)  # some sit twice: a guest and whom he stands for
evenings = st.lists(
    st.tuples(seatings, st.lists(st.lists(records, min_size=1, max_size=3), min_size=1, max_size=8)), max_size=5
)


def written(evening: list[tuple[list[UUID], list[list[Record]]]], across: bool) -> list[tuple[list[UUID], str]]:
    """As PostgreSQL writes it; ``across``: each seating begins with a record of the hand before."""
    stretches = []
    for place, (players, hands) in enumerate(evening):
        letters = ""
        for number, hand in enumerate(hands):
            for follows, (winners, giver) in enumerate(hand):
                marks = sum(1 << seat for seat in winners) + (0 if giver is None else 16 * (giver + 1))
                same = follows or (across and place and not number)
                letters += chr(FIRST_LETTER + marks + (SAME_HAND if same else 0))
        stretches.append((players, letters))
    return stretches


@given(evening=evenings, across=st.booleans())
def test_letters_count_as_hands(evening: list[tuple[list[UUID], list[list[Record]]]], across: bool) -> None:
    played: list[list[tuple[list[UUID], Record]]] = []
    for place, (players, hands) in enumerate(evening):
        for number, hand in enumerate(hands):
            told = [(players, record) for record in hand]
            if across and place and not number:
                played[-1] += told
            else:
                played.append(told)
    due: dict[UUID, list[int]] = {}
    for told in played:
        for person in {player for players, _ in told for player in players}:
            digit = 0
            for players, (winners, giver) in told:
                won = any(players[seat] == person for seat in winners)
                digit |= WON * won | DREW * (won and giver is None)
                digit |= GAVE * (giver is not None and players[giver] == person)
            due.setdefault(person, []).append(digit)
    found = hands_of(written(evening, across))
    assert found == {person: "".join(map(str, digits)) for person, digits in due.items()}
    for person, digits in due.items():
        for what in (WON, DREW, GAVE):
            assert count(found[person], what) == sum(bool(digit & what) for digit in digits)
        runs = "".join("x" if digit & WON else " " for digit in digits).split()
        assert longest_run(found[person]) == max(map(len, runs), default=0)


def test_nobody_sat() -> None:
    assert hands_of([]) == {}
    assert longest_run("") == 0

"""Raw SQL against the ledger: every attack is refused, by the name of the rule it breaks.

As the web role, which owns nothing; and as the owner of the tables, where privileges do not stand in the way.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple
from uuid import uuid4

import psycopg
import pytest

from mahjong_site.clubs.models import Player
from mahjong_site.embedded import layout
from mahjong_site.ledger import services
from mahjong_site.ledger.models import Entry, Session
from tests.ledger.tables import Table, win

PRIVILEGE = "permission denied"
SESSION = "club_id = %(club)s AND id = %(session)s"

ENTRY_COLUMNS = [field.column for field in Entry._meta.concrete_fields]
SESSION_COLUMNS = [field.column for field in Session._meta.concrete_fields]
FRESH = {
    "id": "%(new)s",
    "seq": "4",
    "hand_no": "2",
    "seated_at": "4",
    "client_key": "NULL",
    "request_sha256": "NULL",
    "prev_hash": f"(SELECT head FROM ledger_session WHERE {SESSION})",
    "hash": "sha256('new')",
}
"""How a copy of entry 3 differs from it when it is a well-formed entry 4: same players, dealer, record, settlement."""
REVERSAL = FRESH | {
    "kind": "'reversal'",
    "hand_no": "hand_no",
    "seated_at": "seated_at",
    "record": "NULL",
    "settlement": "NULL",
    "reverses_id": "%(entry)s",
    "reason": "'x'",
}


def entry(**changed: str) -> str:
    """A copy of entry 3 with other columns."""
    columns = ", ".join(changed.get(name, name) for name in ENTRY_COLUMNS)
    return (
        f"INSERT INTO ledger_entry ({', '.join(ENTRY_COLUMNS)}) "
        f"SELECT {columns} FROM ledger_entry WHERE club_id = %(club)s AND id = %(entry)s"
    )


def session(**changed: str) -> str:
    """A copy of the session with other columns."""
    columns = ", ".join(changed.get(name, name) for name in SESSION_COLUMNS)
    names = ", ".join(SESSION_COLUMNS)
    return f"INSERT INTO ledger_session ({names}) SELECT {columns} FROM ledger_session WHERE {SESSION}"


def legs(of: str = "%(new)s", points: str = "points", cash: str = "cash", where: str = "true", **changed: str) -> str:
    """A copy of entry 3's legs for another entry."""
    session, seat, player = (changed.get(name, name) for name in ("session_id", "seat", "player_id"))
    return (
        "INSERT INTO ledger_leg (club_id, session_id, entry_id, seat, player_id, points, cash) "
        f"SELECT club_id, {session}, {of}, {seat}, {player}, {points}, {cash} FROM ledger_leg "
        f"WHERE club_id = %(club)s AND entry_id = %(entry)s AND {where}"
    )


def one_leg(of: str = "%(entry)s", seat: int = 4, player: str = "%(house)s", points: int = 1) -> str:
    """One leg more."""
    return (
        "INSERT INTO ledger_leg (club_id, session_id, entry_id, seat, player_id, points, cash) "
        f"VALUES (%(club)s, %(session)s, {of}, {seat}, {player}, {points}, 0)"
    )


def occupancy(seat: int, from_seq: int, player: str) -> str:
    """One row of the seating."""
    return (
        "INSERT INTO ledger_occupancy (club_id, session_id, seat, from_seq, player_id) "
        f"VALUES (%(club)s, %(session)s, {seat}, {from_seq}, {player})"
    )


MOVE = f"UPDATE ledger_session SET seq = 4, head = sha256('new'), hand_no = 3 WHERE {SESSION}"
CLOSE = f"UPDATE ledger_session SET status = 'closed' WHERE {SESSION}"
PAYS_THE_HOUSE = """settlement || '{"deltas": [-1, 0, 0, 0], "house": 1}'"""
POSTED = [entry(**FRESH), legs(), MOVE]
NOW = "SET CONSTRAINTS ALL IMMEDIATE"


class Attack(NamedTuple):
    """Statements of one transaction, and what refuses them: a rule's name, or missing privileges of the web role."""

    what: str
    statements: Sequence[str]
    rule: str
    web: str = ""


ATTACKS = [
    # nothing is changed or deleted
    Attack("update an entry", ["UPDATE ledger_entry SET reason = 'x'"], "ledger_entry_append_only", PRIVILEGE),
    Attack("delete an entry", ["DELETE FROM ledger_entry"], "ledger_entry_append_only", PRIVILEGE),
    Attack("truncate entries", ["TRUNCATE ledger_entry CASCADE"], "ledger_entry_append_only", PRIVILEGE),
    Attack("update a leg", ["UPDATE ledger_leg SET points = -points"], "ledger_leg_append_only", PRIVILEGE),
    Attack("delete a leg", ["DELETE FROM ledger_leg"], "ledger_leg_append_only", PRIVILEGE),
    Attack("truncate legs", ["TRUNCATE ledger_leg"], "ledger_leg_append_only", PRIVILEGE),
    Attack("delete a session", [f"DELETE FROM ledger_session WHERE {SESSION}"], "ledger_session_kept", PRIVILEGE),
    Attack("delete a seating", ["DELETE FROM ledger_occupancy"], "ledger_occupancy_kept", PRIVILEGE),
    # legs
    Attack("late leg", [one_leg()], "ledger_leg_with_its_entry"),
    Attack(
        "late legs that sum to zero",
        [one_leg(seat=1, player="%(p1)s"), one_leg(seat=3, player="%(p3)s", points=-1)],
        "ledger_leg_with_its_entry",
    ),
    Attack("unbalanced leg", [entry(**FRESH), legs(points="points + (seat = 2)::int"), MOVE], "ledger_leg_points_zero"),
    Attack("unbalanced cash", [entry(**FRESH), legs(cash="(seat = 2)::int"), MOVE], "ledger_leg_cash_zero"),
    Attack("one leg only", [entry(**FRESH), legs(where="seat = 2"), MOVE], "ledger_leg_points_zero"),
    Attack(
        "some of the legs, and zero",
        [entry(**FRESH | {"settlement": """settlement || '{"deltas": [-20, 10, 20, -10]}'"""}), legs(), MOVE],
        "ledger_entry_has_legs",
    ),
    Attack("entry without legs", [entry(**FRESH), MOVE], "ledger_entry_has_legs"),
    Attack("other amounts", [entry(**FRESH), legs(points="2 * points"), MOVE], "ledger_leg_as_settled"),
    Attack(
        "balanced cash nobody settled",
        [entry(**FRESH), legs(cash="CASE seat WHEN 0 THEN 5 ELSE -5 END"), MOVE],
        "ledger_leg_as_settled",
    ),
    Attack("leg of nothing", [entry(**FRESH), legs(points="0"), MOVE], "ledger_leg_moves"),
    Attack("leg that comes after the check", [*POSTED, NOW, one_leg("%(new)s")], "ledger_leg_as_settled"),
    Attack(
        "moved leg: another session", [entry(**FRESH), legs(session_id="%(other_session)s"), MOVE], "ledger_leg_entry"
    ),
    Attack("moved leg: an entry of another club", [one_leg("%(foreign_entry)s")], "ledger_leg_entry"),
    Attack(
        "legs change places",
        [entry(**FRESH), legs(player_id="CASE seat WHEN 0 THEN %(p2)s::uuid ELSE %(p0)s END"), MOVE],
        "ledger_leg_player_on_seat",
    ),
    Attack(
        "foreign seat: a player who does not sit there",
        [entry(**FRESH), legs(player_id="%(fifth)s"), MOVE],
        "ledger_leg_player_on_seat",
    ),
    Attack(
        "foreign seat: a player of another club",
        [entry(**FRESH), legs(player_id="%(foreign)s"), MOVE],
        "ledger_leg_player",
    ),
    Attack(
        "a player where the house sits",
        [
            entry(**FRESH | {"settlement": PAYS_THE_HOUSE}),
            one_leg("%(new)s", 0, "%(p0)s", -1),
            one_leg("%(new)s", 4, "%(p2)s", 1),
            MOVE,
        ],
        "ledger_leg_player_on_seat",
    ),
    Attack("a seat that is none", [entry(**FRESH), legs(), one_leg("%(new)s", 5), MOVE], "ledger_leg_seat"),
    # reversals and corrections
    Attack(
        "second reversal",
        [entry(**REVERSAL | {"reverses_id": "%(reversed)s", "hand_no": "1", "seated_at": "1"})],
        "ledger_entry_reversed_once",
    ),
    Attack("half reversal", [entry(**REVERSAL), legs(points="-points / 2"), MOVE], "ledger_leg_mirrors_reversed"),
    Attack(
        "unbalanced reversal",
        [entry(**REVERSAL), legs(points="-points", where="seat = 0"), MOVE],
        "ledger_leg_points_zero",
    ),
    Attack("reversal without legs", [entry(**REVERSAL), MOVE], "ledger_entry_has_legs"),
    Attack(
        "reversal of a reversal",
        [entry(**REVERSAL | {"reverses_id": "%(reversal)s", "hand_no": "1", "seated_at": "1"})],
        "ledger_entry_of_the_same_hand",
    ),
    Attack("reversal in another hand", [entry(**REVERSAL | {"hand_no": "2"})], "ledger_entry_of_the_same_hand"),
    Attack(
        "reversal of another session's entry",
        [entry(**REVERSAL | {"reverses_id": "%(foreign_entry)s"})],
        "ledger_entry_reverses",
    ),
    Attack("reversal without a reason", [entry(**REVERSAL | {"reason": "''"})], "ledger_entry_reason"),
    Attack("reversal with a settlement", [entry(**REVERSAL | {"settlement": "settlement"})], "ledger_entry_facts"),
    Attack(
        "correction of what stands",
        [
            entry(
                **FRESH | {"hand_no": "hand_no", "seated_at": "seated_at", "corrects_id": "%(entry)s", "reason": "'x'"}
            )
        ],
        "ledger_entry_corrects_reversed",
    ),
    # sequence, chain, keys
    Attack(
        "gap in the sequence",
        [entry(**FRESH | {"seq": "5", "seated_at": "5"}), legs(), MOVE.replace("seq = 4", "seq = 5")],
        "ledger_entry_follows",
    ),
    Attack("broken chain", [entry(**FRESH | {"prev_hash": "sha256('else')"})], "ledger_entry_follows"),
    Attack("a second first entry", [entry(**FRESH | {"seq": "1", "seated_at": "1"})], "ledger_entry_follows"),
    Attack(
        "same sequence twice",
        [entry(**FRESH | {"seq": "3", "seated_at": "3", "prev_hash": "prev_hash"})],
        "ledger_entry_seq_once",
    ),
    Attack(
        "client key twice",
        [entry(**FRESH | {"client_key": "client_key", "request_sha256": "request_sha256"})],
        "ledger_entry_client_key_once",
    ),
    Attack(
        "entry of another club's session",
        [entry(**FRESH | {"session_id": "%(foreign_session)s"})],
        "ledger_entry_session",
    ),
    # seats and sessions
    Attack(
        "entry of other players",
        [entry(**FRESH | {"seats": "ARRAY[seats[2], seats[1], seats[3], seats[4]]"})],
        "ledger_entry_seats",
    ),
    Attack("entry of a seating that never was", [entry(**FRESH | {"seated_at": "2"})], "ledger_entry_seats"),
    Attack(
        "entry whose record names another dealer",
        [entry(**FRESH | {"dealer": "(dealer + 1) %% 4"})],
        "ledger_entry_record_dealer",
    ),
    Attack("closed session", [CLOSE, *POSTED], "ledger_entry_session_open"),
    Attack("entry that does not move the state", [entry(**FRESH), legs()], "ledger_session_at_last_entry"),
    Attack(
        "state without an entry",
        [f"UPDATE ledger_session SET dealer = 3 WHERE {SESSION}"],
        "ledger_session_moved_by_entry",
    ),
    Attack(
        "sequence without an entry",
        [f"UPDATE ledger_session SET seq = 9 WHERE {SESSION}"],
        "ledger_session_at_last_entry",
    ),
    Attack(
        "changed rules",
        [f"UPDATE ledger_session SET rules = '{{}}' WHERE {SESSION}"],
        "ledger_session_frozen",
        PRIVILEGE,
    ),
    Attack(
        "changed point value",
        [f"UPDATE ledger_session SET point_value = 9 WHERE {SESSION}"],
        "ledger_session_frozen",
        PRIVILEGE,
    ),
    Attack(
        "session that starts in the middle", [session(id="gen_random_uuid()", seq="7")], "ledger_session_starts_empty"
    ),
    Attack(
        "a seating that entries rely on",
        ["UPDATE ledger_occupancy SET player_id = %(fifth)s WHERE session_id = %(session)s AND seat = 0"],
        "ledger_occupancy_frozen",
    ),
    Attack("a seating in the past", [occupancy(0, 2, "%(fifth)s")], "ledger_occupancy_frozen"),
    Attack("a seating in the future", [occupancy(0, 9, "%(fifth)s")], "ledger_occupancy_frozen"),
    Attack("one player on two seats", [occupancy(0, 4, "%(p1)s")], "ledger_occupancy_four_players"),
    Attack("the house on a seat", [occupancy(0, 4, "%(house)s")], "ledger_occupancy_not_the_house"),
    Attack("a stranger on a seat", [occupancy(0, 4, "%(foreign)s")], "ledger_occupancy_player"),
    Attack("a seating of a closed session", [CLOSE, occupancy(0, 4, "%(fifth)s")], "ledger_occupancy_session_open"),
    Attack(
        "an alias of an alias",
        [
            "INSERT INTO clubs_alias (club_id, guest_id, player_id, created_at) VALUES "
            "(%(club)s, %(p0)s, %(p1)s, now()), (%(club)s, %(p1)s, %(p2)s, now())"
        ],
        "clubs_alias_no_chain",
    ),
    # the rules themselves
    Attack("sleeping triggers", ["SET session_replication_role = replica"], PRIVILEGE, PRIVILEGE),
]


@pytest.fixture(scope="module")
def scene(django_db_setup: None, django_db_blocker: Any, test_database: Any) -> Iterator[dict[str, Any]]:
    """One scene for all attacks: none of them leaves a trace."""
    with django_db_blocker.unblock():
        yield made_scene(Table.open())
        test_database.empty()


def made_scene(table: Table) -> dict[str, Any]:
    """The ids that the statements name: three entries (a hand, its reversal, the hand again), another session of the
    club, another club."""
    first = table.post(win(1))
    reversal = table.ask(services.reverse_entry, seq=1, reason="误记").entry
    last = table.post(win(2, giver=0))
    other = services.open_session(
        actor=table.actor,
        club_id=table.session.club_id,
        terms=services.Terms(name="b", rules="changsha-room", players=["甲", "乙", "丙", "丁"]),
    )
    elsewhere = Table.open()
    foreign = elsewhere.post(win(1))
    house = Player.objects.get(club_id=table.session.club_id, is_house=True)
    fifth = Player.objects.get(club_id=table.session.club_id, name="甲")
    return {
        "club": table.session.club_id,
        "session": table.session.id,
        "other_session": other.id,
        "entry": last.id,
        "reversed": first.id,
        "reversal": reversal.id,
        "new": uuid4(),
        "house": house.id,
        "fifth": fifth.id,
        "foreign": foreign.seats[0],
        "foreign_entry": foreign.id,
        "foreign_session": elsewhere.session.id,
        **{f"p{seat}": player for seat, player in enumerate(last.seats)},
    }


def run(database: Any, role: str, statements: Sequence[str], scene: dict[str, Any]) -> str:
    """Runs one transaction; what refused it: a constraint's name, `PRIVILEGE`, or nothing."""
    with database.connect(role) as server:
        try:
            with server.transaction():
                for statement in statements:
                    server.execute(statement, scene)
        except psycopg.errors.InsufficientPrivilege:
            return PRIVILEGE
        except psycopg.Error as error:
            return error.diag.constraint_name or str(error)
    return ""


def contents(database: Any) -> list[Any]:
    """All that the ledger holds."""
    tables = ("ledger_session", "ledger_occupancy", "ledger_entry", "ledger_leg", "clubs_alias")
    with database.connect() as server:
        return [server.execute(f"SELECT t::text FROM {table} t ORDER BY 1").fetchall() for table in tables]


@pytest.mark.parametrize("role", [layout.WEB_ROLE, layout.OWNER_ROLE])
@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.what)
def test_refused_by_name(attack: Attack, role: str, scene: dict[str, Any], test_database: Any) -> None:
    before = contents(test_database)
    refused_by = run(test_database, role, attack.statements, scene)
    assert refused_by == (attack.web if attack.web and role == layout.WEB_ROLE else attack.rule)
    assert contents(test_database) == before


@pytest.mark.parametrize(
    "statements",
    [
        POSTED,
        [entry(**REVERSAL), legs(points="-points"), MOVE],
        [
            entry(**FRESH | {"settlement": PAYS_THE_HOUSE}),
            one_leg("%(new)s", 0, "%(p0)s", -1),
            one_leg("%(new)s", 4, "%(house)s", 1),
            MOVE,
        ],
        [occupancy(0, 4, "%(fifth)s")],
    ],
    ids=["entry", "reversal", "entry that pays the house", "seating"],
)
def test_the_well_formed_statement_beside_them_is_taken(
    statements: Sequence[str], scene: dict[str, Any], test_database: Any
) -> None:
    with test_database.connect(layout.WEB_ROLE) as web, web.transaction(force_rollback=True):
        for statement in (*statements, NOW):
            web.execute(statement, scene)


def test_the_web_role_owns_nothing_and_makes_nothing(scene: dict[str, Any], test_database: Any) -> None:
    with test_database.connect() as server:
        owned = server.execute("SELECT relname FROM pg_class WHERE relowner = 'paizhang_web'::regrole").fetchall()
    assert owned == []
    for statement in (
        "CREATE TABLE ledger_other (id int)",
        "ALTER TABLE ledger_entry DISABLE TRIGGER ALL",
        "DROP TRIGGER ledger_entry_append_only ON ledger_entry",
        "CREATE FUNCTION ledger_seats(uuid, uuid, integer) RETURNS uuid[] LANGUAGE sql AS 'SELECT NULL::uuid[]'",
    ):
        with test_database.connect(layout.WEB_ROLE) as web, pytest.raises(psycopg.errors.InsufficientPrivilege):
            web.execute(statement)


def test_a_temporary_table_does_not_stand_in_for_the_ledger(scene: dict[str, Any], test_database: Any) -> None:
    """A session's temporary tables come first in the search path; the triggers look past them."""
    shadow = [
        "CREATE TEMP TABLE ledger_leg (LIKE public.ledger_leg)",
        "CREATE TEMP TABLE ledger_entry (LIKE public.ledger_entry)",
    ]
    late = one_leg().replace("ledger_leg", "public.ledger_leg")
    assert run(test_database, layout.WEB_ROLE, [*shadow, late], scene) == "ledger_leg_with_its_entry"

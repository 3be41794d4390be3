"""Exports: hostile names stay text, numbers stay numbers; JSON comes back as it went, and nothing else comes in."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from collections.abc import Callable
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.core.exceptions import PermissionDenied
from django.core.management import CommandError, call_command
from django.http import Http404
from django.utils import translation

from mahjong_site.clubs.access import Actor
from mahjong_site.clubs.models import Club, Role
from mahjong_site.clubs.refusals import Refused
from mahjong_site.clubs.services.links import create_link
from mahjong_site.ledger import exports, selectors, services
from mahjong_site.ledger.chain import canonical, entry_hash, genesis
from mahjong_site.ledger.models import Entry, Session
from mahjong_site.ledger.portable import export_session, import_session
from tests.ledger.evenings import HOSTILE, evening, rows
from tests.ledger.tables import SMALL, Table

Change = Callable[[dict[str, Any]], Any]


@pytest.fixture
def played(transactional_db: None) -> Table:
    return evening(players=HOSTILE)


def source(table: Table) -> exports.Source:
    return exports.session_source(actor=table.actor, session_id=table.session.id)


# --- tables


def read_csv(table: exports.Table) -> list[dict[str, str]]:
    data = exports.to_csv(table)
    assert data.startswith(b"\xef\xbb\xbf")
    assert b"\r\n" in data
    return list(csv.DictReader(io.StringIO(data.decode("utf-8-sig"), newline="")))


@pytest.mark.parametrize("name", exports.TABLES)
def test_csv_has_no_formula(played: Table, name: str) -> None:
    with translation.override("en"):
        read = read_csv(exports.TABLES[name](source(played)))
    assert read
    texts = [cell for row in read for cell in row.values()]
    assert not [
        text for text in texts if text[:1] in tuple("=+@|%＝＋－＠") or (text[:1] == "-" and not is_number(text))
    ]
    told = "\n".join(texts)
    assert all(name.lstrip("=@＋")[:4].split("|")[0] in told for name in HOSTILE)


@pytest.mark.parametrize(("language", "house"), [("en", "House"), ("zh-hans", "桌外")])
def test_the_house_is_named_in_the_language_of_the_export(played: Table, language: str, house: str) -> None:
    with translation.override(language):
        tables = [exports.TABLES[name](source(played)) for name in ("totals", "legs")]
    for table in tables:
        cells = {cell for row in table.rows for cell in row}
        assert cells & {"House", "桌外"} == {house}


def is_number(text: str) -> bool:
    try:
        Decimal(text)
    except ArithmeticError:
        return False
    return True


def test_csv_sums_are_zero(played: Table) -> None:
    with translation.override("en"):
        legs, totals = (read_csv(exports.TABLES[name](source(played))) for name in ("legs", "totals"))
    for table in (legs, totals):
        assert sum(int(row["Points"]) for row in table) == 0
        assert sum(Decimal(row["Side cash"]) for row in table) == 0
    assert any(Decimal(row["Side cash"]) for row in totals)
    assert {len(row["Money"].partition(".")[2]) for row in totals} == {2}


def test_xlsx_cells_are_text_or_numbers(played: Table) -> None:
    book = exports.to_xlsx(make(source(played)) for make in exports.TABLES.values())
    with zipfile.ZipFile(io.BytesIO(book)) as parts:
        sheets = [parts.read(name).decode() for name in parts.namelist() if name.startswith("xl/worksheets/sheet")]
        texts = parts.read("xl/sharedStrings.xml").decode()
    assert len(sheets) == 3
    assert not any("<f>" in sheet or "<hyperlink" in sheet for sheet in sheets)
    assert all("<v>" in sheet for sheet in sheets)
    assert "<t>=1+1</t>" in texts
    assert "&lt;b&gt;&amp;" in texts


@pytest.mark.parametrize("language", ["zh-hans", "en"])
def test_hands_of_every_kind_are_told(played: Table, language: str) -> None:
    with translation.override(language):
        table = exports.hands(source(played))
    assert len(table.rows) == played.now.seq
    assert all(len(row) == len(table.header) for row in table.rows)
    moment = table.rows[0][3]
    assert isinstance(moment, datetime)
    assert moment.utcoffset().total_seconds() == 8 * 3600  # type: ignore[union-attr] # the club's time zone
    words = {"zh-hans": "清一色", "en": "one suit"}
    assert any(words[language] in str(cell) for row in table.rows for cell in row)


def test_who_may_export(played: Table) -> None:
    club_id = played.session.club_id
    link = {"actor": played.actor, "club_id": club_id, "role": Role.SCORER, "name": "记分"}
    scorer = Actor(tokens=(create_link(**link)[1],))
    assert exports.session_source(actor=scorer, session_id=played.session.id).sessions
    with pytest.raises(PermissionDenied):
        exports.club_source(actor=scorer, club_id=club_id)
    assert len(exports.club_source(actor=played.actor, club_id=club_id).sessions) == 1
    for asked in (
        lambda: exports.session_source(actor=Actor(), session_id=played.session.id),
        lambda: export_session(actor=Actor(), session_id=played.session.id),
        lambda: exports.club_source(actor=Actor(), club_id=club_id),
    ):
        with pytest.raises(Http404):
            asked()


# --- JSON there and back


def exported(table: Table) -> bytes:
    return export_session(actor=table.actor, session_id=table.session.id)


def totals(table: Table, actor: Actor | None = None) -> list[tuple[Any, ...]]:
    told = selectors.session_totals(actor=actor or table.actor, session_id=table.session.id)
    return [(total.player.id, total.points, total.cash, total.hands) for total in told]


def state(session: Session) -> tuple[Any, ...]:
    told = Session.objects.get(club_id=session.club_id, id=session.id)
    return tuple(
        bytes(value) if isinstance(value, memoryview | bytes) else value
        for value in (getattr(told, field.attname) for field in Session._meta.concrete_fields)
    )


def test_there_and_back(played: Table, empty_tables: Callable[[], None], django_user_model: Any) -> None:
    before = rows(played.session), state(played.session), totals(played)
    data = exported(played)
    empty_tables()
    owner = django_user_model.objects.create_user("owner")
    import_session(data=data, actor=None, owner_id=owner.pk)
    assert (rows(played.session), state(played.session), totals(played, Actor(owner.pk))) == before
    assert export_session(actor=Actor(owner.pk), session_id=played.session.id) == data
    call_command("verify_ledger", session=played.session.id, stdout=io.StringIO())


def test_an_open_session_goes_on(transactional_db: None, empty_tables: Callable[[], None]) -> None:
    table = Table.open()
    table.post(SMALL)
    data = exported(table)
    empty_tables()
    session = import_session(data=data, actor=None)
    table = Table(session, owner_link(session))
    assert table.deal() == (2, 1, 0)
    table.post(SMALL, client_key="another")


def test_a_session_without_entries(transactional_db: None, empty_tables: Callable[[], None]) -> None:
    table = Table.open()
    data = exported(table)
    empty_tables()
    assert import_session(data=data, actor=None).seq == 0


def owner_link(session: Session) -> Actor:
    from mahjong_site.clubs.services.links import make_link

    return Actor(tokens=(make_link(club_id=session.club_id, role=Role.OWNER, name="主", lasts=None)[1],))


def test_what_is_here_is_refused(played: Table) -> None:
    data = exported(played)
    for actor in (None, played.actor):
        with pytest.raises(Refused, match="session_exists"):
            import_session(data=data, actor=actor)
    with pytest.raises(Http404):
        import_session(data=data, actor=Actor())


def test_a_second_session_of_the_same_club(played: Table, test_database: Any) -> None:
    """The club and its players are here already; they stay as they are."""
    data = exported(played)
    with test_database.connect(options="-c session_replication_role=replica") as server:
        for table in ("ledger_leg", "ledger_entry", "ledger_occupancy", "ledger_session"):
            server.execute(f"DELETE FROM {table}")
    club = Club.objects.get()
    assert import_session(data=data, actor=played.actor).club_id == club.id
    assert Club.objects.get() == club


def at(path: str, value: Any) -> Change:
    """Sets what stands at a dotted path."""

    def change(file: dict[str, Any]) -> None:
        *way, last = path.split(".")
        for step in way:
            file = file[int(step)] if isinstance(file, list) else file[step]
        file[int(last) if isinstance(file, list) else last] = value  # type: ignore[index]

    return change


def chained(change: Change) -> Change:
    """Makes the change, and a chain that fits it: what someone who knows the program would do."""

    def changed(file: dict[str, Any]) -> None:
        change(file)
        told = file["session"]
        session = Session(
            club_id=file["club"]["id"],
            id=told["id"],
            rules=told["rules"],
            point_value=Decimal(told["point_value"]),
            currency=told["currency"],
            creator_id=told["creator"],
            created_at=datetime.fromisoformat(told["created_at"]),
        )
        head = genesis(session)
        told["genesis"] = head.hex()
        for part in file["entries"]:
            entry = Entry(
                club_id=session.club_id,
                session_id=session.id,
                reverses_id=part["reverses"],
                corrects_id=part["corrects"],
                author_id=part["author"]["id"],
                author_name=part["author"]["name"],
                posted_at=datetime.fromisoformat(part["time"]),
                prev_hash=head,
                **{
                    name: part[name]
                    for name in (
                        "id",
                        "seq",
                        "kind",
                        "hand_no",
                        "dealer",
                        "streak",
                        "seated_at",
                        "seats",
                        "record",
                        "settlement",
                    )
                },
                **{name: part[name] for name in ("engine", "choice", "reason", "client_key")},
            )
            head = entry_hash(entry)
            part["hash"] = head.hex()

    return changed


def more(path: str) -> Change:
    """A settlement that pays ten times as much, legs and all."""

    def change(file: dict[str, Any]) -> None:
        entry = file["entries"][int(path)]
        settlement = entry["settlement"]
        settlement["deltas"] = [10 * delta for delta in settlement["deltas"]]
        for leg in entry["legs"]:
            leg["points"] *= 10

    return change


def drop(path: str) -> Change:
    def change(file: dict[str, Any]) -> None:
        del file["entries"][int(path)]

    return change


ATTACKS: dict[str, tuple[Change, str]] = {
    "another format": (at("format", "x"), "bad_file"),
    "an unknown field": (at("session.more", 1), "bad_file"),
    "a bad id": (at("session.id", "../../etc/passwd"), "bad_file"),
    "control characters": (at("players.1.name", "a\u0000b"), "bad_name"),
    "bidi characters": (at("session.name", "a\u202eb"), "bad_name"),
    "a long name": (at("entries.1.author.name", "x" * 41), "bad_name"),
    "no such time zone": (at("club.time_zone", "../../etc/passwd"), "bad_time_zone"),
    "a point for nothing": (at("session.point_value", "0"), "bad_file"),
    "a point value that is none": (at("session.point_value", "NaN"), "bad_file"),
    "rules that are none": (at("session.rules", {"preset": "x"}), "bad_file"),
    "a hand number from nowhere": (at("session.hand_no", 999), "bad_file"),
    "another hand than its entries lead to": (at("session.hand_no", 5), "bad_file"),
    "another dealer than they lead to": (at("session.dealer", 2), "bad_file"),
    "a dealer who kept the deal for longer": (at("session.streak", 7), "bad_file"),
    "an entry of another hand": (chained(at("entries.1.hand_no", 2)), "bad_file"),
    "an entry of a longer streak": (chained(at("entries.1.streak", 2)), "bad_file"),
    "an open session that was closed": (at("session.status", "open"), "bad_file"),
    "a changed reason": (at("entries.4.reason", "别的"), "broken_chain"),
    "a changed amount": (more("1"), "broken_chain"),
    "an entry left out": (drop("2"), "broken_chain"),
    "other rules than frozen": (at("session.currency", "USD"), "bad_file"),
    "more money, chain and legs to match": (chained(more("1")), "other_settlement"),
    "a record that cannot be": (chained(at("entries.1.record.winners.0.seat", 9)), "bad_file"),
    "a record with more in it": (chained(at("entries.1.record.rules", "wuhan-laizi")), "bad_file"),
    "legs that do not sum to zero": (at("entries.1.legs.0.points", 1), "ledger_leg_points_zero"),
    "no legs": (at("entries.1.legs", []), "ledger_entry_has_legs"),
    "a stranger on a seat": (chained(at("entries.2.seats.0", str(uuid4()))), "ledger_entry_seats"),
    "a reversal of nothing": (chained(at("entries.4.reverses", str(uuid4()))), "bad_file"),
    "the same key twice": (chained(at("entries.2.client_key", "key-1")), "ledger_entry_client_key_once"),
    "seats of later": (at("occupancies.0.from_seq", 999), "refused_by_ledger"),
    "nobody on a seat": (at("occupancies", []), "refused_by_ledger"),
    "the house is a player": (at("players.0.house", False), "bad_file"),
    "a seat for the house": (chained(at("occupancies.0.player", None)), "bad_file"),
    "a dealer from nowhere": (chained(at("entries.0.record", {"dealer": 0, "how": "<script>"})), "bad_file"),
}


@pytest.mark.parametrize("name", ATTACKS)
def test_hostile_files_are_refused(played: Table, empty_tables: Callable[[], None], name: str) -> None:
    change, code = ATTACKS[name]
    file = json.loads(exported(played))
    change(file)
    empty_tables()
    with pytest.raises(Refused) as refused:
        import_session(data=json.dumps(file).encode(), actor=None)
    assert code in str(refused.value)
    assert all(fault.message and fault.message_zh for fault in refused.value.faults)
    assert not Session.objects.exists()
    assert not Club.objects.exists()


@pytest.mark.parametrize(
    "data", [b"", b"{}", b"[" * 100_000, b'{"a":' * 100_000, b"\xff\xfe", b"null", b'"' + b"x" * 1000 + b'"']
)
def test_what_is_no_file(transactional_db: None, data: bytes) -> None:
    with pytest.raises(Refused, match="bad_file"):
        import_session(data=data, actor=None)


def test_another_engine_needs_a_word(played: Table, empty_tables: Callable[[], None]) -> None:
    file = json.loads(exported(played))

    def older(file: dict[str, Any]) -> None:
        more("1")(file)
        file["entries"][1]["engine"] = file["entries"][1]["settlement"]["engine"] = "0.9.0"

    chained(older)(file)
    empty_tables()
    data = canonical(file)
    with pytest.raises(Refused, match="other_settlement"):
        import_session(data=data, actor=None)
    out = io.StringIO()
    session = import_session(data=data, actor=None, other_engines=True)
    call_command("verify_ledger", stdout=out)
    assert "engine 0.9.0 settled it as" in out.getvalue()
    assert f"{session.seq} entries: 0 faults, 1 settled otherwise" in out.getvalue()


def test_the_command(played: Table, empty_tables: Callable[[], None], tmp_path: Path, django_user_model: Any) -> None:
    file = tmp_path / "session.json"
    file.write_bytes(exported(played))
    with pytest.raises(CommandError, match="here already"):
        call_command("import_session", file)
    empty_tables()
    django_user_model.objects.create_user("owner")
    with pytest.raises(CommandError, match="no account nobody"):
        call_command("import_session", file, owner="nobody")
    out = io.StringIO()
    call_command("import_session", file, owner="owner", stdout=out)
    assert str(played.session.id) in out.getvalue()
    with pytest.raises(CommandError, match="No such file"):
        call_command("import_session", tmp_path / "none.json")


def test_services_still_refuse_a_closed_import(played: Table, empty_tables: Callable[[], None]) -> None:
    data = exported(played)
    empty_tables()
    session = import_session(data=data, actor=None)
    with pytest.raises(Refused, match="session_closed"):
        Table(session, owner_link(session)).ask(services.post_record, record=SMALL, client_key="new")

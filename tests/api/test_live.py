"""What needs a server that streams: batches answered while they are settled, events, many clients at once."""

from __future__ import annotations

import http.client
import json
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth import get_user_model

from mahjong_site.accounts.services import make_token
from mahjong_site.api import events
from mahjong_site.api.workers import Workers
from mahjong_site.clubs.access import Actor
from mahjong_site.clubs.models import Role
from mahjong_site.clubs.services.clubs import create_club
from mahjong_site.clubs.services.links import create_link, revoke_link
from mahjong_site.ledger.services import Terms, open_session, post_record
from tests.api.conftest import CASES
from tests.conftest import LiveServer

WIN = {"kind": "win", "by": "self_draw", "winners": [{"seat": 1, "declared": []}], "birds": ["6s"]}
NDJSON = {"Content-Type": "application/x-ndjson"}


class Table:
    """A session and two programs' tokens."""

    def __init__(self, site: LiveServer) -> None:
        self.host = site.url.removeprefix("http://")
        user = get_user_model().objects.create_user(f"u{uuid4().hex[:8]}")
        self.boss = Actor(user.pk)
        self.club = create_club(user_id=user.pk, name="老友")
        self.session = open_session(
            actor=self.boss,
            club_id=self.club.id,
            terms=Terms(name="周六", rules="changsha-classic", players=list("甲乙丙丁"), first_dealer=0),
        )
        self.authorization = f"Token {make_token(user=user, name='t', scope='write', days=1)[1]}"

    def connect(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection(self.host, timeout=20)

    def post(self, expected_seq: int) -> None:
        post_record(
            actor=self.boss,
            session_id=self.session.id,
            record=WIN,
            client_key=uuid4().hex,
            expected_seq=expected_seq,
        )

    @contextmanager
    def listening(self, last: str = "", authorization: str = "") -> Iterator[Iterator[tuple[str, dict[str, str]]]]:
        """The events as (event, fields), from a stream that is there when this begins."""
        connection = self.connect()
        headers = {"Authorization": authorization or self.authorization, **({"Last-Event-ID": last} if last else {})}
        connection.request("GET", f"/api/v1/sessions/{self.session.id}/events", headers=headers)
        response = connection.getresponse()
        assert response.status == 200, response.read()
        assert response.headers["Content-Type"].startswith("text/event-stream")
        assert response.headers["X-Accel-Buffering"] == "no"

        def blocks() -> Iterator[tuple[str, dict[str, str]]]:
            fields: dict[str, str] = {}
            for raw in response:
                line = raw.decode().rstrip("\n")
                if line and not line.startswith(":"):
                    name, _, value = line.partition(": ")
                    fields[name] = value
                elif fields:
                    if "event" in fields:
                        yield fields["event"], fields
                    fields = {}

        assert response.readline() == b"retry: 2000\n"
        try:
            yield blocks()
        finally:
            connection.close()


@pytest.fixture
def table(live_site: LiveServer) -> Table:
    return Table(live_site)


def test_answers_come_while_the_rest_is_settled(live_site: LiveServer, monkeypatch: pytest.MonkeyPatch) -> None:
    first_is_read = threading.Event()
    settled = Workers.in_order

    def one_then_the_rest(*args: Any) -> Iterator[bytes]:
        parts = settled(*args)
        yield next(parts)
        assert first_is_read.wait(60)
        yield from parts

    monkeypatch.setattr(Workers, "in_order", one_then_the_rest)
    lines = b"\n".join(json.dumps(CASES[number % 20]["request"]).encode() for number in range(2_000))
    connection = http.client.HTTPConnection(live_site.url.removeprefix("http://"), timeout=50)
    connection.request("POST", "/api/v1/score/batch", lines, NDJSON)
    response = connection.getresponse()
    first = response.readline()
    first_is_read.set()
    answers = [first, *response]
    assert len(answers) == 2_000
    assert all(json.loads(line) for line in answers)


def test_a_chunked_body_is_read(live_site: LiveServer) -> None:
    connection = http.client.HTTPConnection(live_site.url.removeprefix("http://"), timeout=20)
    record = json.dumps(CASES[0]["request"]).encode()
    connection.request("POST", "/api/v1/score", iter([record[:50], record[50:]]), {"Content-Type": "application/json"})
    assert connection.getresponse().status == 200


def test_who_goes_away_stops_his_batch(live_site: LiveServer, monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[int] = []
    begin = Workers._begin

    def counted(workers: Workers, work: Any, records: Sequence[bytes]) -> Any:
        begun.append(len(records))
        return begin(workers, work, records)

    monkeypatch.setattr(Workers, "_begin", counted)
    lines = b"\n".join(json.dumps(CASES[0]["request"]).encode() for _ in range(10_000))
    for _ in range(3):
        connection = http.client.HTTPConnection(live_site.url.removeprefix("http://"), timeout=50)
        connection.request("POST", "/api/v1/score/batch", lines, NDJSON)
        connection.getresponse().readline()
        connection.close()
    connection = http.client.HTTPConnection(live_site.url.removeprefix("http://"), timeout=50)
    connection.request("POST", "/api/v1/score/batch", lines[:2000].rpartition(b"\n")[0], NDJSON)
    assert len(list(connection.getresponse())) > 2
    assert sum(begun) < 15_000


def test_events_as_they_happen_and_after_a_break(table: Table) -> None:
    with table.listening() as stream:
        table.post(0)
        assert next(stream) == ("entry", {"id": "1", "event": "entry", "data": '{"seq": 1}'})
        table.post(1)
        assert next(stream)[1]["id"] == "2"
    table.post(2)
    table.post(3)
    with table.listening(last="2") as stream:
        assert [next(stream)[1]["id"] for _ in range(2)] == ["3", "4"]
        connection = table.connect()
        headers = {"Authorization": table.authorization}
        connection.request("POST", f"/api/v1/sessions/{table.session.id}/close", headers=headers)
        connection.getresponse().read()
        assert next(stream)[0] == "status"


def test_a_stream_ends_with_the_right_to_see(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(events, "PING", 0.2)
    link, token = create_link(
        actor=table.boss, club_id=table.club.id, role=Role.VIEWER, name="看客", session_id=table.session.id
    )
    with table.listening(authorization=f"Link {token}") as stream:
        revoke_link(actor=table.boss, club_id=table.club.id, link_id=link.id)
        assert list(stream) == []


def test_streams_are_counted_and_given_back(table: Table) -> None:
    def ask() -> tuple[http.client.HTTPConnection, int]:
        connection = table.connect()
        address = f"/api/v1/sessions/{table.session.id}/events"
        connection.request("GET", address, headers={"Authorization": table.authorization})
        return connection, connection.getresponse().status

    opened = [ask() for _ in range(events.STREAMS_EACH + 1)]
    assert [status for _, status in opened] == [200] * events.STREAMS_EACH + [429]
    for connection, _ in opened:
        connection.close()
    for _ in range(50):
        connection, status = ask()
        connection.close()
        if status == 200:
            break
        time.sleep(0.1)
    assert status == 200


@pytest.mark.parametrize("last", ["x", "-1", "1" * 30])
def test_a_last_id_that_is_none(table: Table, last: str) -> None:
    connection = table.connect()
    headers = {"Authorization": table.authorization, "Last-Event-ID": last}
    connection.request("GET", f"/api/v1/sessions/{table.session.id}/events", headers=headers)
    assert connection.getresponse().status == 400


def _hands(table: Table, clients: int, hands: int) -> dict[str, list[dict[str, Any]]]:
    """What many clients got who post into one session, each hand under a key of its own, some twice."""
    got: dict[str, list[dict[str, Any]]] = {"posted": [], "replayed": [], "wrong": []}
    lock = threading.Lock()
    left = iter(range(hands))

    def client() -> None:
        connection = table.connect()
        seq = 0
        while True:
            with lock:
                number = next(left, None)
            if number is None:
                return
            key, twice = uuid4().hex, number % 5 == 0
            while True:
                body = json.dumps({"record": WIN, "expected_seq": seq})
                headers = {
                    "Authorization": table.authorization,
                    "Content-Type": "application/json",
                    "Idempotency-Key": key,
                }
                try:
                    connection.request("POST", f"/api/v1/sessions/{table.session.id}/entries", body, headers)
                    if number % 7 == 0 and twice:
                        connection.close()  # the answer is lost: the same again
                        twice = False
                        continue
                    response = connection.getresponse()
                    told = json.loads(response.read())
                except (http.client.HTTPException, OSError):
                    connection.close()
                    continue
                if response.status in (200, 201):
                    with lock:
                        got["posted" if response.status == 201 else "replayed"].append(told)
                    seq = told["seq"]
                    if not twice:
                        break
                    twice = False
                    seq -= 1
                elif response.status == 409:
                    seq = told["seq"]
                elif response.status == 503:
                    time.sleep(0.05)
                else:
                    with lock:
                        got["wrong"].append(told)
                    return

    threads = [threading.Thread(target=client) for _ in range(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return got


def _check(table: Table, hands: int, got: dict[str, list[dict[str, Any]]]) -> None:
    assert got["wrong"] == []
    connection = table.connect()
    headers = {"Authorization": table.authorization}
    entries: list[dict[str, Any]] = []
    cursor: str | None = ""
    while cursor is not None:
        address = f"/api/v1/sessions/{table.session.id}/entries?limit=200&cursor={cursor}"
        connection.request("GET", address, headers=headers)
        page = json.loads(connection.getresponse().read())
        entries += page["entries"]
        cursor = page["next"]
    assert [entry["seq"] for entry in entries] == list(range(hands, 0, -1)), "nothing lost, nothing doubled"
    assert all(sum(entry["points"]) + entry["house"] == 0 for entry in entries)
    by_seq = {entry["seq"]: entry["id"] for entry in entries}
    assert all(by_seq[told["seq"]] == told["id"] for told in got["posted"] + got["replayed"])


def test_many_clients_post_into_one_session(table: Table) -> None:
    got = _hands(table, clients=16, hands=40)
    _check(table, 40, got)
    assert got["replayed"]


@pytest.mark.long
def test_a_thousand_hands_while_connections_are_killed(table: Table, test_database: Any) -> None:
    done = threading.Event()
    killed = 0

    def killer() -> None:
        nonlocal killed
        with test_database.connect() as server:
            while not done.wait(0.2):
                rows = server.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                    "WHERE datname = %s AND pid <> pg_backend_pid() AND state = 'active' ORDER BY random() LIMIT 1",
                    [test_database.name],
                )
                killed += rows.rowcount

    thread = threading.Thread(target=killer)
    thread.start()
    try:
        got = _hands(table, clients=16, hands=1_000)
    finally:
        done.set()
        thread.join()
    _check(table, 1_000, got)
    assert killed >= 20

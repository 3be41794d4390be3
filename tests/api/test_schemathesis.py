"""Every operation of the document, asked with data that fits and data that does not, alone and one after the other.

No 5xx, no status and no answer that the document does not have. `manage.py test --long` asks far more.
"""

from __future__ import annotations

import json
import os
from typing import Any

import pytest
import schemathesis
from django.contrib.auth import get_user_model
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections, transaction
from hypothesis import HealthCheck, Phase, settings
from schemathesis import checks

from mahjong_site.accounts.services import make_token
from mahjong_site.clubs.access import Actor
from mahjong_site.clubs.services.clubs import create_club
from mahjong_site.ledger.services import Terms, open_session, post_record
from scoring import PRESET_IDS

LONG = os.environ.get("HYPOTHESIS_PROFILE") == "long"
EXAMPLES = 100 if LONG else 2
WIN = {"kind": "win", "by": "self_draw", "winners": [{"seat": 1, "declared": []}], "birds": ["6s"]}
STREAMS = {"events"}
"""Answers without an end; tested on a live server."""

REJECTED = ["400", "401", "403", "404", "409", "413", "415", "422", "429"]
CONFIG = schemathesis.Config.from_dict({"checks": {"negative_data_rejection": {"expected-statuses": REJECTED}}})
schema = schemathesis.openapi.from_wsgi("/api/v1/openapi.json", get_wsgi_application(), config=CONFIG)
"""The served document, which the committed one equals."""


@schemathesis.serializer("application/x-ndjson")
def as_lines(context: schemathesis.SerializationContext, value: Any) -> bytes:
    """A body of lines: text as it is, a list one value a line."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace")
    return b"\n".join(json.dumps(one).encode() for one in (value if isinstance(value, list) else [value]))


CHECKS = [
    checks.not_a_server_error,
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_schema_conformance,
    checks.negative_data_rejection,
]
LIMITS = settings(
    max_examples=EXAMPLES,
    deadline=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)


@pytest.fixture
def headers(db: None) -> Any:
    """A token of somebody who has a club and a session; the connection stays the test's."""
    request_started.disconnect(close_old_connections)
    request_finished.disconnect(close_old_connections)
    user = get_user_model().objects.create_user("张三")
    club = create_club(user_id=user.pk, name="老友")
    session = open_session(
        actor=Actor(user.pk),
        club_id=club.id,
        terms=Terms(name="周六", rules="changsha-classic", players=list("甲乙丙丁"), first_dealer=0),
    )
    post_record(actor=Actor(user.pk), session_id=session.id, record=WIN, client_key="k", expected_seq=0)
    known = {"club_id": str(club.id), "session_id": str(session.id), "seq": 1, "preset": PRESET_IDS[0]}
    yield {"Authorization": f"Token {make_token(user=user, name='t', scope='write', days=1)[1]}"}, known
    request_started.connect(close_old_connections)
    request_finished.connect(close_old_connections)


def ask(case: schemathesis.Case, headers: Any) -> None:
    """Asks, with ids of things that are there in two of three cases."""
    given, known = headers
    if case.path_parameters and hash(case.id) % 3:
        case.path_parameters |= {name: known[name] for name in case.path_parameters if name in known}
    case.call_and_validate(headers=given, checks=CHECKS)


@schema.exclude(operation_id=list(STREAMS)).parametrize()
@LIMITS
def test_every_operation_keeps_to_the_document(case: schemathesis.Case, headers: Any) -> None:
    ask(case, headers)


def test_one_after_the_other(headers: Any) -> None:
    """What one operation answers the next ones use: ids of what was made, until it is gone."""
    given, _ = headers

    class Chains(schema.exclude(operation_id=list(STREAMS)).as_state_machine()):  # type: ignore[misc]
        def setup(self) -> None:  # every chain finds the same: Hypothesis compares runs
            self.before = transaction.savepoint()

        def teardown(self) -> None:
            transaction.savepoint_rollback(self.before)

        def get_call_kwargs(self, case: schemathesis.Case) -> dict[str, Any]:
            return {"headers": given}

        def validate_response(self, response: Any, case: schemathesis.Case, **kwargs: Any) -> None:
            case.validate_response(response, checks=CHECKS, headers=given)

    size = settings(LIMITS, max_examples=200 if LONG else 2, stateful_step_count=20 if LONG else 6)
    Chains.run(settings=size)

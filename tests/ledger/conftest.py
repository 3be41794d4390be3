"""Fixtures of the ledger's tests. All of them commit: deferred triggers speak at commit only."""

from __future__ import annotations

import pytest

from tests.ledger.tables import Table


@pytest.fixture
def table(transactional_db: None) -> Table:
    """A guest table of changsha-classic, seat 0 deals."""
    return Table.open()

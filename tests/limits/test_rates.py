"""Rate limits: exact, also for many at once, and they come back."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection

from mahjong_site.limits import rates
from mahjong_site.limits.models import Bucket
from mahjong_site.limits.rates import Rate, take


@pytest.mark.django_db
def test_an_allowance_is_used_up_and_says_when_to_come_again() -> None:
    rate = Rate(3, 60)
    assert [take("a", rate) for _ in range(4)] == [0, 0, 0, 20]
    assert take("b", rate) == 0, "another's bucket is another"


@pytest.mark.django_db
def test_it_comes_back() -> None:
    rate = Rate(2, 60)
    assert [take("a", rate) for _ in range(3)] == [0, 0, 30]
    with connection.cursor() as cursor:
        cursor.execute("UPDATE limits_bucket SET full_at = full_at - interval '30 seconds'")
    assert [take("a", rate) for _ in range(2)] == [0, 30]


@pytest.mark.django_db(transaction=True)
def test_many_at_once_get_no_more_than_there_is() -> None:
    def one(_: int) -> int:
        try:
            return take("shared", Rate(20, 3600))
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as pool:
        waits = list(pool.map(one, range(64)))
    assert waits.count(0) == 20


@pytest.mark.django_db
def test_whole_buckets_are_swept(monkeypatch: pytest.MonkeyPatch) -> None:
    take("old", Rate(10, 60))
    Bucket.objects.update(full_at="2000-01-01T00:00Z")
    monkeypatch.setattr(rates, "SWEEP_EVERY", 1)
    take("new", Rate(10, 60))
    assert list(Bucket.objects.values_list("key", flat=True)) == ["new"]


@pytest.mark.parametrize("text", ["", "10", "0/min", "10/year", "-1/s", "10/min "])
def test_what_is_no_rate(text: str) -> None:
    with pytest.raises(ValueError, match="not a rate"):
        Rate.parse(text)

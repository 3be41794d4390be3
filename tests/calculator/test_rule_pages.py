"""The pages of the rules: every number and option of every preset, with its source."""

from __future__ import annotations

import html

import pytest
from django.test import Client

from scoring import all_presets

pytestmark = pytest.mark.django_db


def test_index_links_all_presets(client: Client) -> None:
    page = client.get("/rules").content.decode()
    for one in all_presets():
        assert f'href="/rules/{one.id}"' in page
        assert one.name_zh in page


@pytest.mark.parametrize("one", all_presets(), ids=lambda one: one.id)
@pytest.mark.parametrize("language", ["zh-hans", "en"])
def test_every_source_stands_on_the_page(client: Client, one, language: str) -> None:
    page = html.unescape(client.get(f"/rules/{one.id}", headers={"accept-language": language}).content.decode())
    for offered in one.options.values():
        assert offered.source in page
    sections = [one.data["next_dealer"], one.data["patterns"]]
    sections += [row for row in one.data["pay"].values() if "source" in row]
    for part in sections:
        assert part["source"] in page
    assert page.count("定</span>") > sum(offered.decision for offered in one.options.values())


def test_unknown_rules_are_not_found(client: Client) -> None:
    assert client.get("/rules/riichi").status_code == 404

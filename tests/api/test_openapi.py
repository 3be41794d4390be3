"""The OpenAPI document: committed as it is generated, and valid; its examples are scored."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from drf_spectacular.validation import validate_schema

from mahjong_site.api import docs
from scoring import PRESET_IDS
from tests.api.conftest import Post

COMMITTED = Path(docs.__file__).with_name("openapi.yaml")


def test_the_committed_document_is_the_generated_one() -> None:
    assert COMMITTED.read_text(encoding="utf-8") == docs.document_yaml(), "run: python3 manage.py openapi"


def test_the_document_is_valid() -> None:
    document = docs.document()
    assert str(document["openapi"]).startswith("3.1")
    validate_schema(document)


def test_every_reference_is_there() -> None:
    document: Any = docs.document()

    def refs(node: Any) -> set[str]:
        if isinstance(node, dict):
            own = {node["$ref"]} if isinstance(node.get("$ref"), str) else set()
            return own.union(*map(refs, node.values()))
        return set().union(*map(refs, node)) if isinstance(node, list | tuple) else set()

    for reference in refs(document):
        _, components, kind, name = reference.split("/")
        assert name in document[components][kind]


def test_a_default_is_of_its_type() -> None:
    document: Any = docs.document()
    kinds = {"string": str, "array": list, "boolean": bool, "integer": int}

    def check(node: Any) -> None:
        for child in node.values() if isinstance(node, dict) else node if isinstance(node, list | tuple) else ():
            check(child)
        if isinstance(node, dict) and "default" in node and node.get("type") in list(kinds):
            assert isinstance(node["default"], kinds[node["type"]]), node

    check(document["components"]["schemas"])


@pytest.mark.django_db
def test_there_is_an_example_of_each_preset_and_it_is_scored(post: Post) -> None:
    document: Any = docs.document()
    examples = document["paths"]["/api/v1/score"]["post"]["requestBody"]["content"]["application/json"]["examples"]
    assert set(examples) == set(PRESET_IDS)
    for example in examples.values():
        assert post("score", example["value"]).status_code == 200


@pytest.mark.django_db
def test_examples_of_analysis_are_answered(post: Post) -> None:
    document: Any = docs.document()
    examples = document["paths"]["/api/v1/analyze"]["post"]["requestBody"]["content"]["application/json"]["examples"]
    answers = [post("analyze", example["value"]) for example in examples.values()]
    assert [(answer.status_code, "discards" in answer.json()) for answer in answers] == [(200, False), (200, True)]


@pytest.mark.django_db
def test_the_document_is_served(client: Client) -> None:
    assert client.get("/api/v1/openapi.json").json()["info"]["title"] == "牌账 API"

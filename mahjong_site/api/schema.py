"""The OpenAPI document: operations are described beside their views, bodies are the pydantic models themselves."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, Literal, TypeVar

from drf_spectacular.utils import extend_schema
from pydantic import BaseModel, TypeAdapter

from mahjong_site.api import shapes
from mahjong_site.api.bodies import JSON, NDJSON
from mahjong_site.api.examples import RECORDS
from mahjong_site.api.problems import CONTENT_TYPE, KINDS
from scoring import Settlement
from scoring.analysis import Analysis, AnalysisIn
from scoring.record import AnyRecord

F = TypeVar("F", bound=Callable[..., Any])
Mode = Literal["validation", "serialization"]

COMPONENTS: Final[dict[str, tuple[Any, Mode]]] = {
    "HandRecord": (AnyRecord, "validation"),
    "Settlement": (Settlement, "serialization"),
    "AnalysisIn": (AnalysisIn, "validation"),
    "Analysis": (Analysis, "serialization"),
    "NotationIn": (shapes.NotationIn, "validation"),
    "NotationOut": (shapes.NotationOut, "serialization"),
    "KongDiceOut": (shapes.KongDiceOut, "serialization"),
    "PresetOut": (shapes.PresetOut, "serialization"),
    "Errors": (shapes.Errors, "serialization"),
    "Problem": (shapes.Problem, "serialization"),
}
"""The bodies by the name the document has for them."""

_REF: Final = "#/components/schemas/{model}"


def ref(name: str) -> dict[str, str]:
    """A reference to a component."""
    return {"$ref": _REF.format(model=name)}


def _either(*names: str) -> dict[str, Any]:
    return {"anyOf": [ref(name) for name in names]}


LISTS: Final[dict[str, dict[str, Any]]] = {
    "Batch": {"type": "array", "items": {}, "maxItems": 10_000, "description": "Hand records, broken ones included."},
    "BatchAnswers": {"type": "array", "items": _either("Settlement", "Errors")},
    "Presets": {"type": "array", "items": ref("PresetOut")},
}
_LINES: Final = {"schema": {"type": "string", "description": "One JSON value a line."}}

EXAMPLES: Final[Mapping[str, Mapping[str, Any]]] = {"HandRecord": RECORDS}


def described(
    operation_id: str,
    *,
    zh: str,
    tag: str,
    returns: str,
    body: str | None = None,
    query: type[BaseModel] | None = None,
    path: Mapping[str, Sequence[str]] | None = None,
    refuses: bool = False,
    ndjson: bool = False,
    errors: Iterable[str] = (),
) -> Callable[[F], F]:
    """Describes a view's method; its docstring is the description, ``zh`` its first line in Chinese.

    ``body``, ``returns``: names of `COMPONENTS` or `LISTS`. ``path``: path parameters with the values they can have.
    ``refuses``: the rules may refuse. ``errors``: kinds of problems beside those every operation has.
    """

    def decorate(method: F) -> F:
        summary, _, rest = (method.__doc__ or "").partition("\n")
        kinds = {"malformed", "unauthenticated", "too-many-requests", "unavailable", *errors}
        if body:
            kinds |= {"too-large", "unsupported-media-type"}
        if refuses:
            kinds.add("refused")
        operation: dict[str, Any] = {
            "operationId": operation_id,
            "summary": f"{zh} · {summary}",
            "description": "\n".join(line.strip() for line in rest.strip().splitlines()),
            "tags": [tag],
            "security": [{}, {"token": []}],
            "parameters": [*_path(path or {}), *_query(query)],
            "responses": {
                "200": {"description": "OK", "content": _content(returns, ndjson)},
                **_problems(kinds),
            },
        }
        if body:
            operation["requestBody"] = {"required": True, "content": _content(body, ndjson)}
        return extend_schema(operation=operation)(method)

    return decorate


def _content(name: str, ndjson: bool) -> dict[str, Any]:
    examples = {key: {"value": value} for key, value in EXAMPLES.get(name, {}).items()}
    content: dict[str, Any] = {JSON: {"schema": ref(name), **({"examples": examples} if examples else {})}}
    return {**content, NDJSON: _LINES} if ndjson else content


def _path(parameters: Mapping[str, Sequence[str]]) -> list[dict[str, Any]]:
    return [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string", "enum": list(values)}}
        for name, values in parameters.items()
    ]


def _query(model: type[BaseModel] | None) -> list[dict[str, Any]]:
    if model is None:
        return []
    schema = model.model_json_schema()
    return [
        {"name": name, "in": "query", "required": name in schema.get("required", ()), "schema": one}
        for name, one in schema["properties"].items()
    ]


def _problems(kinds: Iterable[str]) -> dict[str, Any]:
    statuses = sorted({KINDS[kind].status for kind in kinds})
    return {str(status): {"$ref": f"#/components/responses/{status}"} for status in statuses}


def _problem_responses() -> dict[str, Any]:
    """One answer a status, for all operations."""
    kinds: dict[int, list[str]] = {}
    for kind, (status, _title) in KINDS.items():
        kinds.setdefault(status, []).append(kind)
    return {
        str(status): {"description": ", ".join(names), "content": {CONTENT_TYPE: {"schema": ref("Problem")}}}
        for status, names in sorted(kinds.items())
    }


def add_components(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """drf-spectacular's hook: puts the models' schemas and the ways to authenticate into the document."""
    schemas, definitions = TypeAdapter.json_schemas(
        [(name, mode, TypeAdapter(model)) for name, (model, mode) in COMPONENTS.items()], ref_template=_REF
    )
    components: dict[str, Any] = {**definitions["$defs"], **LISTS}
    for (name, _mode), schema in schemas.items():
        if schema != ref(str(name)):
            components[str(name)] = schema
    result["components"] = {
        "schemas": dict(sorted(components.items())),
        "responses": _problem_responses(),
        "securitySchemes": {
            "token": {
                "type": "apiKey",
                "in": "header",
                "name": "Authorization",
                "description": "`Token …`, made on the account page; or `Link …`, from a join link.",
            },
            "session": {"type": "apiKey", "in": "cookie", "name": "sessionid"},
        },
    }
    return result

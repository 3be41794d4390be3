"""The OpenAPI document: operations are described beside their views, bodies are the pydantic models themselves."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, Literal, TypeVar

from drf_spectacular.utils import extend_schema
from pydantic import BaseModel, TypeAdapter
from pydantic.json_schema import GenerateJsonSchema
from pydantic_core.core_schema import WithDefaultSchema

from mahjong_site.api import ledger_shapes as ledger
from mahjong_site.api import shapes
from mahjong_site.api.bodies import JSON, NDJSON
from mahjong_site.api.examples import ANALYSES, RECORDS
from mahjong_site.api.problems import CONTENT_TYPE, KINDS
from mahjong_site.clubs.selectors import HouseRulesRow, LinkRow, MemberRow, PlayerRow, SeasonRow
from mahjong_site.ledger.selectors import Board, HistoryEntry, Series, Total
from mahjong_site.ledger.settle_up import SettledUp
from scoring import PRESET_IDS, Settlement
from scoring.analysis import Analysis, AnalysisIn
from scoring.record import AnyRecord

F = TypeVar("F", bound=Callable[..., Any])
Mode = Literal["validation", "serialization"]

BODIES: Final = (
    ledger.ClubIn,
    ledger.MemberIn,
    ledger.PlayerIn,
    ledger.GuestIn,
    ledger.LinkIn,
    ledger.JoinIn,
    ledger.SeasonIn,
    ledger.HouseRulesIn,
    ledger.SessionIn,
    ledger.TableIn,
    ledger.ModeIn,
    ledger.SeatsIn,
    ledger.SwapIn,
    ledger.EntryIn,
    ledger.PreviewIn,
    ledger.FeeIn,
    ledger.DealerIn,
    ledger.ReverseIn,
    ledger.CorrectIn,
    ledger.SettleIn,
    ledger.PaidIn,
)
ANSWERS: Final = (
    ledger.ClubOut,
    ledger.MemberOut,
    ledger.PlayerOut,
    ledger.LinkOut,
    ledger.JoinOut,
    ledger.SessionOut,
    ledger.TableOut,
    ledger.EntryOut,
    ledger.EntryPage,
    ledger.SessionPage,
    ledger.HeadToHeadOut,
    ledger.StatisticsOut,
    ledger.PlanOut,
    HistoryEntry,
    Total,
    Board,
    Series,
    SettledUp,
    MemberRow,
    PlayerRow,
    SeasonRow,
    LinkRow,
    HouseRulesRow,
)
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
    **{model.__name__: (model, "validation") for model in BODIES},
    **{model.__name__: (model, "serialization") for model in ANSWERS},
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
    **{
        f"{name}List": {"type": "array", "items": ref(name)}
        for name in (
            "ClubOut",
            "MemberRow",
            "PlayerRow",
            "SeasonRow",
            "LinkRow",
            "HouseRulesRow",
            "Total",
            "StatisticsOut",
            "SettledUp",
        )
    },
}
LINES: Final = {NDJSON: {"description": "One JSON value a line."}}

EXAMPLES: Final[Mapping[str, Mapping[str, Any]]] = {"HandRecord": RECORDS, "AnalysisIn": ANALYSES}


def described(
    operation_id: str,
    *,
    zh: str,
    tag: str,
    returns: str | None = None,
    status: Sequence[int] = (200,),
    body: str | None = None,
    query: type[BaseModel] | None = None,
    media: Mapping[str, Mapping[str, Any]] = MappingProxyType({}),
    keyed: bool = False,
    errors: Iterable[str] = (),
) -> Callable[[F], F]:
    """Describes a view's method; its docstring is the description, ``zh`` its first line in Chinese.

    ``body``, ``returns``: names of `COMPONENTS` or `LISTS`; no ``returns``: an empty answer. ``status``: how it
    answers where all is well. ``media``: other media types of body and answer. ``keyed``: posts under an
    Idempotency-Key. ``errors``: kinds of problems beside those that follow from the rest.
    """

    def decorate(method: F) -> F:
        summary, _, rest = (method.__doc__ or "").partition("\n")
        parameters = [name for name in inspect.signature(method).parameters if name not in ("self", "request")]
        kinds = {*EVERYWHERE, *errors}
        kinds |= {"not-found"} if parameters else set()
        kinds |= {"too-large", "unsupported-media-type", "refused"} if body else set()
        kinds |= {"conflict", "key-reused"} if keyed else set()
        kinds |= set() if tag == OPEN else {"forbidden"}
        operation: dict[str, Any] = {
            "operationId": operation_id,
            "summary": f"{zh} · {summary}",
            "description": "\n".join(line.strip() for line in rest.strip().splitlines()),
            "tags": [tag],
            "security": [{}, *SIGNED] if tag == OPEN else [*SIGNED, {"session": []}],
            "parameters": [*map(_in_path, parameters), *([KEY] if keyed else []), *_query(query)],
            "responses": {
                **{str(one): {"description": MEANT[one], **_content(returns, media)} for one in status},
                **_problems(kinds),
            },
        }
        if body:
            operation["requestBody"] = {"required": True, **_content(body, media)}
        return extend_schema(operation=operation)(method)

    return decorate


OPEN: Final = "engine"
"""The tag of what asks for no token."""
SIGNED: Final[list[dict[str, list[str]]]] = [{"token": []}]
EVERYWHERE: Final = ("malformed", "unauthenticated", "too-many-requests", "unavailable")
MEANT: Final = {200: "As it stands, or replayed.", 201: "Created.", 204: "Done.", 304: "Not changed."}
KEY: Final = {
    "name": "Idempotency-Key",
    "in": "header",
    "required": True,
    "description": "1 to 64 printable ASCII characters, new for every posting; the same again answers the same.",
    "schema": {"type": "string", "minLength": 1, "maxLength": 64, "pattern": "^[!-~]{1,64}$"},
}
_UUID: Final = {"type": "string", "format": "uuid"}
_PARTS: Final = {
    "preset": {"type": "string", "enum": list(PRESET_IDS)},
    "seq": {"type": "integer", "minimum": 1, "maximum": 2_000_000_000},
}


def _content(name: str | None, media: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    if name is None:
        return {"content": {kind: {"schema": schema} for kind, schema in media.items()}} if media else {}
    examples = {key: {"value": value} for key, value in EXAMPLES.get(name, {}).items()}
    json: dict[str, Any] = {"schema": ref(name), **({"examples": examples} if examples else {})}
    return {"content": {JSON: json, **{kind: {"schema": schema} for kind, schema in media.items()}}}


def _in_path(name: str) -> dict[str, Any]:
    return {"name": name, "in": "path", "required": True, "schema": _PARTS.get(name, _UUID)}


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


class _Schemas(GenerateJsonSchema):
    def default_schema(self, schema: WithDefaultSchema) -> dict[str, Any]:
        """As pydantic's, but no tiles are written as they are sent: as text."""
        found: dict[str, Any] = super().default_schema(schema)
        return found | {"default": ""} if found.get("type") == "string" and found.get("default") == [] else found


def add_components(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """drf-spectacular's hook: puts the models' schemas and the ways to authenticate into the document."""
    schemas, definitions = TypeAdapter.json_schemas(
        [(name, mode, TypeAdapter(model)) for name, (model, mode) in COMPONENTS.items()],
        ref_template=_REF,
        schema_generator=_Schemas,
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

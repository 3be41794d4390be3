"""Reading what is sent: strict JSON of bounded size and depth, and the contract's faults of what is malformed.

Strict: no name stands twice in an object, no NaN, and all text can be written as UTF-8.
"""

import json
from collections import Counter
from collections.abc import Mapping
from typing import Any, Final, NoReturn, TypeAlias

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from scoring.faults import Fault, RecordError, fault

MAX_BYTES: Final = 64 * 1024
MAX_DEPTH: Final = 16
MOST_FAULTS: Final = 100
"""A small record could be wrong in thousands of places; nobody mends more of them at once."""

_OF_JSON: Final = (dict, list)
_OF_PYTHON: Final = (dict, list, tuple, Mapping)
_MAPPINGS: Final = (dict, Mapping)
"""What values can be nested in. The plain types come first, as asking for them is quick."""


class _TwiceError(ValueError):
    """A name that stands twice in one object."""


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        counts = Counter(name for name, _ in pairs)
        raise _TwiceError(next(name for name in found if counts[name] > 1))
    return found


def _no_number(text: str) -> NoReturn:
    raise ValueError(f"{text} is no number")


_DECODER: Final = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_no_number)


def read_json(data: bytes | str) -> Any:
    """The value of a JSON text.

    Raises:
        RecordError: ``invalid``: too large, too deep, no JSON, a name that stands twice in an object.
    """
    if not isinstance(data, str | bytes):
        raise RecordError([fault("invalid", "object")])
    try:
        text = data if isinstance(data, str) else data.decode()
        raw = data if isinstance(data, bytes) else data.encode()
    except UnicodeError as error:
        raise RecordError([fault("invalid", "json", en=str(error))]) from None
    if len(raw) > MAX_BYTES:
        raise RecordError([fault("invalid", "too_large", limit=MAX_BYTES // 1024)])
    try:
        value = _DECODER.decode(text.removeprefix("\ufeff"))
        if "\\u" in text:  # an escape can name half a character, which no answer could repeat
            json.dumps(value, ensure_ascii=False).encode()
    except RecursionError:
        raise RecordError([fault("invalid", "too_deep", limit=MAX_DEPTH)]) from None
    except _TwiceError as error:
        raise RecordError([fault("invalid", "name_twice", name=str(error))]) from None
    except ValueError as error:
        raise RecordError([fault("invalid", "json", en=str(error))]) from None
    if raw.count(b"{") + raw.count(b"[") > MAX_DEPTH:
        _check_depth(value, _OF_JSON)
    return value


def _check_depth(value: Any, nested: tuple[type, ...]) -> None:
    level: list[Any] = [value] if isinstance(value, nested) else []
    for _ in range(MAX_DEPTH):
        parts = (part.values() if isinstance(part, _MAPPINGS) else part for part in level)
        level = [inner for part in parts for inner in part if isinstance(inner, nested)]
        if not level:
            return
    raise RecordError([fault("invalid", "too_deep", limit=MAX_DEPTH)])


def plain_values(data: bytes | str | Mapping[str, Any]) -> Any:
    """The plain values of a JSON text, or those given, of bounded depth.

    Raises:
        RecordError: ``invalid``: no JSON, too large, too deep.
    """
    if isinstance(data, Mapping):
        _check_depth(data, _OF_PYTHON)
        return data
    return read_json(data)


Place: TypeAlias = tuple[int | str, ...]
"""The way from a record to a part of it: names of fields, positions in lists."""


def places_of(error: ValidationError) -> list[tuple[Place, bool]]:
    """Where a pydantic error found something malformed, and whether that is a field nobody knows."""
    return [(_place(item["loc"]), item["type"] == "extra_forbidden") for item in _items(error)]


def faults_of(error: ValidationError) -> list[Fault]:
    """The contract's faults of a pydantic error, in the order of the fields."""
    faults: list[Fault] = []
    for item in _items(error)[:MOST_FAULTS]:
        path = ".".join(map(str, _place(item["loc"])))
        faults += _faults_of_item(item["type"], path, item.get("ctx", {}), item["msg"])
    return faults


def _items(error: ValidationError) -> list[ErrorDetails]:
    """What pydantic found. A list whose entries are at fault is then also too short, which says nothing new."""
    items = error.errors(include_url=False, include_input=False)
    return [
        item
        for item in items
        if item["type"] != "too_short" or not any(_within(other["loc"], item["loc"]) for other in items)
    ]


def _place(location: Place) -> Place:
    return location[1:] if location[:1] in _KINDS else location


def _within(location: Place, outer: Place) -> bool:
    return len(location) > len(outer) and location[: len(outer)] == outer


_KINDS: Final = (("win",), ("opening",), ("exhausted",), ("penalty",))
"""The discriminator's value, which pydantic puts before the path."""


def _faults_of_item(kind: str, path: str, ctx: Mapping[str, Any], message: str) -> list[Fault]:
    match kind:
        case "notation":
            return [
                fault(
                    problem.reason,
                    "text",
                    path,
                    position=problem.position,
                    part=problem.part,
                    zh=problem.message_zh,
                    en=problem.message,
                )
                for problem in ctx["problems"]
            ]
        case "faults":
            return list(ctx["faults"])
        case "missing" | "union_tag_not_found":
            return [fault("invalid", "missing_field", path or "kind")]
        case "model_type" | "model_attributes_type" | "dict_type":
            return [fault("invalid", "object", path)]
        case "tuple_type":
            return [fault("invalid", "list", path)]
        case "extra_forbidden":
            return [fault("invalid", "unknown_field", path)]
        case "money" | "one_tile" | "laid_out" | "receiver" | "not_text" | "last_tile_twice":
            return [fault("invalid", kind, path)]
        case "union_tag_invalid":
            return [fault("invalid", "value", "kind", en=message)]
        case _:
            return [fault("invalid", "value", path, en=message)]

"""Presets and options: from what a record names to the numbers that price it (rule book 1 and 6).

Each preset is one TOML file in ``scoring/presets/``; the types of all options stand in ``options.toml`` beside them.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from scoring.faults import Fault, RecordError, fault

Family: TypeAlias = Literal["changsha", "wuhan"]

FOLDER: Final = Path(__file__).parent / "presets"
PRESET_IDS: Final = (
    "changsha-classic",
    "changsha-liuqi",
    "changsha-room",
    "changsha-bbs",
    "wuhan-laizi",
    "wuhan-kaikou",
    "wuhan-koukou",
)


class OptionDefault(NamedTuple):
    """One option as a preset offers it: its default, the source's sentence, and whether it is our decision (定)."""

    default: Any
    source: str
    decision: bool


@dataclass(frozen=True, eq=False)
class Preset:
    """A rule set as its TOML file says it. ``data`` is the whole file; nobody can change it."""

    id: str
    family: Family
    name_zh: str
    name_en: str
    sources: str
    options: Mapping[str, OptionDefault]
    data: Mapping[str, Any]

    @property
    def asks_creator(self) -> bool:
        """Whether the deal can pass to the table's creator, so that a record may say who that is (2.8)."""
        return "creator" in self.data["next_dealer"].get("exhausted", {}).values()

    @property
    def opening_dice(self) -> bool:
        """Whether dice may be rolled for the birds of an opening win (2.4)."""
        return bool(self.data["patterns"].get("opening_dice", False))

    @property
    def passed_with_size(self) -> bool:
        """Whether a win let go is told with its size, as only a bigger one may follow it (跟胡, 2.7)."""
        return bool(self.data["patterns"].get("passed") == "strictly_bigger")


@dataclass(frozen=True)
class Rules:
    """A preset with its options resolved. Nobody can change them, and equal rules are equal, so they can key a cache.

    ``text`` is the canonical JSON of all options.
    """

    preset: Preset
    text: str = field(repr=False)

    @property
    def family(self) -> Family:
        """``changsha`` or ``wuhan``."""
        return self.preset.family

    @cached_property
    def options(self) -> Mapping[str, Any]:
        """Every option, resolved."""
        options: Mapping[str, Any] = frozen(json.loads(self.text))
        return options

    def to_json(self) -> dict[str, Any]:
        """``{"preset", "options"}`` with every option resolved; the caller's own."""
        return {"preset": self.preset.id, "options": json.loads(self.text)}

    @cached_property
    def for_serializer(self) -> dict[str, Any]:
        """The same, made once: for what only reads it."""
        return self.to_json()


def frozen(value: Any) -> Any:
    """Plain values that nobody can change: mappings that are read-only, lists as tuples.

    >>> frozen({"caps": {"cap": 500}})["caps"]["cap"] = 1
    Traceback (most recent call last):
    TypeError: 'mappingproxy' object does not support item assignment
    """
    if isinstance(value, Mapping):
        return MappingProxyType({key: frozen(inner) for key, inner in value.items()})
    return tuple(map(frozen, value)) if isinstance(value, list) else value


def thawed(value: Any) -> Any:
    """What was frozen, as JSON can write it: new dictionaries and lists.

    >>> thawed(frozen({"big": ["one_suit"]}))
    {'big': ['one_suit']}
    """
    if isinstance(value, Mapping):
        return {key: thawed(inner) for key, inner in value.items()}
    return list(map(thawed, value)) if isinstance(value, tuple) else value


def _read(name: str) -> Mapping[str, Any]:
    data: Mapping[str, Any] = frozen(tomllib.loads((FOLDER / f"{name}.toml").read_text("utf-8")))
    return data


@cache
def option_types() -> Mapping[str, Any]:
    """Every option's type, bounds and names: the file ``scoring/presets/options.toml``."""
    return _read("options")


@cache
def preset(preset_id: str) -> Preset:
    """The preset of that id.

    Raises:
        KeyError: there is none.
    """
    if preset_id not in PRESET_IDS:
        raise KeyError(preset_id)
    data = _read(preset_id)
    options = {
        name: OptionDefault(entry.get("default"), entry["source"], entry.get("decision", False))
        for name, entry in data["options"].items()
    }
    return Preset(
        id=preset_id,
        family=data["family"],
        name_zh=data["zh"],
        name_en=data["en"],
        sources=data["sources"],
        options=MappingProxyType(options),
        data=data,
    )


def all_presets() -> tuple[Preset, ...]:
    """All seven presets, in the rule book's order."""
    return tuple(preset(preset_id) for preset_id in PRESET_IDS)


def resolve_rules(spec: Any, path: str = "rules") -> Rules:
    """The rules a record names: a preset id, or ``{"preset": id, "options": {…}}``.

    >>> resolve_rules("changsha-room").options["bird_effect"]
    'double'

    Raises:
        RecordError: ``invalid``, ``unknown_rules`` or ``bad_option``, all of them at once.
    """
    if isinstance(spec, str):
        return _resolved(_known(spec, path).id, "{}", path)
    if not isinstance(spec, Mapping):
        raise RecordError([fault("invalid", "rules_form", path)])
    faults = [fault("invalid", "unknown_field", f"{path}.{key}") for key in spec if key not in ("preset", "options")]
    options = spec.get("options", {})
    if not isinstance(options, Mapping):
        faults.append(fault("invalid", "rules_form", f"{path}.options"))
    if not isinstance(spec.get("preset"), str):
        faults.append(fault("invalid", "rules_form", f"{path}.preset"))
    if faults:
        raise RecordError(faults)
    known = _known(spec["preset"], f"{path}.preset")
    try:
        canonical = json.dumps(thawed(options), sort_keys=True)
    except (TypeError, ValueError, RecursionError):  # plain values that no JSON text could have said
        raise RecordError([fault("invalid", "rules_form", f"{path}.options")]) from None
    return _resolved(known.id, canonical, path)


def _known(preset_id: str, path: str) -> Preset:
    try:
        return preset(preset_id)
    except KeyError:
        raise RecordError(
            [fault("unknown_rules", "unknown", path, name=preset_id[:40], known=", ".join(PRESET_IDS))]
        ) from None


@lru_cache(maxsize=512)
def _resolved(preset_id: str, options_json: str, path: str) -> Rules:
    """Resolved once for each way of naming the options."""
    base = preset(preset_id)
    given = json.loads(options_json)
    faults: list[Fault] = []
    options = {name: thawed(offered.default) for name, offered in base.options.items()}
    for name, value in given.items():
        where = f"{path}.options.{name}"
        if name in options:
            options[name] = _checked(option_types()[name], value, options[name], where, faults)
        else:
            faults.append(fault("bad_option", "not_offered", where, name=name, preset=preset_id))
    if faults:
        raise RecordError(faults)
    return Rules(base, json.dumps(options, sort_keys=True))


def _choices(spec: Mapping[str, Any]) -> list[str | int]:
    """The values of a choice; TOML writes the numbers 2 and 4 as text."""
    return [int(value) if value.isdigit() else value for value in spec["values"]]


def _checked(spec: Mapping[str, Any], value: Any, default: Any, path: str, faults: list[Fault]) -> Any:
    """The value if its type allows it, a partial map completed from the default; otherwise a fault is added."""
    if spec["type"] == "map":
        return _checked_map(spec, value, default, path, faults)
    return _checked_value(spec, value, path, faults)


def _checked_value(spec: Mapping[str, Any], value: Any, path: str, faults: list[Fault]) -> Any:
    match spec["type"]:
        case "boolean":
            if isinstance(value, bool):
                return value
            wanted = "true, false"
        case "integer":
            if type(value) is int and spec["min"] <= value <= spec["max"]:
                return value
            wanted = f"{spec['min']}–{spec['max']}"
        case _:
            choices = _choices(spec)
            if any(type(value) is type(choice) and value == choice for choice in choices):
                return value
            wanted = ", ".join(map(str, choices))
    faults.append(fault("bad_option", "bad_value", path, name=spec["en"], name_zh=spec["zh"], wanted=wanted))
    return value


def _checked_map(spec: Mapping[str, Any], value: Any, default: Any, path: str, faults: list[Fault]) -> Any:
    keys = spec["keys"]
    if value is None and spec.get("nullable"):
        return None
    if not isinstance(value, Mapping):
        wanted = "{" + ", ".join(keys) + "}"
        faults.append(fault("bad_option", "bad_value", path, name=spec["en"], name_zh=spec["zh"], wanted=wanted))
        return value
    result: dict[str, Any] = {} if "fill" in spec else dict(default)
    for key in value:
        if key not in keys:
            faults.append(fault("bad_option", "unknown_key", f"{path}.{key}", wanted=", ".join(keys)))
    for key, key_spec in keys.items():
        if key in value:
            result[key] = _checked_value(key_spec, value[key], f"{path}.{key}", faults)
        elif key_spec.get("required"):
            faults.append(fault("bad_option", "missing_key", f"{path}.{key}", name=key))
    if "fill" in spec and spec["fill"] in result:
        result = {key: result.get(key, result[spec["fill"]]) for key in keys}
    return result

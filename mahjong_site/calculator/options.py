"""The options of a preset as form fields, and form fields as options.

A field is named ``o.<option>`` or, for an option with parts, ``o.<option>.<part>``. Only what differs from the preset's
default leaves this module, so that addresses and records stay short.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import get_language

from scoring import Preset
from scoring.rules import option_types

from .fields import number


@dataclass(frozen=True)
class Control:
    """One field: ``type`` is ``boolean``, ``choice`` or ``integer``; ``value`` is the field's text now."""

    name: str
    label: str
    type: str
    value: str
    choices: tuple[tuple[str, str], ...] = ()
    least: int = 0
    most: int = 0
    source: str = ""
    decision: bool = False
    changed: bool = False


def chosen(preset: Preset, fields: Mapping[str, str]) -> dict[str, Any]:
    """The options that the fields set, by name, where they differ from the default; what cannot be read is passed on
    as text, so that the engine names it."""
    options = {}
    for name, offered in preset.options.items():
        spec = option_types()[name]
        if spec["type"] == "map":
            value = _map(spec, offered.default, {key: fields.get(f"{name}.{key}") for key in spec["keys"]})
        else:
            value = _value(spec, fields.get(name), offered.default)
        if value != offered.default:
            options[name] = value
    return options


def fields_of(preset: Preset, options: Mapping[str, Any]) -> dict[str, str]:
    """The fields that `chosen` reads back into these options."""
    fields: dict[str, str] = {}
    for name, value in options.items():
        if option_types()[name]["type"] == "map":
            keys = option_types()[name]["keys"]
            fields |= {f"{name}.{key}": _text((value or {}).get(key, "")) for key in keys}
        else:
            fields[name] = _text(value)
    return fields


def controls(preset: Preset, options: Mapping[str, Any]) -> tuple[Control, ...]:
    """A control for every option, in the preset's order, at its resolved value."""
    found: list[Control] = []
    for name, offered in preset.options.items():
        spec = option_types()[name]
        changed = options[name] != offered.default
        if spec["type"] == "map":
            parts = options[name] or {}
            for key, part in spec["keys"].items():
                label = f"{_word(spec)} · {_word(part)}" if _word(spec) != _word(part) else _word(part)
                found.append(_control(f"{name}.{key}", label, part, parts.get(key, ""), offered, changed))
        else:
            found.append(_control(name, _word(spec), spec, options[name], offered, changed))
    return tuple(found)


def _control(name: str, label: str, spec: Mapping[str, Any], value: Any, offered: Any, changed: bool) -> Control:
    return Control(
        name=f"o.{name}",
        label=label,
        type=spec["type"],
        value=_text(value),
        choices=tuple((key, _word(words)) for key, words in spec.get("values", {}).items()),
        least=spec.get("min", 0),
        most=spec.get("max", 0),
        source=offered.source,
        decision=offered.decision,
        changed=changed,
    )


def _map(spec: Mapping[str, Any], default: Any, given: Mapping[str, str | None]) -> Any:
    if all(text is None for text in given.values()):
        return default
    if spec.get("nullable") and not any(given.values()):
        return None
    parts = {} if "fill" in spec else dict(default)
    return parts | {key: _value(spec["keys"][key], text, text) for key, text in given.items() if text}


def _value(spec: Mapping[str, Any], text: str | None, default: Any) -> Any:
    if text is None or text == "":
        return default
    if spec["type"] == "boolean":
        return {"1": True, "0": False}.get(text, text)
    return text if (told := number(text)) is None else told


def _text(value: Any) -> str:
    return str(int(value)) if isinstance(value, bool) else str(value)


def _word(texts: Mapping[str, Any]) -> str:
    word: str = texts["en" if get_language() == "en" else "zh"]
    return word

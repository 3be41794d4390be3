"""Presets as JSON: options, values, names, the source's sentence beside each (contract, "Command line")."""

from __future__ import annotations

from typing import Any, Final

from scoring.rules import Preset, option_types, thawed

_PARTS: Final = ("patterns", "pay", "next_dealer", "specials", "passed")
"""The parts of a preset's file that are shown as they are."""


def preset_json(one: Preset) -> dict[str, Any]:
    """A preset with its options and payments, in both languages; ``decision`` marks what is ours (定)."""
    return {
        "preset": one.id,
        "family": one.family,
        "zh": one.name_zh,
        "en": one.name_en,
        "sources": one.sources,
        "options": {
            name: {
                **{k: thawed(value) for k, value in option_types()[name].items() if k not in ("fill", "nullable")},
                "default": thawed(offered.default),
                "source": offered.source,
                "decision": offered.decision,
            }
            for name, offered in one.options.items()
        },
        **{key: thawed(one.data[key]) for key in _PARTS if key in one.data},
    }


def preset_line(one: Preset) -> str:
    """A preset for people: its name, then an option a line with its default and its Chinese name."""
    lines = [f"{one.id}  {one.name_zh} · {one.name_en} ({one.sources})"]
    lines += [
        f"  {name} = {thawed(offered.default)}{'  定' if offered.decision else ''}  {names['zh']} · {names['en']}"
        for name, offered in one.options.items()
        for names in (option_types()[name],)
    ]
    return "\n".join(lines)

"""The rules of each preset for reading: what is paid, which patterns there are, every option with its source."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from scoring import PRESET_IDS, Preset, all_presets, preset, resolve_rules
from scoring.settlement import pattern_out

from . import options
from .words import listed, own


@dataclass(frozen=True)
class Line:
    """One rule: its name, its value in words, the source's sentence, and whether it is our decision (定)."""

    name: str
    value: str
    source: str = ""
    decision: bool = False


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """The seven rule sets."""
    families = [
        (_("Changsha"), [one for one in all_presets() if one.family == "changsha"]),
        (_("Wuhan"), [one for one in all_presets() if one.family == "wuhan"]),
    ]
    rows = [(name, [(one.id, own(one)) for one in some]) for name, some in families]
    return render(request, "calculator/rules_index.html", {"families": rows, "nav": "rules"})


@require_safe
def rules(request: HttpRequest, preset_id: str) -> HttpResponse:
    """One rule set, read off its own data."""
    if preset_id not in PRESET_IDS:
        raise Http404
    one = preset(preset_id)
    context = {
        "preset": one,
        "preset_name": own(one),
        "sections": [
            (_("What is paid"), list(_payments(one))),
            (_("Patterns"), list(_patterns(one))),
            (_("House rules, and what they are here"), list(_options(one))),
            (_("Who deals next"), [_part_line(_("Next dealer"), "", one.data["next_dealer"])]),
        ],
        "nav": "rules",
    }
    return render(request, "calculator/rules.html", context)


def _payments(one: Preset) -> Iterator[Line]:
    pay: Mapping[str, Any] = one.data["pay"]
    if one.family == "changsha":
        for size, by, words in (
            ("small", "discard", _("small, off a discard")),
            ("small", "self_draw", _("small, self-draw, from each")),
            ("big", "discard", _("big, off a discard, for each pattern")),
            ("big", "self_draw", _("big, self-draw, from each, for each pattern")),
        ):
            row = pay[size][by]
            value = _("%(base)s, with the dealer %(more)s") % {"base": row["base"], "more": row["base"] + row["dealer"]}
            if row.get("added"):
                value += " · " + _("after the birds +%(points)s") % {"points": row["added"]}
            yield _part_line(words, value, row)
        if "all_in" in pay:
            names = listed([own(pattern_out(one.family, name, 1)) for name in pay["all_in"]["events"]])
            yield _part_line(_("pays for all"), names, pay["all_in"])
        return
    for size, words in (("small", _("small")), ("big", _("big, for each pattern"))):
        row = pay[size]
        factors = {"self_draw": _("self-draw"), "gave": _("gave the tile"), "dealer": _("with the dealer")}
        told = [f"{factors[name]} ×{row[name]:g}" for name in factors if row[name] != 1]
        yield _part_line(words, listed([str(row["base"]), *told]), row)
    row = pay["factors"]
    factors = {"opened": _("opened"), "hard": _("hard"), "laid_out": _("each kong tile laid out")}
    yield _part_line(_("factors"), listed([f"{words} ×{row[name]}" for name, words in factors.items()]), row)


def _patterns(one: Preset) -> Iterator[Line]:
    patterns = one.data["patterns"]
    for name, words in (("big", _("big patterns")), ("opening", _("opening wins"))):
        if name in patterns:
            told = listed([own(pattern_out(one.family, pattern, 1)) for pattern in patterns[name]])
            yield _part_line(words, told, patterns)
    for part, words in (("specials", _("wild and kong tiles")), ("passed", _("a win let go"))):
        if isinstance(one.data.get(part), Mapping):
            yield _part_line(words, "", one.data[part])


def _options(one: Preset) -> Iterator[Line]:
    for control in options.controls(one, resolve_rules(one.id).options):
        if control.type == "boolean":
            value = _("yes") if control.value == "1" else _("no")
        else:
            value = dict(control.choices).get(control.value, control.value) or _("none")
        yield Line(control.label, value, control.source, control.decision)


def _part_line(name: str, value: str, part: Mapping[str, Any]) -> Line:
    return Line(name, value, part.get("source", ""), bool(part.get("decision", False)))

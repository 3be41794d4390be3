"""The analysis as a page, and its live answer."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from mahjong_site.limits.allowances import limited
from scoring import all_presets

from .page import answer_context, page_context
from .question import Question, read


def _question(request: HttpRequest) -> Question:
    return read(request.GET, presets=tuple(preset.id for preset in all_presets()))


def _allowance(request: HttpRequest) -> str:
    return "detours" if _question(request).detours else "analyze"


@require_safe
@limited(_allowance, reading=True)
def page(request: HttpRequest) -> HttpResponse:
    """The whole page. Its address carries the question, so it works without JavaScript and can be shared."""
    return render(request, "analysis/page.html", page_context(_question(request)) | {"nav": "analysis"})


@require_safe
@limited(_allowance, reading=True)
def answer(request: HttpRequest) -> HttpResponse:
    """What changed with the last tap."""
    return render(request, "analysis/answer.html", answer_context(_question(request)))

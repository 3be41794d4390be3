"""The open endpoints: the engine's answers over HTTP."""

from __future__ import annotations

from functools import cache
from typing import Any, ClassVar

from django.conf import settings
from django.db import connection
from django.http import Http404, HttpResponse, StreamingHttpResponse
from pydantic_core import to_json
from rest_framework.exceptions import Throttled, UnsupportedMediaType
from rest_framework.request import Request

from mahjong_site.api import batch
from mahjong_site.api.bodies import JSON, NDJSON, answer, asked, body, content_type, stream, told
from mahjong_site.api.endpoint import OpenEndpoint
from mahjong_site.api.schema import LINES, OPEN, described
from mahjong_site.api.shapes import KongDiceIn, NotationIn
from mahjong_site.api.workers import Workers, analysed
from mahjong_site.limits.allowances import take_for
from scoring import RecordError, all_presets, preset, resolve_rules, score_json
from scoring.analysis.contract import read_request
from scoring.changsha.kong_dice import kong_dice
from scoring.hand import Meld
from scoring.notation import format_hand, format_tiles
from scoring.rules_json import preset_json
from scoring.tiles import NAMES


class Score(OpenEndpoint):
    """One hand record in, its settlement out."""

    rate = "score"

    @described("score", zh="结算一手牌", body="HandRecord", returns="Settlement", tag=OPEN)
    def post(self, request: Request) -> HttpResponse:
        """Settles one hand record."""
        return answer(request, score_json(body(request)))


class ScoreBatch(OpenEndpoint):
    """Many records in, as many answers out, in order."""

    rate = "batch"
    splitters: ClassVar = {JSON: batch.elements, NDJSON: batch.lines}

    @described("score_batch", zh="成批结算", body="Batch", returns="BatchAnswers", tag=OPEN, media=LINES)
    def post(self, request: Request) -> StreamingHttpResponse:
        """Settles up to 10,000 records, streamed.

        A JSON array is answered by a JSON array, NDJSON by NDJSON, or as `Accept` says. A broken record answers with
        its `errors` in its place and the rest go on.
        """
        given = content_type(request)
        if given not in self.splitters:
            raise UnsupportedMediaType(request.content_type)
        file = batch.spooled(self.splitters[given](stream(request)))
        wanted = request.headers.get("Accept", "")
        form = next((one for one in (NDJSON, JSON) if one in wanted), given)
        # The throttle's connection goes back to the pool now, not when the stream ends.
        if not connection.in_atomic_block:
            connection.close()
        return StreamingHttpResponse(batch.answers(file, _workers(), array=form == JSON), content_type=form)


@cache
def _workers() -> Workers:
    return Workers(settings.BATCH_PROCESSES)


class Analyze(OpenEndpoint):
    """A hand in, its shanten, accepts, waits or discards out."""

    rate = "analyze"

    @described("analyze", zh="分析一手牌", body="AnalysisIn", returns="Analysis", tag=OPEN)
    def post(self, request: Request) -> HttpResponse:
        """Analyses a hand of 13 or 14 tiles (less three for each meld)."""
        data = body(request)
        asked_for = read_request(data)
        if asked_for.draws and asked_for.detours and (seconds := take_for(request, "detours")):
            raise Throttled(wait=seconds)
        found = _workers().call(analysed, data) if asked_for.draws else analysed(data)
        if isinstance(found, bytes):
            return answer(request, found)
        raise RecordError(found)


class Notation(OpenEndpoint):
    """Text to tiles."""

    rate = "engine"

    @described("notation", zh="文字变成牌", body="NotationIn", returns="NotationOut", tag=OPEN)
    def post(self, request: Request) -> HttpResponse:
        """Reads a hand in any form people type: 一二三万, 3条, 🀇, `22s [555p@2] +5m`."""
        hand = told(request, NotationIn).text
        read = {
            "concealed": format_tiles(hand.concealed),
            "melds": [_meld(meld) for meld in hand.melds],
            "win_on": [NAMES[tile] for tile in hand.win_on],
            "text": format_hand(hand),
        }
        return answer(request, read)


def _meld(meld: Meld) -> dict[str, Any]:
    return {
        "kind": meld.kind,
        "tiles": format_tiles(meld.tiles),
        **({} if meld.taken_from is None else {"from": meld.taken_from}),
        **({"dice": True} if meld.dice else {}),
    }


class RuleSets(OpenEndpoint):
    """All presets."""

    rate = "engine"

    @described("rules", zh="全部规则", returns="Presets", tag=OPEN)
    def get(self, request: Request) -> HttpResponse:
        """Lists the presets with options, values and source sentences, in both languages."""
        return answer(request, _all_rules())


class RuleSet(OpenEndpoint):
    """One preset."""

    rate = "engine"

    @described(
        "rules_preset",
        zh="一种规则",
        returns="PresetOut",
        tag=OPEN,
    )
    def get(self, request: Request, preset: str) -> HttpResponse:
        """Shows one preset with options, values and source sentences, in both languages."""
        return answer(request, _rules(preset))


class KongDice(OpenEndpoint):
    """开杠 dice."""

    rate = "engine"

    @described("kong_dice", zh="开杠骰子", query=KongDiceIn, returns="KongDiceOut", tag=OPEN, errors=["refused"])
    def get(self, request: Request) -> HttpResponse:
        """Says which tiles of the wall the dice of a 开杠 turn up."""
        asks = asked(request, KongDiceIn)
        of = resolve_rules(asks.preset, path="preset").preset
        return answer(request, kong_dice(of, asks.stacks, asks.dice, top_gone=asks.top_gone))


@cache
def _all_rules() -> bytes:
    return to_json([preset_json(one) for one in all_presets()])


@cache
def _rules(preset_id: str) -> bytes:
    try:
        return to_json(preset_json(preset(preset_id)))
    except KeyError:
        raise Http404 from None

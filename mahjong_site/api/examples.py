"""One record of each preset and two hands to analyse, as examples of the OpenAPI document."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

_PLAIN = {"seat": 1, "concealed": "123m456p789s234s2p", "win_on": ["2p"]}
_WUHAN = {
    "kind": "win",
    "dealer": 0,
    "by": "discard",
    "from": 3,
    "winners": [{"seat": 1, "declared": ["one_suit"], "hard": True, "opened": 2}],
    "players": [{"seat": 0, "opened": 1}, {"seat": 2, "opened": 0}, {"seat": 3, "opened": 2}],
}

RECORDS = MappingProxyType[str, dict[str, Any]](
    {
        "changsha-classic": {
            "rules": "changsha-classic",
            "kind": "win",
            "dealer": 0,
            "by": "self_draw",
            "winners": [_PLAIN],
            "birds": ["6s"],
        },
        "changsha-liuqi": {
            "rules": "changsha-liuqi",
            "kind": "win",
            "dealer": 0,
            "by": "self_draw",
            "winners": [_PLAIN | {"seat": 0}],
            "birds": ["1m", "2m"],
        },
        "changsha-room": {"rules": "changsha-room", "kind": "exhausted", "dealer": 2},
        "changsha-bbs": {
            "rules": "changsha-bbs",
            "kind": "win",
            "dealer": 0,
            "by": "discard",
            "from": 2,
            "winners": [{"seat": 1, "declared": ["one_suit", "all_pungs"]}],
        },
        "wuhan-laizi": {"rules": "wuhan-laizi", **_WUHAN},
        "wuhan-kaikou": {"rules": "wuhan-kaikou", **_WUHAN},
        "wuhan-koukou": {"rules": "wuhan-koukou", **_WUHAN},
    }
)

ANALYSES = MappingProxyType[str, dict[str, Any]](
    {
        "a tile to come": {"rules": "changsha-room", "dealer": 0, "seat": 1, "concealed": "2345555789m456p"},
        "a tile to throw": {
            "rules": "wuhan-laizi",
            "dealer": 0,
            "seat": 1,
            "concealed": "22446m678p346s",
            "melds": [{"kind": "pong", "tiles": "888p", "from": 0}],
            "indicator": "5m",
        },
    }
)

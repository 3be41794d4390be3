"""How long the analysis page takes to answer: ``python tests/benchmarks/analysis_page.py``.

The whole view, from the request to the finished HTML, in one thread and without a database, for seeded hands of each
shanten, each asked once, with the draws that the page offers by itself, with the most, and with detours. The goal is a
p95 under 300 ms for what the page shows by itself.
"""

from __future__ import annotations

import os
import random
import sys
import time
from collections.abc import Iterator
from inspect import unwrap
from pathlib import Path
from statistics import quantiles
from urllib.parse import urlencode

sys.path.insert(0, str(Path(__file__).parents[2]))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "mahjong_site.settings_test")

PRESETS = ("changsha-classic", "changsha-room", "wuhan-koukou", "wuhan-laizi")
HANDS = 60
FARTHEST = 2


def queries(rng: random.Random, shanten: int, tiles: int) -> Iterator[str]:
    """Questions about hands of that shanten with so many tiles, in turn of each rule set."""
    from scoring import resolve_rules
    from scoring.analysis.shanten import situation
    from scoring.notation import format_tiles
    from scoring.tiles import NAMES, SUIT_KINDS

    number = 0
    while True:
        preset = PRESETS[number % len(PRESETS)]
        rules = resolve_rules(preset)
        wall = [kind for kind in range(SUIT_KINDS) for _ in range(4)]
        indicator = rng.choice(wall) if rules.family == "wuhan" else None
        now = situation(rules, (), (), indicator)
        if indicator is not None:
            wall.remove(indicator)
        hand = rng.sample([kind for kind in wall if kind not in now.kong_tiles], tiles)
        for _ in range(60):  # a tile is changed as long as that does not lead away
            if now.shanten(now.tiles(hand)) <= shanten:
                break
            place, drawn = rng.randrange(tiles), rng.choice(wall)
            changed = [*hand[:place], drawn, *hand[place + 1 :]]
            if changed.count(drawn) <= 3 and now.shanten(now.tiles(changed)) <= now.shanten(now.tiles(hand)):
                hand = changed
        if now.shanten(now.tiles(hand)) == shanten:
            number += 1
            special = {"ind": NAMES[indicator]} if indicator is not None else {}
            yield urlencode({"rules": preset, "w": 1, "h1": format_tiles(hand), **special})


def main() -> None:
    """Prints p50, p95 and the longest in milliseconds, a line a kind of hand."""
    import django

    django.setup()
    from django.test import RequestFactory

    from mahjong_site.analysis import views

    answer = unwrap(views.answer)
    for tiles, shanten, more in (
        (tiles, shanten, more)
        for tiles in (13, 14)
        for shanten in range(FARTHEST + 1)
        for more in ("", "&draws=20", "&draws=20&detours=1")
    ):
        hands = queries(random.Random(f"{tiles}/{shanten}"), shanten, tiles)
        times = []
        for _ in range(HANDS):
            request = RequestFactory().get(f"/analyse/answer?{next(hands)}{more}")
            begin = time.perf_counter()
            answer(request)
            times.append(1000 * (time.perf_counter() - begin))
        spread = quantiles(times, n=20)
        name = f"{tiles} tiles, shanten {shanten} {more.replace('&', ' ')}"
        print(f"{spread[9]:6.1f} {spread[18]:6.1f} {max(times):6.1f}  {name}", flush=True)


if __name__ == "__main__":
    main()

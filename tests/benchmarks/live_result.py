"""How long the server takes for one live result of the hand entry: ``python tests/benchmarks/live_result.py``.

The whole view, from the request to the finished HTML, in one thread and without a database. The goal is a p95 under
30 ms on two cores.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from statistics import quantiles

sys.path.insert(0, str(Path(__file__).parents[2]))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "mahjong_site.settings_test")

HANDS = {
    "settled, Changsha": "?w=1&by=1&h1=22s345m45p[123m][555p]%2B6p&birds=6p",
    "settled, Wuhan with 癞子": "?rules=wuhan-koukou&w=1&by=1&ind=4m&laid1=7z&op0=1&ek0=1"
    "&h1=777m66s9p5m[222p][8888s]%2B6s",
    "three winners": "?w=1&w=2&w=3&by=0&birds=3p&h1=22s345m45p[123m][555p]%2B6p"
    "&h2=88s345m78p[789m][777s]%2B6p&h3=55s789m78p[123s][999s]%2B6p",
    "not a win, fixes tried": "?w=1&by=1&h1=22s345m45p[123m][555p]%2B9p",
    "ready, every wait priced": "?w=1&h1=555p6p777s[222s][888m]",
    "ready, Wuhan with two 癞子": "?rules=wuhan-laizi&w=1&ind=4m&h1=55m67m33p22s[111m][999s]",
    "half entered": "?w=1&h1=22s345m",
}
ROUNDS = 60


def main() -> None:
    """Prints p50 and p95 in milliseconds, a line a hand."""
    import django

    django.setup()
    from django.test import RequestFactory

    from mahjong_site.calculator import views

    for name, query in HANDS.items():
        request = RequestFactory().get("/result" + query)
        views.result(request)
        times = []
        for _ in range(ROUNDS):
            begin = time.perf_counter()
            views.result(request)
            times.append(1000 * (time.perf_counter() - begin))
        print(f"{quantiles(times, n=20)[9]:6.1f} {quantiles(times, n=20)[18]:6.1f}  {name}")


if __name__ == "__main__":
    main()

"""Three hands to look at before entering one's own."""

from typing import Final

from .state import Entry


def _example(rules: str, line: str, *, seat: int = 1, **facts: object) -> Entry:
    return Entry(rules=rules, winners=(seat,)).with_line(seat, line).with_(**facts)


EXAMPLES: Final = (
    _example("changsha-classic", "22s345m45p[123m][555p]+6p", giver=1, birds="6p"),
    _example("changsha-classic", "111333p9p[555p][777p]+9p", giver=0, birds="3p"),
    _example(
        "wuhan-kaikou",
        "234s67m88p[111m][999s]+8m",
        giver=1,
        indicator="4p",
        laid=("", "7z", "", ""),
        counters=(
            {"op": 1, "ek": 0, "ck": 0, "lo": 0, "lw": 0},
            {"op": 0, "ek": 0, "ck": 0, "lo": 0, "lw": 0},
            {"op": 0, "ek": 0, "ck": 0, "lo": 0, "lw": 0},
            {"op": 1, "ek": 1, "ck": 0, "lo": 0, "lw": 0},
        ),
    ),
)

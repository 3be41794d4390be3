"""Hand analysis: shanten, accepts, waits in money, discards (contract, "Analysis").

>>> answer = analyze_json({"rules": "changsha-room", "dealer": 0, "seat": 1, "concealed": "2345555789m456p"})
>>> [wait["tile"] for wait in answer["waits"]], answer["waits"][0]["self_draw"]["total"]
(['2m'], 7)
"""

from scoring.analysis.answer import analyze, analyze_json
from scoring.analysis.contract import Analysis, AnalysisIn, Drawing, Throwing

__all__ = ["Analysis", "AnalysisIn", "Drawing", "Throwing", "analyze", "analyze_json"]

"""牌账's rules engine: Changsha and Wuhan mahjong, a hand record in, a settlement out. Pure Python, no Django.

>>> import scoring
>>> record = scoring.parse_record('''{"rules": "changsha-room", "kind": "exhausted", "dealer": 2}''')
>>> scoring.settle(record).next_dealer
0
"""

from scoring.faults import Fault, RecordError
from scoring.record import HandRecord, Settlement
from scoring.rules import PRESET_IDS, Preset, Rules, all_presets, preset, resolve_rules
from scoring.settle import next_dealer, parse_record, score_json, settle
from scoring.settlement import ENGINE_VERSION

__all__ = [
    "ENGINE_VERSION",
    "PRESET_IDS",
    "Fault",
    "HandRecord",
    "Preset",
    "RecordError",
    "Rules",
    "Settlement",
    "all_presets",
    "next_dealer",
    "parse_record",
    "preset",
    "resolve_rules",
    "score_json",
    "settle",
]

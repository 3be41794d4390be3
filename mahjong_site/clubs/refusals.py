"""Why clubs and ledger refuse something: a stable code, a path, words in both languages, as the engine's faults.

A refusal is an answer, like `scoring.RecordError`: it has ``faults`` and ``to_json()`` of the same shape.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

WORDS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        # people and clubs
        "bad_name": (
            "a name has 1 to 40 characters, no control characters",
            "名字要 1 到 40 个字，不能有控制字符",
        ),
        "bad_time_zone": ("no such time zone", "没有这个时区"),
        "bad_days": ("the first day comes after the last", "开始日期晚于结束日期"),
        "name_taken": ("this name is taken", "这个名字已经有了"),
        "unknown_player": ("no such player in this club", "俱乐部里没有这位牌友"),
        "unknown_user": ("no such account", "没有这个账号"),
        "unknown_member": ("no such member in this club", "俱乐部里没有这位成员"),
        "unknown_link": ("this link does not exist, has expired or was revoked", "链接不存在、已过期或已撤销"),
        "session_link": ("this link is for one session only", "这个链接只用于一场牌局"),
        "last_owner": ("a club keeps at least one owner", "俱乐部至少要有一位负责人"),
        "alias_of_alias": ("a guest stands for one player with an account", "一位访客只能对应一个有账号的牌友"),
        "not_a_guest": ("this player has an account already", "这位牌友已有账号"),
        # sessions
        "bad_point_value": (
            "a point is worth more than 0 and at most 1000000, with at most four decimals",
            "一分的价值要大于 0、不超过 1000000，最多四位小数",
        ),
        "bad_currency": ("a currency is three capital letters, such as CNY", "货币是三个大写字母，如 CNY"),
        "four_players": ("a table has four different players", "一桌要四位不同的牌友"),
        "bad_seat": ("a seat is a number from 0 to 3", "座位是 0 到 3"),
        "bad_entry_mode": ("records are entered by the scorer or by everybody", "记账的是记分员或所有人"),
        "session_closed": ("the session is closed", "牌局已结束"),
        "session_full": (
            "a session has at most {most} entries: close it and open another",
            "一场最多记 {most} 笔：请结束这场，另开一场",
        ),
        "session_busy": ("the session is busy, try again", "牌局正忙，请再试一次"),
        # entries
        "bad_client_key": ("a key is 1 to 64 printable ASCII characters", "键是 1 到 64 个可见的 ASCII 字符"),
        "too_deep": ("the request is nested too deeply", "请求的嵌套太深"),
        "bad_reason": ("a reason has 1 to 200 characters", "理由要 1 到 200 个字"),
        "rules_frozen": ("the session is played by other rules", "与这场牌局的规则不同"),
        "dealer_mismatch": ("the dealer of this hand is seat {dealer}", "这一手的庄家是座位 {dealer}"),
        "creator_mismatch": ("the table's creator sits on seat {creator}", "开房者坐在座位 {creator}"),
        "no_dealer": ("the first dealer is not known yet: roll or choose", "还没有定庄，请先掷骰或指定"),
        "amount_too_large": (
            "nobody books {points} points in one hand: look at the counts again",
            "一手 {points} 分记不了，请再看看个数",
        ),
        "bad_choice": ("seat {seat} cannot deal next, only {choices}", "座位 {seat} 不能坐下一庄，只有 {choices}"),
        "not_same_hand": (
            "this does not belong to the last hand: only a second win off the same kong, or what leaves the hand open",
            "这不属于上一手：只有同一杠的第二个胡，或不结束一手的记录才算",
        ),
        "hand_going_on": ("this hand has records already", "这一手已有记录"),
        "not_first_hand": ("the dice decide the first dealer only", "掷骰只定第一庄"),
        "bad_dice": ("two dice, each from 1 to 6", "两颗骰子，每颗 1 到 6"),
        "unknown_entry": ("no such entry in this session", "这场牌局里没有这一笔"),
        "not_reversible": ("only a hand can be reversed or corrected", "只有一手牌可以冲销或更正"),
        "already_reversed": ("this entry is reversed already", "这一笔已经冲销"),
        # settle-up
        "no_sessions": ("name 1 to {most} sessions", "请选 1 到 {most} 场牌局"),
        "several_clubs": ("the sessions are of several clubs", "这些牌局不属于同一个俱乐部"),
        "several_currencies": (
            "the sessions have several currencies: {currencies}",
            "这些牌局的货币不同：{currencies}",
        ),
        "nothing_to_settle": ("nothing was posted since the last settle-up", "上次结账后没有新的记录"),
        "bad_amount": ("an amount from 0 to {amount}", "金额要在 0 到 {amount} 之间"),
        "settle_up_cancelled": ("this settle-up was cancelled", "这次结账已撤销"),
        "settled_later": ("a later settle-up builds on this one", "后面的结账以这次为准，不能撤销"),
        "already_paid": ("something was paid already", "已有付款记录"),
        # import
        "bad_file": ("not a session this site has exported: {what}", "不是本站导出的牌局：{what}"),
        "session_exists": ("this session is here already", "这场牌局已经在这里"),
        "other_club": ("the session is of another club", "这场牌局属于另一个俱乐部"),
        "other_player": ("player {name} is someone else here", "牌友 {name} 在这里是另一个人"),
        "broken_chain": ("the chain is broken at entry {seq}", "第 {seq} 笔的校验链断了"),
        "other_settlement": (
            "entry {seq} is settled otherwise: {said}, now {now}",
            "第 {seq} 笔的结算不同：文件里是 {said}，现在是 {now}",
        ),
        "refused_by_ledger": ("the ledger refuses it: {rule}", "账本拒绝：{rule}"),
    }
)


class Refusal(NamedTuple):
    """One thing refused. ``path`` is dotted, ``""`` for the whole request."""

    code: str
    path: str
    detail: Mapping[str, Any]

    @property
    def message(self) -> str:
        """Why, in English."""
        return WORDS[self.code][0].format(**self.detail)

    @property
    def message_zh(self) -> str:
        """Why, in Chinese."""
        return WORDS[self.code][1].format(**self.detail)

    def to_json(self) -> dict[str, Any]:
        """The contract's error object."""
        return {
            "code": self.code,
            "path": self.path,
            "message": self.message,
            "message_zh": self.message_zh,
            "detail": dict(self.detail),
        }


class Refused(ValueError):
    """What was asked cannot be done; nothing has changed.

    >>> Refused.because("bad_choice", "choose_next_dealer", seat=3, choices="0, 1").faults[0].message_zh
    '座位 3 不能坐下一庄，只有 0, 1'
    """

    def __init__(self, *faults: Refusal) -> None:
        self.faults = faults
        super().__init__("; ".join(f"{f.path}: {f.code}: {f.message}" for f in faults))

    @classmethod
    def because(cls, code: str, path: str = "", **detail: Any) -> Refused:
        """One refusal; ``code`` is a key of `WORDS`."""
        return cls(Refusal(code, path, detail))

    def to_json(self) -> dict[str, Any]:
        """The contract's answer: ``{"errors": […]}``."""
        return {"errors": [f.to_json() for f in self.faults]}

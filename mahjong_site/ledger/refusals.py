"""What settle-up and import refuse, beside `mahjong_site.clubs.refusals`."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from mahjong_site.clubs.refusals import Refusal, Refused

WORDS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
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


class LedgerRefusal(Refusal):
    """A refusal with the words of this module."""

    __slots__ = ()

    @property
    def message(self) -> str:
        """Why, in English."""
        return WORDS[self.code][0].format(**self.detail)

    @property
    def message_zh(self) -> str:
        """Why, in Chinese."""
        return WORDS[self.code][1].format(**self.detail)


def refused(code: str, path: str = "", **detail: Any) -> Refused:
    """One refusal; ``code`` is a key of `WORDS`."""
    return Refused(LedgerRefusal(code, path, detail))

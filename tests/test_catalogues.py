"""The Chinese catalogue has every text, translated, and is compiled."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.conf import LazySettings
from django.utils import translation
from django.utils.translation import gettext

from mahjong_site.management.commands import catalogues
from scoring.texts import table


def test_catalogue_is_complete() -> None:
    assert catalogues.faults() == [], "run: python3 manage.py catalogues"


def test_chinese_brackets_are_full_width() -> None:
    texts = [message.string for message in catalogues.catalogue(update=False) if isinstance(message.string, str)]
    texts += [words["zh"] for code in table("faults").values() for words in code.values()]
    assert [text for text in texts if re.search(r"[一-鿿”] ?\(", text)] == []


@pytest.fixture
def small_site(tmp_path: Path, settings: LazySettings) -> Path:
    """A site of one page and one module, with a catalogue made from them."""
    (tmp_path / "templates").mkdir()
    (tmp_path / "mahjong_site").mkdir()
    (tmp_path / "templates" / "a.html").write_text("{% load i18n %}{% translate 'Hand' %}")
    (tmp_path / "mahjong_site" / "a.py").write_text("ngettext_lazy('%(n)d tile', '%(n)d tiles')\n")
    settings.BASE_DIR, settings.LOCALE_PATHS = tmp_path, [tmp_path / "locale"]
    po = catalogues.catalogue_path()
    po.parent.mkdir(parents=True)
    catalogue = catalogues.catalogue(update=True)
    catalogue["Hand"].string = "手牌"
    catalogue["%(n)d tile"].string = ("%(n)d 张牌",)
    po.write_bytes(catalogues.written(catalogue))
    po.with_suffix(".mo").write_bytes(catalogues.compiled(catalogues.catalogue(update=False)))
    return tmp_path


def test_what_is_collected_compiles_and_is_found_complete(small_site: Path) -> None:
    assert catalogues.faults() == []
    assert catalogues.written(catalogues.catalogue(update=True)) == catalogues.catalogue_path().read_bytes()


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ('"手牌"', '""', "not translated: 'Hand'"),
        ('msgid "Hand"', '#, fuzzy\nmsgid "Hand"', "fuzzy: 'Hand'"),
        ('msgid "Hand"', 'msgid "Foot"', "not in the catalogue: 'Hand'"),
        ('msgid "Hand"', 'msgid "Foot"', "used nowhere: 'Foot'"),
        ('"手牌"', '"手"', "django.mo is not what django.po compiles to"),
    ],
)
def test_every_fault_is_said(small_site: Path, old: str, new: str, fault: str) -> None:
    po = catalogues.catalogue_path()
    po.write_text(po.read_text().replace(old, new))
    assert fault in catalogues.faults()


def test_django_reads_the_catalogue() -> None:
    """Django's own texts at least, in both languages."""
    with translation.override("zh-hans"):
        assert gettext("Password") == "密码"
    with translation.override("en"):
        assert gettext("Password") == "Password"

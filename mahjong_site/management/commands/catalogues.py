"""`manage.py catalogues`: the Chinese texts of pages and messages, from source to compiled catalogue.

What gettext's programs do (`xgettext`, `msgmerge`, `msgfmt`), with Babel, since a fresh machine lacks them. The
texts in the code are English; ``mahjong_site/locale/zh_Hans/LC_MESSAGES/django.po`` has the Chinese ones, and the
compiled ``.mo`` beside it is committed. A development tool: Babel is in the development lock only.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import BaseCommand, CommandError, CommandParser
from django.utils.translation.template import templatize

KEYWORDS: dict[str, Any] = {
    "_": None,
    "gettext": None,
    "gettext_lazy": None,
    "gettext_noop": None,
    "ngettext": (1, 2),
    "ngettext_lazy": (1, 2),
    "pgettext": ((1, "c"), 2),
    "pgettext_lazy": ((1, "c"), 2),
    "npgettext": ((1, "c"), 2, 3),
    "npgettext_lazy": ((1, "c"), 2, 3),
}
TEMPLATES = {".html", ".txt"}


def catalogue_path() -> Path:
    """The source of the Chinese catalogue."""
    return Path(settings.LOCALE_PATHS[0]) / "zh_Hans" / "LC_MESSAGES" / "django.po"


def sources() -> Iterator[tuple[str, bytes]]:
    """Name and Python-like text of every file that may hold texts: the site's modules and its templates."""
    base: Path = settings.BASE_DIR
    for folder in ("mahjong_site", "templates"):
        for path in sorted((base / folder).rglob("*")):
            name = path.relative_to(base).as_posix()
            if path.suffix == ".py" and "/migrations/" not in name:
                yield name, path.read_bytes()
            elif path.suffix in TEMPLATES:
                # The tokenizer takes the indentation of the markup for Python's.
                lines = templatize(path.read_text(encoding="utf-8"), origin=name).splitlines()
                yield name, "\n".join(line.lstrip() for line in lines).encode()


def catalogue(*, update: bool) -> Any:
    """The catalogue in the `.po`; with ``update`` with every text of the sources and no other."""
    from babel.messages.catalog import Catalog
    from babel.messages.extract import extract
    from babel.messages.pofile import read_po

    path = catalogue_path()
    known = Catalog(locale="zh_Hans", project="paizhang", fuzzy=False)
    if path.exists():
        with path.open("rb") as file:
            known = read_po(file, locale="zh_Hans")
    if update:
        found = Catalog()
        for name, text in sources():
            for _line, message, comments, context in extract(
                "python", io.BytesIO(text), keywords=KEYWORDS, comment_tags=["Translators:"]
            ):
                found.add(message, locations=[(name, 0)], auto_comments=comments, context=context)
        known.update(found, no_fuzzy_matching=True, update_creation_date=False)
        known.obsolete.clear()
    return known


def compiled(known: Any) -> bytes:
    """The `.mo` of a catalogue."""
    from babel.messages.mofile import write_mo

    out = io.BytesIO()
    write_mo(out, known)
    return out.getvalue()


def written(known: Any) -> bytes:
    """The `.po` of a catalogue: sorted, with files but no line numbers, so that it changes only where texts do."""
    from babel.messages.pofile import write_po

    out = io.BytesIO()
    write_po(out, known, width=120, include_lineno=False, sort_output=True)
    return out.getvalue()


def faults() -> list[str]:
    """What is wrong with the committed catalogue, one line each; empty where all is well."""
    committed, wanted = catalogue(update=False), catalogue(update=True)
    texts = {(message.context, message.id) for message in committed if message.id}
    needed = {(message.context, message.id) for message in wanted if message.id}
    lines = [f"not in the catalogue: {text!r}" for _context, text in sorted(needed - texts, key=str)]
    lines += [f"used nowhere: {text!r}" for _context, text in sorted(texts - needed, key=str)]
    for message in committed:
        if not message.id:
            continue
        translations = [message.string] if isinstance(message.string, str) else message.string
        if message.fuzzy:
            lines.append(f"fuzzy: {message.id!r}")
        elif not all(translations):
            lines.append(f"not translated: {message.id!r}")
        lines += [f"{error}: {message.id!r}" for error in message.check(committed)]
    binary = catalogue_path().with_suffix(".mo")
    if not binary.exists() or binary.read_bytes() != compiled(committed):
        lines.append(f"{binary.name} is not what {catalogue_path().name} compiles to")
    return lines


class Command(BaseCommand):
    """Brings the catalogue up to date, or says what is not."""

    help = "Collects texts into the Chinese catalogue and compiles it; --check only says what is wrong."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        """Whether to change anything."""
        parser.add_argument("--check", action="store_true", help="change nothing; fail where anything is out of date")

    def handle(self, *args: Any, check: bool, **options: Any) -> None:
        """Writes `.po` and `.mo`, then says what is still to be translated."""
        if not check:
            known = catalogue(update=True)
            path = catalogue_path()
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(written(known))
            path.with_suffix(".mo").write_bytes(compiled(catalogue(update=False)))
        if lines := faults():
            raise CommandError("\n".join(lines))

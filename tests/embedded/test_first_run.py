"""The lock is read, compared and obeyed; a secret is made once."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from mahjong_site.embedded import first_run, layout, secrets

LOCKS = ["requirements.txt", "requirements-dev.txt"]


@pytest.mark.parametrize("name", LOCKS)
def test_this_environment_meets_the_lock(name: str) -> None:
    assert first_run.unmet(layout.PROJECT / name) == []


@pytest.mark.parametrize("name", LOCKS)
def test_every_pin_has_a_hash_and_no_address(name: str) -> None:
    text = (layout.PROJECT / name).read_text()
    assert len(first_run.PIN.findall(text)) == text.count("==") - text.count("== '") - text.count('== "')
    assert "://" not in text
    assert "--index-url" not in text
    for requirement in text.replace("\\\n", "").splitlines():
        assert "--hash=sha256:" in requirement


def test_development_lock_contains_the_other() -> None:
    first, second = (set(first_run.PIN.findall((layout.PROJECT / name).read_text())) for name in LOCKS)
    assert {(pin[0], pin[2]) for pin in first} <= {(pin[0], pin[2]) for pin in second}


def test_unmet_pins_are_named(tmp_path: Path) -> None:
    lock = tmp_path / "lock.txt"
    lock.write_text(
        "django==1.0 \\\n    --hash=sha256:0\nno-such-package==2.0 \\\n    --hash=sha256:0\n"
        "no-such-package-either==3.0 ; sys_platform == 'win32' \\\n    --hash=sha256:0\n"
    )
    assert first_run.unmet(lock) == ["django==1.0", "no-such-package==2.0"]


def test_first_run_needs_the_standard_library_alone() -> None:
    code = (
        "import sys; from mahjong_site.embedded import first_run, cluster; "
        "print(sorted({name.partition('.')[0] for name in sys.modules} - set(sys.stdlib_module_names)))"
    )
    # -S: no site-packages at all.
    said = subprocess.run(
        [sys.executable, "-S", "-c", code], cwd=layout.PROJECT, capture_output=True, text=True, check=True
    )
    assert said.stdout.strip() in {"['__main__', 'mahjong_site']", "['mahjong_site']"}


def test_failed_environment_repeats_pythons_own_words(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = tmp_path / "python"
    broken.write_text("#!/bin/sh\necho 'apt install python3-venv'\nexit 1\n")
    broken.chmod(0o755)
    monkeypatch.setattr(first_run, "VENV", tmp_path / ".venv")
    monkeypatch.setattr(sys, "executable", str(broken))
    with pytest.raises(SystemExit, match="apt install python3-venv"):
        first_run._make()
    assert "could not be made" in capsys.readouterr().err


def test_secret_is_made_once_and_private(tmp_path: Path) -> None:
    path = tmp_path / "data" / "secret"
    secret = secrets.kept(path)
    assert len(secret) > 50
    assert secrets.kept(path) == secret
    assert path.stat().st_mode & 0o777 == 0o600
    assert [file.name for file in path.parent.iterdir()] == ["secret"]

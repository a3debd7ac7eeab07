"""Which Chromium is used, and what somebody without one reads."""

from __future__ import annotations

from pathlib import Path

import pytest

from codevetter_verify.browser import find
from codevetter_verify.errors import BrowserMissingError


def program(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return path


@pytest.fixture(autouse=True)
def bare_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No browser anywhere but below tmp_path/bin."""
    monkeypatch.delenv(find.ENV_VAR, raising=False)
    monkeypatch.delenv("PLAYWRIGHT_BROWSERS_PATH", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setattr(find, "_INSTALLED", ("chromium-headless-shell", "chromium"))


def test_nothing_found_says_exactly_how_to_get_one() -> None:
    with pytest.raises(BrowserMissingError) as caught:
        find.find_browser()
    for step in ("apt install chromium-headless-shell", "playwright install chromium", "CODEVETTER_BROWSER"):
        assert step in str(caught.value)


def test_playwrights_own_build_comes_before_an_installed_one(tmp_path: Path) -> None:
    installed = program(tmp_path / "bin/chromium")
    assert find.find_browser() == installed
    own = program(
        Path.home() / ".cache/ms-playwright/chromium_headless_shell-1200/chrome-linux/headless_shell"
    )
    assert find.find_browser() == own


def test_the_headless_shell_comes_before_the_whole_browser(tmp_path: Path) -> None:
    program(tmp_path / "bin/chromium")
    shell = program(tmp_path / "bin/chromium-headless-shell")
    assert find.find_browser() == shell


def test_a_named_browser_wins_and_is_never_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(tmp_path / "bin/chromium")
    named = program(tmp_path / "mine")
    monkeypatch.setenv(find.ENV_VAR, str(named))
    assert find.find_browser() == named
    monkeypatch.setenv(find.ENV_VAR, str(tmp_path / "gone"))
    with pytest.raises(BrowserMissingError, match="gone"):
        find.find_browser()

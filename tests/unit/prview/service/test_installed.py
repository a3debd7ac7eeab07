"""A review is no longer the same when what it would run changed."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from prview.service.installed import installed_digest

if TYPE_CHECKING:
    from pathlib import Path

FILES = {
    ".venv/bin/ruff": "1",
    ".venv/lib/python3.11/site-packages/x-1.0.dist-info/METADATA": "",
    "node_modules/.bin/eslint": "1",
    "node_modules/plugin/package.json": '{"version": "1.0.0"}',
    "node_modules/@own/core/package.json": "{}",
    "web/node_modules/.package-lock.json": "{}",
}


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PATH", os.fspath(tmp_path / "path"))
    monkeypatch.setenv("HOME", os.fspath(tmp_path / "home"))
    monkeypatch.delenv("CARGO_HOME", raising=False)
    for name, text in FILES.items():
        write(tmp_path / "r" / name, text)
    write(tmp_path / "path/node", "1")
    return tmp_path / "r"


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)


def digest(checkout: Path) -> str:
    return installed_digest((checkout,), ["web/src/a.ts"])


@pytest.mark.parametrize(
    "name",
    [
        ".venv/bin/ruff",
        "node_modules/.bin/eslint",
        "node_modules/plugin/package.json",
        "node_modules/@own/core/package.json",
        "web/node_modules/.package-lock.json",
        "../path/node",
        ".venv/lib/python3.11/site-packages/y-2.0.dist-info/METADATA",
        "../home/.cargo/config.toml",
        "../home/.config/rustfmt/rustfmt.toml",
        "../home/.config/go/env",
    ],
)
def test_a_program_or_package_of_another_content_makes_another_digest(checkout: Path, name: str) -> None:
    before = digest(checkout)
    write(checkout / name, "another")
    assert digest(checkout) != before


@pytest.mark.parametrize("name", ["node_modules/.bin/eslint", "node_modules/plugin/package.json"])
def test_what_is_gone_makes_another_digest(checkout: Path, name: str) -> None:
    before = digest(checkout)
    (checkout / name).unlink()
    assert digest(checkout) != before


@pytest.mark.parametrize(
    "name",
    ["web/src/a.ts", "node_modules/.cache/x", ".venv/lib/python3.11/site-packages/x/__pycache__/a.pyc"],
)
def test_what_a_review_itself_leaves_changes_nothing(checkout: Path, name: str) -> None:
    before = digest(checkout)
    write(checkout / name, "new")
    assert digest(checkout) == before

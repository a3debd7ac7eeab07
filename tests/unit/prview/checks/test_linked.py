"""Packages that are links: what they lead to belongs to the key of a look."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prview.checks import linked
from prview.checks.linked import linked_stamps
from prview.checks.python_environment import PythonEnvironment

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def test_an_edited_package_that_is_installed_as_a_link_is_another_environment(tmp_path: Path) -> None:
    source = write(tmp_path / "elsewhere/lib/types.pyi", "x: int\n")
    write(tmp_path / "v/lib/python3.11/site-packages/lib.pth", f"{tmp_path}/elsewhere\n")
    environment = PythonEnvironment(tmp_path / "v/bin/python")
    before, inside = environment.digest(()), environment.digest((tmp_path,))
    write(tmp_path / "elsewhere/lib/__pycache__/types.pyc", "")
    write(tmp_path / "elsewhere/notes.txt", "")
    assert environment.digest(()) == before
    source.write_text("x: bytes\n")
    assert environment.digest(()) != before
    assert environment.digest((tmp_path,)) == inside


def test_a_link_to_more_files_than_can_be_looked_at_is_never_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "a.js", "")
    write(tmp_path / "b.js", "")
    assert list(linked_stamps(tmp_path)) == list(linked_stamps(tmp_path))
    monkeypatch.setattr(linked, "MAX_FILES", 1)
    assert list(linked_stamps(tmp_path)) != list(linked_stamps(tmp_path))

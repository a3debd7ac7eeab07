"""Temporary folders of processes that were killed are told from everything else, and go."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from oskit.process import ProcessIdentity
from oskit.scratch import abandoned, digest, is_owned, make_folder, sweep_once

MAKES_ONE = "from oskit.scratch import make_folder; print(make_folder('tool-git'))"


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The temporary folder of this test and of the programs that it starts."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    return tmp_path


def of_a_dead_process() -> Path:
    """A folder whose maker ended without removing it."""
    made = subprocess.run([sys.executable, "-c", MAKES_ONE], capture_output=True, check=True, text=True)
    return Path(made.stdout.strip())


def test_a_folder_is_private_and_named_after_its_owner(temporary: Path) -> None:
    folder = make_folder("tool")
    assert folder.parent == temporary
    assert folder.stat().st_mode & 0o777 == 0o700
    assert folder.name.startswith(f"tool-{os.getpid()}-{digest(ProcessIdentity.current())}-")
    assert is_owned(folder.name)


def test_only_our_own_kind_without_a_living_owner_is_abandoned(temporary: Path) -> None:
    dead = of_a_dead_process()
    make_folder("tool-git")
    for name in ("tool-1-00000000-other_kind", "tool-git", "tool-git-notes", "tool-git-0-00000000-x"):
        (temporary / name).mkdir()
    (temporary / "tool-git-1-00000000-file").write_text("a file is not ours")
    (temporary / "tool-git-1-00000000-link").symlink_to(temporary / "tool-git-notes")
    assert list(abandoned("tool-git")) == [dead]


def test_a_process_that_got_the_number_later_is_not_the_owner(temporary: Path) -> None:
    (temporary / f"tool-{os.getpid()}-00000000-x").mkdir()
    assert [folder.name for folder in abandoned("tool")] == [f"tool-{os.getpid()}-00000000-x"]


def test_a_process_sweeps_once(temporary: Path) -> None:
    first = of_a_dead_process()
    (first / "HEAD").write_text("ref: refs/heads/void\n")
    sweep_once("tool-git")
    assert not first.exists()
    second = of_a_dead_process()
    sweep_once("tool-git")
    assert list(temporary.iterdir()) == [second]


def test_no_temporary_folder_to_look_into_is_nothing_abandoned(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "gone"))
    assert list(abandoned("tool")) == []

"""The browser's temporary folder: gone with its block, and found by the next start when its owner was killed."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from typing import TYPE_CHECKING

import pytest

from codevetter_verify.browser.folder import KIND, private_folder, sweep
from oskit.process import ProcessIdentity
from oskit.scratch import digest
from support.processes import wait_until

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def left_behind(temporary: Path, *started: str) -> Path:
    """A folder of a process that is dead."""
    dead = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    identity = ProcessIdentity.of(dead.pid)
    assert identity is not None
    path = temporary / f"{KIND}-{dead.pid}-{digest(identity)}-orphan"
    path.mkdir(mode=0o700)
    dead.communicate(b"\n", timeout=60)
    (path / "started").write_text("\n".join(started))
    return path


def test_a_folder_is_private_and_gone_with_its_block(temporary: Path) -> None:
    with private_folder() as folder:
        (folder / "profile").mkdir()
        assert folder.stat().st_mode & 0o077 == 0
        sweep()
        assert folder.is_dir()
    assert list(temporary.iterdir()) == []


def test_what_a_killed_process_left_is_ended_and_removed(temporary: Path) -> None:
    program = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    left_behind(temporary, str(ProcessIdentity.of(program.pid)), "not an identity")
    sweep()
    assert list(temporary.iterdir()) == []
    wait_until(lambda: program.poll() is not None)
    program.communicate()


def test_what_is_not_named_as_ours_stays(temporary: Path) -> None:
    (temporary / f"{KIND}-notes").mkdir()
    sweep()
    assert [path.name for path in temporary.iterdir()] == [f"{KIND}-notes"]

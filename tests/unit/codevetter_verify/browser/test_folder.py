"""The browser's temporary folder: gone with its block, and found by the next start when its owner was killed."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from typing import TYPE_CHECKING

import pytest

from codevetter_verify.browser.folder import PREFIX, PrivateFolder, private_folder, sweep
from oskit.process import ProcessIdentity
from support.processes import wait_until

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def left_behind(temporary: Path, *started: str) -> Path:
    """A folder of a process that is dead."""
    path = temporary / f"{PREFIX}orphan"
    path.mkdir(mode=0o700)
    dead = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    identity = ProcessIdentity.of(dead.pid)
    dead.communicate(b"\n", timeout=60)
    (path / "owner").write_text(str(identity))
    (path / "started").write_text("\n".join(started))
    return path


def test_a_folder_is_private_and_gone_with_its_block(temporary: Path) -> None:
    with private_folder() as folder:
        (folder.path / "profile").mkdir()
        assert folder.path.stat().st_mode & 0o077 == 0
        sweep()
        assert folder.path.is_dir()
    assert list(temporary.iterdir()) == []


def test_what_a_killed_process_left_is_ended_and_removed(temporary: Path) -> None:
    program = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    left_behind(temporary, str(ProcessIdentity.of(program.pid)), "not an identity")
    sweep()
    assert list(temporary.iterdir()) == []
    wait_until(lambda: program.poll() is not None)
    program.communicate()


def test_a_folder_that_names_no_owner_is_not_ours_to_remove(temporary: Path) -> None:
    stranger = temporary / f"{PREFIX}stranger"
    stranger.mkdir()
    (stranger / "owner").write_text("nonsense")
    sweep()
    assert stranger.is_dir()


def test_a_link_is_not_followed(temporary: Path) -> None:
    elsewhere = left_behind(temporary).rename(temporary / "elsewhere")
    link = temporary / f"{PREFIX}link"
    link.symlink_to(elsewhere)
    assert not PrivateFolder(link).is_orphan()

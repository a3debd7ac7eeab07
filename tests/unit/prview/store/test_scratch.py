"""What dead runs left in the temporary folder goes; what living ones have, and what is not ours, stays."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from oskit.clock import now
from oskit.process import ProcessIdentity, kill_tree
from prview.models.records import Running
from prview.store.home import Home
from prview.store.run_folder import reserve
from prview.store.scratch import make_scratch, sweep

COMMIT = "abcdef0123456789abcdef0123456789abcdef01"
DEAD = "1@no-such-boot:1"
MAKES_ONE = "from prview.store.scratch import make_scratch; print(make_scratch())"


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The temporary folder of this test."""
    folder = tmp_path / "t"
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    monkeypatch.setenv("TMPDIR", str(folder))
    return folder


def marked(home: Home, process: str, scratch: Path) -> None:
    """A run of some branch that says who works on it."""
    folder = reserve(home.repository("repo").branch("a"), started=now(), commit=COMMIT)
    folder.mark_running(
        Running(
            run_id=folder.run_id,
            process=process,
            pid=1,
            commit=COMMIT,
            branch="b",
            base_used=("main",),
            profile="deep",
            started_at="2026-01-02T03:04:05.000Z",
            scratch=str(scratch),
        )
    )


def test_only_dead_runs_lose_their_temporary_folders(temporary: Path, tmp_path: Path) -> None:
    home = Home(tmp_path / "home")
    kept, gone, foreign = make_scratch(), temporary / "prview-of-old", tmp_path / "not-ours"
    for folder in (gone, foreign):
        folder.mkdir()
    marked(home, str(ProcessIdentity.current()), kept)
    marked(home, DEAD, kept)
    marked(home, DEAD, gone)
    marked(home, DEAD, foreign)
    sweep(home)
    assert (kept.exists(), gone.exists(), foreign.exists()) == (True, False, True)


def test_folders_are_known_by_their_names_when_no_run_is_left(temporary: Path, tmp_path: Path) -> None:
    made = subprocess.run([sys.executable, "-c", MAKES_ONE], capture_output=True, check=True, text=True)
    dead, bare = Path(made.stdout.strip()), temporary / "prview-1-00000000-early"
    assert (dead / "OWNER").is_file()
    bare.mkdir()
    ours = make_scratch()
    other = temporary / "prview-notes"
    other.mkdir()
    linked = temporary / "prview-1-00000000-link"
    linked.symlink_to(other)
    sweep(Home(tmp_path / "home"))
    assert sorted(temporary.iterdir()) == sorted([ours, other, linked])


def test_programs_of_a_dead_owner_end_and_an_owner_from_before_a_restart_ends_none(
    temporary: Path, tmp_path: Path
) -> None:
    with subprocess.Popen(["sleep", "300"]) as bystander:
        identity = ProcessIdentity.of(bystander.pid)
        assert identity is not None
        folder = temporary / "prview-of-old"
        folder.mkdir()
        home = Home(tmp_path / "home")
        marked(home, f"{bystander.pid}@an-earlier-boot:{identity.start_time.rpartition(':')[2]}", folder)
        sweep(home)
        assert not folder.exists()
        assert identity.is_alive()
        kill_tree(identity, grace_s=0.1)

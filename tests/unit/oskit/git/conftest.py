"""A repository to start from, and a git that is replaced by a script."""

from collections.abc import Callable
from pathlib import Path

import pytest

from support.repos import GitRepo


@pytest.fixture
def repo(tmp_path: Path) -> GitRepo:
    """An empty repository in a folder with a space in its name."""
    return GitRepo.create(tmp_path / "a repository")


@pytest.fixture
def fake_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Path]:
    """Put a shell script named git first on PATH."""

    def install(script: str) -> Path:
        program = tmp_path / "bin" / "git"
        program.parent.mkdir(exist_ok=True)
        program.write_text(f"#!/bin/sh\n{script}\n")
        program.chmod(0o755)
        monkeypatch.setenv("PATH", f"{program.parent}:/usr/local/bin:/usr/bin:/bin")
        return program

    return install

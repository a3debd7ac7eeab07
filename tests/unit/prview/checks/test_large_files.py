"""Files that a repository keeps for ever."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from prview.checks.large_files import LARGE, LargeFiles
from support.checking import Checker
from support.repos import GitRepo

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.anyio


async def test_large_files_programs_and_other_binaries_are_told_apart(tmp_path: Path) -> None:
    repo = GitRepo.create(tmp_path / "r").write("a.txt", "a\n")
    repo.commit("base")
    text = "a line of some length that says little\n" * (LARGE // 39 + 1)
    repo.branch("topic").write("data.csv", text).write("package-lock.json", text)
    repo.write("lib.so", b"\0\1" * 20).write("dump.dat", b"\0\1" * 20).write("logo.png", b"\0\1" * 20)
    repo.write("a.txt", "a\nb\n").commit("add")
    result = await Checker(repo, tmp_path / "scratch").one(LargeFiles())
    assert [(i.finding.path, i.finding.rule, i.finding.level.value) for i in result.judged] == [
        ("data.csv", "large", "warning"),
        ("dump.dat", "binary", "note"),
        ("lib.so", "program", "warning"),
    ]
    assert result.examined == {"a.txt", "data.csv", "logo.png", "package-lock.json"}

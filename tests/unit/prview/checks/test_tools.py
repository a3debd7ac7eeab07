"""Programs are found as the project means them, and run without a trace of us."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from prview.checks.base import ToolOutputError, ToolTimeoutError, ToolUnavailableError
from prview.checks.tools import find_tool, require_tool, run_tool, tool_environment, tool_version

if TYPE_CHECKING:
    from pathlib import Path


def program(folder: Path, name: str, script: str = "exit 0") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return path


def test_the_projects_own_program_comes_before_the_machines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    machine = program(tmp_path / "bin", "tool")
    own = program(tmp_path / "repo/.venv/bin", "tool")
    found = [find_tool("tool", checkouts) for checkouts in ((), (tmp_path / "repo",))]
    assert [(tool.program, tool.origin) for tool in found if tool] == [(machine, "PATH"), (own, ".venv/bin")]


def test_a_linked_work_tree_uses_the_main_ones_programs(tmp_path: Path) -> None:
    own = program(tmp_path / "main/.venv/bin", "tool")
    tool = find_tool("tool", (tmp_path / "linked", tmp_path / "main"))
    assert tool is not None
    assert tool.program == own


def test_a_missing_program_says_where_it_was_looked_for(tmp_path: Path) -> None:
    with pytest.raises(ToolUnavailableError, match=r"no-such-tool is not installed: looked in .*\.venv/bin"):
        require_tool("no-such-tool", (tmp_path,))


@pytest.mark.anyio
async def test_a_program_gets_nothing_of_our_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("GIT_DIR", "PYTHONPATH", "VIRTUAL_ENV", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "leaked")
    program(tmp_path / ".venv/bin", "tool", "env")
    tool = require_tool("tool", (tmp_path,))
    env = tool_environment(tool, tmp_path)
    done = await run_tool([str(tool.program)], cwd=tmp_path, env=env, deadline_s=10)
    assert b"leaked" not in done.stdout
    assert b"PYTHONDONTWRITEBYTECODE=1" in done.stdout
    assert done.stdout.decode().partition("\nPATH=")[2].startswith(str(tmp_path / ".venv/bin"))


@pytest.mark.anyio
async def test_a_deadline_ends_the_program_and_no_time_starts_none(tmp_path: Path) -> None:
    path = program(tmp_path / "bin", "tool", "touch started; sleep 60")
    with pytest.raises(ToolTimeoutError, match="did not end within"):
        await run_tool([str(path)], cwd=tmp_path, env={"PATH": "/usr/bin:/bin"}, deadline_s=0.5)
    (tmp_path / "started").unlink()
    with pytest.raises(ToolTimeoutError, match="no time left"):
        await run_tool([str(path)], cwd=tmp_path, env={}, deadline_s=0)
    assert not (tmp_path / "started").exists()


@pytest.mark.anyio
@pytest.mark.parametrize("script", ["exit 3", "true"])
async def test_a_program_without_a_version_is_not_understood(tmp_path: Path, script: str) -> None:
    program(tmp_path / ".venv/bin", "tool", script)
    tool = require_tool("tool", (tmp_path,))
    with pytest.raises(ToolOutputError):
        await tool_version(tool, cwd=tmp_path, env=tool_environment(tool, tmp_path))

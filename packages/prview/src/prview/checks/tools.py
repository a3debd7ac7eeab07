"""Finds programs as the project means them: its virtual environment first, then PATH. Installs nothing."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from oskit.process import Completed, ProcessError, clean_environment, find_program, run
from prview.checks.base import ToolOutputError, ToolTimeoutError, ToolUnavailableError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

PROJECT_FOLDERS = (".venv/bin", "venv/bin", "node_modules/.bin")
"""Where a project keeps programs of its own, relative to a checkout."""

LOG_LIMIT = 256 * 1024
"""Bytes of a program's words that a log keeps."""

_MISSING = "{name} is not installed: looked in the project's {folders} and on PATH; install it in the project"


@dataclass(frozen=True)
class Tool:
    """A program that was found, and where: the folder of the project, or PATH."""

    name: str
    program: Path
    origin: str


def find_tool(name: str, checkouts: Sequence[Path]) -> Tool | None:
    """Return the project's own program `name`, else the one on PATH, else None."""
    for checkout in checkouts:
        for folder in PROJECT_FOLDERS:
            found = find_program(name, str(checkout / folder))
            if found:
                return Tool(name, Path(found), folder)
    found = find_program(name)
    return Tool(name, Path(found), "PATH") if found else None


def require_tool(name: str, checkouts: Sequence[Path]) -> Tool:
    """Return the program or raise ToolUnavailableError."""
    tool = find_tool(name, checkouts)
    if tool is None:
        raise ToolUnavailableError(_MISSING.format(name=name, folders=", ".join(PROJECT_FOLDERS)))
    return tool


def tool_environment(tool: Tool, scratch: Path, *, add: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return a clean environment in which the program finds its neighbours and leaves nothing in any tree."""
    path = os.pathsep.join([str(tool.program.parent), os.environ.get("PATH", os.defpath)])
    temporary = scratch / "tmp"
    temporary.mkdir(exist_ok=True)
    fixed = {"PATH": path, "PYTHONDONTWRITEBYTECODE": "1", "TMPDIR": str(temporary), "NO_COLOR": "1"}
    return clean_environment(add={**fixed, **(add or {})})


async def run_tool(
    arguments: Sequence[str],
    *,
    cwd: Path,
    env: Mapping[str, str],
    deadline_s: float,
    stdout_to: Path | None = None,
) -> Completed:
    """Run a program to its end. Raises ToolTimeoutError, or ToolUnavailableError when it cannot start."""
    if deadline_s <= 0:
        raise ToolTimeoutError("there was no time left to run it")
    try:
        completed = await run(arguments, cwd=cwd, env=env, deadline_s=deadline_s, stdout_to=stdout_to)
    except ProcessError as exc:
        raise ToolUnavailableError(f"{arguments[0]} could not be started: {exc.message}") from exc
    if completed.timed_out:
        raise ToolTimeoutError(
            f"{Path(arguments[0]).name} did not end within {deadline_s:.0f} s and was ended",
            log=transcript(completed),
        )
    return completed


async def tool_version(tool: Tool, *, cwd: Path, env: Mapping[str, str]) -> str:
    """Return what `--version` answers, in one line. Raises ToolOutputError."""
    completed = await run_tool([str(tool.program), "--version"], cwd=cwd, env=env, deadline_s=30)
    lines = (completed.stdout or completed.stderr).decode("utf-8", "replace").split("\n")
    if not completed.ok or not lines[0].strip():
        raise ToolOutputError(f"{tool.program} --version failed", log=transcript(completed))
    return lines[0].strip()[:100]


def transcript(completed: Completed) -> str:
    """The command and what it printed, as text for a log."""
    said = "\n".join(
        stream[:LOG_LIMIT].decode("utf-8", "replace").rstrip()
        for stream in (completed.stdout, completed.stderr)
        if stream
    )
    end = "was ended at its deadline" if completed.timed_out else f"exit code {completed.returncode}"
    return f"$ {' '.join(completed.argv)}\n{said}\n[{end}, {completed.duration_s:.2f} s]\n"

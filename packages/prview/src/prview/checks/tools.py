"""Finds programs as the project means them: its virtual environment first, then PATH. Installs nothing."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from oskit.process import Completed, ProcessError, clean_environment, find_program, run
from prview.checks.base import ToolOutputError, ToolTimeoutError, ToolUnavailableError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

PROJECT_FOLDERS = (".venv/bin", "venv/bin", "node_modules/.bin")
"""Where a project keeps programs of its own, relative to its folder in a checkout."""

USER_FOLDERS = (".cargo/bin", "go/bin", ".local/bin")
"""Where rustup, `go install` and pip put programs, relative to the user's home."""

_PATH = "PATH"
ELSEWHERE = frozenset({_PATH, *(f"~/{folder}" for folder in USER_FOLDERS)})
"""Where a program was found that is not the project's own."""

LOG_LIMIT = 256 * 1024
"""Bytes of a program's words that a log keeps."""

_MISSING = "{name} is not installed: looked in the project's {folders} and on PATH; install it in the project"


@dataclass(frozen=True)
class Tool:
    """A program that was found, and where: the folder of the project, or PATH."""

    name: str
    program: Path
    origin: str


def find_tool(name: str, checkouts: Sequence[Path], *, folder: str = "") -> Tool | None:
    """Return the project's own program `name`, else the one that is installed for the user, else None.

    The project is `folder` of the repository; its programs may lie in any folder above it, too.
    """
    return find_own(name, checkouts, folder=folder) or find_installed(name)


def find_own(name: str, checkouts: Sequence[Path], *, folder: str = "") -> Tool | None:
    """Return the program `name` of the project itself, the nearest one, or None."""
    levels = [folder, *(str(parent) for parent in PurePosixPath(folder).parents)] if folder else ["."]
    for checkout in checkouts:
        for level in levels:
            for programs in PROJECT_FOLDERS:
                found = find_program(name, str(checkout / level / programs))
                if found:
                    return Tool(name, Path(found), str(PurePosixPath(level, programs)))
    return None


def find_installed(name: str) -> Tool | None:
    """Return the program `name` on PATH or where its installer puts it for the user, or None."""
    found = find_program(name)
    if found:
        return Tool(name, Path(found), _PATH)
    for programs in USER_FOLDERS:  # programs started from a desktop have another PATH than a shell
        found = find_program(name, str(Path.home() / programs))
        if found:
            return Tool(name, Path(found), f"~/{programs}")
    return None


def contents(*files: Path) -> str:
    """A digest of files outside of every project, such as a user's own settings; some may be missing."""
    found = hashlib.sha256()
    for file in files:
        try:
            text = file.read_bytes()
        except OSError:
            text = b""
        found.update(os.fsencode(f"{file}\0{len(text)}\0") + text)
    return found.hexdigest()


def require_tool(name: str, checkouts: Sequence[Path], *, folder: str = "") -> Tool:
    """Return the program or raise ToolUnavailableError."""
    tool = find_tool(name, checkouts, folder=folder)
    if tool is None:
        raise missing_tool(name)
    return tool


def missing_tool(name: str) -> ToolUnavailableError:
    """The error for a program that is nowhere."""
    return ToolUnavailableError(_MISSING.format(name=name, folders=", ".join(PROJECT_FOLDERS)))


def tool_environment(tool: Tool, scratch: Path, *, add: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return a clean environment in which the program finds its neighbours and leaves nothing in any tree."""
    folders = [str(tool.program.parent), *os.environ.get("PATH", os.defpath).split(os.pathsep)]
    path = os.pathsep.join(entry for entry in folders if Path(entry).is_absolute())
    temporary = scratch / "tmp"
    temporary.mkdir(exist_ok=True)
    fixed = {"PATH": path, "PYTHONDONTWRITEBYTECODE": "1", "TMPDIR": str(temporary), "NO_COLOR": "1"}
    return clean_environment(add={**fixed, **(add or {})})


def passed_on(names: Iterable[str]) -> dict[str, str]:
    """Those variables of our own environment that are set."""
    return {name: os.environ[name] for name in names if name in os.environ}


async def run_tool(
    arguments: Sequence[str],
    *,
    cwd: Path,
    env: Mapping[str, str],
    deadline_s: float,
    stdout_to: Path | None = None,
    stderr_to: Path | None = None,
) -> Completed:
    """Run a program to its end. Raises ToolTimeoutError, or ToolUnavailableError when it cannot start."""
    if deadline_s <= 0:
        raise ToolTimeoutError("there was no time left to run it")
    try:
        completed = await run(
            arguments, cwd=cwd, env=env, deadline_s=deadline_s, stdout_to=stdout_to, stderr_to=stderr_to
        )
    except ProcessError as exc:
        raise ToolUnavailableError(f"{arguments[0]} could not be started: {exc.message}") from exc
    if completed.timed_out:
        raise ToolTimeoutError(
            f"{Path(arguments[0]).name} did not end within {deadline_s:.0f} s and was ended",
            log=transcript(completed),
        )
    return completed


async def tool_version(
    tool: Tool, *, cwd: Path, env: Mapping[str, str], arguments: Sequence[str] = ("--version",)
) -> str:
    """Return the program's name and the first line it answers to `arguments`. Raises ToolOutputError."""
    completed = await run_tool([str(tool.program), *arguments], cwd=cwd, env=env, deadline_s=30)
    lines = (completed.stdout or completed.stderr).decode("utf-8", "replace").split("\n")
    if not completed.ok or not lines[0].strip():
        raise ToolOutputError(f"{tool.program} {' '.join(arguments)} failed", log=transcript(completed))
    version = lines[0].strip()[:100]
    return version if tool.name.lower() in version.lower() else f"{tool.name} {version}"


def transcript(completed: Completed, *, said: str | None = None) -> str:
    """The command and what it printed, as text for a log; `said` when that went to files."""
    if said is None:
        said = "\n".join(
            stream[:LOG_LIMIT].decode("utf-8", "replace").rstrip()
            for stream in (completed.stdout, completed.stderr)
            if stream
        )
    end = "was ended at its deadline" if completed.timed_out else f"exit code {completed.returncode}"
    return f"$ {' '.join(completed.argv)}\n{said}\n[{end}, {completed.duration_s:.2f} s]\n"

"""The environment that a project's tools and dependencies live in, wherever its package manager put it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from oskit.process import ProcessError, find_program, run
from prview.checks.tools import Tool, find_installed, find_own, missing_tool

if TYPE_CHECKING:
    from prview.checks.base import CheckContext

_MANAGERS = {
    "poetry.lock": ("poetry", "env", "info", "--path"),
    "Pipfile.lock": ("pipenv", "--venv"),
}
"""Lock files of managers that keep environments elsewhere, and how these say where (uv uses .venv)."""

_ASK_S = 20.0


async def locate(name: str, context: CheckContext, folder: str = "") -> Tool:
    """Find a program as the project in `folder` means it; nothing is installed or synchronised.

    Its own folders first (.venv, venv, node_modules), then the environment of poetry or pipenv, then PATH and
    where installers put programs for the user. Raises ToolUnavailableError.
    """
    own = find_own(name, context.checkouts, folder=folder)
    if own:
        return own
    managed = await managed_environment(context, folder)
    if managed:
        found = find_program(name, str(managed / "bin"))
        if found:
            return Tool(name, managed / "bin" / name, "the environment of its package manager")
    installed = find_installed(name)
    if installed is None:
        raise missing_tool(name)
    return installed


async def managed_environment(context: CheckContext, folder: str) -> Path | None:
    """Where a package manager keeps the environment of the project in `folder`; None without one."""
    prefix = f"{folder}/" if folder else ""
    for lock, command in _MANAGERS.items():
        if f"{prefix}{lock}" not in context.paths or find_program(command[0]) is None:
            continue
        for checkout in context.checkouts:
            place = checkout / folder
            if not place.is_dir():
                continue
            try:
                completed = await run(command, cwd=place, deadline_s=_ASK_S)
            except ProcessError:
                continue
            said = completed.stdout.decode("utf-8", "replace").strip()
            if completed.ok and find_program("python", str(Path(said, "bin"))):
                return Path(said)
    return None

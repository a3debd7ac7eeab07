"""Which programs prview would use, and from where."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from prview import __version__
from prview.checks.tools import find_tool
from prview.domain.profile import detect_profile
from prview.errors import NotAGitRepoError, RepoNotFoundError
from prview.models.results import DoctorResult, ProgramFound
from prview.service.health import git_path, tree_paths
from prview.service.opening import open_repo

if TYPE_CHECKING:
    from pathlib import Path

    from prview.models.requests import DoctorRequest
    from prview.service.settings import Settings

_CHECK_TOOLS = {"ruff": "lint of Python files", "pytest": "tests"}


async def doctor(settings: Settings, request: DoctorRequest) -> DoctorResult:
    """Look for everything, repository or not: the folder one stands in need not be one."""
    checkouts, profile = await _project(settings, request.repo)
    git = git_path()
    programs = [
        ProgramFound(name="git", path=git, origin="PATH" if git else None, needed_for="everything"),
        ProgramFound(
            name="python", path=sys.executable, origin="this installation", needed_for="prview itself"
        ),
        *(_tool(name, use, checkouts) for name, use in _CHECK_TOOLS.items()),
    ]
    writable = _writable(settings.home.root)
    return DoctorResult(
        version=__version__,
        home=str(settings.home.root),
        home_writable=writable,
        profile=profile,
        programs=programs,
        healthy=git is not None and writable,
    )


async def _project(settings: Settings, repo: str | None) -> tuple[tuple[Path, ...], str | None]:
    if repo is None or git_path() is None:
        return (), None
    try:
        opened = await open_repo(settings, repo)
    except (RepoNotFoundError, NotAGitRepoError):
        return (), None
    return opened.checkouts, detect_profile(await tree_paths(opened))


def _tool(name: str, use: str, checkouts: tuple[Path, ...]) -> ProgramFound:
    tool = find_tool(name, checkouts)
    return ProgramFound(
        name=name,
        path=str(tool.program) if tool else None,
        origin=tool.origin if tool else None,
        needed_for=use,
    )


def _writable(folder: Path) -> bool:
    """Whether the folder, or the nearest one above it that exists, can be written."""
    nearest = next(path for path in (folder, *folder.parents) if path.exists())
    return nearest.is_dir() and os.access(nearest, os.W_OK | os.X_OK)

"""Which programs prview would use, and from where."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from prview import __version__
from prview.checks.registry import CHECKS
from prview.checks.tools import find_tool
from prview.domain.checks import Kind
from prview.domain.profile import detect_profile
from prview.errors import NotAGitRepoError, RepoNotFoundError
from prview.models.results import DoctorResult, ProgramFound
from prview.service.health import git_path, tree_paths
from prview.service.opening import open_repo
from prview.service.rules import known_checks

if TYPE_CHECKING:
    from pathlib import Path

    from prview.models.requests import DoctorRequest
    from prview.service.settings import Settings


async def doctor(settings: Settings, request: DoctorRequest) -> DoctorResult:
    """Look for everything, repository or not: the folder one stands in need not be one."""
    checkouts, profile = await _project(settings, request.repo)
    git = git_path()
    programs = [
        ProgramFound(name="git", path=git, origin="PATH" if git else None, needed_for="everything"),
        ProgramFound(
            name="python", path=sys.executable, origin="this installation", needed_for="prview itself"
        ),
        *(_tool(name, use, checkouts) for name, use in _check_tools().items()),
        _tool("gh", "pull requests without a token", ()),
    ]
    writable = _writable(settings.home.root)
    return DoctorResult(
        version=__version__,
        home=str(settings.home.root),
        home_writable=writable,
        profile=profile,
        programs=programs,
        checks=sorted(known_checks()),
        healthy=git is not None and writable,
    )


def _check_tools() -> dict[str, str]:
    """The program of every check that starts one, and the checks that need it."""
    needed: dict[str, list[str]] = {}
    for check in CHECKS:
        program = getattr(check, "program", check.id if check.kind is Kind.TESTS else None)
        if isinstance(program, str):
            needed.setdefault(program, []).append(check.name)
    return {program: ", ".join(names) for program, names in needed.items()}


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

"""Whether prview can work here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oskit.git import GitMissingError, display, git_program
from prview import __version__
from prview.checks.tools import find_tool
from prview.domain.profile import detect_profile, profile_tools
from prview.models.results import GlobalDeps, HealthResult, RepoDeps
from prview.service.opening import Opened, open_repo
from prview.service.translation import translated_errors

if TYPE_CHECKING:
    from prview.models.requests import HealthRequest
    from prview.service.settings import Settings


async def health(settings: Settings, request: HealthRequest) -> HealthResult:
    """Answer `health`."""
    deps = await _repo_deps(settings, request.repo) if request.repo is not None else None
    git = git_path() is not None
    return HealthResult(version=__version__, deps_global=GlobalDeps(git=git), deps_repo=deps)


def git_path() -> str | None:
    """Return the git that is used, from PATH or where it usually is (hosts may have a short PATH)."""
    try:
        return git_program()
    except GitMissingError:
        return None


async def _repo_deps(settings: Settings, repo: str) -> RepoDeps | None:
    """None when the profile cannot be told: a folder without a commit says nothing about itself."""
    opened = await open_repo(settings, repo)
    with translated_errors():
        paths = await tree_paths(opened)
    profile = detect_profile(paths)
    if profile is None:
        return None
    tools = {name: find_tool(name, opened.checkouts) is not None for name in profile_tools(paths)}
    return RepoDeps(profile=profile, tools=tools)


async def tree_paths(opened: Opened) -> list[str]:
    """Return every path of HEAD's tree; nothing before the first commit."""
    head = await opened.repository.head()
    if head.commit is None:
        return []
    return [display(path) for path in await opened.repository.list_paths(head.commit)]

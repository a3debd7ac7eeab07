"""From the `repo` argument to an open repository and its runs."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from oskit.files import StorageError
from oskit.git import Repository, open_repository
from oskit.locations import refuse_inside_worktree
from prview.errors import RepoNotFoundError, RunFailedError
from prview.service.translation import translated_errors
from prview.store.home import HOME_VARIABLE

if TYPE_CHECKING:
    from prview.service.settings import Settings
    from prview.store.home import RepositoryRuns


@dataclass(frozen=True)
class Opened:
    """A repository and where its runs are kept."""

    repository: Repository
    key: str
    runs: RepositoryRuns

    @property
    def checkouts(self) -> tuple[Path, ...]:
        """Work trees to look for the project's tools in: this one, then the main one of a linked worktree."""
        own = self.repository.worktree
        common = self.repository.common_dir
        main = common.parent if common.name == ".git" else None
        found = [path for path in (own, main) if path is not None]
        return tuple(dict.fromkeys(path.resolve() for path in found))


async def open_repo(settings: Settings, repo: str) -> Opened:
    """Open the repository at an absolute path. Raises RepoNotFoundError, NotAGitRepoError, ToolMissingError.

    RunFailedError when runs would be kept inside of the work tree: a review must not change it.
    """
    path = Path(repo)
    if not path.is_absolute():
        raise RepoNotFoundError(
            f"repo must be an absolute path, got {repo!r}", hint="give the full path, like /home/ada/project"
        )
    with translated_errors():
        if not _exists(path):
            raise RepoNotFoundError(f"no such path: {repo}", hint="check the path of the repository")
        repository = await open_repository(path)
        _refuse_home(settings.home.root, repository.worktree)
        identity = await repository.identity()
    return Opened(repository, identity.key, settings.home.repository(identity.key))


def _refuse_home(home: Path, worktree: Path | None) -> None:
    try:
        refuse_inside_worktree(home, worktree)
    except StorageError as exc:
        hint = exc.hint or f"set {HOME_VARIABLE} to a folder that can be used"
        raise RunFailedError(exc.message, hint=hint) from exc


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):  # a name too long or with NUL is no path of anything
        return False

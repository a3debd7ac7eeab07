"""Where runs are kept.

$PRVIEW_HOME (default ~/.prview)
├── fetched/<repository key>.git      commits that a review had to fetch; never in the repository itself
├── cache/checks/                     see prview.store.cache
└── runs/<repository key>/
    ├── .ids/<run id>                 one empty file an id: ids are unique in a repository
    ├── index.jsonl                   a cache of what the completed runs came to
    └── <branch key>/
        ├── .lock                     held by the process that reviews the branch
        ├── <run id>/                 a completed pack; appears by one rename
        ├── <run id>.partial/         a run that is not finished, or never was
        ├── .new-<run id>.partial/    one that is about to begin
        └── latest -> <run id>
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from oskit.locations import LocationError, state_dir
from prview.errors import StorageCorruptError

if TYPE_CHECKING:
    from collections.abc import Iterator

HOME_VARIABLE = "PRVIEW_HOME"
PARTIAL = ".partial"


@dataclass(frozen=True)
class Home:
    """The root folder; nothing is created before something is written."""

    root: Path

    @classmethod
    def from_environment(cls) -> Home:
        """Return $PRVIEW_HOME or ~/.prview. Raises LocationError when that is no absolute path."""
        if os.environ.get(HOME_VARIABLE):
            return cls(state_dir("prview", HOME_VARIABLE))
        return cls(_own_home() / ".prview")

    @property
    def check_cache(self) -> Path:
        """Where results of checks are kept by content."""
        return self.root / "cache" / "checks"

    def repository(self, key: str) -> RepositoryRuns:
        """Return the runs of one repository."""
        return RepositoryRuns(self.root / "runs" / key)

    def fetched(self, key: str) -> Path:
        """Return where commits of one repository that came from outside are kept."""
        return self.root / "fetched" / f"{key}.git"

    def repositories(self) -> tuple[RepositoryRuns, ...]:
        """Return every repository that has runs, by key."""
        return tuple(RepositoryRuns(folder) for folder in _folders(self.root / "runs"))


@dataclass(frozen=True)
class RepositoryRuns:
    """The folder of one repository."""

    folder: Path

    def branch(self, key: str) -> BranchRuns:
        """Return the runs of one branch."""
        return BranchRuns(self.folder / key)

    def branches(self) -> tuple[BranchRuns, ...]:
        """Return every branch that has runs, by key."""
        return tuple(BranchRuns(folder) for folder in _folders(self.folder))


@dataclass(frozen=True)
class BranchRuns:
    """The folder of one branch."""

    folder: Path

    @property
    def lock_path(self) -> Path:
        """The file whose lock means: somebody reviews this branch."""
        return self.folder / ".lock"

    @property
    def latest(self) -> Path:
        """The link to the newest completed pack."""
        return self.folder / "latest"

    def published(self, run_id: str) -> Path:
        """Where a completed pack lies."""
        return self.folder / run_id

    def partial(self, run_id: str) -> Path:
        """Where a run that is not finished works."""
        return self.folder / f"{run_id}{PARTIAL}"


def entries_of(folder: Path) -> list[os.DirEntry[str]]:
    """What is in a folder; nothing when it is not there. StorageCorruptError when it cannot be read."""
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except FileNotFoundError:
        return []
    except OSError as exc:
        raise StorageCorruptError(
            f"cannot read the runs in {folder}: {exc.strerror or exc}",
            hint=f"check what is there, or set {HOME_VARIABLE} to another folder",
        ) from exc


def _own_home() -> Path:
    """The user's home. A relative one would depend on where we were started."""
    try:
        home = Path.home()
    except RuntimeError:
        home = Path()
    if not home.is_absolute():
        message = f"HOME={os.environ.get('HOME', '')} names no absolute path to keep runs below"
        raise LocationError(message, path=home, hint=f"set {HOME_VARIABLE} to an absolute path")
    return home


def _folders(parent: Path) -> Iterator[Path]:
    for entry in sorted(entries_of(parent), key=lambda entry: entry.name):
        if entry.is_dir(follow_symlinks=False) and not entry.name.startswith("."):
            yield Path(entry.path)

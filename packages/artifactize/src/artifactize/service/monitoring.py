"""Looking at every repository of a state while its Runs go on. Nothing here writes or runs anything.

All of it blocks for as long as SQLite takes, so a screen calls it in a thread.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from artifactize.errors import RunNotFoundError, StateError
from artifactize.models.states import RunState
from artifactize.service.observing import Seen
from artifactize.service.workspace import Workspace
from artifactize.store import monitoring, requests, runs
from artifactize.store.read_only import ReadOnlyStore

if TYPE_CHECKING:
    from collections.abc import Mapping

    from artifactize.store.database import Store
    from artifactize.store.monitoring import RepositoryRow, RunRow, WaitingRow
    from oskit.process import ProcessIdentity

_MAX_GIT_FILE = 4096


@dataclass(frozen=True, slots=True)
class SeenRepository:
    """A repository of the state. `family` is the main checkout of a linked worktree, else the repository."""

    row: RepositoryRow
    family: str
    exists: bool

    @property
    def is_worktree(self) -> bool:
        """Whether it is a linked worktree of another checkout."""
        return self.family != self.row.repository


@dataclass(frozen=True, slots=True)
class RunList:
    """The Runs of a repository, newest first."""

    repository: str
    rows: tuple[RunRow, ...] = ()


@dataclass
class LookingWorkspace(Workspace):
    """A workspace whose state can only be read."""

    opened: ReadOnlyStore | None = field(default=None, kw_only=True)

    def store(self) -> Store:
        """Return the state as it is. Raises StateError."""
        if self.opened is None:
            raise StateError("there is no state yet")
        return self.opened

    def existing_store(self) -> Store | None:
        """Return the state as it is, or None."""
        return self.opened


class Monitor:
    """What a monitor of one state reads."""

    def __init__(self, state_dir: Path, environment: Mapping[str, str] | None = None) -> None:
        self.state_dir = state_dir
        self._environment = dict(os.environ if environment is None else environment)
        self._store: ReadOnlyStore | None = None

    def version(self) -> int:
        """Return a number that every change of the state moves; 0 while there is none. Raises StateError."""
        store = self._opened()
        return 0 if store is None else store.version()

    def repositories(self) -> tuple[SeenRepository, ...]:
        """Return every repository that has Runs, worktrees behind their main checkout. Raises StateError."""
        store = self._opened()
        if store is None:
            return ()
        with store.read() as connection:
            rows = monitoring.repositories(connection)
        found = [SeenRepository(row, _family(row.repository), Path(row.repository).is_dir()) for row in rows]
        first = {each.family: number for number, each in reversed(list(enumerate(found)))}
        return tuple(sorted(found, key=lambda each: (first[each.family], each.is_worktree)))

    def runs(self, repository: str, known: RunList | None = None) -> RunList:
        """Return the Runs of a repository; of those known, only what can have changed is read again."""
        store = self._opened()
        if store is None:
            return RunList(repository)
        with store.read() as connection:
            if known is None or known.repository != repository or not known.rows:
                return RunList(repository, tuple(monitoring.newer_runs(connection, repository, None)))
            newer = monitoring.newer_runs(connection, repository, known.rows[0].id)
            count, oldest = monitoring.oldest_run(connection, repository)
            if count != len(known.rows) + len(newer) or oldest != known.rows[-1].id:  # some were pruned
                return RunList(repository, tuple(monitoring.newer_runs(connection, repository, None)))
            going = [row.id for row in known.rows if row.state is not RunState.FINISHED]
            again = monitoring.runs_again(connection, going)
        return RunList(repository, (*newer, *(again.get(row.id, row) for row in known.rows)))

    def seen(self, repository: str, run_id: str, known: Seen | None = None) -> Seen:
        """Return a Run with its requests, reading what is newer than what is known. RunNotFoundError."""
        store = self._opened()
        if store is None:
            raise RunNotFoundError(run_id)
        with store.read() as connection:
            run = runs.get(connection, run_id, repository=repository)
            if run is None:
                raise RunNotFoundError(run_id)
            if known is None or known.run.id != run_id:
                return Seen(run, requests.of_run(connection, run_id))
            if run.revision == known.run.revision:
                return known
            changed = requests.of_run(connection, run_id, newer_than=known.run.revision)
        newer = {each.id: each for each in changed}
        return Seen(run, [newer.get(each.id, each) for each in known.requests])

    def waiting_for_people(self) -> tuple[WaitingRow, ...]:
        """Return every request that waits for a person, oldest Run first. Raises StateError."""
        store = self._opened()
        if store is None:
            return ()
        with store.read() as connection:
            return tuple(monitoring.waiting_requests(connection))

    def workspace(self, repository: str) -> LookingWorkspace:
        """Return what the services that look take; they cannot write through it."""
        return LookingWorkspace(
            Path(repository), self.state_dir, self._environment, _start_nothing, opened=self._opened()
        )

    def close(self) -> None:
        """Close the state."""
        if self._store is not None:
            self._store.close()
            self._store = None

    def _opened(self) -> ReadOnlyStore | None:
        if self._store is None:
            self._store = ReadOnlyStore.existing(self.state_dir)
        return self._store


def _start_nothing(workspace: Workspace) -> ProcessIdentity:
    del workspace
    raise StateError("whoever only looks starts no worker")


def _family(repository: str) -> str:
    """Return the main checkout that a repository is a linked worktree of, or itself, by its `.git` file."""
    marker = Path(repository, ".git")
    try:
        if marker.is_dir():
            return repository
        with marker.open("rb") as file:
            text = file.read(_MAX_GIT_FILE).decode("utf-8", "surrogateescape")
    except OSError:
        return repository
    gitdir = Path(repository, text.removeprefix("gitdir:").strip())
    if not text.startswith("gitdir:") or gitdir.parent.name != "worktrees":
        return repository
    return str(gitdir.parent.parent.parent)

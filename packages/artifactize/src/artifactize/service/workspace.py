"""One repository and one state, bound together when the program starts."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

from anyio import to_thread

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from artifactize.store.database import Store
    from oskit.process import ProcessIdentity

_Result = TypeVar("_Result")


@dataclass
class Workspace:
    """`root` and `state_dir` are absolute and resolved; `environment` is that of whoever asks.

    `start_worker` starts a detached worker of this workspace; `started` is the one that was started last, by
    whatever observer of this process.
    """

    root: Path
    state_dir: Path
    environment: Mapping[str, str]
    start_worker: Callable[[Workspace], ProcessIdentity]
    started: ProcessIdentity | None = field(default=None, init=False)
    _store: Store | None = field(default=None, init=False)

    @property
    def repository(self) -> str:
        """The name under which the state knows the repository."""
        return str(self.root)

    def asked_by(self, environment: Mapping[str, str]) -> Workspace:
        """Return this workspace, its open state too, for somebody with another environment."""
        other = Workspace(self.root, self.state_dir, environment, self.start_worker)
        other._store = self.store()
        return other

    def run_dir(self, run_id: str) -> Path:
        """Return where a Run's outputs are."""
        return self.state_dir / "runs" / run_id

    def store(self) -> Store:
        """Return the open state, made when there is none. Raises StateError."""
        if self._store is None:
            from artifactize.store.database import Store  # deferred: a server is bound before it is used

            self._store = Store.open(self.state_dir)
        return self._store

    def existing_store(self) -> Store | None:
        """Return the open state, or None when there is none: looking creates nothing. Raises StateError."""
        if self._store is None:
            from artifactize.store.database import Store  # deferred, as above

            self._store = Store.existing(self.state_dir)
        return self._store

    def close(self) -> None:
        """Close the state."""
        if self._store is not None:
            self._store.close()


async def off_loop(blocking: Callable[[], _Result]) -> _Result:
    """Run something blocking in a thread: the one door from async services to files and the state."""
    return await to_thread.run_sync(blocking)

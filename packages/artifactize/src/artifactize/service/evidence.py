"""Proofs that neither the state nor the repository has changed since an answer was made from them."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

from artifactize.errors import StateError
from artifactize.service.recalling import holds
from artifactize.service.tracing import traced_section
from artifactize.tree.rechecking import Changed
from artifactize.tree.stamps import epoch
from artifactize.tree.traces import Trace

if TYPE_CHECKING:
    from typing import Any

    from artifactize.service.continuing import Evidence
    from artifactize.service.workspace import Workspace
    from artifactize.store.database import Store


class StateEvidence:
    """The state as it is when this is made; make it before the answer."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._store = workspace.existing_store()
        self._version = _version(self._store)

    def holds(self) -> bool:
        """Whether no transaction has been committed since."""
        try:
            store = self._workspace.existing_store()
            return store is self._store and _version(store) == self._version
        except (StateError, sqlite3.Error):
            return False


class TreeEvidence:
    """The repository: give `trace` to whoever looks at it, then ask for the `proof`."""

    def __init__(self, workspace: Workspace) -> None:
        self._repository = workspace.repository
        self._began = epoch()
        self.trace = Trace()
        self._section: dict[str, Any] = {}

    def proof(self) -> Evidence | None:
        """Return evidence, or None where looking again could find something else though no file changed."""
        if self.trace.is_torn or self.trace.asks_programs:
            return None
        self._section = traced_section(self.trace, self._began)
        return self

    def holds(self) -> bool:
        """Whether every file and folder that was looked at is as it was."""
        contents = self._section["contents"]
        try:
            return holds(self._repository, self._section, lambda: contents, self._section.update)
        except (Changed, OSError, KeyError):
            return False


class Both:
    """Two of them."""

    def __init__(self, one: Evidence, other: Evidence) -> None:
        self._both = (one, other)

    def holds(self) -> bool:
        """Whether both hold."""
        return all(each.holds() for each in self._both)


def _version(store: Store | None) -> int | None:
    return None if store is None else store.version()

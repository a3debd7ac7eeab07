"""The state for whoever only looks: nothing is made, migrated or written."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from artifactize.errors import StateError
from artifactize.store.database import FILE, Store, make_engine, translated
from artifactize.store.migrating import is_current, is_made

if TYPE_CHECKING:
    from pathlib import Path
    from typing import Self


class ReadOnlyStore(Store):
    """An open database that SQLite itself lets nobody change."""

    @classmethod
    def existing(cls, state_dir: Path) -> Self | None:
        """Open the state as it is; None when there is none yet. Raises StateError, for an older one too."""
        path = state_dir / FILE
        with translated(path):
            if not path.is_file():
                return None
            store = cls(path, engine=make_engine(path, read_only=True))
            if not is_made(store._engine, path):
                store.close()
                return None
            if not is_current(store._engine):
                store.close()
                raise StateError(
                    f"{path} was written by an older version, and looking changes nothing",
                    hint="`artifactize run list` in a project brings it up to date",
                )
        return store

    @classmethod
    def open(cls, state_dir: Path) -> NoReturn:
        """Refuse: whoever only looks makes no state."""
        raise StateError(f"{state_dir} is open for looking only")

    def write(self) -> NoReturn:
        """Refuse every change."""
        raise StateError(f"{self.path} is open for looking only")

"""What this process knows of a project from its earlier looks, and from those of others before it.

Knowledge saves reading, never looking: a digest is believed as far as `stat` vouches for it (`tree.stamps`),
a parsed declaration as far as its text is the same.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from artifactize.tree.stamps import epoch, same_clock

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from artifactize.domain.declarations import ArtifactDeclaration
    from artifactize.tree.traces import Observed, Trace


class Known:
    """Files with stamps and digests, and declarations by file; each of these carries its text's digest."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._clock = epoch()
        self._files: dict[str, Observed] = {}
        self._declarations: dict[str, ArtifactDeclaration] = {}
        self._load: Callable[[], Loaded | None] | None = None

    def load_when_needed(self, load: Callable[[], Loaded | None]) -> None:
        """Begin with what others knew, once somebody asks."""
        with self._lock:
            if not self._files:
                self._load = load

    def files(self) -> Mapping[str, Observed]:
        """Return the files that are known, by path relative to the root; none when the clock was set."""
        with self._lock:
            self._loaded()
            if not same_clock(self._clock, epoch()):
                self._files, self._clock = {}, epoch()
            return self._files

    def declarations(self) -> Mapping[str, ArtifactDeclaration]:
        """Return the declarations that were parsed, by file."""
        with self._lock:
            self._loaded()
            return self._declarations

    def learn(self, trace: Trace) -> None:
        """Take over what a look has read."""
        with self._lock:
            if not trace.is_torn:
                self._files = self._files | {
                    path: seen for path, seen in trace.files.items() if seen is not None and seen[2]
                }

    def learn_declarations(self, found: Mapping[str, ArtifactDeclaration]) -> None:
        """Take over declarations without a mistake."""
        with self._lock:
            self._declarations = dict(found)

    def _loaded(self) -> None:
        if self._load is None:
            return
        load, self._load = self._load, None
        if (found := load()) is not None and same_clock(found.clock, self._clock):
            self._files = {**found.files, **self._files}
            self._declarations = {**found.declarations, **self._declarations}
            self._clock = found.clock


class Loaded:
    """What others knew, with the epoch of their clock."""

    def __init__(
        self, clock: int, files: dict[str, Observed], declarations: dict[str, ArtifactDeclaration]
    ) -> None:
        self.clock = clock
        self.files = files
        self.declarations = declarations


_known: dict[Path, Known] = {}
_lock = threading.Lock()


def known_of(root: Path) -> Known:
    """Return what this process knows of a project."""
    with _lock:
        return _known.setdefault(root, Known())

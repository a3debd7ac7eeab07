"""The manifests and lock files of one side, read once."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING, TypeVar

from prview.signals.dependencies.files import MANIFEST_OF, MAX_LOCK_BYTES, lock_reader, manifest_reader
from prview.signals.dependencies.model import UnreadableError
from prview.signals.sources import Unread, read_source

if TYPE_CHECKING:
    from collections.abc import Callable

    from prview.signals.dependencies.model import Lock, Manifest
    from prview.signals.own import Texts

T = TypeVar("T")


class Documents:
    """`problems` says of files that exist why they could not be read."""

    def __init__(self, side: Texts) -> None:
        self._side = side
        self.problems: dict[str, str] = {}
        self._manifests: dict[str, Manifest | None] = {}
        self._locks: dict[str, Lock | None] = {}

    def manifest(self, path: str) -> Manifest | None:
        """What a manifest asks for; None when there is none, or none that can be read."""
        if path not in self._manifests:
            self._manifests[path] = self._read(path, manifest_reader(path))
        return self._manifests[path]

    def lock(self, path: str) -> Lock | None:
        """What a lock file holds; None when there is none, or none that can be read."""
        if path not in self._locks:
            self._locks[path] = self._read(path, lock_reader(path))
        return self._locks[path]

    def locks_for(self, manifest: str) -> list[str]:
        """The lock files that answer a manifest: those of its kind in the nearest folder that has one."""
        pure = PurePosixPath(manifest)
        names = [lock for lock, name in MANIFEST_OF.items() if name == pure.name]
        for folder in pure.parents:
            found = [str(folder / name) for name in names if str(folder / name) in self._side.paths]
            if found:
                return found
        return []

    def manifests_of(self, lock: str) -> list[str]:
        """The manifests that a lock file answers, in order of path."""
        pure = PurePosixPath(lock)
        wanted = MANIFEST_OF.get(pure.name)
        prefix = "" if str(pure.parent) == "." else f"{pure.parent}/"
        named = sorted(
            path
            for path in self._side.paths
            if path.startswith(prefix) and PurePosixPath(path).name == wanted and "node_modules/" not in path
        )
        return [path for path in named if lock in self.locks_for(path)]

    def _read(self, path: str, reader: Callable[[str], T] | None) -> T | None:
        if reader is None or path not in self._side.paths:
            return None
        text = read_source(self._side.tree, path, limit=MAX_LOCK_BYTES)
        if isinstance(text, Unread):
            self.problems[path] = text.reason
        if not isinstance(text, str):
            return None
        try:
            return reader(text)
        except UnreadableError as exc:
            self.problems[path] = str(exc)
            return None


def folder_between(lock: str, manifest: str) -> str:
    """The manifest's folder relative to the lock's."""
    relative = PurePosixPath(manifest).parent.relative_to(PurePosixPath(lock).parent)
    return "" if str(relative) == "." else str(relative)

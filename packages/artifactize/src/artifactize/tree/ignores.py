"""The ignore files of a repository."""

from __future__ import annotations

from typing import TYPE_CHECKING

from artifactize.domain.gitignore import Patterns, pattern_lines
from artifactize.tree.traces import Trace
from oskit.files import StorageMissingError, read_bounded

if TYPE_CHECKING:
    from pathlib import Path

MAX_IGNORE_BYTES = 1024 * 1024


def read_patterns(root: Path, path: str, trace: Trace) -> Patterns | None:
    """Return the patterns of an ignore file, None when it is absent or holds none. Raises StorageError."""
    try:
        data = trace.read(path, root / path, _ignore_bytes)
    except StorageMissingError:
        return None
    return Patterns(pattern_lines(data)) or None


def _ignore_bytes(place: Path) -> bytes:
    return read_bounded(place, MAX_IGNORE_BYTES)


class GitIgnores:
    """The `.gitignore` files of a repository, each read once."""

    def __init__(self, root: Path, trace: Trace | None = None) -> None:
        self._root = root
        self._trace = trace or Trace()
        self._read: dict[str, Patterns | None] = {}
        self._chains: dict[str, list[tuple[int, Patterns]]] = {}

    def ignores(self, path: str, *, is_dir: bool) -> bool:
        """Whether git would ignore a path (relative to the root) whose parent folder it does not ignore.

        The innermost `.gitignore` with a matching pattern decides.
        """
        for skipped, patterns in self._chain(path.rpartition("/")[0]):
            verdict = patterns.verdict(path[skipped:], is_dir=is_dir)
            if verdict is not None:
                return verdict
        return False

    def has_none(self, folder: str) -> None:
        """Take note that a folder was listed and holds no `.gitignore`."""
        if folder not in self._read:
            self._read[folder] = None
            self._trace.lacks(f"{folder}/.gitignore" if folder else ".gitignore")

    def hides(self, path: str) -> bool:
        """Whether a path is ignored itself or lies below an ignored folder."""
        parts = path.split("/")
        ancestors = ("/".join(parts[:length]) for length in range(1, len(parts)))
        if any(self.ignores(each, is_dir=True) for each in ancestors):
            return True
        return self.ignores(path, is_dir=(self._root / path).is_dir())

    def _chain(self, folder: str) -> list[tuple[int, Patterns]]:
        """Return the patterns that rule in a folder, innermost first, with where they begin in a path."""
        known = self._chains.get(folder)
        if known is None:
            outer = self._chain(folder.rpartition("/")[0]) if folder else []
            own = self._patterns(folder)
            known = outer if own is None else [(len(folder) + 1 if folder else 0, own), *outer]
            self._chains[folder] = known
        return known

    def _patterns(self, folder: str) -> Patterns | None:
        if folder not in self._read:
            file = f"{folder}/.gitignore" if folder else ".gitignore"
            # git reads no ignore file through a link (since 2.32)
            linked = (self._root / file).is_symlink()
            self._read[folder] = None if linked else read_patterns(self._root, file, self._trace)
        return self._read[folder]

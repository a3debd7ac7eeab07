"""Ignore files with git's semantics: nested, negated, and nothing re-included below an ignored folder."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oskit.files import StorageMissingError, read_bounded

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from pathspec import GitIgnoreSpec

MAX_IGNORE_BYTES = 1024 * 1024


class Patterns:
    """Some lines of gitignore syntax, relative to the folder they stand in."""

    def __init__(self, lines: Sequence[str]) -> None:
        from pathspec import (
            GitIgnoreSpec,
        )  # deferred: 40 ms that a repository without ignore files never pays

        self._spec: GitIgnoreSpec = GitIgnoreSpec.from_lines(lines)

    def verdict(self, path: str, *, is_dir: bool) -> bool | None:
        """Return true for ignored, false for re-included, None when no pattern matches."""
        return self._spec.check_file(f"{path}/" if is_dir else path).include


def read_patterns(file: Path) -> Patterns | None:
    """Return the patterns of an ignore file, None when it is absent or holds none. Raises StorageError."""
    try:
        text = read_bounded(file, MAX_IGNORE_BYTES).decode(errors="surrogateescape")
    except StorageMissingError:
        return None
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    return Patterns(lines) if lines else None


class GitIgnores:
    """The `.gitignore` files of a repository, each read once."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._read: dict[str, Patterns | None] = {}

    def ignores(self, path: str, *, is_dir: bool) -> bool:
        """Whether git would ignore a path (relative to the root) whose parent folder it does not ignore.

        The innermost `.gitignore` with a matching pattern decides.
        """
        folder, _, _ = path.rpartition("/")
        while True:
            patterns = self._patterns(folder)
            inside = path[len(folder) + 1 :] if folder else path
            verdict = None if patterns is None else patterns.verdict(inside, is_dir=is_dir)
            if verdict is not None:
                return verdict
            if not folder:
                return False
            folder, _, _ = folder.rpartition("/")

    def hides(self, path: str) -> bool:
        """Whether a path is ignored itself or lies below an ignored folder."""
        parts = path.split("/")
        ancestors = ("/".join(parts[:length]) for length in range(1, len(parts)))
        return any(self.ignores(each, is_dir=True) for each in ancestors) or self.ignores(
            path, is_dir=(self._root / path).is_dir()
        )

    def _patterns(self, folder: str) -> Patterns | None:
        if folder not in self._read:
            self._read[folder] = read_patterns(self._root / folder / ".gitignore")
        return self._read[folder]

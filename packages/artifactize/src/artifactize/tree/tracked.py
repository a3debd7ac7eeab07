"""Which files git tracks: `.gitignore` has no say about those, so that they always count."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING

from artifactize.tree.git_index import index_of
from artifactize.tree.own_files import FingerprintError
from artifactize.tree.traces import Trace
from oskit.process import ProcessError, clean_environment, run_blocking

if TYPE_CHECKING:
    from pathlib import Path

    from artifactize.tree.git_index import GitIndex

_DEADLINE_S = 30.0
_MAX_LIST = 512 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Tracked:
    """Paths relative to the project, and every folder on the way to them."""

    files: frozenset[str] = frozenset()
    folders: frozenset[str] = frozenset()


class TrackedFiles:
    """The tracked files of a project, listed by git when they are first asked for.

    The list is kept for the process while git's index file is the same one: git replaces that file whole.
    """

    _lists: dict[Path, tuple[GitIndex, Tracked]] = {}  # noqa: RUF012 - shared by design, guarded by the lock
    _lock = threading.Lock()

    def __init__(self, root: Path, trace: Trace | None = None) -> None:
        self._root = root
        self._trace = trace or Trace()

    def get(self) -> Tracked:
        """Return the tracked files; none outside of git. Raises FingerprintError when git cannot say."""
        index = index_of(str(self._root))
        self._trace.saw_index(index)
        if index is None:
            return Tracked()
        with self._lock:
            known = self._lists.get(self._root)
            if known is None or index[1] is None or known[0] != index:
                known = (index, _listed(self._root))
                self._lists[self._root] = known
        return known[1]


def _listed(root: Path) -> Tracked:
    argv = ("git", "-c", "core.fsmonitor=false", "-C", root, "ls-files", "-z")
    environment = clean_environment(add={"GIT_OPTIONAL_LOCKS": "0", "LC_ALL": "C"})
    try:
        done = run_blocking(argv, env=environment, deadline_s=_DEADLINE_S, capture_limit=_MAX_LIST)
    except ProcessError as failure:
        raise FingerprintError(f"cannot ask git which files it tracks: {failure.message}") from failure
    if not done.ok:
        said = done.stderr.decode(errors="replace").strip().partition("\n")[0]
        raise FingerprintError(f"cannot ask git which files it tracks: {said or 'it did not answer'}")
    files = frozenset(path.decode("utf-8", "surrogateescape") for path in done.stdout.split(b"\0") if path)
    return Tracked(files, frozenset(folder for path in files for folder in _folders(path)))


def _folders(path: str) -> list[str]:
    parts = path.split("/")[:-1]
    return ["/".join(parts[: length + 1]) for length in range(len(parts))]

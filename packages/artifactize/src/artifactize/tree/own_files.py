"""Which files belong to an Artifact (spec 40, section 3)."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from artifactize.domain.gitignore import Patterns
from artifactize.domain.parsing import SUFFIX
from artifactize.tree.rechecking import kind_of_mode
from artifactize.tree.traces import Trace

if TYPE_CHECKING:
    from collections.abc import Iterator
    from collections.abc import Set as AbstractSet
    from pathlib import Path

    from artifactize.domain.declarations import ArtifactDeclaration, FingerprintRule
    from artifactize.tree.ignores import GitIgnores
    from artifactize.tree.tracked import TrackedFiles

MAX_ENTRIES = 10_000
_DERIVED_FOLDERS = frozenset({"__pycache__", "target", "node_modules"})
_DERIVED_FILES = (".pyc",)


def display(path: str) -> str:
    r"""Return a path as text that every wire can carry; bytes that are no UTF-8 as `\xNN`."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def _is_derived(name: str, *, is_dir: bool) -> bool:
    """Whether a name is one that tools give to what they derive from the sources.

    Left out like what git ignores: unless it is tracked, since then an eval may well depend on it.
    """
    return name in _DERIVED_FOLDERS if is_dir else name.endswith(_DERIVED_FILES)


class FingerprintError(Exception):
    """An Artifact whose inputs cannot be fingerprinted; the message names the path and the way out."""


@dataclass(frozen=True, slots=True)
class OwnFile:
    """A regular file of an Artifact: its path relative to the Artifact's folder, and where it is."""

    path: str
    place: str


class Walker:
    """Walks the files of Artifacts. `owned` are the folders of all folder Artifacts, relative to the root."""

    def __init__(
        self,
        root: Path,
        ignores: GitIgnores,
        tracked: TrackedFiles,
        owned: AbstractSet[str],
        trace: Trace | None = None,
    ) -> None:
        self._root = root
        self._trace = trace or Trace()
        self._git = _Git(ignores, tracked)
        self._owned = owned

    def files(self, declared: ArtifactDeclaration, rule: FingerprintRule) -> list[OwnFile]:
        """Return the files that a rule covers, each once, in path order. Raises FingerprintError."""
        walk = _Walk(self._root, self._git, self._owned, declared, rule, self._trace)
        found = {file.path: file for path in rule.files for file in walk.below(declared.target or path)}
        return [found[path] for path in sorted(found, key=os.fsencode)]


class _Git:
    """What git has to say about a path: an ignored one that is tracked counts all the same."""

    def __init__(self, ignores: GitIgnores, tracked: TrackedFiles) -> None:
        self._ignores = ignores
        self._tracked = tracked

    def hides(self, path: str) -> bool:
        """Whether a path is ignored, itself or through a folder around it."""
        return self._ignores.hides(path)

    def leaves_out(self, path: str, *, is_dir: bool, inside_ignored: bool) -> bool:
        """Whether a path is ignored and no tracked file is at it or below it."""
        if not inside_ignored and not self._ignores.ignores(path, is_dir=is_dir):
            return False
        tracked = self._tracked.get()
        return path not in (tracked.folders if is_dir else tracked.files)

    def has_no_rules_in(self, folder: str) -> None:
        """Take note that a folder was listed and holds no `.gitignore`."""
        self._ignores.has_none(folder)

    def ignores_folder(self, path: str) -> bool:
        """Whether everything in a folder is ignored unless it is tracked."""
        return self._ignores.ignores(path, is_dir=True)


class _Walk:
    """One Artifact being walked; counts its entries."""

    def __init__(
        self,
        root: Path,
        git: _Git,
        owned: AbstractSet[str],
        declared: ArtifactDeclaration,
        rule: FingerprintRule,
        trace: Trace,
    ) -> None:
        self._trace = trace
        self._folder = str(root / declared.folder)
        self._prefix = f"{declared.folder}/" if declared.folder else ""
        self._name = declared.name
        self._git = git
        self._owned = owned
        self._own_ignore = Patterns([os.fsencode(line) for line in rule.ignore])
        self._entries = 0
        self._root_length = len(str(root).rstrip("/")) + 1

    def below(self, path: str) -> Iterator[OwnFile]:
        """Yield the files at or below a declared path; one that git ignores counts, since it is named."""
        start = "" if path == "." else path.removesuffix("/")
        follow_git = not start or not self._git.hides(self._prefix + start)
        if not start or self._kind_of(start) == "folder":
            yield from self._folder_files(start, follow_git=follow_git)
        else:
            yield self._file(start)

    def _folder_files(self, start: str, *, follow_git: bool) -> Iterator[OwnFile]:
        waiting = [(start, False)]
        while waiting:
            folder, tracked_here = waiting.pop()
            for entry in self._list(folder):
                path = f"{folder}/{entry.name}" if folder else entry.name
                is_dir = entry.is_dir(follow_symlinks=False)
                if self._is_left_out(path, entry.name, is_dir=is_dir):
                    continue
                place = self._prefix + path
                only_tracked = tracked_here or _is_derived(entry.name, is_dir=is_dir)
                asks_git = follow_git or only_tracked
                if asks_git and self._git.leaves_out(place, is_dir=is_dir, inside_ignored=only_tracked):
                    continue
                self._count()
                if is_dir:
                    ignored = follow_git and self._git.ignores_folder(place)
                    waiting.append((path, only_tracked or ignored))
                elif entry.is_file(follow_symlinks=False):
                    yield OwnFile(path, f"{self._folder}/{path}")
                else:
                    raise self._refused(path, "a symbolic link" if entry.is_symlink() else "a special file")

    def _is_left_out(self, path: str, name: str, *, is_dir: bool) -> bool:
        if name == ".git" or (is_dir and self._prefix + path in self._owned):
            return True
        if not is_dir and name.endswith(SUFFIX):
            return True
        return bool(self._own_ignore.verdict(path, is_dir=is_dir))

    def _file(self, path: str) -> OwnFile:
        self._count()
        return OwnFile(path, f"{self._folder}/{path}")

    def _kind_of(self, path: str) -> str:
        """Return `folder` or `file` of a declared path, checked segment by segment."""
        place = self._folder
        kind = "d"
        for segment in path.split("/"):
            place = f"{place}/{segment}"
            try:
                kind = kind_of_mode(os.lstat(place).st_mode)
            except OSError:
                raise self._refused(path, "missing") from None
            self._trace.kind(place[self._root_length :], kind)
            if kind == "l":
                raise self._refused(path, "reached through a symbolic link")
        if kind == "o":
            raise self._refused(path, "a special file")
        return "folder" if kind == "d" else "file"

    def _list(self, folder: str) -> list[os.DirEntry[str]]:
        place = f"{self._folder}/{folder}" if folder else self._folder
        try:
            with os.scandir(place) as found:
                entries = list(found)
        except OSError as failure:
            message = f"{self._name}: cannot list {display(self._prefix + folder)}: {failure.strerror}"
            raise FingerprintError(message) from failure
        listed = (self._prefix + folder).rstrip("/")
        self._trace.list_folder(listed, entries)
        if all(entry.name != ".gitignore" for entry in entries):
            self._git.has_no_rules_in(listed)
        return entries

    def _count(self) -> None:
        self._entries += 1
        if self._entries > MAX_ENTRIES:
            too_many = f"{self._name}: more than {MAX_ENTRIES} entries"
            raise FingerprintError(f"{too_many}; split it into child Artifacts, or ignore some")

    def _refused(self, path: str, what: str) -> FingerprintError:
        way_out = "correct fingerprint.files" if what == "missing" else "list it in fingerprint.ignore"
        return FingerprintError(f"{self._name}: {display(self._prefix + path)} is {what}; {way_out}")

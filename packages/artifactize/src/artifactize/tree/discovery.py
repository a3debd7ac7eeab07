"""Finding and parsing every declaration of a repository."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

from artifactize.domain.linking import link
from artifactize.domain.parsing import FOLDER_DECLARATION, SUFFIX, Parsed, parse_declaration, text_digest
from artifactize.domain.problems import Problem, Source
from artifactize.errors import ConfigInvalidError, NotARepositoryError
from artifactize.tree.ignores import read_patterns
from artifactize.tree.known import known_of
from artifactize.tree.traces import Trace
from oskit.files import StorageError, read_bounded

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from artifactize.domain.gitignore import Patterns
    from artifactize.domain.project import Project
    from artifactize.tree.known import Known

MAX_DECLARATION_BYTES = 1024 * 1024
IGNORE_FILE = ".artfignore"
_SKIPPED = frozenset({".git", "node_modules"})
_LEGACY = "artifactize.json"
_LEGACY_IGNORE = ".artifactizeignore"


def read_project(root: Path, trace: Trace | None = None) -> Project:
    """Return the linked project; what is looked at is noted in `trace`.

    Raises ConfigInvalidError with all mistakes, or NotARepositoryError.
    """
    project, problems = check_project(root, trace)
    if problems:
        raise ConfigInvalidError(problems)
    if not project.artifacts:
        raise NotARepositoryError(
            f"no Artifact is declared in {root}", hint="`artifactize init` writes a first index.artf"
        )
    return project


def check_project(root: Path, trace: Trace | None = None) -> tuple[Project, tuple[Problem, ...]]:
    """Return the project and every mistake in its declarations; runs nothing, opens no input."""
    if not root.is_dir():
        raise NotARepositoryError(f"{root} is not a folder", hint="pass the project's folder with --repo")
    trace = trace or Trace()
    memory = known_of(root)
    found = link(list(_Discovery(root, trace, memory).parse_all()))
    if found[1] and memory.declarations():  # what was parsed before has no places to report
        memory.learn_declarations({})
        found = link(list(_Discovery(root, trace, memory).parse_all()))
    if not found[1]:
        artifacts = found[0].artifacts.values()
        memory.learn(trace)
        memory.learn_declarations({each.declaration.file: each.declaration for each in artifacts})
    return found


def read_digest(root: Path, file: str) -> str | None:
    """Return the digest of a declaration's text now, or None when it cannot be read."""
    try:
        return text_digest(read_bounded(root / file, MAX_DECLARATION_BYTES).decode())
    except (StorageError, UnicodeDecodeError):
        return None


_LEGACY_MESSAGE = f"this file is not read; declare the folder in a {FOLDER_DECLARATION} (TOML) beside it"


class _Discovery:
    def __init__(self, root: Path, trace: Trace, memory: Known) -> None:
        self._root = root
        self._trace = trace
        self._files = memory.files()
        self._declarations = memory.declarations()

    def parse_all(self) -> Iterator[Parsed]:
        ignored, problem = self._ignore_rules()
        if problem is not None:
            yield problem
        if (self._root / _LEGACY_IGNORE).is_file():
            yield _mistake(_LEGACY_IGNORE, f"this file is not read; its patterns belong in {IGNORE_FILE}")
        for folder, entry in self._candidates(ignored):
            file = f"{folder}/{entry.name}" if folder else entry.name
            yield _mistake(file, _LEGACY_MESSAGE) if entry.name == _LEGACY else self._parse(file, entry)

    def _ignore_rules(self) -> tuple[Patterns | None, Parsed | None]:
        try:
            return read_patterns(self._root, IGNORE_FILE, self._trace), None
        except StorageError as failure:
            return None, _mistake(IGNORE_FILE, failure.message)

    def _candidates(self, ignored: Patterns | None) -> Iterator[tuple[str, os.DirEntry[str]]]:
        """Yield declarations and legacy files with their folder, folder by folder."""
        waiting = [""]
        while waiting:
            folder = waiting.pop()
            entries = _entries(self._root / folder)
            self._trace.list_declared(folder, entries)
            for entry in entries:
                path = f"{folder}/{entry.name}" if folder else entry.name
                is_dir = entry.is_dir(follow_symlinks=False)
                if ignored is not None and ignored.verdict(path, is_dir=is_dir):
                    continue
                if is_dir:
                    waiting += [] if entry.name in _SKIPPED else [path]
                elif entry.name.endswith(SUFFIX) or entry.name == _LEGACY:
                    yield folder, entry

    def _parse(self, file: str, entry: os.DirEntry[str]) -> Parsed:
        fault = _entry_fault(self._root, file, entry)
        if fault is not None:
            return _mistake(file, fault)
        if entry.name != FOLDER_DECLARATION:
            self._trace.kind(file.removesuffix(SUFFIX), "f")
        known = self._declarations.get(file)
        if known is not None and self._trace.vouches(file, self._root / file, self._files, known.digest):
            return Parsed(known, Source(file, {}), ())
        try:
            data = self._trace.read(file, self._root / file, _declaration_bytes)
        except StorageError as failure:
            return _mistake(file, failure.message)
        try:
            text = data.decode()
        except UnicodeDecodeError as failure:
            before = data[: failure.start]
            column = len(before) - (before.rfind(b"\n") + 1) + 1
            problem = Problem(file, before.count(b"\n") + 1, column, "", "not UTF-8 text")
            return Parsed(None, Source(file, {}), (problem,))
        if known is not None and known.digest == text_digest(text):
            return Parsed(known, Source(file, {}), ())
        return parse_declaration(text, file=file)


def _declaration_bytes(place: Path) -> bytes:
    return read_bounded(place, MAX_DECLARATION_BYTES)


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as found:
            return sorted(found, key=lambda entry: entry.name)
    except OSError as failure:
        raise NotARepositoryError(f"cannot list {folder}: {failure.strerror}") from failure


def _entry_fault(root: Path, file: str, entry: os.DirEntry[str]) -> str | None:
    if not entry.is_file(follow_symlinks=False):
        return "a declaration is a regular file, not a link or a special file"
    if entry.name == FOLDER_DECLARATION:
        return None
    target = entry.name.removesuffix(SUFFIX)
    if not target:
        return f"it declares no file; name it {FOLDER_DECLARATION} to declare its folder"
    try:
        mode = (root / file).with_name(target).lstat().st_mode
    except OSError:
        return f"it declares {target!r}, which does not exist beside it"
    if stat.S_ISREG(mode) and not target.endswith(SUFFIX):
        return None
    return f"it declares {target!r}, which is not a regular file that can be an Artifact"


def _mistake(file: str, message: str) -> Parsed:
    return Parsed(None, Source(file, {}), (Problem(file, 1, 1, "", message),))

"""Which files are migrations, and which of them contradict each other (pure)."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_FOLDERS = frozenset({"migrations", "migration", "migrate", "versions", "changelog", "changesets"})
_NUMBERED = re.compile(r"^(?P<number>\d{3,})[_-]\w")
_VERSIONED = re.compile(r"^(?:\d+|[0-9a-f]{8,}|[VUR]\d[\d._]*__?|[vV]\d+)[_.-]?\w*.*$")
_SUFFIXES = frozenset({".sql", ".py", ".rb", ".js", ".ts", ".php", ".xml", ".exs", ".go"})
_DOWN = re.compile(r"(?:[._]down\.\w+|/down\.sql|^U\d.*)$")
_REVISION = re.compile(
    r"^(?P<key>revision|down_revision)[ \t]*(?::[^=\n]+)?=[ \t]*(?P<value>.+)$", re.MULTILINE
)


def is_migration(path: str) -> bool:
    """Whether a file is one step of a database's history: numbered, in a folder of such steps."""
    pure = PurePosixPath(path)
    if pure.suffix not in _SUFFIXES or pure.stem == "__init__":
        return False
    if pure.name in {"migration.sql", "up.sql"}:  # Prisma and Diesel: one folder for each step
        return _VERSIONED.match(pure.parent.name) is not None
    return bool(_FOLDERS & set(pure.parts[:-1])) and _VERSIONED.match(pure.name) is not None


def undoes(path: str) -> bool:
    """Whether a file takes a migration back."""
    return _DOWN.search(path) is not None or PurePosixPath(path).name == "down.sql"


def same_numbers(paths: Iterable[str], added: frozenset[str]) -> list[tuple[str, str]]:
    """Added migrations whose number another one of their folder has, with that other one.

    Only Python's (Django): others use the number as a time, or name up and down steps alike.
    """
    numbers: dict[tuple[str, str], list[str]] = defaultdict(list)
    for path in sorted(paths):
        pure = PurePosixPath(path)
        match = _NUMBERED.match(pure.name)
        if match and pure.suffix == ".py" and is_migration(path):
            numbers[str(pure.parent), match["number"]].append(path)
    return [
        (path, next(other for other in group if other != path))
        for group in numbers.values()
        if len(group) > 1
        for path in group
        if path in added
    ]


def two_heads(texts: Mapping[str, str], added: frozenset[str]) -> list[tuple[str, str]]:
    """Added Alembic revisions that start from the same revision as another one, with that other one.

    A revision that merges both (its `down_revision` is a tuple of them) settles it.
    """
    followers: dict[str, list[str]] = defaultdict(list)
    revisions: dict[str, str] = {}
    merged: set[str] = set()
    for path, text in sorted(texts.items()):
        values = {
            match["key"]: re.findall(r"[\"']([^\"']+)[\"']", match["value"])
            for match in _REVISION.finditer(text)
        }
        before = values.get("down_revision", [])
        if len(before) > 1:
            merged |= set(before)
        for revision in before[:1] if len(before) == 1 else ():
            followers[revision].append(path)
        revisions[path] = next(iter(values.get("revision", [])), "")
    return [
        (path, next(other for other in group if other != path))
        for group in followers.values()
        if len(group) > 1
        for path in group
        if path in added and revisions[path] not in merged
    ]

"""Environment variables that a program needs now and did not need before, found by pattern."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prview.domain.breaking.changes import Break
from prview.domain.breaking.environment import (
    EnvRead,
    example_names,
    is_example,
    mentions,
    reads_environment,
    softly_read,
)
from prview.domain.coverage import language
from prview.domain.findings import Level
from prview.domain.source_paths import is_shipped
from prview.signals.breaking.outside import LANGUAGES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from prview.signals.breaking.work import Work

MAX_SEARCHED_BYTES = 32 * 1024 * 1024
"""Source of the merge base that is searched for a name before it is called new."""


def variable_breaks(work: Work) -> list[Break]:
    """Variables that the touched files read and nothing of the merge base knew."""
    reads = _reads(work)
    examples = _examples(work)
    known, searched_all = _known(work, frozenset(reads) | frozenset(examples))
    softened = _softly(work) & frozenset(reads)
    found = [
        _break(path, read, named=name in examples, soft=name in softened)
        for name, (path, read) in sorted(reads.items())
        if name not in known or (name in softened and read.required)
    ]
    found += [
        _example_break(path, name, line)
        for name, (path, line) in sorted(examples.items())
        if name not in known and name not in reads
    ]
    if found and not searched_all:
        work.limits.append("the merge base is too large to be searched for every environment variable")
    return found


def _reads(work: Work) -> dict[str, tuple[str, EnvRead]]:
    """The first, or first required, read of each variable on an added line of the reviewed files."""
    found: dict[str, tuple[str, EnvRead]] = {}
    for file in sorted(work.files, key=lambda file: file.path):
        spoken = language(file.path)
        if not file.exists or spoken not in LANGUAGES or b"env" not in file.patch.lower():
            continue
        for read in reads_environment(work.head.text(file.path) or "", spoken):
            if not _is_touched(file.added_numbers, read.line, status=file.status):
                continue
            before = found.get(read.name)
            if before is None or (read.required and not before[1].required):
                found[read.name] = (file.path, read)
    return found


def _is_touched(added: frozenset[int], line: int, *, status: str) -> bool:
    """A call may be laid out over some lines."""
    return status == "A" or not added.isdisjoint(range(line - 1, line + 3))


def _examples(work: Work) -> dict[str, tuple[str, int]]:
    """Variables that a file like .env.example lists now."""
    found: dict[str, tuple[str, int]] = {}
    for file in work.files:
        if not file.exists or not is_example(file.path):
            continue
        for name, line in example_names(work.head.text(file.path) or "").items():
            if file.status == "A" or line in file.added_numbers:
                found.setdefault(name, (file.path, line))
    return found


def _softly(work: Work) -> frozenset[str]:
    """Variables that the touched files could do without before."""
    texts = (work.base.text(path) or "" for path in work.by_old_path if language(path) == "Python")
    return frozenset(name for text in texts if "env" in text for name in softly_read(text))


def _known(work: Work, names: frozenset[str]) -> tuple[frozenset[str], bool]:
    """Which names stand in source or examples of the merge base, and whether all of it was searched."""
    found: set[str] = set()
    budget = MAX_SEARCHED_BYTES
    for path in _searchable(work) if names else ():
        text = work.base.peek(path)
        budget -= len(text)
        found |= mentions(text, names - found)
        if budget < 0 or len(found) == len(names):
            break
    return frozenset(found), budget >= 0


def _searchable(work: Work) -> Iterator[str]:
    """Touched files first: a variable is most likely where it was."""
    touched = set(work.by_old_path)
    yield from sorted(touched)
    for path in sorted(work.base.paths):
        if path not in touched and ((language(path) in LANGUAGES and is_shipped(path)) or is_example(path)):
            yield path


def _break(path: str, read: EnvRead, *, named: bool, soft: bool) -> Break:
    certain = read.required or named
    what = "is required now" if read.required else "is read without a default"
    if soft:
        what = "is required now and was optional"
    return Break(
        rule="env-required" if certain else "env-read",
        level=Level.WARNING if certain else Level.NOTE,
        language=language(path) or "",
        symbol=read.name,
        path=path,
        line=read.line,
        what=f"environment variable {what}",
        effect="deployments that do not set it fail" if read.required else "deployments may have to set it",
        new=read.name,
        heuristic=True,
        note="A file with example settings names it." if named else "",
    )


def _example_break(path: str, name: str, line: int) -> Break:
    return Break(
        rule="env-listed",
        level=Level.NOTE,
        language="settings",
        symbol=name,
        path=path,
        line=line,
        what="environment variable is new in the example settings",
        effect="deployments may have to set it",
        new=name,
        heuristic=True,
    )

"""`grep`: lines that hold something."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from artifactize.toolbox.answers import Lines
from artifactize.toolbox.contract import ToolAnswer, ToolFault
from artifactize.toolbox.lines import clipped, is_binary
from artifactize.toolbox.patterns import compiled, compiled_glob

if TYPE_CHECKING:
    from collections.abc import Iterator

    from artifactize.toolbox.scope import Scope

DEFAULT_MATCHES = 100
MAX_MATCHES = 500
MAX_CONTEXT = 10
MAX_FILE_BYTES = 32 * 1024 * 1024
"""A larger file is searched up to here, and the answer says so."""

MAX_TOTAL_BYTES = 256 * 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """What `grep` looks for, where, and which of the matching lines it shows."""

    pattern: str
    path: str = ""
    glob: str = ""
    regex: bool = False
    ignore_case: bool = False
    context: int = 0
    skip: int = 0
    limit: int = DEFAULT_MATCHES


@dataclass
class _Seen:
    """What a search passed over."""

    files: int = 0
    read: int = 0
    binary: list[str] = field(default_factory=list)
    partly: list[str] = field(default_factory=list)
    unreadable: list[str] = field(default_factory=list)
    unsearched: int = 0

    def notes(self) -> tuple[str, ...]:
        return (
            _named("binary, not searched", self.binary),
            _named(f"searched up to {MAX_FILE_BYTES} bytes", self.partly),
            _named("cannot be read", self.unreadable),
            f"{self.unsearched} files not searched: {MAX_TOTAL_BYTES} bytes were; narrow it with path or glob"
            if self.unsearched
            else "",
        )


def grep(scope: Scope, search: Search) -> ToolAnswer:
    """Return matching lines as `path:number: text`, with neighbours as `path-number- text`. ToolFault."""
    expression = compiled(search.pattern, regex=search.regex, ignore_case=search.ignore_case)
    lines = Lines(search.limit * (2 * search.context + 2))
    seen = _Seen()
    number = 0
    for path, data in _searched(scope, search, seen):
        for group in _groups(path, data, expression, search.context):
            number += 1
            if number <= search.skip:
                continue
            if number > search.skip + search.limit or not lines.takes("\n".join(group)):
                going_on = f"more matches follow: go on with skip = {number - 1}"
                return ToolAnswer(lines.text(going_on, *seen.notes()))
    total = f"{number} matching lines in {seen.files} files searched"
    return ToolAnswer(lines.text(total, *seen.notes()))


def _searched(scope: Scope, search: Search, seen: _Seen) -> Iterator[tuple[str, bytes]]:
    wanted = compiled_glob(search.glob) if search.glob else None
    for path in scope.below(search.path):
        if wanted is not None and not _fits(wanted, path):
            continue
        if seen.read >= MAX_TOTAL_BYTES:
            seen.unsearched += 1
            continue
        data = _data(scope, path, seen)
        if data is not None:
            yield path, data


def _fits(wanted: Any, path: str) -> bool:  # noqa: ANN401 - a callable of the path
    """Whether a glob matches the path or, as people write `*.md`, the file's name."""
    return bool(wanted(path) or wanted(path.rpartition("/")[2]))


def _data(scope: Scope, path: str, seen: _Seen) -> bytes | None:
    try:
        with scope.open(path) as file:
            size = os.fstat(file.fileno()).st_size
            data = file.read(MAX_FILE_BYTES)
    except (ToolFault, OSError):
        seen.unreadable.append(path)
        return None
    seen.read += len(data)
    if is_binary(data):
        seen.binary.append(path)
        return None
    seen.files += 1
    if size > len(data):
        seen.partly.append(path)
    return data


def _groups(path: str, data: bytes, expression: Any, context: int) -> Iterator[list[str]]:  # noqa: ANN401 - re2
    """Yield each matching line once, with its neighbours around it."""
    at, number, searched = 0, 1, 0
    while searched <= len(data) and (found := expression.search(data, searched)) is not None:
        start = data.rfind(b"\n", 0, found.start()) + 1
        end = _line_end(data, found.start())
        if start >= len(data):
            return  # an empty match behind the last line end is no line
        number += data.count(b"\n", at, start)
        at = start
        yield _with_context(path, data, start, end, number, context)
        searched = end + 1


def _with_context(path: str, data: bytes, start: int, end: int, number: int, context: int) -> list[str]:
    before: list[str] = []
    place = start
    for back in range(1, context + 1):
        if place == 0:
            break
        previous = data.rfind(b"\n", 0, place - 1) + 1
        before.insert(0, _shown(path, number - back, data[previous : place - 1], "-"))
        place = previous
    found = [*before, _shown(path, number, data[start:end], ":")]
    place = end + 1
    for forward in range(1, context + 1):
        if place >= len(data):
            break
        stop = _line_end(data, place)
        found.append(_shown(path, number + forward, data[place:stop], "-"))
        place = stop + 1
    return found if context == 0 else [*found, "--"]


def _line_end(data: bytes, at: int) -> int:
    end = data.find(b"\n", at)
    return len(data) if end < 0 else end


def _shown(path: str, number: int, line: bytes, mark: str) -> str:
    text = clipped(number, line.removesuffix(b"\r")).text
    return f"{path}{mark}{number}{mark} {text}"


def _named(what: str, paths: list[str]) -> str:
    if not paths:
        return ""
    more = f" and {len(paths) - 3} more" if len(paths) > 3 else ""  # noqa: PLR2004 - three are enough
    return f"{what}: {', '.join(paths[:3])}{more}"

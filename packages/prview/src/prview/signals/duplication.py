"""Blocks of code that the change adds and that are there a second time.

Lines are compared without their indentation; blank lines, comments, imports and lone brackets do not count.
Added blocks are held against all changed files and against the files nearest to them.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from itertools import takewhile
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from anyio import to_thread

from prview.domain.coverage import language
from prview.domain.findings import Finding, Level
from prview.domain.signals import Artifact, Signal, check_id
from prview.signals.own import own_files
from prview.signals.roles import is_test
from prview.signals.words import page, plural

if TYPE_CHECKING:
    from collections.abc import Iterator

    from prview.domain.change import ChangedFile
    from prview.signals.base import SignalContext
    from prview.signals.own import Own

KIND = "duplication"
ARTIFACT = "20_quality/duplicated-blocks.txt"

MIN_LINES = 6
"""Significant lines from which equal code is called a duplicate."""

MAX_BYTES = 8 * 1024 * 1024
MAX_FILES = 3000
"""Bounds of what is compared with beyond the changed files."""

_EMPTY = re.compile(r"^\W*$|^(?:else|try|finally|do|end|pass|return|break|continue)\W*$")
_SKIPPED = ("#", "//", "/*", "*", "--", "import ", "from ", "use ", "package ", "export {", "@")

Line = tuple[int, str]
"""Number and text of a significant line."""


@dataclass(frozen=True)
class Block:
    """Added lines that are the same as others. `lines` counts the significant ones."""

    path: str
    first: int
    last: int
    other: str
    other_first: int
    lines: int


class Duplication:
    """Says which added blocks are copies. Tests may repeat themselves."""

    kind = KIND
    title = "Duplicated blocks"

    async def analyze(self, context: SignalContext) -> Signal | None:
        """Compare windows of added lines."""
        return await to_thread.run_sync(_signal, await own_files(context))


def significant(text: str) -> list[Line]:
    """The lines that say something, without indentation and with single spaces."""
    found = []
    for number, line in enumerate(text.split("\n"), 1):
        words = " ".join(line.split())
        if not _EMPTY.match(words) and not words.startswith(_SKIPPED):
            found.append((number, words))
    return found


def _signal(own: Own) -> Signal | None:
    files = [file for file in own.present if language(file.path) and not is_test(file.path)]
    search = _Search(own, files)
    blocks = search.blocks()
    return _said(blocks) if blocks else None


class _Search:
    def __init__(self, own: Own, files: list[ChangedFile]) -> None:
        self._own = own
        self._added = {file.path: file.added_numbers for file in files}
        self._changed = {path: significant(own.head.text(path) or "") for path in self._added}
        self._taken: dict[str, set[int]] = defaultdict(set)
        self._starts: dict[tuple[str, ...], list[tuple[str, int]]] = defaultdict(list)
        for path, lines in self._changed.items():
            for index in range(len(lines) - MIN_LINES + 1):
                window = lines[index : index + MIN_LINES]
                if all(number in self._added[path] for number, _ in window):
                    self._starts[_key(window)].append((path, index))

    def blocks(self) -> list[Block]:
        """Grow every match as far as it goes, and keep each added line in one block."""
        firsts = {key[0] for key in self._starts}
        found: list[Block] = []
        for other, lines in self._texts() if firsts else ():
            for index, (_, words) in enumerate(lines):
                if words in firsts:
                    for place in self._starts.get(_key(lines[index : index + MIN_LINES]), ()):
                        found += self._grown(*place, other, index, lines)
        return found

    def _texts(self) -> Iterator[tuple[str, list[Line]]]:
        """The changed files, then those nearest to them."""
        yield from self._changed.items()
        room = MAX_BYTES
        for path in _nearest(self._own, frozenset(self._added)):
            text = self._own.head.text(path) or ""
            room -= len(text)
            if room < 0:
                return
            yield path, significant(text)

    def _grown(self, path: str, start: int, other: str, index: int, theirs: list[Line]) -> Iterator[Block]:
        if start in self._taken[path] or (path == other and abs(start - index) < MIN_LINES):
            return
        ours, added = self._changed[path], self._added[path]
        length = 0
        for (number, mine), (_, words) in zip(ours[start:], theirs[index:], strict=False):
            if mine != words or number not in added:
                break
            length += 1
        self._taken[path] |= set(range(start, start + length))
        self._taken[other] |= set(range(index, index + length))  # two new copies are said once
        last = ours[start + length - 1][0]
        yield Block(path, ours[start][0], last, other, theirs[index][0], length)


def _key(window: list[Line]) -> tuple[str, ...]:
    return tuple(text for _, text in window)


def _nearest(own: Own, changed: frozenset[str]) -> list[str]:
    """Other source files of the same languages, those in the folders of the change first, within bounds."""
    languages = {language(path) for path in changed}
    folders = {PurePosixPath(path).parent.parts for path in changed}
    others = [path for path in own.head.paths - changed if language(path) in languages and not is_test(path)]
    distance = {path: _distance(PurePosixPath(path).parent.parts, folders) for path in others}
    nearest = sorted(others, key=lambda path: (distance[path], path))[:MAX_FILES]
    return [path for path in nearest if own.head_foreign.reason(path) is None]


def _distance(parts: tuple[str, ...], folders: set[tuple[str, ...]]) -> int:
    """How many steps up and down lead to the nearest folder of the change."""
    return min(len(parts) + len(other) - 2 * _common(parts, other) for other in folders)


def _common(one: tuple[str, ...], other: tuple[str, ...]) -> int:
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def _said(blocks: list[Block]) -> Signal:
    ordered = sorted(blocks, key=lambda block: (block.path, block.first))
    rows = [
        f"{block.path}:{block.first}-{block.last} is the same as {block.other}:{block.other_first} "
        f"({plural(block.lines, 'line')})"
        for block in ordered
    ]
    return Signal(
        kind=KIND,
        title=Duplication.title,
        findings=tuple(_finding(block) for block in ordered),
        artifacts=(Artifact(ARTIFACT, page(plural(len(rows), "duplicated block"), "", *rows)),),
        data={"blocks": len(ordered), "lines": sum(block.lines for block in ordered)},
    )


def _finding(block: Block) -> Finding:
    return Finding(
        check=check_id(KIND),
        rule="duplicate",
        level=Level.NOTE,
        path=block.path,
        line=block.first,
        end_line=block.last,
        message=f"{plural(block.lines, 'line')} are the same as in {block.other}:{block.other_first}",
        anchor=f"{block.other} {block.lines}",
    )

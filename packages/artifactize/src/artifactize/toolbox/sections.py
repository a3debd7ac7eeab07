"""`section`: the outline of a Markdown text, and one part of it."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from artifactize.toolbox.answers import Lines
from artifactize.toolbox.contract import ToolAnswer, ToolFault
from artifactize.toolbox.lines import is_binary, shown
from artifactize.toolbox.reading import MAX_LINES, read

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from artifactize.toolbox.scope import Scope

MAX_DOCUMENT_BYTES = 8 * 1024 * 1024
_MAX_HEADINGS = 1000
_HEADING = re.compile(rb" {0,3}(#{1,6})(?:[ \t]+([^\r\n]*))?\r?")
_FENCE = re.compile(rb" {0,3}(`{3,}|~{3,})")
_UNDERLINE = re.compile(rb" {0,3}(=+|-+)[ \t]*\r?")
_PLAIN = re.compile(rb" {0,3}[^\s#>*+|`~=-]")


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading: its line, its level from 1, its words."""

    line: int
    level: int
    title: str


def section(scope: Scope, path: str, *, heading: str = "", line: int = 0) -> ToolAnswer:
    """Return the part under a heading, or the outline when none is named. Raises ToolFault.

    `heading` are the words of the heading in any case; `line` is the number of its line instead.
    """
    name = scope.file(path)
    headings, total = _outline(scope, name)
    if not headings:
        raise ToolFault("NOT_FOUND", f"{name} has no Markdown headings; read shows its lines")
    if not heading and not line:
        return _listed(name, headings)
    at = _chosen(name, headings, heading, line)
    end = next((each.line - 1 for each in headings[at + 1 :] if each.level <= headings[at].level), total)
    start = headings[at].line
    return read(scope, name, start=start, lines=min(end - start + 1, MAX_LINES))


def _outline(scope: Scope, name: str) -> tuple[Sequence[Heading], int]:
    with scope.open(name) as file:
        size = os.fstat(file.fileno()).st_size
        if size > MAX_DOCUMENT_BYTES:
            raise ToolFault("TOO_LARGE", f"{name} has {size} bytes; read and grep show parts of it")
        data = file.read(MAX_DOCUMENT_BYTES)
    if is_binary(data):
        raise ToolFault("NOT_TEXT", f"{name} is binary ({size} bytes)")
    lines = data.removesuffix(b"\n").split(b"\n")
    return list(_headings(lines)), len(lines)


def _headings(lines: list[bytes]) -> Iterator[Heading]:
    fence = b""
    for number, text in enumerate(lines, start=1):
        mark = _FENCE.match(text)
        if fence:
            if mark and mark[1].startswith(fence) and not text[mark.end() :].strip():
                fence = b""
        elif mark:
            fence = mark[1]
        elif found := _HEADING.fullmatch(text):
            yield Heading(number, len(found[1]), shown(found[2] or b"").strip().rstrip("#").strip())
        elif number > 1 and (under := _UNDERLINE.fullmatch(text)) and _PLAIN.match(lines[number - 2]):
            yield Heading(number - 1, 1 if under[1].startswith(b"=") else 2, shown(lines[number - 2]).strip())


def _listed(name: str, headings: Sequence[Heading]) -> ToolAnswer:
    lines = Lines(_MAX_HEADINGS)
    for each in headings:
        if not lines.takes(f"{each.line}\t{'#' * each.level} {each.title}"):
            note = f"{name}: {len(headings)} headings, the first {len(lines)} shown; grep finds others"
            return ToolAnswer(lines.text(note))
    return ToolAnswer(lines.text(f"{name}: {len(headings)} headings, each behind its line"))


def _chosen(name: str, headings: Sequence[Heading], title: str, line: int) -> int:
    wanted = title.strip().lstrip("#").strip().casefold()
    found = [
        at
        for at, each in enumerate(headings)
        if (each.line == line if line else each.title.casefold() == wanted)
    ]
    if not found:
        what = f"line {line}" if line else repr(title)
        raise ToolFault("NOT_FOUND", f"{name} has no heading {what}; without heading, section lists them")
    if len(found) > 1:
        places = ", ".join(str(headings[at].line) for at in found[:10])
        raise ToolFault("INVALID_ARGUMENTS", f"{name} has {title!r} in the lines {places}; choose with line")
    return found[0]

"""`read`: the lines of a text."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from artifactize.toolbox.answers import Lines
from artifactize.toolbox.contract import ToolAnswer, ToolFault
from artifactize.toolbox.lines import lines_of, refuse_binary

if TYPE_CHECKING:
    from io import BufferedReader

    from artifactize.toolbox.scope import Scope

DEFAULT_LINES = 400
MAX_LINES = 2000


def read(scope: Scope, path: str, *, start: int = 1, lines: int = DEFAULT_LINES) -> ToolAnswer:
    """Return `lines` lines of a file from line `start`, each behind its number. Raises ToolFault."""
    name = scope.file(path)
    with scope.open(name) as file:
        size = os.fstat(file.fileno()).st_size
        if size == 0:
            return ToolAnswer(f"[{name} is empty]")
        refuse_binary(file, name, size)
        return _lines(file, name, start, lines)


def _lines(file: BufferedReader, name: str, start: int, most: int) -> ToolAnswer:
    found = Lines(most)
    invalid = False
    last = 0
    for line in lines_of(file):
        last = line.number
        if last < start:
            continue
        text = line.text
        if not found.takes(f"{last}\t{text}"):
            return ToolAnswer(found.text(_note(name, start, last - 1, more=True), _bad(invalid=invalid)))
        invalid = invalid or "\ufffd" in text
    if not len(found):
        raise ToolFault("INVALID_ARGUMENTS", f"{name} has {last} lines; start is {start}")
    return ToolAnswer(found.text(_note(name, start, last, more=False), _bad(invalid=invalid)))


def _note(name: str, start: int, end: int, *, more: bool) -> str:
    following = f"more follow: go on with start = {end + 1}" if more else "the end"
    return f"{name}, lines {start} to {end}; {following}"


def _bad(*, invalid: bool) -> str:
    return "\ufffd stands for what is no UTF-8" if invalid else ""

"""React Router's `app/routes.ts`: routes that a file declares, where it does so in plain calls.

See reactrouter.com, "Routing". The file is read, never run: anything but calls of `route`, `index`, `layout`,
`prefix` and `flatRoutes` with plain strings makes it unreadable, and nothing is guessed.
"""

from __future__ import annotations

import posixpath
import re
from dataclasses import dataclass, field
from typing import TypeAlias

from codevetter_verify.domain.graph.syntax import mask
from codevetter_verify.domain.routes.match import Match, dynamic, page

NAME = "React Router"
_TOKEN = re.compile(r"\x00\d+\x00|\.\.\.|[A-Za-z_$][\w$]*|\S")
_DEFAULT = re.compile(r"\bexport\s+default\b")
_MAX_DEPTH = 20


class UnreadableError(Exception):
    """The file declares its routes otherwise than in plain calls."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One declared module: its path below `app/`, its place, and the modules around it."""

    file: str
    segments: tuple[str, ...]
    parents: tuple[str, ...]
    layout: bool = False

    @property
    def match(self) -> Match:
        """What it is to a visit."""
        if self.layout:
            return Match("not_page", NAME, None, "a layout without a route of its own")
        for segment in self.segments:
            if segment.startswith((":", "*")) or segment.endswith("?"):
                return dynamic(NAME, list(self.segments), f"the value of {segment}")
        return page(NAME, list(self.segments))


@dataclass(frozen=True, slots=True)
class Declared:
    """What a file declares; with `flat`, also whatever lies in `app/routes/`."""

    entries: tuple[Entry, ...]
    flat: bool = False

    def entry(self, file: str) -> Entry | None:
        """The entry of a module below `app/`."""
        return next((entry for entry in self.entries if entry.file == file), None)

    def around(self, file: str) -> frozenset[str]:
        """The modules that are shown inside `file`."""
        return frozenset(entry.file for entry in self.entries if file in entry.parents)


@dataclass(slots=True)
class _Call:
    name: str
    arguments: list[_Value]


_Value: TypeAlias = "str | list[_Value] | _Call | None"


@dataclass(slots=True)
class _Reader:
    words: list[str]
    strings: tuple[str, ...]
    position: int = 0
    flat: bool = False
    entries: list[Entry] = field(default_factory=list)

    def take(self) -> str:
        if self.position >= len(self.words):
            raise UnreadableError
        self.position += 1
        return self.words[self.position - 1]

    def peek(self) -> str:
        return self.words[self.position] if self.position < len(self.words) else ""

    def value(self, depth: int = 0) -> _Value:
        if depth > _MAX_DEPTH:
            raise UnreadableError
        word = self.take()
        while word in {"...", "await"}:
            word = self.take()
        if word == "[":
            return self.listed("]", depth)
        if word == "{":
            self.skip_options()
            return None
        if word.startswith("\x00"):
            return self.strings[int(word.strip("\x00"))]
        if word in {"null", "undefined"}:
            return None
        if re.fullmatch(r"[A-Za-z_$][\w$]*", word) and self.peek() == "(":
            self.take()
            return _Call(word, self.listed(")", depth))
        raise UnreadableError

    def listed(self, end: str, depth: int) -> list[_Value]:
        found: list[_Value] = []
        while self.peek() != end:
            found.append(self.value(depth + 1))
            if self.peek() == ",":
                self.take()
            elif self.peek() != end:
                raise UnreadableError
        self.take()
        return found

    def skip_options(self) -> None:
        """Options say nothing about the route."""
        depth = 1
        while depth:
            depth += {"{": 1, "}": -1}.get(self.take(), 0)

    def collect(self, value: _Value, segments: tuple[str, ...], parents: tuple[str, ...]) -> None:
        if isinstance(value, list):
            for one in value:
                self.collect(one, segments, parents)
        elif isinstance(value, _Call):
            self.call(value, segments, parents)
        elif value is not None:
            raise UnreadableError

    def call(self, call: _Call, segments: tuple[str, ...], parents: tuple[str, ...]) -> None:
        arguments = list(call.arguments)
        if call.name == "flatRoutes":
            self.flat = True
            return
        if call.name not in {"route", "index", "layout", "prefix"}:
            raise UnreadableError
        if call.name in {"route", "prefix"}:
            path = arguments.pop(0) if arguments else None
            if path is not None and not isinstance(path, str):
                raise UnreadableError
            segments = (*segments, *(part for part in (path or "").split("/") if part))
        if call.name != "prefix":
            parents = self.note(arguments, segments, parents, layout=call.name == "layout")
        for rest in arguments:
            self.collect(rest, segments, parents)

    def note(
        self, arguments: list[_Value], segments: tuple[str, ...], parents: tuple[str, ...], *, layout: bool
    ) -> tuple[str, ...]:
        file = arguments.pop(0) if arguments else None
        if not isinstance(file, str):
            raise UnreadableError
        name = posixpath.normpath(file)
        self.entries.append(Entry(name, segments, parents, layout))
        return (*parents, name)


def read_declared(content: bytes) -> Declared | None:
    """The routes of `app/routes.ts`; None when it does not declare them in plain calls."""
    masked = mask(content.decode("utf-8", "replace"))
    start = _DEFAULT.search(masked.code)
    if start is None:
        return None
    reader = _Reader(_TOKEN.findall(masked.code[start.end() :]), masked.strings)
    try:
        reader.collect(reader.value(), (), ())
    except UnreadableError:
        return None
    return Declared(tuple(reader.entries), reader.flat)

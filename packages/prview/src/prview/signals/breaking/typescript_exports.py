"""Re-exports followed: where an exported name is defined, and under which names other files pass it on.

Files are parsed only where they can matter: what a star re-exports is looked at when the name stands in it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from prview.signals.breaking.typescript_library import Definition, TsLibrary
    from prview.signals.breaking.typescript_modules import TsModule

MAX_HOPS = 5
MAX_LOOKS = 2000
"""Looks into files to follow re-exports, for one side of a change."""

_PASSES_ON = re.compile(
    r"\bexport\b[^;'\"`]*?\bfrom\b|\bimport\b[^;]*?\bfrom\b[\s\S]*?\bexport\s*\{|\bexport\s*\*"
)


@dataclass
class PassedOn:
    """What one file exports of another: all of it under its own names, and names of it under others."""

    whole: bool = False
    names: dict[str, list[str]] = field(default_factory=dict)

    def publics(self, name: str) -> list[str]:
        """The names under which an export of the other file can be had."""
        found = list(self.names.get(name, ()))
        return [name, *found] if self.whole and name != "default" else found

    def merge(self, other: PassedOn) -> None:
        """Add what comes through a star."""
        self.whole = self.whole or other.whole
        for name, publics in other.names.items():
            self.names.setdefault(name, []).extend(public for public in publics if public != "default")


@dataclass(frozen=True)
class _Edges:
    """The files that a file re-exports from: whole, and by name as (public, file, name there)."""

    stars: tuple[str, ...]
    forwards: tuple[tuple[str, str, str], ...]


class Exports:
    """The exports of one side's files."""

    def __init__(self, library: TsLibrary) -> None:
        self._library = library
        self._edges: dict[str, _Edges] = {}
        self._leads: dict[str, bool] = {}
        self._passed: dict[tuple[str, str], PassedOn] = {}
        self._looks = 0

    @property
    def exhausted(self) -> bool:
        """Whether re-exports were not followed to their end."""
        return self._looks > MAX_LOOKS

    def find(self, path: str, name: str, hops: int = 0) -> Definition | None:
        """Where a name that a file exports is defined; if that is outside, the last file that forwards it."""
        module = self._library.module(path)
        if module is None or hops > MAX_HOPS:
            return None
        if name in module.api:
            return path, name
        if name in module.forwards:
            forward = module.forwards[name]
            target = self._library.resolve(forward.source, path)
            inner = self.find(target, forward.name, hops + 1) if target and forward.name != "*" else None
            return inner or (path, name)
        return self._find_behind_stars(path, name, hops)

    def _find_behind_stars(self, path: str, name: str, hops: int) -> Definition | None:
        for target in self._edges_of(path).stars if name != "default" else ():
            if self._may_have(target, name):
                found = self.find(target, name, hops + 1)
                if found:
                    return found
        return None

    def _may_have(self, path: str, name: str) -> bool:
        return self.leads(path) or name in self._library.text(path)

    def leads(self, path: str) -> bool:
        """Whether a file may pass on what others export. Beyond the bound of looks that is not known."""
        if path not in self._leads:
            self._looks += 1
            if self.exhausted:
                return False
            self._leads[path] = _PASSES_ON.search(self._library.text(path)) is not None
        return self._leads[path]

    def passed_on(self, barrel: str, target: str, hops: int = 0) -> PassedOn:
        """What `barrel` exports of `target`."""
        key = (barrel, target)
        if key not in self._passed:
            self._passed[key] = PassedOn()  # a cycle of re-exports ends here
            self._passed[key] = self._follow(barrel, target, hops)
        return self._passed[key]

    def _follow(self, barrel: str, target: str, hops: int) -> PassedOn:
        found = PassedOn()
        edges = self._edges_of(barrel)
        for public, source, name in edges.forwards:
            if source == target:
                found.names.setdefault(name, []).append(public)
            elif hops < MAX_HOPS and self.leads(source):
                self._through(self.passed_on(source, target, hops + 1), name, public, found)
        for source in edges.stars:
            if source == target:
                found.whole = True
            elif hops < MAX_HOPS and self.leads(source):
                found.merge(self.passed_on(source, target, hops + 1))
        return found

    def _through(self, inner: PassedOn, name: str, public: str, found: PassedOn) -> None:
        """A name that is forwarded from a file which has it from the target."""
        for original, publics in inner.names.items():
            if name in publics:
                found.names.setdefault(original, []).append(public)
        if inner.whole and name != "default":
            found.names.setdefault(name, []).append(public)

    def _edges_of(self, path: str) -> _Edges:
        if path not in self._edges:
            module = self._library.module(path)
            self._edges[path] = self._read_edges(module, path) if module else _Edges((), ())
        return self._edges[path]

    def _read_edges(self, module: TsModule, path: str) -> _Edges:
        stars = (self._library.resolve(source, path) for source in module.stars)
        forwards = (
            (public, self._library.resolve(forward.source, path), forward.name)
            for public, forward in module.forwards.items()
        )
        return _Edges(
            tuple(target for target in stars if target),
            tuple((public, target, name) for public, target, name in forwards if target),
        )

    def names(self, path: str, hops: int = 0) -> list[str]:
        """Every name that a file exports, those behind stars included."""
        module = self._library.module(path)
        if module is None or hops > MAX_HOPS:
            return []
        found = dict.fromkeys(module.names)
        for target in self._edges_of(path).stars:
            found.update((name, None) for name in self.names(target, hops + 1) if name != "default")
        return list(found)

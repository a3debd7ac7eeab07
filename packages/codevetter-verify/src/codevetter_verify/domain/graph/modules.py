"""The import graph, asked backwards: which files import this one.

All files are only glanced at. Those that may import the file in question are read with care, and only once.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fnmatch import translate
from typing import TYPE_CHECKING

from codevetter_verify.domain.graph.languages import READ, extension_of, glance, imports_of
from codevetter_verify.domain.graph.paths import folder_of, join
from codevetter_verify.domain.graph.syntax import DEFAULT, Import, exported_names

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from codevetter_verify.domain.graph.resolve import Resolver

_UNNAMED = (
    b"* as ", b"export *", b"export*", b"require(", b"import(", b"import '", b'import "', b"import'",
    b'import"',
    b"import.meta",
)  # fmt: skip
_KEPT = 200
"""Files that may import another one, up to which the answer is kept: the others are asked for rarely."""


@dataclass(frozen=True, slots=True)
class Edge:
    """`importer` imports the file that was asked about."""

    importer: str
    what: Import


class Modules:
    """The files of one tree that can import others. `texts` are their contents by path."""

    def __init__(self, tree: Collection[str], texts: Mapping[str, bytes], resolver: Resolver) -> None:
        self._tree = tree
        self.texts = texts
        self._resolver = resolver
        self._by_key: dict[str, set[str]] = {}
        self._named: dict[str, set[str]] = {}
        self._globbing: list[str] = []
        self._imports: dict[str, list[tuple[str, Import]]] = {}
        self._edges: dict[str, tuple[Edge, ...]] = {}
        self._exports: dict[str, frozenset[str] | None] = {}
        for path, content in texts.items():
            self._glance(path, content)

    def importers(self, target: str, names: frozenset[str] | None = None) -> Iterator[Edge]:
        """Every file that imports `target`, in path order.

        `names` are what is of interest of it, None for all; some that take others may be among them.
        """
        candidates = {*self._named.get(target, ()), *self._globbing}
        for key in _keys(target):
            candidates |= self._by_key.get(key, set())
        if len(candidates) > _KEPT:
            yield from self._among(candidates, target, names)
            return
        if target not in self._edges:
            self._edges[target] = tuple(self._among(candidates, target, None))
        yield from self._edges[target]

    def _among(
        self, candidates: Collection[str], target: str, names: frozenset[str] | None
    ) -> Iterator[Edge]:
        for importer in sorted(candidates):
            if importer not in self._imports and not self._may_take(importer, names):
                continue
            for resolved, what in self._resolved(importer):
                if resolved == target != importer:
                    yield Edge(importer, what)

    def _may_take(self, importer: str, names: frozenset[str] | None) -> bool:
        """Whether one of the names is in the importer's text at all, or it takes without naming.

        Of the thousands that import from a barrel file, few are worth reading.
        """
        if names is None or DEFAULT in names:
            return True
        content = self.texts[importer]
        return any(name.encode() in content for name in names) or any(mark in content for mark in _UNNAMED)

    def exports(self, path: str) -> frozenset[str] | None:
        """The names that a file exports; None when that cannot be told."""
        if path not in self._exports:
            content = self.texts.get(path)
            known = content is not None and extension_of(path) in READ
            self._exports[path] = (
                exported_names(content.decode("utf-8", "replace")) if known and content else None
            )
        return self._exports[path]

    def _glance(self, path: str, content: bytes) -> None:
        if b"import.meta.glob" in content:
            self._globbing.append(path)
        for specifier in glance(path, content):
            if self._resolver.is_named(path, specifier):
                if (target := self._resolver.resolve(path, specifier)) is not None:
                    self._named.setdefault(target, set()).add(path)
            else:
                self._by_key.setdefault(_key(specifier), set()).add(path)

    def _resolved(self, importer: str) -> list[tuple[str, Import]]:
        if importer not in self._imports:
            self._imports[importer] = list(self._resolve_all(importer))
        return self._imports[importer]

    def _resolve_all(self, importer: str) -> Iterator[tuple[str, Import]]:
        for what in imports_of(importer, self.texts[importer]):
            if what.kind == "glob":
                yield from ((path, what) for path in self._globbed(importer, what.specifier))
            elif (target := self._resolver.resolve(importer, what.specifier)) is not None:
                yield target, what

    def _globbed(self, importer: str, pattern: str) -> Iterator[str]:
        folder = "" if pattern.startswith("/") else folder_of(importer)
        whole = join(folder, pattern.lstrip("/"))
        if whole is None or pattern.startswith("!"):
            return
        matches = re.compile(translate(whole.replace("**/", "*"))).match
        depth = None if "**" in whole else whole.count("/")
        yield from (
            path for path in self._tree if matches(path) and (depth is None or path.count("/") == depth)
        )


def _key(specifier: str) -> str:
    """What of an address shows which file it may mean: its last part without a known extension."""
    last = specifier.partition("?")[0].rstrip("/").rpartition("/")[2]
    return _stem(last) if last not in {".", ".."} else "."


def _stem(name: str) -> str:
    stem, dot, extension = name.rpartition(".")
    return stem if dot and stem and (extension.lower() in READ or extension.lower() == "json") else name


def _keys(target: str) -> Iterator[str]:
    folder, _, name = target.rpartition("/")
    stem = _stem(name)
    yield stem
    yield name
    if stem.startswith("_"):
        yield stem[1:]
    if stem == "index":
        yield "."
        yield folder.rpartition("/")[2]

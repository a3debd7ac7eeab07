"""One side's TypeScript and JavaScript modules: imports resolved to files, names to their definitions."""

from __future__ import annotations

import posixpath
from dataclasses import replace
from typing import TYPE_CHECKING

from prview.signals.breaking.typescript_modules import EXTENSIONS, TsModule, read_module

if TYPE_CHECKING:
    from prview.domain.breaking.symbols import Symbol
    from prview.signals.breaking.work import Side, Work

_COMPILED = {
    ".js": (".ts", ".tsx", ".d.ts", ".js", ".jsx"),
    ".mjs": (".mts", ".d.mts", ".mjs"),
    ".cjs": (".cts", ".d.cts", ".cjs"),
}
"""What an import of compiled code means in its sources, the types first."""

Definition = tuple[str, str]
"""A file and the name that it exports there."""


class TsLibrary:
    """The modules of one tree, read when asked for."""

    def __init__(self, work: Work, side: Side) -> None:
        self._work = work
        self._side = side
        self._read: dict[str, TsModule | None] = {}

    def module(self, path: str) -> TsModule | None:
        """Read a file; None when it does not exist or cannot be read, which the limits then say."""
        if path not in self._read:
            self._read[path] = self._load(path)
        return self._read[path]

    def text(self, path: str) -> str:
        """The source of a file, not kept; nothing for one that cannot be read."""
        return self._side.peek(path)

    def _load(self, path: str) -> TsModule | None:
        source = self._side.text(path)
        if source is None:
            return None
        try:
            module = read_module(path, source)
        except RecursionError:
            self._work.gave_up(self._side, path, "is nested too deeply to be read")
            return None
        if module.unread_line:
            where = " in the merge base" if self._side.name == "base" else ""
            limit = (
                f"{path}{where} has syntax in line {module.unread_line} that cannot be read: only the rest"
            )
            self._work.limits.append(f"{limit} was compared")
        return module

    def same_module(self, path: str) -> str | None:
        """The file of this side that imports of `path` reach: its extension may differ, or it is an index."""
        if path in self._side.paths:
            return path
        return self._lookup(stem(path))

    def _lookup(self, base: str) -> str | None:
        candidates = [
            base,
            *(base + end for end in EXTENSIONS),
            *(f"{base}/index{end}" for end in EXTENSIONS),
        ]
        return next((path for path in candidates if path in self._side.paths), None)

    def resolve(self, source: str, importer: str) -> str | None:
        """The file that an import names; None outside of the repository."""
        folder = posixpath.dirname(importer)
        if source.startswith("."):
            return self._file(posixpath.normpath(posixpath.join(folder, source)))
        if source.startswith(("@/", "~/")):
            return self._aliased(source[2:], folder)
        return None

    def _aliased(self, rest: str, folder: str) -> str | None:
        """`@/x` is `src/x` or `x` of the nearest folder above that has it."""
        while True:
            for start in ("src", ""):
                found = self._file(posixpath.join(folder, start, rest))
                if found:
                    return found
            if not folder:
                return None
            folder = posixpath.dirname(folder)

    def _file(self, target: str) -> str | None:
        base, suffix = posixpath.splitext(target)
        for end in _COMPILED.get(suffix, ()):
            if base + end in self._side.paths:
                return base + end
        if target in self._side.paths and suffix in EXTENSIONS:
            return target
        return self._lookup(target)

    def symbols(self, definition: Definition, name: str) -> list[Symbol]:
        """The symbols of a definition under another name, members included."""
        path, local = definition
        module = self.module(path)
        if module is None or local not in module.api:
            return []
        return [
            _renamed(symbol, local, name)
            for key, symbol in module.api.items()
            if key == local or key.startswith(f"{local}.")
        ]


def stem(path: str) -> str:
    """What an import writes for a file: no extension, no `/index`."""
    for end in sorted(EXTENSIONS, key=len, reverse=True):
        if path.endswith(end):
            path = path.removesuffix(end)
            break
    return path.removesuffix("/index") if "/" in path else path


def _renamed(symbol: Symbol, local: str, name: str) -> Symbol:
    return symbol if local == name else replace(symbol, name=name + symbol.name.removeprefix(local))

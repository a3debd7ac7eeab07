"""Go: the exported names of every touched package, before and after."""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING

from prview.domain.breaking.changes import ApiChange, Break
from prview.domain.breaking.compare import api_changes
from prview.domain.breaking.symbols import Api, Role, Style, Symbol
from prview.domain.findings import Level
from prview.domain.source_paths import is_shipped, nearest
from prview.signals.breaking.go_symbols import GoFile, read_file
from prview.signals.breaking.grammar import GrammarError, same_surface
from prview.signals.breaking.work import at_most

if TYPE_CHECKING:
    from prview.signals.breaking.work import Side, Work

STYLE = Style(
    "Go",
    types=Level.WARNING,
    returns=Level.WARNING,
    shapes=Level.WARNING,
    modifiers={"+of a pointer": (Level.NOTE, "values, other than pointers, lose it from their method set")},
)
_MODULE = re.compile(r"^\s*module\s+\"?([^\s\"]+)", re.MULTILINE)
_MANIFEST = frozenset({"go.mod"})
_LISTED = 8
_INTERNAL = "The package is internal: only code of the module around it is affected."


def go_breaks(work: Work) -> list[Break]:
    """What importers of the touched packages can run into."""
    return _Go(work).breaks()


def reads(path: str) -> bool:
    """Whether a path is Go source that others may import."""
    return path.endswith(".go") and is_shipped(path)


class _Go:
    def __init__(self, work: Work) -> None:
        self._work = work
        self._olds = _by_folder([path for path in work.old_paths(reads) if not self._same_surface(path)])
        self._news = _by_folder([path for path in work.new_paths(reads) if not self._same_surface(path)])
        self._alive = {posixpath.dirname(path) for path in work.head.paths if path.endswith(".go")}

    def breaks(self) -> list[Break]:
        """A package is one folder: names may move between its files and stay where they are."""
        return [item for folder in sorted(self._olds) for item in self._package(folder)]

    def _same_surface(self, path: str) -> bool:
        old, new = self._work.base.text(path), self._work.head.text(path)
        return old is not None and new is not None and same_surface("go", old, new)

    def _package(self, folder: str) -> list[Break]:
        olds = self._files(self._work.base, self._olds[folder])
        importable = [file for file in olds if file.package != "main" and not file.package.endswith("_test")]
        now = self._new_folder(folder)
        paths = self._news.get(now, []) if now is not None else []
        news = self._files(self._work.head, paths)
        if not importable or len(news) < len(paths):
            return []  # a reviewed file that cannot be read may hold what seems to be gone
        if now is None:
            return self._gone(folder, importable)
        api_old = {name: symbol for file in importable for name, symbol in file.api.items()}
        api_new = {name: symbol for file in news for name, symbol in file.api.items()}
        moved = self._moved(folder, now, api_old)
        return [*moved, *(self._located(change, folder) for change in api_changes(api_old, api_new, STYLE))]

    def _files(self, side: Side, paths: list[str]) -> list[GoFile]:
        return [file for path in paths if (file := self._file(side, path))]

    def _file(self, side: Side, path: str) -> GoFile | None:
        source = side.text(path)
        if source is None:
            return None
        try:
            return read_file(path, source)
        except (GrammarError, RecursionError) as exc:
            reason = str(exc) if isinstance(exc, GrammarError) else "is nested too deeply to be read"
            self._work.gave_up(side, path, reason)
            return None

    def _new_folder(self, folder: str) -> str | None:
        """The folder of the package in the reviewed commit; where all of it was renamed to, if it was."""
        if folder in self._alive:
            return folder
        nows = {posixpath.dirname(now) for path in self._olds[folder] if (now := self._work.now(path))}
        return next(iter(nows)) if len(nows) == 1 else None

    def _gone(self, folder: str, files: list[GoFile]) -> list[Break]:
        names = [name for file in files for name in file.api if "." not in name]
        if not names:
            return []
        listed = ", ".join(names[:_LISTED]) + (
            f" and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
        )
        return [self._whole(folder, files[0].path, "module-removed", f"package was removed, with {listed}")]

    def _moved(self, folder: str, now: str, api: Api) -> list[Break]:
        if now == folder or not api:
            return []
        first = next(iter(api.values())).path
        return [self._whole(folder, first, "module-renamed", f"package was moved to {now}")]

    def _whole(self, folder: str, path: str, rule: str, what: str) -> Break:
        name = self._import_path(folder)
        symbol = Symbol(name, "package", Role.VALUE, 1, f"package {name}", path)
        change = ApiChange(rule, Level.WARNING, name, what, f"imports of {name} fail", old=symbol)
        return self._reaching(self._work.located(change, language="Go", symbol=name), folder)

    def _located(self, change: ApiChange, folder: str) -> Break:
        name = f"{self._import_path(folder)}.{change.name}"
        return self._reaching(self._work.located(change, language="Go", symbol=name), folder)

    def _reaching(self, found: Break, folder: str) -> Break:
        internal = "internal" in folder.split("/")
        return at_most(Level.NOTE, [found], note=_INTERNAL)[0] if internal else found

    def _import_path(self, folder: str) -> str:
        """What importers write: the module's name and the folder below its go.mod."""
        root = nearest(f"{folder}/x.go" if folder else "x.go", _MANIFEST, self._work.base.paths)
        if root is None:
            return folder or "package"
        manifest = self._work.base.text(posixpath.join(root, "go.mod")) or ""
        match = _MODULE.search(manifest)
        inner = folder.removeprefix(root).strip("/")
        return posixpath.join(match[1] if match else root, inner).rstrip("/") or "package"


def _by_folder(paths: list[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for path in paths:
        found.setdefault(posixpath.dirname(path), []).append(path)
    return found

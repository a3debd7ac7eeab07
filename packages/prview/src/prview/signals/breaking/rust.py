"""Rust: the public items of every touched module, before and after."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from prview.domain.breaking.changes import ApiChange, Break
from prview.domain.breaking.compare import api_changes
from prview.domain.breaking.symbols import Api, Role, Style, Symbol
from prview.domain.findings import Level
from prview.domain.source_paths import is_shipped
from prview.signals.breaking.grammar import same_surface
from prview.signals.breaking.rust_crate import Crates
from prview.signals.breaking.rust_symbols import BUILDABLE
from prview.signals.breaking.work import at_most

if TYPE_CHECKING:
    from prview.signals.breaking.rust_files import RustFile
    from prview.signals.breaking.work import Work

STYLE = Style(
    "Rust",
    types=Level.WARNING,
    returns=Level.WARNING,
    shapes=Level.WARNING,
    modifiers={
        "+async": (Level.WARNING, "callers get a future and have to await it"),
        "-async": (Level.WARNING, "callers that await its result fail"),
        "+unsafe": (Level.WARNING, "uses outside of unsafe code fail"),
        "-const": (Level.WARNING, "uses in constants fail"),
        "+non_exhaustive": (Level.WARNING, "matches and literals outside of the crate fail"),
        f"-{BUILDABLE}": (Level.WARNING, "code that builds or destructures it by hand fails"),
    },
)
_LISTED = 8


def rust_breaks(work: Work) -> list[Break]:
    """What users of the touched crates can run into."""
    return _Rust(work).breaks()


def reads(path: str) -> bool:
    """Whether a path is Rust source that others may use."""
    return path.endswith(".rs") and is_shipped(path)


class _Rust:
    def __init__(self, work: Work) -> None:
        self._work = work
        self._base = Crates(work, work.base)
        self._head = Crates(work, work.head)

    def breaks(self) -> list[Break]:
        """A crate is compared as a whole: an item may move between files and stay where it is."""
        by_root: dict[str, list[str]] = {}
        for path in self._work.old_paths(reads):
            if not self._base.is_program(path) and not self._same_surface(path):
                by_root.setdefault(self._base.root(path), []).append(path)
        return [item for root, paths in by_root.items() for item in self._crate(root, paths)]

    def _same_surface(self, path: str) -> bool:
        old, new = self._work.base.text(path), self._work.head.text(path)
        return old is not None and new is not None and same_surface("rust", old, new)

    def _crate(self, root: str, paths: list[str]) -> list[Break]:
        api_old: Api = {}
        api_new = self._new_api(root)
        found: list[Break] = []
        for path in paths:
            here = self._counterpart(path, root)
            old = self._base.file(path)
            if old is None or (here and self._head.file(here) is None):
                continue
            if here is None and (gone := self._gone(old, root)):
                found.append(gone)
                continue
            api_old.update(old.api)
            api_old.update(self._uses(old))
        self._settle(api_old, api_new, root)
        return found + [self._located(change, root) for change in api_changes(api_old, api_new, STYLE)]

    def _counterpart(self, path: str, root: str) -> str | None:
        """The reviewed file of the same module: `a.rs` may be `a/mod.rs` now, the crate may have moved."""
        now = self._work.now(path)
        if path in self._work.head.paths:
            return path
        same = self._head.module_file(root, self._base.module(path))
        if same:
            return same
        moved = now is not None and self._head.root(now) != root
        return now if moved and now and self._head.module(now) == self._base.module(path) else None

    def _new_api(self, root: str) -> Api:
        found: Api = {}
        for path in self._work.new_paths(reads):
            moved = self._head.root(path) != root and self._base.library(self._head.root(path)) is not None
            file = None if moved or self._head.is_program(path) else self._head.file(path)
            if file:
                found.update(file.api)
                found.update(self._uses(file))
        return found

    def _uses(self, file: RustFile) -> Api:
        return {
            name: Symbol(name, "re-export", Role.VALUE, file.use_lines[name], f"pub use {path}", file.path)
            for name, path in file.uses.items()
            if name not in file.api
        }

    def _settle(self, old: Api, new: Api, root: str) -> None:
        """Drop what only looks removed: passed on from elsewhere, or a method that moved with its `impl`."""
        by_tail = {_tail(name): symbol for name, symbol in new.items() if symbol.owner}
        for name, symbol in list(old.items()):
            now = new.get(name)
            if now is not None:
                if "re-export" in {symbol.word, now.word}:
                    _drop(old, name)
            elif symbol.owner:
                if moved := by_tail.get(_tail(name)):
                    new[name] = replace(moved, name=name)
            else:
                module, _, key = name.rpartition("::")
                if self._head.has_use(root, module, key):
                    _drop(old, name)

    def _gone(self, old: RustFile, root: str) -> Break | None:
        module = self._base.module(old.path)
        names = [name for name, symbol in old.api.items() if not symbol.owner]
        names = [name for name in names if not self._head.has_use(root, module, name.rpartition("::")[2])]
        if not names:
            return None
        listed = ", ".join(name.rpartition("::")[2] for name in names[:_LISTED])
        more = f" and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
        change = ApiChange(
            "module-removed",
            Level.WARNING,
            module,
            f"module was removed, with {listed}{more}",
            "whoever uses it fails",
            old=Symbol(module, "module", Role.VALUE, 1, f"mod {module}", old.path),
        )
        found = self._work.located(change, language="Rust", symbol=self._shown(module, root))
        reasons = [self._base.outside_reach(root, module, name.rpartition("::")[2]) for name in names]
        if all(reasons):
            return at_most(Level.NOTE, [found], note=reasons[0] or "")[0]
        return found

    def _located(self, change: ApiChange, root: str) -> Break:
        found = self._work.located(change, language="Rust", symbol=self._shown(change.name, root))
        top = change.name.partition(".")[0]
        module, _, key = top.rpartition("::")
        reason = self._base.outside_reach(root, module, key)
        return at_most(Level.NOTE, [found], note=reason)[0] if reason else found

    def _shown(self, name: str, root: str) -> str:
        return f"{self._base.name(root)}::{name.replace('.', '::')}".removesuffix("::")


def _tail(name: str) -> str:
    """`Type.method` without the module that its `impl` stands in."""
    return name.rpartition("::")[2]


def _drop(api: Api, name: str) -> None:
    for key in [key for key in api if key == name or key.startswith(f"{name}.")]:
        del api[key]

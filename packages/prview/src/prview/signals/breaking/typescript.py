"""TypeScript and JavaScript: the exports of every touched file, before and after."""

from __future__ import annotations

from dataclasses import replace
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from prview.domain.breaking.arrivals import SCRIPT, arrivals
from prview.domain.breaking.changes import ApiChange, Break
from prview.domain.breaking.compare import api_changes
from prview.domain.breaking.symbols import Role, Style, Symbol
from prview.domain.findings import Level
from prview.domain.source_paths import is_shipped
from prview.signals.breaking.grammar import same_surface
from prview.signals.breaking.typescript_exports import Exports
from prview.signals.breaking.typescript_library import TsLibrary
from prview.signals.breaking.typescript_modules import EXTENSIONS, TsModule, grammar_of, language_of
from prview.signals.breaking.typescript_reach import Reach, Reaching
from prview.signals.breaking.work import at_most

if TYPE_CHECKING:
    from collections.abc import Iterator

    from prview.domain.breaking.symbols import Api
    from prview.signals.breaking.work import Work

_MODIFIERS = {
    "+readonly": (Level.WARNING, "assignments to it fail"),
    "+optional": (Level.NOTE, "readers may get undefined"),
    "-optional": (Level.NOTE, "whoever builds such an object without it may fail"),
    "+abstract": (Level.WARNING, "it cannot be used without a subclass"),
    "-static": (Level.WARNING, "uses through the class fail"),
    "+static": (Level.WARNING, "uses through an instance fail"),
    "+async": (Level.NOTE, "callers get a promise"),
}
TYPESCRIPT = Style(
    "TypeScript",
    types=Level.WARNING,
    returns=Level.WARNING,
    shapes=Level.WARNING,
    may="may no longer fit",
    inferred=True,
    modifiers=_MODIFIERS,
)
JAVASCRIPT = replace(TYPESCRIPT, language="JavaScript", types=None, returns=None, shapes=None, lenient=True)
_LISTED = 8


def typescript_breaks(work: Work) -> list[Break]:
    """What importers of the touched files can run into."""
    return _TypeScript(work).breaks()


def reads(path: str) -> bool:
    """Whether a path is source in TypeScript or JavaScript that others may import."""
    return PurePosixPath(path).name.endswith(EXTENSIONS) and is_shipped(path)


class _TypeScript:
    def __init__(self, work: Work) -> None:
        self._work = work
        self._base = TsLibrary(work, work.base)
        self._head = TsLibrary(work, work.head)
        self._base_exports = Exports(self._base)
        self._head_exports = Exports(self._head)
        self._reaching = Reaching(work, self._base_exports, self._head_exports, self._head)
        self._arrivals: dict[str, list[str]] | None = None

    def breaks(self) -> list[Break]:
        found = [item for path in self._work.old_paths(reads) for item in self._file(path)]
        found = _said_once(found)
        if self._base_exports.exhausted or self._head_exports.exhausted:
            self._work.limits.append("re-exports of TypeScript files were not followed to their end")
        return found

    def _file(self, path: str) -> list[Break]:
        here = self._head.same_module(path) or self._work.now(path)
        if here and not reads(here):
            here = None
        source = self._work.base.text(path)
        if source is None or (here == path and self._same_surface(path, source)):
            return []
        old = self._base.module(path)
        new = self._head.module(here) if here else None
        if old is None or (here and new is None):
            return []
        reach = self._reaching.of(path, old)
        if new is None:
            return self._gone(old, reach)
        return [*self._renamed(old, new, reach), *self._compared(old, new, reach)]

    def _same_surface(self, path: str, source: str) -> bool:
        now = self._work.head.text(path)
        return now is not None and same_surface(grammar_of(path), source, now)

    # --- files ----------------------------------------------------------------------------------------

    def _gone(self, old: TsModule, reach: Reach) -> list[Break]:
        names = [
            name
            for name in self._base_exports.names(old.path)
            if not self._reaching.still_passed_on(name, reach)
        ]
        if not names:
            return []
        listed = ", ".join(names[:_LISTED]) + (
            f" and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
        )
        homes = sorted({home for name in names for home in self._arrived(name)})
        note = f"Exports of it are now in {', '.join(homes[:3])}." if homes else ""
        change = ApiChange(
            "module-removed",
            Level.WARNING,
            old.path,
            f"file was removed, with {listed}",
            f"imports of {old.path} fail",
            old=_file_symbol(old.path),
        )
        found = replace(self._located(change, old.path, symbol=old.path), note=note)
        return _within([found], [reach.inside(name) for name in names])

    def _renamed(self, old: TsModule, new: TsModule, reach: Reach) -> list[Break]:
        if self._head.same_module(old.path):
            return []
        names = [
            name
            for name in self._base_exports.names(old.path)
            if not self._reaching.still_passed_on(name, reach)
        ]
        if not names:
            return []
        change = ApiChange(
            "module-renamed",
            Level.WARNING,
            old.path,
            f"file was renamed to {new.path}",
            f"imports of {old.path} fail",
            old=_file_symbol(old.path),
            new=_file_symbol(new.path),
        )
        found = self._located(change, old.path, symbol=old.path)
        return _within([found], [reach.inside(name) for name in names])

    # --- exports --------------------------------------------------------------------------------------

    def _compared(self, old: TsModule, new: TsModule, reach: Reach) -> list[Break]:
        api_old, api_new = self._both(old, new, reach)
        style = JAVASCRIPT if language_of(old.path) == "JavaScript" else TYPESCRIPT
        found: list[Break] = []
        for change in api_changes(api_old, api_new, style):
            top = change.name.partition(".")[0]
            item = self._located(change, old.path, symbol=self._symbol(change.name, old.path, reach))
            if change.rule == "removed" and change.name == top and (homes := self._arrived(top)):
                item = replace(item, note=f"A {top} is new in {', '.join(homes[:3])}.")
            found += _within([item], [reach.inside(top)])
        return found

    def _both(self, old: TsModule, new: TsModule, reach: Reach) -> tuple[Api, Api]:
        """Both sides of every export; what cannot differ, or is said elsewhere, is left out."""
        api_old, api_new = dict(old.api), dict(new.api)
        for name in old.names:
            if name in old.forwards:
                self._enter_forward(name, old, new, api_old)
            elif name not in new.api:
                self._enter_moved(name, new, api_old, api_new, reach)
        for source, where in old.stars.items():
            if source not in new.stars:
                self._enter_star(source, where, old, new, api_old)
        if new.unread_line:
            _forget_missing(api_old, api_new)
        return api_old, api_new

    def _enter_forward(self, name: str, old: TsModule, new: TsModule, api_old: Api) -> None:
        """A re-export only has to be there: what it stands for is compared where it is defined."""
        if self._head_exports.find(new.path, name) is None:
            forward = old.forwards[name]
            api_old[name] = Symbol(name, "re-export", Role.VALUE, forward.line, forward.shown, old.path)

    def _enter_moved(self, name: str, new: TsModule, api_old: Api, api_new: Api, reach: Reach) -> None:
        """An export that the file only passes on now, or that a barrel takes from somewhere else."""
        definition = self._head_exports.find(new.path, name)
        if definition is None and self._reaching.still_passed_on(name, reach):
            definition = self._reaching.behind(*reach.passed_on[name][0])
        if definition is None:
            return
        moved = self._head.symbols(definition, name)
        if moved:
            api_new.update((symbol.name, symbol) for symbol in moved)
        else:  # from outside of the repository, or not to be followed: it is there, and that is all we know
            for key in [key for key in api_old if key == name or key.startswith(f"{name}.")]:
                del api_old[key]

    def _enter_star(self, source: str, where: int, old: TsModule, new: TsModule, api_old: Api) -> None:
        target = self._base.resolve(source, old.path)
        for name in self._base_exports.names(target) if target else ():
            if name != "default" and self._head_exports.find(new.path, name) is None:
                shown = f"export * from {source}"
                api_old.setdefault(name, Symbol(name, "re-export", Role.VALUE, where, shown, old.path))

    def _symbol(self, name: str, path: str, reach: Reach) -> str:
        """`name (file)`, under the name and file that users of the package know."""
        top, _, member = name.partition(".")
        passed_on = reach.passed_on.get(top)
        file, public = passed_on[0] if passed_on else (path, top)
        return f"{public}.{member} ({file})" if member else f"{public} ({file})"

    def _located(self, change: ApiChange, path: str, *, symbol: str) -> Break:
        return self._work.located(change, language=language_of(path), symbol=symbol)

    def _arrived(self, name: str) -> list[str]:
        """Touched files that export a name which they did not export before."""
        if self._arrivals is None:
            self._arrivals = arrivals(self._texts(), SCRIPT)
        return self._arrivals.get(name, [])

    def _texts(self) -> Iterator[tuple[str, str, str]]:
        for path in self._work.new_paths(reads):
            before = self._base.same_module(path)
            old = self._work.base.text(before) if before else None
            yield path, old or "", self._work.head.text(path) or ""


def _forget_missing(api_old: Api, api_new: Api) -> None:
    """Part of the reviewed file cannot be read, and may hold what seems to be gone."""
    for name in [name for name in api_old if name.partition(".")[0] not in api_new]:
        del api_old[name]


def _said_once(breaks: list[Break]) -> list[Break]:
    """An export and its re-export that go together are said once, where it was defined."""
    defined = {(item.rule, item.symbol) for item in breaks if not item.what.startswith("re-export")}
    return [
        item
        for item in breaks
        if not item.what.startswith("re-export") or (item.rule, item.symbol) not in defined
    ]


def _file_symbol(path: str) -> Symbol:
    return Symbol(path, "file", Role.VALUE, 1, path, path)


def _within(breaks: list[Break], reasons: list[str | None]) -> list[Break]:
    """Notes instead of warnings where nothing but the package itself can be affected."""
    if reasons and all(reasons):
        return at_most(Level.NOTE, breaks, note=reasons[0] or "")
    return breaks

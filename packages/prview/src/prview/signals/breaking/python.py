"""Python: the public interface of every touched module, before and after."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from prview.domain.breaking.arrivals import PYTHON, arrivals
from prview.domain.breaking.changes import ApiChange, Break
from prview.domain.breaking.compare import api_changes
from prview.domain.breaking.python_names import is_module
from prview.domain.breaking.symbols import Role, Style, Symbol
from prview.domain.findings import Level
from prview.domain.source_paths import is_shipped
from prview.signals.breaking.python_inheritance import Ancestry
from prview.signals.breaking.python_library import Library
from prview.signals.breaking.python_reading import Imported, Member, PyModule
from prview.signals.breaking.python_surface import loses_nothing

if TYPE_CHECKING:
    from collections.abc import Iterator

    from prview.domain.breaking.python_names import ModuleName
    from prview.domain.breaking.symbols import Api
    from prview.signals.breaking.work import Work

LANGUAGE = "Python"
STYLE = Style(
    LANGUAGE,
    types=None,
    returns=Level.NOTE,
    shapes=Level.NOTE,
    may="may no longer fit",
    inferred=True,
    defaults=Level.NOTE,
    modifiers={
        "+async": (Level.WARNING, "callers get a coroutine and have to await it"),
        "-async": (Level.WARNING, "callers that await its result fail"),
        "-staticmethod": (Level.WARNING, "calls on the class need an instance"),
        "-classmethod": (Level.WARNING, "calls on the class pass other arguments"),
    },
)
_LISTED = 8


def python_breaks(work: Work) -> list[Break]:
    """What importers of the touched modules can run into."""
    return _Python(work).breaks()


def reads(path: str) -> bool:
    """Whether a path is a Python module that others may import."""
    return is_module(path) and is_shipped(path)


class _Python:
    def __init__(self, work: Work) -> None:
        self._work = work
        self._base = Library(work, work.base)
        self._head = Library(work, work.head)
        self._arrivals: dict[str, list[str]] | None = None

    def breaks(self) -> list[Break]:
        found = [item for path in self._work.old_paths(reads) for item in self._module(path)]
        return _said_once(found)

    def _module(self, path: str) -> list[Break]:
        name = self._base.name(path)
        here = self._counterpart(path, name)
        same = here and self._head.name(here).dotted == name.dotted
        if here and same and self._loses_nothing(path, here):
            return []
        old = self._base.module(path)
        if old is None:
            return []
        new = self._head.module(here) if here else None
        if here and new is None:
            return []  # the reviewed file cannot be read, which is said in the limits
        if new is None:
            return [*self._gone(old, name), *self._exposed(old, None, name)]
        moved = self._renamed(old, name, here) if here else []
        return [*moved, *self._compared(old, new, name), *self._exposed(old, new, name)]

    def _counterpart(self, path: str, name: ModuleName) -> str | None:
        """The reviewed file of the same module, or what the file was renamed to."""
        same = self._head.file(name.dotted, name.root)
        if same:
            return same
        now = self._work.now(path)
        return now if now and reads(now) else None

    def _loses_nothing(self, old_path: str, new_path: str) -> bool:
        old, new = self._work.base.text(old_path), self._work.head.text(new_path)
        return old is not None and new is not None and loses_nothing(old, new)

    def _renamed(self, old: PyModule, name: ModuleName, here: str) -> list[Break]:
        now = self._head.name(here).dotted
        if now == name.dotted or not name.public or not self._base.public_names(old, name.root):
            return []
        symbol = _module_symbol(old, name.dotted)
        change = ApiChange(
            "module-renamed",
            Level.WARNING,
            name.dotted,
            f"module was renamed to {now}",
            f"imports of {name.dotted} fail",
            old=symbol,
            new=replace(symbol, path=here, shown=f"module {now}"),
        )
        return [self._work.located(change, language=LANGUAGE, symbol=name.dotted)]

    def _gone(self, old: PyModule, name: ModuleName) -> list[Break]:
        names = list(self._base.public_names(old, name.root)) if name.public else []
        if not names:
            return []
        listed = ", ".join(names[:_LISTED]) + (
            f" and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
        )
        change = ApiChange(
            "module-removed",
            Level.WARNING,
            name.dotted,
            f"module was removed, with {listed}",
            f"imports of {name.dotted} fail",
            old=_module_symbol(old, name.dotted),
        )
        found = self._work.located(change, language=LANGUAGE, symbol=name.dotted)
        homes = sorted({home for key in names for home in self._arrived(key, name.dotted)})
        return [replace(found, note=f"Names of it are now in {', '.join(homes[:3])}." if homes else "")]

    def _compared(self, old: PyModule, new: PyModule, name: ModuleName) -> list[Break]:
        """Everything the module itself offers."""
        if not name.public:
            return []
        api_old: Api = {}
        api_new: Api = {}
        for key, item in self._base.public_names(old, name.root).items():
            now = self._head.member(new, key, name.root)
            self._enter(key, item, now, old, new, name.root, api_old, api_new)
        ancestry = Ancestry(self._head, new, name.root)
        changes = [ancestry.softened(change) for change in api_changes(api_old, api_new, STYLE)]
        return [self._with_home(change, name.dotted) for change in changes if change is not None]

    def _enter(  # noqa: PLR0913, PLR0917 - both sides of one name, and where each of them is written
        self,
        key: str,
        item: Member,
        now: Member | None,
        old: PyModule,
        new: PyModule,
        root: str,
        api_old: Api,
        api_new: Api,
    ) -> None:
        """Put both sides of a name into the interfaces that are compared; leave out what cannot differ."""
        if isinstance(item, Imported):
            if now is None:
                api_old[key] = _re_export(key, item, old)
            elif not isinstance(now, Imported) or now.target != item.target:
                self._enter_definitions(key, item, now, new, root, api_old, api_new)
            return
        olds = self._base.symbols(key, item, old.path)
        if now is None:
            api_old.update((symbol.name, symbol) for symbol in olds)
            return
        news = self._symbols(key, now, new.path, root)
        if news:
            api_old.update((symbol.name, symbol) for symbol in olds)
            api_new.update((symbol.name, symbol) for symbol in news)

    def _enter_definitions(
        self, key: str, item: Imported, now: Member, new: PyModule, root: str, api_old: Api, api_new: Api
    ) -> None:
        """A re-export that points somewhere else now: compare what it stands for, where both can be read."""
        found = self._base.definition(item, root)
        news = self._symbols(key, now, new.path, root)
        if found and news:
            olds = self._base.symbols(key, found[0], found[1])
            api_old.update((symbol.name, symbol) for symbol in olds)
            api_new.update((symbol.name, symbol) for symbol in news)

    def _symbols(self, key: str, item: Member, path: str, root: str) -> list[Symbol]:
        if not isinstance(item, Imported):
            return self._head.symbols(key, item, path)
        found = self._head.definition(item, root)
        return self._head.symbols(key, found[0], found[1]) if found else []

    def _exposed(self, old: PyModule, new: PyModule | None, name: ModuleName) -> list[Break]:
        """What packages above offer of a module that is private or gone: `pkg.f` from `pkg/_impl.py`."""
        if name.public and new is not None:
            return []
        found: list[Break] = []
        for package in name.packages:
            path = self._base.file(package, name.root)
            outer = self._base.module(path) if path else None
            if path is None or outer is None or any(part.startswith("_") for part in package.split(".")):
                continue
            found += self._through(outer, package, old, name.root)
        return found

    def _through(self, outer: PyModule, package: str, old: PyModule, root: str) -> list[Break]:
        """The names that a package takes from the module, as they are offered now."""
        path = self._head.file(package, root)
        now = self._head.module(path) if path else None
        api_old: Api = {}
        api_new: Api = {}
        for key, item in self._base.public_names(outer, root).items():
            if not isinstance(item, Imported):
                continue
            found = self._base.definition(item, root)
            if found is None or found[1] != old.path:
                continue
            member = self._head.member(now, key, root) if now else None
            if now is not None and member is None and self._work.by_old_path.get(outer.path):
                continue  # the package itself is touched: comparing it says that the name is gone
            news = self._symbols(key, member, path or "", root) if member else []
            if member and not news and not self._is_stale(member, root):
                continue
            api_old.update((s.name, s) for s in self._base.symbols(key, found[0], found[1]))
            api_new.update((s.name, s) for s in news)
        changes = api_changes(api_old, api_new, STYLE)
        return [self._with_home(change, package) for change in changes]

    def _is_stale(self, member: Member, root: str) -> bool:
        """Whether an import of the reviewed commit names something that its module no longer has."""
        if not isinstance(member, Imported):
            return False
        owner, _, key = member.target.rpartition(".")
        path = self._head.file(owner, root)
        module = self._head.module(path) if path else None
        if module is None:
            return path is None and self._base.file(owner, root) is not None
        return self._head.member(module, key, root) is None

    def _with_home(self, change: ApiChange, unit: str) -> Break:
        found = self._work.located(change, language=LANGUAGE, symbol=f"{unit}.{change.name}")
        if change.rule != "removed" or "." in change.name:
            return found
        homes = self._arrived(change.name, unit)
        return replace(found, note=f"A {change.name} is new in {', '.join(homes[:3])}.") if homes else found

    def _arrived(self, key: str, unit: str) -> list[str]:
        """Touched modules of the same package that have a name which they did not have before."""
        if self._arrivals is None:
            self._arrivals = arrivals(self._texts(), PYTHON)
        top = unit.partition(".")[0]
        homes = self._arrivals.get(key, [])
        return [home for home in homes if home != unit and home.partition(".")[0] == top]

    def _texts(self) -> Iterator[tuple[str, str, str]]:
        for path in self._work.new_paths(reads):
            name = self._head.name(path)
            before = self._base.file(name.dotted, name.root)
            old = self._work.base.text(before) if before else None
            yield name.dotted, old or "", self._work.head.text(path) or ""


def _module_symbol(module: PyModule, dotted: str) -> Symbol:
    return Symbol(dotted, "module", Role.VALUE, 1, f"module {dotted}", module.path)


def _re_export(key: str, item: Imported, module: PyModule) -> Symbol:
    return Symbol(
        key, "re-export", Role.VALUE, item.line, f"{key} from {item.target.rpartition('.')[0]}", module.path
    )


def _said_once(breaks: list[Break]) -> list[Break]:
    """A declaration that is reached under several names is said once, under the shortest."""
    shortest: dict[tuple[str, int, str, str], Break] = {}
    for item in breaks:
        key = (item.path, item.line, item.rule, item.what)
        known = shortest.get(key)
        if known is None or len(item.symbol) < len(known.symbol):
            shortest[key] = item
    return list(shortest.values())

"""One side's Python modules: loaded when asked for, names followed to where they are defined."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prview.domain.breaking.python_names import ModuleName, module_files, module_name
from prview.signals.breaking.python_reading import Imported, PyModule, PythonSyntaxError, read_module
from prview.signals.breaking.python_symbols import is_plumbing, object_symbols

if TYPE_CHECKING:
    import griffe

    from prview.domain.breaking.symbols import Symbol
    from prview.signals.breaking.work import Side, Work

_MAX_HOPS = 6
"""Re-exports that are followed from a name to its definition."""


class Library:
    """The modules of one tree. A module that cannot be read is None, and said once in the work's limits."""

    def __init__(self, work: Work, side: Side) -> None:
        self._work = work
        self._side = side
        self._read: dict[str, PyModule | None] = {}
        self._named: dict[str, ModuleName] = {}
        self._files: dict[tuple[str, str], str | None] = {}

    def name(self, path: str) -> ModuleName:
        """The module name of a file."""
        if path not in self._named:
            self._named[path] = module_name(path, self._side.paths)
        return self._named[path]

    def file(self, dotted: str, root: str) -> str | None:
        """The file of a module below an import root."""
        key = (dotted, root)
        if key not in self._files:
            found = (path for path in module_files(dotted, root) if path in self._side.paths)
            self._files[key] = next(found, None)
        return self._files[key]

    def module(self, path: str) -> PyModule | None:
        """Read a file."""
        if path not in self._read:
            self._read[path] = self._load(path)
        return self._read[path]

    def _load(self, path: str) -> PyModule | None:
        text = self._side.text(path)
        if text is None:
            return None
        try:
            module, failed = read_module(self.name(path).dotted, path, text)
        except PythonSyntaxError as exc:
            self._work.gave_up(self._side, path, str(exc))
            return None
        self._work.objects_failed += failed
        return module

    def public_names(self, module: PyModule, root: str) -> dict[str, griffe.Object | Imported]:
        """What a module offers: its `__all__`, else its own names and, in a package, what it re-exports."""
        exported = module.exported
        if exported is not None:
            return {name: item for name in sorted(exported) if (item := self.member(module, name, root))}
        found = {
            name: item
            for name, item in module.members.items()
            if not name.startswith("_") and _is_own(module, item)
        }
        if module.is_package:
            for name in self._wildcard_names(module, root):
                if item := self.member(module, name, root):
                    found.setdefault(name, item)
        return found

    def _wildcard_names(self, module: PyModule, root: str, hops: int = 0) -> list[str]:
        names: list[str] = []
        for target in module.wildcards if hops < _MAX_HOPS else ():
            path = self.file(target, root)
            source = self.module(path) if path else None
            if source is None:
                continue
            own = source.exported
            names += own if own is not None else [key for key in source.members if not key.startswith("_")]
            if own is None:
                names += self._wildcard_names(source, root, hops + 1)
        return names

    def member(
        self, module: PyModule, name: str, root: str, hops: int = 0
    ) -> griffe.Object | Imported | None:
        """A name of a module, its own or taken over with a star; submodules of a package count."""
        if name in module.members:
            return module.members[name]
        for target in module.wildcards if hops < _MAX_HOPS else ():
            path = self.file(target, root)
            if path is None:
                if target.partition(".")[0] != module.name.partition(".")[0]:
                    return Imported(f"{target}.{name}", 1)  # from another distribution: may well be there
                continue
            source = self.module(path)
            found = self.member(source, name, root, hops + 1) if source else None
            if found:
                return Imported(f"{target}.{name}", 1)
        if module.is_package and self.file(f"{module.name}.{name}", root):
            return Imported(f"{module.name}.{name}", 1)
        return None

    def definition(
        self, item: griffe.Object | Imported, root: str, hops: int = 0
    ) -> tuple[griffe.Object, str] | None:
        """The object a name stands for and its file; None when it is outside, a module, or cannot be told."""
        if not isinstance(item, Imported):
            return None
        owner, _, name = item.target.rpartition(".")
        path = self.file(owner, root) if owner else None
        module = self.module(path) if path else None
        if module is None or path is None or hops >= _MAX_HOPS:
            return None
        found = self.member(module, name, root)
        if found is None or not isinstance(found, Imported):
            return (found, path) if found else None
        return self.definition(found, root, hops + 1)

    def symbols(self, name: str, item: griffe.Object, path: str) -> list[Symbol]:
        """The symbols of an object and its members; failures are counted."""

        def gave_up(_: str) -> None:
            self._work.objects_failed += 1

        return object_symbols(name, item, path, gave_up)


def _is_own(module: PyModule, item: griffe.Object | Imported) -> bool:
    """Whether a name is for others: not what a module imports, and not its loggers and type variables."""
    return _re_exports(module, item) if isinstance(item, Imported) else not is_plumbing(item)


def _re_exports(module: PyModule, item: Imported) -> bool:
    """A package's `__init__` re-exports what it imports from inside of its own distribution."""
    return module.is_package and item.target.partition(".")[0] == module.name.partition(".")[0]

"""How far the exports of a file go: under which names other files pass them on, and who can import those."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from prview.signals.breaking.typescript_package import Package, barrels, package_of

if TYPE_CHECKING:
    from prview.signals.breaking.typescript_exports import Exports
    from prview.signals.breaking.typescript_library import Definition, TsLibrary
    from prview.signals.breaking.typescript_modules import TsModule
    from prview.signals.breaking.work import Work


@dataclass(frozen=True)
class Reach:
    """How far the exports of a file go. `passed_on`: each export's names in the files that re-export it."""

    package: Package | None
    passed_on: dict[str, list[Definition]]
    entry: bool
    certain: bool
    """Whether re-exports were followed to their end."""

    def inside(self, name: str) -> str | None:
        """Why only the package itself can be affected, or None."""
        if self.entry or not self.certain or self.passed_on.get(name) or self.package is None:
            return None
        return self.package.inside


class Reaching:
    """Follows exports through the files that pass them on, before and after."""

    def __init__(self, work: Work, base: Exports, head: Exports, head_library: TsLibrary) -> None:
        self._work = work
        self._base_exports = base
        self._head_exports = head
        self._head = head_library

    def of(self, path: str, old: TsModule) -> Reach:
        """How far the exports of a file of the merge base went."""
        package = package_of(path, self._work.base)
        passed_on: dict[str, list[Definition]] = {}
        for barrel in barrels(path, package, self._work.base):
            passed = self._base_exports.passed_on(barrel, path)
            for name in old.names:
                passed_on.setdefault(name, []).extend((barrel, public) for public in passed.publics(name))
        entry = package is not None and path in package.entries
        return Reach(package, passed_on, entry=entry, certain=not self._base_exports.exhausted)

    def still_passed_on(self, name: str, reach: Reach) -> bool:
        """Whether every file that passed the export on still has it under the same name."""
        places = reach.passed_on.get(name, [])
        return bool(places) and all(self._has(barrel, public) for barrel, public in places)

    def _has(self, barrel: str, public: str) -> bool:
        """Whether a barrel still exports a name that it really has, not one it would fail to find."""
        definition = self.behind(barrel, public)
        if definition is None:
            return False
        file, name = definition
        module = self._head.module(file)
        if module is None or name not in module.forwards:
            return True
        return self._head.resolve(module.forwards[name].source, file) is None

    def behind(self, barrel: str, public: str) -> Definition | None:
        """Where the reviewed commit defines what a file of the merge base passes on under a name."""
        now = self._head.same_module(barrel)
        return self._head_exports.find(now, public) if now else None

"""Whether what a class lost is still there through what it inherits from."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import griffe

from prview.domain.findings import Level
from prview.signals.breaking.python_reading import Imported

if TYPE_CHECKING:
    from prview.domain.breaking.changes import ApiChange
    from prview.signals.breaking.python_library import Library
    from prview.signals.breaking.python_reading import PyModule

_MAX_DEPTH = 8
_DYNAMIC = "__getattr__"


class Ancestry:
    """The classes of one module of the reviewed commit, with their bases as far as they can be read."""

    def __init__(self, library: Library, module: PyModule, root: str) -> None:
        self._library = library
        self._module = module
        self._root = root

    def softened(self, change: ApiChange) -> ApiChange | None:
        """The change, or what is left of it once inherited members and bases are counted."""
        if change.rule not in {"removed", "base-removed"}:
            return change
        owner_name = change.name.rpartition(".")[0] if change.rule == "removed" else change.name
        if not owner_name:
            return _doubted(change, [_DYNAMIC]) if _DYNAMIC in self._module.members else change
        owner = self._class(owner_name)
        if owner is None:
            return change
        known, unknown = self._bases(owner, self._module)
        if change.rule == "base-removed":
            lost = change.what.rpartition(" ")[2].rpartition(".")[2]
            return None if lost in {base.name for base in known} else change
        member = change.name.rpartition(".")[2]
        if any(member in base.members for base in known):
            return None
        if any(_DYNAMIC in item.members for item in (owner, *known)):
            unknown = [_DYNAMIC]
        return _doubted(change, unknown) if unknown else change

    def _class(self, dotted: str) -> griffe.Class | None:
        item: object = self._module.members.get(dotted.partition(".")[0])
        for part in dotted.split(".")[1:]:
            item = item.members.get(part) if isinstance(item, griffe.Class) else None
        return item if isinstance(item, griffe.Class) else None

    def _bases(
        self, owner: griffe.Class, module: PyModule, depth: int = 0
    ) -> tuple[list[griffe.Class], list[str]]:
        """All ancestors that can be read, and the names of those that cannot."""
        known: list[griffe.Class] = []
        unknown: list[str] = []
        for base in owner.bases:
            text = str(base).partition("[")[0]
            found = self._resolve(text, module)
            if found is None or depth >= _MAX_DEPTH:
                if text not in {"object", "ABC", "abc.ABC", "Generic", "Protocol"}:
                    unknown.append(text)
                continue
            parent, home = found
            known.append(parent)
            more, less = self._bases(parent, home, depth + 1)
            known += more
            unknown += less
        return known, unknown

    def _resolve(self, text: str, module: PyModule) -> tuple[griffe.Class, PyModule] | None:
        item = self._library.member(module, text, self._root) if "." not in text else None
        if isinstance(item, griffe.Class):
            return item, module
        found = self._library.definition(item, self._root) if isinstance(item, Imported) else None
        if found is None or not isinstance(found[0], griffe.Class):
            return None
        home = self._library.module(found[1])
        return (found[0], home) if home else None


def _doubted(change: ApiChange, unknown: list[str]) -> ApiChange:
    """A base that was not read may have the member: then it is no certainty that callers fail."""
    name = unknown[0]
    return replace(
        change,
        level=Level.NOTE,
        what=f"{change.what}, unless {name} provides it",
        effect="whoever uses it may fail",
    )

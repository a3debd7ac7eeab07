"""Which file imports which when it is loaded, read file by file as far as somebody asks."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from prview.domain.breaking.python_names import module_name
from prview.signals.python_imports import Import, find_module, imports, package_of, parse_python
from prview.signals.script_imports import resolve, script_imports
from prview.signals.syntax import SCRIPTS, grammar_of

if TYPE_CHECKING:
    from prview.signals.own import Texts

MAX_FILES = 5000
"""Files that are read to find out whether an import closes a cycle."""


def can_cycle(path: str) -> bool:
    """Whether imports of the file's language may go round: compilers of others forbid it, or do not mind."""
    return path.endswith(".py") or grammar_of(path) in SCRIPTS


class Graph:
    """The imports of one side. Imports in functions, for types only, and dynamic ones close no cycle."""

    def __init__(self, side: Texts) -> None:
        self._side = side
        self._edges: dict[str, dict[str, int]] = {}
        self.cut = False

    def edges(self, path: str) -> dict[str, int]:
        """The files that a file imports, with the line of the import."""
        if path not in self._edges:
            if len(self._edges) >= MAX_FILES:
                self.cut = True
                return {}
            self._edges[path] = self._read(path)
        return self._edges[path]

    def way(self, start: str, goal: str) -> list[str] | None:
        """The shortest chain of imports from one file to another, both included."""
        came_from = {start: ""}
        waiting = deque([start])
        while waiting:
            path = waiting.popleft()
            if path == goal:
                return _walked(came_from, goal)
            for following in sorted(self.edges(path)):
                if following not in came_from:
                    came_from[following] = path
                    waiting.append(following)
        return None

    def _read(self, path: str) -> dict[str, int]:
        text = self._side.text(path)
        if text is None:
            return {}
        grammar = grammar_of(path)
        found = self._of_script(path, text, grammar) if grammar in SCRIPTS else self._of_python(path, text)
        found.pop(path, None)
        return found

    def _of_python(self, path: str, text: str) -> dict[str, int]:
        tree = parse_python(text)
        if tree is None:
            return {}
        root = module_name(path, self._side.paths).root
        found: dict[str, int] = {}
        for entry in imports(tree, package=package_of(path, self._side.paths)):
            target = None if entry.lazy or entry.typing else self._module(entry, root)
            if target:
                found.setdefault(target, entry.line)
        return found

    def _module(self, entry: Import, root: str) -> str | None:
        """A name may be a submodule: then that is what is loaded, and the package comes before it anyway."""
        if entry.name:
            submodule = find_module(f"{entry.module}.{entry.name}".lstrip("."), root, self._side.paths)
            if submodule:
                return submodule
        return find_module(entry.module, root, self._side.paths) if entry.module else None

    def _of_script(self, path: str, text: str, grammar: str) -> dict[str, int]:
        found: dict[str, int] = {}
        for entry in script_imports(text, grammar):
            static = not entry.lazy and not entry.type_only
            target = resolve(entry.specifier, path, self._side.paths) if static else None
            if target and can_cycle(target):
                found.setdefault(target, entry.line)
        return found


def _walked(came_from: dict[str, str], goal: str) -> list[str]:
    found = [goal]
    while came_from[found[-1]]:
        found.append(came_from[found[-1]])
    return found[::-1]

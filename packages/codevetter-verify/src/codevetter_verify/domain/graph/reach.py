"""From a changed file to everything that holds it, nearest first.

Names are followed through re-exports, so that a page that takes another component from the same barrel file
is not said to hold this one.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING

from codevetter_verify.domain.graph.syntax import ALL, DEFAULT, Import

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from codevetter_verify.domain.graph.modules import Edge, Modules

MAX_REACHED = 20_000
"""Files that are followed from one changed file."""

Names = frozenset[str] | None


@dataclass(frozen=True, slots=True)
class Reached:
    """A file that holds the changed one. `chain` leads from it back to the changed file, both included."""

    path: str
    chain: tuple[str, ...]
    dynamic: bool = False

    @property
    def distance(self) -> int:
        """Imports between the two: 0 for the changed file itself."""
        return len(self.chain) - 1


def holders(
    target: str, modules: Modules, implicit: Callable[[str], Iterable[str]] = lambda _: ()
) -> Iterator[Reached]:
    """Search breadth first, at most `MAX_REACHED` files; `target` itself comes first.

    `implicit` names importers that no import statement tells of.
    """
    found = {target: Reached(target, (target,))}
    taken: dict[str, Names] = {target: None}
    waiting = deque([target])
    yield found[target]
    while waiting and len(found) < MAX_REACHED:
        path = waiting.popleft()
        for importer, names, dynamic in _steps(path, taken[path], modules, implicit):
            if importer in taken and _holds(taken[importer], names):
                continue
            taken[importer] = _joined(taken[importer], names) if importer in taken else names
            waiting.append(importer)
            if importer not in found:
                before = found[path]
                found[importer] = Reached(importer, (importer, *before.chain), before.dynamic or dynamic)
                yield found[importer]


def _steps(
    path: str, names: Names, modules: Modules, implicit: Callable[[str], Iterable[str]]
) -> Iterator[tuple[str, Names, bool]]:
    for edge in modules.importers(path, names):
        if edge.what.exported:
            passed = _passed(edge, names, modules.exports(path) if names is None else names)
            if passed != frozenset():
                yield edge.importer, passed, False
        elif _meets(edge.what, names):
            yield edge.importer, None, edge.what.kind != "static"
    for importer in implicit(path):
        yield importer, None, False


def _meets(what: Import, names: Names) -> bool:
    return what.names is None or names is None or bool(what.names & names)


def _passed(edge: Edge, names: Names, known: Names) -> Names:
    """Under which names a re-export passes on what is looked for; the empty set when it does not."""
    passed: set[str] = set()
    for theirs, ours in edge.what.exported:
        if theirs != ALL:
            if names is None or theirs in names:
                passed.add(ours)
        elif ours != ALL:  # export * as ours
            passed.add(ours)
        elif known is None:
            return None
        else:
            passed |= known - {DEFAULT}
    return frozenset(passed)


def _holds(have: Names, more: Names) -> bool:
    return have is None or (more is not None and more <= have)


def _joined(have: Names, more: Names) -> Names:
    return None if have is None or more is None else have | more

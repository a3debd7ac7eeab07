"""Looks for the way back along every import that the change adds."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from anyio import to_thread

from prview.domain.findings import Finding, Level
from prview.domain.signals import Artifact, Signal, check_id
from prview.signals.cycles.graph import MAX_FILES, Graph, can_cycle
from prview.signals.own import own_files
from prview.signals.words import page, plain, plural

if TYPE_CHECKING:
    from collections.abc import Iterator

    from prview.domain.change import ChangedFile
    from prview.signals.base import SignalContext
    from prview.signals.own import Own

KIND = "cycles"
ARTIFACT = "20_quality/import-cycles.txt"
_SHOWN = 6
_IMPORTS = re.compile(r"\b(?:import|from|require|export)\b|^\s*\w+(?:\s+as\s+\w+)?\s*(?:,.*)?\)?$")
"""What an added line of an import looks like, one of several lines included."""


@dataclass(frozen=True)
class Cycle:
    """Files that import each other in a ring, beginning with the import that the change adds."""

    files: tuple[str, ...]
    line: int

    @property
    def shown(self) -> str:
        """The ring in words."""
        names = self.files if len(self.files) <= _SHOWN else (*self.files[: _SHOWN - 1], "…")
        return " -> ".join((*names, self.files[0]))


class Cycles:
    """Says which added imports close a ring of Python, JavaScript or TypeScript files."""

    kind = KIND
    title = "Import cycles"

    async def analyze(self, context: SignalContext) -> Signal | None:
        """The cost grows with the added imports and what can be reached from them."""
        return await to_thread.run_sync(_signal, await own_files(context))


def _signal(own: Own) -> Signal | None:
    base, head = Graph(own.base), Graph(own.head)
    found: dict[frozenset[str], Cycle] = {}
    for file in own.present:
        if can_cycle(file.path) and any(_IMPORTS.search(line.text) for line in file.added_lines):
            for cycle in _closed(own, base, head, file):
                found.setdefault(frozenset(cycle.files), cycle)
    cut = base.cut or head.cut
    limits = (f"import cycles: more than {MAX_FILES} files are connected; the rest was not followed",)
    if not found and not cut:
        return None
    cycles = list(found.values())
    text = page(plural(len(cycles), "new import cycle"), "", *(cycle.shown for cycle in cycles))
    return Signal(
        kind=KIND,
        title=Cycles.title,
        findings=tuple(_finding(cycle) for cycle in cycles),
        artifacts=(Artifact(ARTIFACT, text),) if cycles else (),
        data={"cycles": [list(cycle.files) for cycle in cycles]},
        limits=limits if cut else (),
    )


def _closed(own: Own, base: Graph, head: Graph, file: ChangedFile) -> Iterator[Cycle]:
    """The rings through the imports that a file gains."""
    before = file.old_path or file.path
    renames = own.change.renames
    known = {renames.get(path, path) for path in base.edges(before)} if file.status != "A" else set()
    for target, line in head.edges(file.path).items():
        way = head.way(target, file.path) if target not in known else None
        if way and not _was_closed(own, base, file.path, target):
            yield Cycle((file.path, *way[:-1]), line)


def _was_closed(own: Own, base: Graph, one: str, other: str) -> bool:
    """Whether both files were in a ring already, by other ways."""
    old_one, old_other = own.came_from(one), own.came_from(other)
    if old_one not in own.base.paths or old_other not in own.base.paths:
        return False
    return base.way(old_one, old_other) is not None and base.way(old_other, old_one) is not None


def _finding(cycle: Cycle) -> Finding:
    message = f"this import closes a cycle: {plain(cycle.shown, width=400)}"
    path, anchor = cycle.files[0], " ".join(sorted(cycle.files))
    return Finding(check_id(KIND), "import-cycle", Level.WARNING, path, cycle.line, message, anchor)

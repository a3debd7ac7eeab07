"""The files of one side for analyzers: changed ones from memory, all others from the exported tree.

Most analyzers read nothing but what a change touches. A tree is only exported, which costs as much as the
repository is large, when one asks for a file beyond that.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from weakref import WeakMethod

from anyio import from_thread

from prview.domain.foreign import ATTRIBUTES
from prview.signals.per_run import PerRun

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Mapping
    from pathlib import Path

    from prview.checks.trees import Side, Trees
    from prview.signals.base import SignalContext

_MAX_ATTRIBUTE_FILES = 200


@dataclass
class SideTree:
    """`contents` has git's mode and the bytes of files that were read at once.

    Anything beyond them may only be asked for in a worker thread of the run's event loop.
    """

    side: Side
    contents: Mapping[str, tuple[str, bytes]]
    export: WeakMethod[Callable[[Side], Coroutine[None, None, Path]]] = field(repr=False)
    _exported: Path | None = None

    def __truediv__(self, path: str) -> Path:
        """Where a file is on disk."""
        return self.exported() / path

    def exported(self) -> Path:
        """The folder with all files. Raises RuntimeError after the run is over."""
        if self._exported is None:
            export = self.export()
            if export is None:
                raise RuntimeError("the run is over: its trees are gone")
            self._exported = from_thread.run(export, self.side)
        return self._exported


async def _sides(context: SignalContext) -> dict[Side, SideTree]:
    old = [file.old_path or file.path for file in context.change.files if file.status not in {"A", "C"}]
    new = [file.path for file in context.change.files if file.exists]
    return {
        "base": SideTree("base", await _contents(context, "base", old), _weak(context.trees)),
        "head": SideTree("head", await _contents(context, "head", new), _weak(context.trees)),
    }


def _weak(trees: Trees) -> WeakMethod[Callable[[Side], Coroutine[None, None, Path]]]:
    """What is remembered for a run must not keep its trees."""
    return WeakMethod(trees.export)


async def _contents(context: SignalContext, side: Side, paths: list[str]) -> dict[str, tuple[str, bytes]]:
    binary = {name for file in context.change.files if file.binary for name in (file.path, file.old_path)}
    there = context.base_paths if side == "base" else context.head_paths
    attributes = sorted(path for path in there if path.rpartition("/")[2] == ATTRIBUTES)
    wanted = [*(path for path in paths if path not in binary), *attributes[:_MAX_ATTRIBUTE_FILES]]
    return await context.trees.contents(side, wanted)


side_trees = PerRun(_sides)
"""`(await side_trees(context))["head"]`: the files of a side."""

"""The changed files that are the repository's own work, with their texts on both sides."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from anyio import to_thread

from prview.domain.foreign import ForeignFiles, generated_text
from prview.signals.per_run import PerRun
from prview.signals.side_tree import side_trees
from prview.signals.sources import Unread, foreign_files, read_source

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from prview.domain.change import Change, ChangedFile
    from prview.signals.base import SignalContext
    from prview.signals.side_tree import SideTree

_KEPT_CHARS = 64 * 1024 * 1024
"""Characters of text that one side keeps for the next analyzer; what is beyond is read again."""


@dataclass
class Texts:
    """One side, read file by file. `unread` says of existing files why they could not be read."""

    tree: SideTree
    paths: frozenset[str]
    unread: dict[str, str] = field(default_factory=dict)
    _kept: dict[str, str | None] = field(default_factory=dict, repr=False)
    _room: int = _KEPT_CHARS

    def text(self, path: str) -> str | None:
        """The text of a file; None when there is none or it is not readable text."""
        if path in self._kept:
            return self._kept[path]
        text = self._read(path)
        if len(text or "") <= self._room:
            self._room -= len(text or "")
            self._kept[path] = text
        return text

    def lines(self, path: str) -> list[str]:
        """The lines of a file as git counts them; none when it cannot be read."""
        return [line.rstrip("\r") for line in (self.text(path) or "").split("\n")]

    def _read(self, path: str) -> str | None:
        if path not in self.paths:
            return None
        read = read_source(self.tree, path)
        if isinstance(read, Unread):
            self.unread[path] = read.reason
            return None
        return read


@dataclass(frozen=True)
class Own:
    """The change as analyzers read it.

    `files` are the changed files that are nobody else's work, in git's order; `foreign` says of the others
    why they are left out. `head_foreign` judges any path of the reviewed commit.
    """

    change: Change
    base: Texts
    head: Texts
    files: tuple[ChangedFile, ...]
    foreign: Mapping[str, str]
    head_foreign: ForeignFiles

    @property
    def present(self) -> tuple[ChangedFile, ...]:
        """The files that the reviewed commit has, links, submodules and binary files left out."""
        return tuple(file for file in self.files if file.exists and _is_text(file))

    @cached_property
    def _moved(self) -> dict[str, str]:
        return {new: old for old, new in self.change.renames.items()}

    def came_from(self, path: str) -> str:
        """Where a file of the reviewed commit was in the merge base, if it was there."""
        return self._moved.get(path, path)

    def before(self, file: ChangedFile) -> str | None:
        """The text a file had in the merge base; None for a new one."""
        return None if file.status in {"A", "C"} else self.base.text(file.old_path or file.path)

    def after(self, file: ChangedFile) -> str | None:
        """The text a file has in the reviewed commit; None for a deleted one."""
        return self.head.text(file.path) if file.exists else None

    def unreadable(self, files: Iterable[ChangedFile]) -> tuple[str, ...]:
        """Sentences about those of `files` that could not be read in the reviewed commit."""
        named = [file.path for file in files if self.after(file) is None and file.path in self.head.unread]
        return tuple(f"{path} {self.head.unread[path]} and was not read" for path in named)


def _is_text(file: ChangedFile) -> bool:
    return not file.binary and file.new_mode not in {"120000", "160000"}


async def _own(context: SignalContext) -> Own:
    sides = await side_trees(context)
    base = Texts(sides["base"], context.base_paths)
    head = Texts(sides["head"], context.head_paths)
    base_foreign = await foreign_files(context, side="base")
    head_foreign = await foreign_files(context, side="head")
    return await to_thread.run_sync(_sorted, context.change, base, head, base_foreign, head_foreign)


def _sorted(
    change: Change, base: Texts, head: Texts, base_foreign: ForeignFiles, head_foreign: ForeignFiles
) -> Own:
    foreign: dict[str, str] = {}
    for file in change.files:
        new = file.status in {"A", "C"}
        before = file.old_path or file.path
        reason = head_foreign.reason(file.path) if new else base_foreign.reason(before)
        text = head.text(file.path) if new else base.text(before)
        if reason or generated_text(text or ""):
            foreign[file.path] = reason or "generated"
    own = tuple(file for file in change.files if file.path not in foreign)
    return Own(change, base, head, own, foreign, head_foreign)


own_files = PerRun(_own)
"""`await own_files(context)`: the `Own` of a run."""

"""Both sides of a change as the language readers see them: texts, and where things are now."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from prview.domain.breaking.changes import Break
from prview.domain.findings import LEVEL_ORDER
from prview.domain.foreign import generated_text
from prview.domain.line_map import LineMap
from prview.signals.sources import Unread, read_source

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from prview.domain.breaking.changes import ApiChange
    from prview.domain.breaking.symbols import Symbol
    from prview.domain.change import ChangedFile
    from prview.domain.findings import Level
    from prview.signals.side_tree import SideTree


@dataclass
class Side:
    """One side. Every file is read once."""

    name: str
    tree: SideTree | Path
    paths: frozenset[str]
    unread: dict[str, str] = field(default_factory=dict)
    _texts: dict[str, str | None] = field(default_factory=dict)

    def text(self, path: str) -> str | None:
        """The text of a file, or None; why an existing one could not be read is kept in `unread`."""
        if path not in self._texts:
            self._texts[path] = self._read(path)
        return self._texts[path]

    def peek(self, path: str) -> str:
        """The text of a file without keeping it, and nothing for one that cannot be read."""
        read = self._texts[path] if path in self._texts else read_source(self.tree, path)
        return read if isinstance(read, str) else ""

    def is_generated(self, path: str) -> bool:
        """Whether the file itself says that a program wrote it."""
        return generated_text(self.text(path) or "")

    def _read(self, path: str) -> str | None:
        if path not in self.paths:
            return None
        read = read_source(self.tree, path)
        if isinstance(read, Unread):
            self.unread[path] = read.reason
            return None
        return read


@dataclass
class Work:
    """What the readers share. `files` are the touched files that are the repository's own, tests left out.

    `limits` collects sentences about what could not be looked at; `objects_failed` counts single declarations
    that a reader gave up on.
    """

    base: Side
    head: Side
    files: tuple[ChangedFile, ...]
    limits: list[str] = field(default_factory=list)
    objects_failed: int = 0

    @cached_property
    def by_old_path(self) -> dict[str, ChangedFile]:
        """Touched files by where they were in the merge base; copies were somewhere else."""
        return {file.old_path or file.path: file for file in self.files if file.status not in {"A", "C"}}

    def old_paths(self, matches: Callable[[str], bool]) -> list[str]:
        """Base paths of touched files, in order."""
        return sorted(path for path in self.by_old_path if matches(path) and not self.base.is_generated(path))

    def new_paths(self, matches: Callable[[str], bool]) -> list[str]:
        """Head paths of touched files, in order."""
        return sorted(file.path for file in self.files if file.exists and matches(file.path))

    def now(self, old_path: str) -> str | None:
        """Where the content of a base file is in the reviewed commit; None when it is gone."""
        file = self.by_old_path.get(old_path)
        if file is None:
            return old_path if old_path in self.head.paths else None
        return file.path if file.exists else None

    def place(self, old_path: str, line: int) -> tuple[str, int, bool]:
        """Path, line, and whether it is in the merge base because the reviewed commit has no such file.

        What stood at the end of a file is at the end of it now.
        """
        now = self.now(old_path)
        if now is None:
            return old_path, line, True
        file = self.by_old_path.get(old_path)
        there = self._map(file).head(line) if file else line
        return now, min(there, self.head.peek(now).rstrip("\n").count("\n") + 1), False

    def _map(self, file: ChangedFile) -> LineMap:
        if file.path not in self._maps:
            self._maps[file.path] = LineMap(file.patch)
        return self._maps[file.path]

    @cached_property
    def _maps(self) -> dict[str, LineMap]:
        return {}

    def gave_up(self, side: Side, path: str, reason: str) -> None:
        """Remember a file that a reader could not make sense of."""
        side.unread.setdefault(path, reason)

    def located(self, change: ApiChange, *, language: str, symbol: str) -> Break:
        """Put a change where a reader of the reviewed commit looks for it."""
        if change.new:
            path, line, gone = change.new.path, change.new.line, False
        elif change.old:
            path, line, gone = self.place(change.old.path, change.old.line)
        else:
            raise ValueError(f"{change.name}: a change has a side")
        return Break(
            rule=change.rule,
            level=change.level,
            language=language,
            symbol=symbol,
            path=path,
            line=line,
            what=change.what,
            effect=change.effect,
            old=_shown(change.old),
            new=_shown(change.new),
            gone=gone,
            was=f"{change.old.path}:{change.old.line}" if change.old and not change.new else "",
        )


def _shown(symbol: Symbol | None) -> str | None:
    return symbol.shown if symbol else None


def at_most(level: Level, breaks: Sequence[Break], *, note: str) -> list[Break]:
    """The same breaks, none of them worse than `level`, each saying why."""
    return [
        replace(
            item,
            level=max(item.level, level, key=LEVEL_ORDER.__getitem__),
            note=f"{item.note} {note}".strip(),
        )
        for item in breaks
    ]

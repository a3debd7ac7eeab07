r"""What an analyzer is given: two trees on disk without git, or a real repository's.

signal = await said(Todo(), tmp_path, {"a.py": "x = 1\n"}, {"a.py": "x = 1  # TODO: y\n"})
signal = await said_of(Hotspots(), repo, base="main")
"""

from __future__ import annotations

import difflib
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from oskit.git import open_repository
from prview.checks.base import Profile
from prview.checks.trees import Trees
from prview.domain.change import Base, Change, ChangedFile, Commit
from prview.service.preparing import prepare
from prview.signals.base import SignalConfig, SignalContext

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from prview.checks.trees import Side
    from prview.domain.signals import Signal
    from prview.signals.base import Analyzer
    from support.repos import GitRepo

Tree = dict[str, str]


class OnDisk(Trees):
    """Trees that are there already."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    async def head(self) -> Path:
        return self._folder / "head"

    async def base(self) -> Path:
        return self._folder / "base"

    async def export(self, side: Side) -> Path:
        return self._folder / side

    async def contents(self, side: Side, paths: Iterable[str]) -> dict[str, tuple[str, bytes]]:
        """What is on disk, links as links."""
        found = {path: self._folder / side / path for path in paths}
        return {
            path: ("120000", os.fsencode(file.readlink()))
            if file.is_symlink()
            else ("100644", file.read_bytes())
            for path, file in found.items()
            if file.is_symlink() or file.is_file()
        }


@dataclass(frozen=True)
class _NoRepository:
    """Has a work tree, perhaps; an analyzer of trees that asks it anything else fails."""

    worktree: Path | None


def context(
    folder: Path,
    before: Tree,
    after: Tree,
    *,
    renamed: Mapping[str, str] | None = None,
    subjects: Sequence[str] = (),
    config: SignalConfig | None = None,
    worktree: Path | None = None,
) -> SignalContext:
    """Write both trees and say what changed, as git would; `renamed` maps old paths to new ones."""
    for side, tree in (("base", before), ("head", after)):
        (folder / side).mkdir(parents=True)
        for path, text in tree.items():
            file = folder / side / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(text.encode())
    change = Change(
        target="topic",
        branch="topic",
        head="f" * 40,
        bases=(Base("main", "e" * 40),),
        merge_base="e" * 40,
        files=tuple(_files(before, after, renamed or {})),
        commits=tuple(
            Commit(f"{number:040x}", "Ada", "ada@example.org", "2026-01-01T00:00:00Z", subject)
            for number, subject in enumerate(subjects, 1)
        ),
    )
    return SignalContext(
        change=change,
        trees=OnDisk(folder),
        base_paths=frozenset(before),
        head_paths=frozenset(after),
        repository=cast("Any", _NoRepository(worktree)),
        profile=Profile.STANDARD,
        config=config or SignalConfig(),
    )


async def said(analyzer: Analyzer, folder: Path, before: Tree, after: Tree, **how: Any) -> Signal | None:
    """What the analyzer says about these trees; `how` goes to `context`."""
    return await analyzer.analyze(context(folder, before, after, **how))


async def of_repository(repo: GitRepo, scratch: Path, *, base: str = "main") -> SignalContext:
    """The checked-out branch against `base`, through git as the service reads it."""
    repository = await open_repository(repo.path)
    change = await prepare(repository, target=None, bases=[base])
    trees = Trees(repository, head=change.head, base=change.merge_base, folder=scratch)
    listed = {
        commit: frozenset(entry.path.decode() for entry in await repository.list_tree(commit))
        for commit in (change.merge_base, change.head)
    }
    return SignalContext(
        change=change,
        trees=trees,
        base_paths=listed[change.merge_base],
        head_paths=listed[change.head],
        repository=repository,
        profile=Profile.STANDARD,
    )


def places(signal: Signal | None) -> list[tuple[str, int, str]]:
    """Path, line and rule of every finding, in order; none when nothing was said."""
    return sorted((item.path, item.line, item.rule) for item in (signal.findings if signal else ()))


def _files(before: Tree, after: Tree, renamed: Mapping[str, str]) -> list[ChangedFile]:
    taken = set(renamed.values())
    found = [_file(old, "R", before[old], after[new], now=new) for old, new in renamed.items()]
    for path in sorted({*before, *after} - set(renamed) - taken):
        old, new = before.get(path), after.get(path)
        if old is None:
            found.append(_file(path, "A", "", new or ""))
        elif new is None:
            found.append(_file(path, "D", old, ""))
        elif old != new:
            found.append(_file(path, "M", old, new))
    return sorted(found, key=lambda file: file.path)


def _file(path: str, status: str, old: str, new: str, *, now: str | None = None) -> ChangedFile:
    lines = list(difflib.unified_diff(_lines(old), _lines(new), "a", "b", lineterm=""))
    counted = [line[:1] for line in lines[2:]]
    return ChangedFile(
        path=now or path,
        status=status,
        old_path=path if now else None,
        added=counted.count("+"),
        deleted=counted.count("-"),
        patch="\n".join(lines).encode(),
    )


def _lines(text: str) -> list[str]:
    return text.removesuffix("\n").split("\n") if text else []

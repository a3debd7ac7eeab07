r"""Two trees on disk and the change between them, without git: for readers of languages.

work = two_sides(tmp_path, {"a.py": "def f(): ...\n"}, {"b.py": "def f(x): ...\n"}, renamed={"a.py": "b.py"})
"""

from __future__ import annotations

import difflib
from textwrap import dedent
from typing import TYPE_CHECKING

from prview.domain.change import ChangedFile
from prview.domain.source_paths import is_shipped
from prview.signals.breaking.work import Side, Work

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from prview.domain.breaking.changes import Break

Tree = dict[str, str]


def two_sides(folder: Path, before: Tree, after: Tree, *, renamed: Mapping[str, str] | None = None) -> Work:
    """Write both trees (texts are dedented) and say what changed; equal files are untouched."""
    old = {path: dedent(text) for path, text in before.items()}
    new = {path: dedent(text) for path, text in after.items()}
    files = changed_files(old, new, renamed or {})
    return Work(
        base=_side("base", folder / "base", old),
        head=_side("head", folder / "head", new),
        files=tuple(file for file in files if is_shipped(file.old_path or file.path)),
    )


def changed_files(old: Tree, new: Tree, renamed: Mapping[str, str]) -> list[ChangedFile]:
    """The files of a change as git would list them."""
    moved = [_file(path, "R", old[path], new[now], now=now) for path, now in renamed.items()]
    gone = [
        _file(path, "D", old[path], "") for path in sorted(old) if path not in new and path not in renamed
    ]
    fresh = [
        _file(path, "A", "", new[path])
        for path in sorted(new)
        if path not in old and path not in renamed.values()
    ]
    both = sorted(old.keys() & new.keys())
    edited = [_file(path, "M", old[path], new[path]) for path in both if old[path] != new[path]]
    return [*moved, *gone, *fresh, *edited]


def _file(path: str, status: str, old: str, new: str, *, now: str | None = None) -> ChangedFile:
    lines = difflib.unified_diff(old.splitlines(), new.splitlines(), "a", "b", lineterm="")
    patch = "\n".join(lines).encode()
    return ChangedFile(path=now or path, status=status, old_path=path if now else None, patch=patch)


def _side(name: str, folder: Path, tree: Tree) -> Side:
    for path, text in tree.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    folder.mkdir(parents=True, exist_ok=True)
    return Side(name, folder, frozenset(tree))


def told(breaks: list[Break]) -> list[tuple[str, str]]:
    """Rule and symbol of each, in order of place: what most tests are about."""
    return [(item.rule, item.symbol) for item in sorted(breaks, key=lambda item: item.sort_key)]

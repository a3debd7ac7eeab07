"""Works out what a change took away."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from prview.domain.breaking.python_names import is_module, module_name
from prview.signals.breaking.python_surface import loses_nothing
from prview.signals.ghosts.model import Gone, Module
from prview.signals.python_imports import bound_names, find_module, parse_python
from prview.signals.script_imports import exports
from prview.signals.syntax import SCRIPTS, grammar_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from prview.domain.change import ChangedFile
    from prview.signals.own import Own


def gone_from(own: Own) -> Gone:
    """Everything that something may still refer to."""
    files = {
        file.old_path or file.path: file.path if file.status == "R" else None
        for file in own.files
        if file.status in {"D", "R"} and (file.old_path or file.path) not in own.head.paths
    }
    return Gone(
        files=files,
        folders=_folders(files, own.head.paths),
        modules=_modules(own, files),
        names=_names(own),
        exports=_exports(own, files),
    )


def _folders(files: Iterable[str], left: frozenset[str]) -> frozenset[str]:
    alive = {str(folder) for path in left for folder in PurePosixPath(path).parents}
    gone = {
        str(folder) for path in files for folder in PurePosixPath(path).parents if str(folder) not in alive
    }
    return frozenset(folder for folder in gone if str(PurePosixPath(folder).parent) not in gone)


def _modules(own: Own, files: dict[str, str | None]) -> dict[str, Module]:
    found: dict[str, Module] = {}
    modules = {path: now for path, now in files.items() if is_module(path)}
    tails = _tails(own.head.paths) if modules else frozenset()
    for path, now in modules.items():
        name = module_name(path, own.base.paths)
        if name.dotted.replace(".", "/") not in tails:
            home = module_name(now, own.head.paths).dotted if now and is_module(now) else None
            found[name.dotted] = Module(name.dotted, name.root, path, home)
    return found


def _tails(paths: Iterable[str]) -> frozenset[str]:
    """The ends of all module paths of a tree, folders included: `b/c`, `c`, `a/b` … for `a/b/c.py`.

    A module counts as still there below whatever root it is found, and a folder of modules is a package even
    without an `__init__`.
    """
    found: set[str] = set()
    for path in paths:
        if path.endswith((".py", ".pyi", ".pyx")):
            parts = PurePosixPath(path).with_suffix("").parts
            for end in range(len(parts), 0, -1):
                found |= {"/".join(parts[start:end]) for start in range(end)}
    return frozenset(found)


def _names(own: Own) -> dict[str, frozenset[str]]:
    """Names that modules lost which are still there under the same dotted name."""
    found = {}
    for file in own.files:
        before = file.old_path or file.path
        if file.status in {"A", "C"} or not file.deleted or not is_module(before):
            continue
        name = module_name(before, own.base.paths)
        here = find_module(name.dotted, name.root, own.head.paths)
        lost = _lost(own.base.text(before), own.head.text(here)) if here else frozenset()
        if lost:
            found[name.dotted] = lost
    return found


def _lost(old: str | None, new: str | None) -> frozenset[str]:
    if old is not None and new is not None and loses_nothing(old, new):
        return frozenset()  # parsing both would say the same, and takes several times longer
    trees = parse_python(old or ""), parse_python(new or "")
    if old is None or new is None or trees[0] is None or trees[1] is None:
        return frozenset()
    before, after = bound_names(trees[0]), bound_names(trees[1])
    return frozenset() if before is None or after is None else frozenset(before - after)


def _exports(own: Own, files: dict[str, str | None]) -> dict[str, frozenset[str]]:
    found = {}
    for file in own.files:
        before = file.old_path or file.path
        if file.status in {"A", "C", "D"} or not file.deleted or before in files:
            continue
        lost = _lost_exports(own, file)
        if lost:
            found[before] = lost
    return found


def _lost_exports(own: Own, file: ChangedFile) -> frozenset[str]:
    grammar = grammar_of(file.path)
    if grammar not in SCRIPTS:
        return frozenset()
    old, new = own.before(file), own.after(file)
    if old is None or new is None:
        return frozenset()
    before, after = exports(old, grammar), exports(new, grammar)
    return frozenset() if before is None or after is None else frozenset(before - after)

"""Rust and Go files that still name modules and packages which are gone, through tree-sitter."""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING

from prview.domain.findings import Level
from prview.signals.ghosts.model import Reference
from prview.signals.syntax import captures, line_of, parse, source

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tree_sitter import Node

    from prview.signals.ghosts.model import Gone
    from prview.signals.own import Own

_MODULE_LINE = re.compile(r"^module\s+(\S+)", re.MULTILINE)
_ROOTS = frozenset({"lib.rs", "main.rs", "mod.rs"})


def rust_references(own: Own, gone: Gone, path: str, text: str) -> list[Reference]:
    """Declarations of modules (`mod old;`) whose file is gone."""
    found = captures("rust", parse("rust", text), "(mod_item !body name: (identifier) @name) @module")
    return [
        item
        for name in found.get("name", [])
        if name.parent is not None
        for item in _of_module(own, gone, path, name, name.parent)
    ]


def _of_module(own: Own, gone: Gone, path: str, name: Node, module: Node) -> Iterator[Reference]:
    folder = posixpath.dirname(path)
    if posixpath.basename(path) not in _ROOTS:
        folder = posixpath.splitext(path)[0]
    places = [posixpath.join(folder, f"{source(name)}{end}") for end in (".rs", "/mod.rs")]
    old = next((place for place in places if place in gone.files), None)
    if old is None or any(place in own.head.paths for place in places):
        return
    before = module.prev_named_sibling
    attribute = before is not None and before.type == "attribute_item"  # may name another file, or a feature
    what = f"declares the module {source(name)}, which the change removed ({old})"
    level = Level.WARNING if attribute else Level.ERROR
    yield Reference("stale-import", level, path, line_of(name), old, what, gone.files[old])


def go_packages(own: Own, gone: Gone) -> dict[str, str]:
    """Import path to folder of every Go package that has no file left."""
    folders = {posixpath.dirname(path) for path in gone.files if path.endswith(".go")}
    alive = {posixpath.dirname(path) for path in own.head.paths if path.endswith(".go")}
    found = {}
    for folder in folders - alive:
        module = _module(own, folder)
        if module:
            root, name = module
            found[
                "/".join(
                    part for part in (name, posixpath.relpath(folder or ".", root or ".")) if part != "."
                )
            ] = folder
    return found


def go_references(packages: Mapping[str, str], path: str, text: str) -> list[Reference]:
    """Imports of packages that have no file left."""
    found = captures("go", parse("go", text), "(import_spec path: (_) @path)")
    return [
        Reference(
            "stale-import",
            Level.ERROR,
            path,
            line_of(node),
            name,
            f"imports {name}, of which the change removed every file ({packages[name]})",
        )
        for node in found.get("path", [])
        if (name := source(node).strip('"`')) in packages
    ]


def _module(own: Own, folder: str) -> tuple[str, str] | None:
    """The folder and the name of the Go module around a folder of the merge base."""
    while True:
        path = posixpath.join(folder, "go.mod")
        match = _MODULE_LINE.search(own.base.text(path) or "") if path in own.base.paths else None
        if match:
            return folder, match[1]
        if not folder:
            return None
        folder = posixpath.dirname(folder)

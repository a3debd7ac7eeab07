"""Scopes and toolboxes over files of a test."""

from __future__ import annotations

from typing import TYPE_CHECKING

from artifactize.domain.graph import Graph
from artifactize.toolbox.scope import Scope
from artifactize.toolbox.scoping import eval_scope
from artifactize.tree.discovery import read_project

if TYPE_CHECKING:
    from pathlib import Path


def scope_of(root: Path, **files: bytes | str) -> Scope:
    """A scope of one Artifact `guide` with these files; `__` in a name is `/`, `_dot_` is `.`."""
    names = {}
    for key, content in files.items():
        name = key.replace("__", "/").replace("_dot_", ".")
        place = root / "guide" / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content.encode() if isinstance(content, str) else content)
        names[f"guide/{name}"] = f"guide/{name}"
    return Scope(root, names, {"guide": "Artifact guide: a folder"}, {})


def scope_of_eval(root: Path, eval_id: str) -> Scope:
    """What the tools of an eval of a project on disk see."""
    return eval_scope(root, Graph(read_project(root)), eval_id)

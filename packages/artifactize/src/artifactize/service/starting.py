"""A first declaration for a project that has none."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from artifactize.domain.parsing import FOLDER_DECLARATION
from artifactize.errors import NotARepositoryError
from oskit.files import StorageError, atomic_write

if TYPE_CHECKING:
    from pathlib import Path

_FIRST = """\
# What this folder is called, and how it is reviewed. `artifactize config check` reports mistakes in it.
name = "{name}"

[evals.tracked]
title = "Nothing is left to commit"
profile = {{ kind = "runtime", command = "git", args = ["diff", "--exit-code"], timeout_ms = 30000 }}
payload = {{ instruction = "Check that {{{name}}} has no uncommitted change. Put your own check here." }}
"""
_WORLD_READABLE = 0o644


def write_first_declaration(root: Path) -> Path:
    """Write an `index.artf` with one eval. Raises NotARepositoryError when it cannot."""
    path = root / FOLDER_DECLARATION
    if path.exists():
        raise NotARepositoryError(f"{path} exists already", hint="`artifactize config check` checks it")
    try:
        atomic_write(path, _FIRST.format(name=_name_of(root)), mode=_WORLD_READABLE)
    except StorageError as failure:
        raise NotARepositoryError(failure.message, hint=failure.hint) from failure
    return path


def _name_of(root: Path) -> str:
    name = re.sub(r"[^A-Za-z0-9_-]+", "-", root.name).strip("-_")[:64]
    return name or "project"

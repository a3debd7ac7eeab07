"""Which files are manifests and lock files, and who reads them."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from prview.signals.dependencies.cargo import cargo_toml
from prview.signals.dependencies.gomod import go_mod, go_sum
from prview.signals.dependencies.npm import package_json, package_lock
from prview.signals.dependencies.pnpm import pnpm_lock
from prview.signals.dependencies.python import pyproject, requirements
from prview.signals.dependencies.toml_locks import cargo_lock, poetry_lock, uv_lock
from prview.signals.dependencies.yarn import yarn_lock

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from prview.signals.dependencies.model import Lock, Manifest

MAX_LOCK_BYTES = 32 * 1024 * 1024
"""Bytes of a manifest or lock file that is read."""

_MANIFESTS: Mapping[str, Callable[[str], Manifest]] = {
    "pyproject.toml": pyproject,
    "package.json": package_json,
    "Cargo.toml": cargo_toml,
    "go.mod": go_mod,
}
_LOCKS: Mapping[str, Callable[[str], Lock]] = {
    "uv.lock": uv_lock,
    "poetry.lock": poetry_lock,
    "pdm.lock": poetry_lock,
    "Cargo.lock": cargo_lock,
    "package-lock.json": package_lock,
    "npm-shrinkwrap.json": package_lock,
    "yarn.lock": yarn_lock,
    "pnpm-lock.yaml": pnpm_lock,
    "go.sum": go_sum,
}
MANIFEST_OF: Mapping[str, str] = {
    "uv.lock": "pyproject.toml",
    "poetry.lock": "pyproject.toml",
    "pdm.lock": "pyproject.toml",
    "Cargo.lock": "Cargo.toml",
    "package-lock.json": "package.json",
    "npm-shrinkwrap.json": "package.json",
    "yarn.lock": "package.json",
    "pnpm-lock.yaml": "package.json",
    "go.sum": "go.mod",
}
"""The manifest beside each lock file."""

_REQUIREMENTS = re.compile(
    r"^(?:.*[-_.])?requirements(?:[-_.].*)?\.(?:txt|in)$|^constraints(?:[-_.].*)?\.txt$"
)
_REQUIREMENTS_FOLDER = "requirements"


def manifest_reader(path: str) -> Callable[[str], Manifest] | None:
    """Who reads this manifest; None when the path is none."""
    pure = PurePosixPath(path)
    listed = _REQUIREMENTS.match(pure.name) or (
        pure.parent.name == _REQUIREMENTS_FOLDER and pure.suffix in {".txt", ".in"}
    )
    return requirements if listed else _MANIFESTS.get(pure.name)


def lock_reader(path: str) -> Callable[[str], Lock] | None:
    """Who reads this lock file; None when the path is none."""
    return _LOCKS.get(PurePosixPath(path).name)

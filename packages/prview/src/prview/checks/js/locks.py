"""Whether what is installed in a checkout is what a side of the change asks for."""

from __future__ import annotations

import json
import posixpath
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from prview.checks.jobs import Job

LOCKS = (
    "package-lock.json",
    "npm-shrinkwrap.json",
    "pnpm-lock.yaml",
    "yarn.lock",
    "bun.lock",
    "bun.lockb",
)
MANIFEST = "package.json"
_ASKED_FOR = ("dependencies", "devDependencies", "optionalDependencies", "peerDependencies")


async def differing(job: Job, checkout: Path) -> str | None:
    """The file by which the side asks for other packages than the checkout does; None when it is the same.

    That is the nearest lock file above the project; without one what its `package.json` asks for.
    """
    for folder in folders_above(job.project):
        for name in LOCKS:
            path = posixpath.join(folder, name)
            there = read(checkout / path)
            wanted = await job.context.trees.read(job.side, path) if path in job.listing else None
            if there is not None or wanted is not None:
                return None if there == wanted else path
    path = posixpath.join(job.project, MANIFEST)
    wanted = await job.context.trees.read(job.side, path)
    return None if asked_for(wanted) == asked_for(read(checkout / path)) else path


async def asks_for_packages(job: Job) -> bool:
    """Whether the project, or one above it, has dependencies at all."""
    for folder in folders_above(job.project):
        content = await job.context.trees.read(job.side, posixpath.join(folder, MANIFEST))
        if asked_for(content):
            return True
    return False


def asked_for(manifest: bytes | None) -> dict[str, Any]:
    """The dependencies of a `package.json`, nothing when it is none."""
    try:
        data = json.loads(manifest or b"{}")
    except (ValueError, RecursionError):
        return {}
    if not isinstance(data, dict):
        return {}
    return {key: data[key] for key in _ASKED_FOR if data.get(key)}


def folders_above(folder: str) -> list[str]:
    """The folder and those above it, the root ("") last."""
    if not folder:
        return [""]
    parents = [str(parent) for parent in PurePosixPath(folder).parents]
    return [folder, *("" if name == "." else name for name in parents)]


def read(path: Path) -> bytes | None:
    """A file of a checkout, or None."""
    try:
        return path.read_bytes()
    except OSError:
        return None

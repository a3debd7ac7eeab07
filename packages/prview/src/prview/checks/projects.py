"""The parts of a monorepo that a change touches, each with the folder a tool is started in."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING

from prview.checks.jobs import Project
from prview.domain.source_paths import nearest

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping

    from prview.checks.base import CheckContext
    from prview.domain.change import ChangedFile


async def projects_by_manifest(
    context: CheckContext, *, manifests: Collection[str], concerns: Callable[[str], bool]
) -> list[Project]:
    """The nearest folder with a manifest above every changed file that concerns; the root without one."""
    names = frozenset(manifests)
    paths = context.paths
    folders: dict[str, list[ChangedFile]] = {}
    for file in context.change.files:
        if concerns(file.path) or (file.old_path and concerns(file.old_path)):
            folders.setdefault(nearest(file.path, names, paths) or "", []).append(file)
    return await projects_in(context, folders, manifests=names)


async def projects_in(
    context: CheckContext, folders: Mapping[str, Iterable[ChangedFile]], *, manifests: Collection[str]
) -> list[Project]:
    """Projects in the given folders of the head, in order, each with where it was in the merge base."""
    base = await context.trees.listing("base")
    there = {parent for path in base for parent in _parents(path)}
    old_names = {new: old for old, new in context.change.renames.items()}

    def before(folder: str) -> str | None:
        for name in manifests:
            old = old_names.get(posixpath.join(folder, name))
            if old is not None and posixpath.basename(old) == name:
                return posixpath.dirname(old)
        return folder if not folder or folder in there else None

    return [Project(folder, tuple(files), before(folder)) for folder, files in sorted(folders.items())]


def _parents(path: str) -> list[str]:
    parts = path.split("/")
    return ["/".join(parts[:end]) for end in range(1, len(parts))]

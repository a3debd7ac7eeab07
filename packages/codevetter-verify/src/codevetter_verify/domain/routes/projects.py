"""Where in a repository web projects lie: at the root, in `apps/*`, `packages/*`, or one folder down.

A folder that is merely called `pages` proves nothing (page objects of a test suite are too), so a project
must show a manifest, a framework's configuration, or an index page where its convention wants one.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

_GROUPS = frozenset({"apps", "packages"})
_NOT_PROJECTS = frozenset(
    {
        "test",
        "tests",
        "__tests__",
        "e2e",
        "spec",
        "cypress",
        "playwright",
        "node_modules",
        "vendor",
        "dist",
        "build",
        "fixtures",
        "src",
        "app",
        "pages",
        "public",
    },
)
_MARKER = re.compile(
    r"package\.json|deno\.jsonc?|(?:next|nuxt|svelte|astro|remix|react-router|vite)\.config\.[cm]?[jt]s"
    r"|(?:src/)?(?:app/)?pages/index\.[a-z]+|(?:src/)?app/(?:\([^/]+\)/)?page\.[a-z]+"
    r"|src/routes/(?:\([^/]+\)/)?\+page\.[a-z.]+|app/routes/(?:_index|index)\.[a-z]+",
)


def split_project(path: str) -> list[tuple[str, str]]:
    """The ways to read `path` as (project folder with slash or empty, path inside it), outermost last."""
    parts = path.split("/")
    ways = [("", path)]
    if len(parts) > 1 and parts[0] not in _NOT_PROJECTS:
        ways.insert(0, (parts[0] + "/", "/".join(parts[1:])))
    if len(parts) > 2 and parts[0] in _GROUPS:  # noqa: PLR2004 - apps/NAME/rest
        ways.insert(0, ("/".join(parts[:2]) + "/", "/".join(parts[2:])))
    return ways


def find_projects(tree: Iterable[str]) -> dict[str, frozenset[str]]:
    """Project folder to the marker files it holds, for every project in a tree of paths."""
    found: dict[str, set[str]] = {}
    for path in tree:
        for project, inside in split_project(path):
            if _MARKER.fullmatch(inside):
                found.setdefault(project, set()).add(inside)
    return {project: frozenset(markers) for project, markers in found.items()}

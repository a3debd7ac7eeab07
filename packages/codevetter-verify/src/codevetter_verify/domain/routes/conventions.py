"""One changed path against every framework's convention."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from codevetter_verify.domain.routes import next as nextjs
from codevetter_verify.domain.routes import remix, vue_svelte_astro
from codevetter_verify.domain.routes.match import Match, split_extension
from codevetter_verify.domain.routes.projects import find_projects, split_project

if TYPE_CHECKING:
    from collections.abc import Collection

_ROUTE_CONFIG = ("app/routes.ts", "app/routes.js", "app/routes.tsx")


@dataclass(frozen=True, slots=True)
class Located:
    """A match with the project folder it was found in (empty at the repository's root)."""

    match: Match
    project: str


class Conventions:
    """The conventions that hold in one tree of paths (the repository at the head)."""

    def __init__(self, tree: Collection[str]) -> None:
        self._tree = tree
        self._projects = find_projects(tree)

    def locate(self, path: str) -> Located | None:
        """What `path` is, read in the innermost project that it belongs to.

        None when no convention knows it.
        """
        for project, inside in split_project(path):
            if project not in self._projects:
                continue
            match = self._match(project, inside)
            if match is not None:
                return Located(match, project)
        return None

    def _match(self, project: str, inside: str) -> Match | None:
        inside_src = inside.removeprefix("src/")
        below = inside_src.split("/")
        head, rest = below[0], below[1:]
        if not rest:
            return None
        if head == "routes" and inside != inside_src:
            return vue_svelte_astro.sveltekit(rest)
        if head == "app":
            return self._below_app(project, rest)
        if head == "pages":
            return self._below_pages(project, rest, in_src=inside != inside_src)
        return None

    def _below_app(self, project: str, rest: list[str]) -> Match | None:
        if len(rest) > 1 and rest[0] == "routes":
            return self._remix(project, rest[1:])
        if len(rest) > 1 and rest[0] == "pages" and self._configured(project, "nuxt"):
            return vue_svelte_astro.nuxt(rest[1:])
        return nextjs.app_router(rest)

    def _remix(self, project: str, parts: list[str]) -> Match | None:
        if any(project + config in self._tree for config in _ROUTE_CONFIG):
            return Match(
                "dynamic", remix.NAME, None, "routes are declared in app/routes.ts, which is not read"
            )
        prefix = f"{project}app/routes/{parts[0]}/route."
        return remix.routes(parts, folder_has_route=any(path.startswith(prefix) for path in self._tree))

    def _below_pages(self, project: str, rest: list[str], *, in_src: bool) -> Match | None:
        if rest[-1].endswith(".vue"):
            return vue_svelte_astro.nuxt(rest)
        if in_src and (
            self._configured(project, "astro") or not split_extension(rest[-1], nextjs.SCRIPTS - {"md"})
        ):
            return vue_svelte_astro.astro(rest)
        return nextjs.pages_router(rest)

    def _configured(self, project: str, framework: str) -> bool:
        return any(marker.startswith(f"{framework}.config.") for marker in self._projects.get(project, ()))

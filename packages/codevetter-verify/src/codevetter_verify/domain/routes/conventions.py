"""One path against every framework's convention."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from codevetter_verify.domain.routes import next as nextjs
from codevetter_verify.domain.routes import remix, vue_svelte_astro
from codevetter_verify.domain.routes.declared import Declared, read_declared
from codevetter_verify.domain.routes.kinds import is_test
from codevetter_verify.domain.routes.match import Match, split_extension
from codevetter_verify.domain.routes.projects import find_projects, split_project
from codevetter_verify.domain.routes.wrappers import Wrapper, wrapper_of

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

ROUTE_CONFIGS = ("app/routes.ts", "app/routes.js", "app/routes.tsx", "app/routes.mts")
_PLACES = ("app/", "pages/", "routes/")


@dataclass(frozen=True, slots=True)
class Located:
    """A match with the project folder it was found in (empty at the repository's root)."""

    match: Match
    project: str


@dataclass(frozen=True, slots=True)
class Around:
    """What a wrapper is, and the pages it shows on, nearest first."""

    what: str
    pages: tuple[tuple[str, Located], ...]
    only_when: str = ""


class Conventions:
    """The conventions that hold in one tree of paths (the repository at the head).

    `declared` are the contents of the tree's route configurations by path; one that is missing is not read.
    """

    def __init__(self, tree: Collection[str], declared: Mapping[str, bytes] | None = None) -> None:
        self._tree = tree
        self._projects = find_projects(tree)
        self._texts = declared or {}
        self._declared: dict[str, Declared | None] = {}

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

    def project_of(self, path: str) -> str | None:
        """The innermost project that `path` lies in."""
        return next((project for project, _ in split_project(path) if project in self._projects), None)

    def configured(self, project: str, framework: str) -> bool:
        """Whether a project has the configuration of a framework."""
        return any(marker.startswith(f"{framework}.config.") for marker in self._projects.get(project, ()))

    def around(self, path: str) -> Around | None:
        """The pages that `path` shows on as a layout or the like; None when it is none."""
        for project, inside in split_project(path):
            if project not in self._projects:
                continue
            if (declared := self._declared_layout(project, inside)) is not None:
                return declared
            wrapper = wrapper_of(project, inside, lambda name, at=project: self.configured(at, name))  # type: ignore[misc]
            if wrapper is not None:
                return Around(wrapper.what, self._under(wrapper, path), wrapper.only_when)
        return None

    @cached_property
    def pages(self) -> dict[str, Located]:
        """Every page of the tree, dynamic ones too."""
        places = self._places()
        candidates = (path for path in sorted(self._tree) if path.startswith(places) and not is_test(path))
        located = ((path, self.locate(path)) for path in candidates)
        return {path: found for path, found in located if found and found.match.kind in {"page", "dynamic"}}

    def _places(self) -> tuple[str, ...]:
        """Where pages may lie at all: a large repository has few files there."""
        return tuple(
            f"{project}{source}{place}"
            for project in self._projects
            for source in ("", "src/")
            for place in _PLACES
        )

    def _under(self, wrapper: Wrapper, path: str) -> tuple[tuple[str, Located], ...]:
        under = [
            (page, at)
            for page, at in self.pages.items()
            if page.startswith(wrapper.prefixes) and page != path
        ]
        return tuple(sorted(under, key=lambda entry: (entry[0].count("/"), entry[0])))

    def _match(self, project: str, inside: str) -> Match | None:
        declared = self._declared_in(project)
        if declared is not None and inside.startswith("app/"):
            entry = declared.entry(inside.removeprefix("app/"))
            if entry is not None or not declared.flat:
                return entry.match if entry else None
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
        return self._endpoint(project, head, rest)

    def _below_app(self, project: str, rest: list[str]) -> Match | None:
        if len(rest) > 1 and rest[0] == "routes":
            return self._remix(project, rest[1:])
        if len(rest) > 1 and rest[0] == "pages" and self.configured(project, "nuxt"):
            return vue_svelte_astro.nuxt(rest[1:])
        return nextjs.app_router(rest)

    def _remix(self, project: str, parts: list[str]) -> Match | None:
        if self._route_config(project) and self._declared_in(project) is None:
            return Match(
                "dynamic", remix.NAME, None, "routes are declared in app/routes.ts in a way that is not read"
            )
        prefix = f"{project}app/routes/{parts[0]}/route."
        return remix.routes(
            parts, folder_has_route=any(path.startswith(prefix) for path in self._tree_below(prefix))
        )

    def _tree_below(self, prefix: str) -> tuple[str, ...]:
        """The few paths that may begin with `prefix`, without a walk over the tree."""
        return tuple(
            path for end in ("tsx", "ts", "jsx", "js", "mdx", "md") if (path := prefix + end) in self._tree
        )

    def _below_pages(self, project: str, rest: list[str], *, in_src: bool) -> Match | None:
        if rest[-1].endswith(".vue"):
            return vue_svelte_astro.nuxt(rest)
        if in_src and (
            self.configured(project, "astro") or not split_extension(rest[-1], nextjs.SCRIPTS - {"md"})
        ):
            return vue_svelte_astro.astro(rest)
        return nextjs.pages_router(rest)

    def _endpoint(self, project: str, head: str, rest: list[str]) -> Match | None:
        """Nuxt's server: it answers requests, and none of it is a page."""
        if head == "server" and len(rest) > 1 and self.configured(project, "nuxt"):
            return Match("api", "Nuxt server")
        return None

    def _route_config(self, project: str) -> str | None:
        return next((project + name for name in ROUTE_CONFIGS if project + name in self._tree), None)

    def _declared_in(self, project: str) -> Declared | None:
        if project not in self._declared:
            config = self._route_config(project)
            content = self._texts.get(config) if config else None
            self._declared[project] = read_declared(content) if content is not None else None
        return self._declared[project]

    def _declared_layout(self, project: str, inside: str) -> Around | None:
        """A declared module around others."""
        declared = self._declared_in(project)
        inner = (
            declared.around(inside.removeprefix("app/")) if declared and inside.startswith("app/") else None
        )
        if not inner:
            return None
        pages = [(f"{project}app/{name}", self.locate(f"{project}app/{name}")) for name in sorted(inner)]
        found = tuple((path, at) for path, at in pages if at and at.match.kind in {"page", "dynamic"})
        return Around("a layout", found)

"""Files that are no page themselves and show on every page under them: layouts, `_app`, middleware, roots."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from codevetter_verify.domain.routes.match import split_extension
from codevetter_verify.domain.routes.next import SCRIPTS

if TYPE_CHECKING:
    from collections.abc import Callable

_SCRIPT = r"\.[cm]?[jt]sx?"
_NEXT_ROOT = re.compile(
    rf"(?:src/)?(?:middleware|proxy|instrumentation|instrumentation-client|mdx-components){_SCRIPT}"
)
_NEXT_ONLY_SOMETIMES = {
    "loading": "is shown only while a page loads",
    "error": "is shown only when a page fails",
    "global-error": "is shown only when a page fails",
    "not-found": "is shown only where nothing is found",
    "forbidden": "is shown only where access is refused",
    "unauthorized": "is shown only where access is refused",
    "default": "stands in for a parallel route",
}
_REMIX_ROOT = re.compile(r"app/(?:root|entry\.client|entry\.server)" + _SCRIPT)
_SVELTE_LAYOUT = re.compile(r"\+layout(@[^.]*)?(\.svelte|(\.server)?\.(ts|js))")
_SVELTE_ROOT = re.compile(r"src/(?:hooks(?:\.server|\.client)?\.(?:ts|js)|app\.html)")
_NUXT_ROOT = re.compile(r"(?:app/|src/)?(?:app\.vue|(?:layouts|plugins|middleware)/.+\.(?:vue|ts|js|mjs))")
_ASTRO_ROOT = re.compile(r"src/middleware(?:/index)?\.(?:ts|js|mjs)")


@dataclass(frozen=True, slots=True)
class Wrapper:
    """`what` the file is, and how the paths of the pages begin that it shows on.

    `only_when` is given instead where it shows on none of them in a plain visit.
    """

    what: str
    prefixes: tuple[str, ...] = ()
    only_when: str = ""


def wrapper_of(project: str, inside: str, configured: Callable[[str], bool]) -> Wrapper | None:
    """The wrapper that `inside` is in `project`; `configured` tells whether a framework is set up there."""
    return _of_application(project, inside, configured) or _of_folder(project, inside)


def _of_application(project: str, inside: str, configured: Callable[[str], bool]) -> Wrapper | None:
    """Files that shape every page of a project."""
    if configured("nuxt") and _NUXT_ROOT.fullmatch(inside):
        return _nuxt(project, inside)
    if _SVELTE_ROOT.fullmatch(inside) and configured("svelte"):
        return Wrapper("the application's own", (f"{project}src/routes/",))
    if _ASTRO_ROOT.fullmatch(inside) and configured("astro"):
        return Wrapper("middleware", (f"{project}src/pages/",))
    if _NEXT_ROOT.fullmatch(inside):
        return Wrapper("middleware", _next_roots(project))
    return Wrapper("the root", (f"{project}app/",)) if _REMIX_ROOT.fullmatch(inside) else None


def _of_folder(project: str, inside: str) -> Wrapper | None:
    """Files that lie around the pages below their folder."""
    source = "src/" if inside.startswith("src/") else ""
    head, _, rest = inside.removeprefix("src/").partition("/")
    if head == "routes" and source:
        return _sveltekit(f"{project}src/routes/", rest)
    if head == "app" and rest.startswith("routes/") and not source:
        return _remix(f"{project}app/routes/", rest.removeprefix("routes/"))
    if head == "app":
        return _next_app(f"{project}{source}app/", rest)
    return _next_pages(f"{project}{source}pages/", rest) if head == "pages" else None


def _next_roots(project: str) -> tuple[str, ...]:
    return tuple(f"{project}{place}/" for place in ("app", "src/app", "pages", "src/pages"))


def _next_app(root: str, rest: str) -> Wrapper | None:
    folder, _, name = rest.rpartition("/")
    stem = split_extension(name, SCRIPTS)
    if stem in {"layout", "template"}:
        return Wrapper(f"a {stem}", (f"{root}{folder}/" if folder else root,))
    only = _NEXT_ONLY_SOMETIMES.get(stem or "")
    return Wrapper(stem, only_when=only) if only and stem else None


def _next_pages(root: str, rest: str) -> Wrapper | None:
    stem = split_extension(rest, SCRIPTS)
    if stem in {"_app", "_document"}:
        return Wrapper(stem, (root,))
    if stem in {"_error", "404", "500"}:
        return Wrapper(stem, only_when="is shown only when a page fails or is not found")
    folder, _, name = rest.rpartition("/")
    if name.endswith(".vue"):  # a page of Nuxt around those in the folder of its name
        return Wrapper("a parent page", (f"{root}{folder + '/' if folder else ''}{name[:-4]}/",))
    return None


def _sveltekit(root: str, rest: str) -> Wrapper | None:
    folder, _, name = rest.rpartition("/")
    if _SVELTE_LAYOUT.fullmatch(name):
        return Wrapper("a layout", (f"{root}{folder}/" if folder else root,))
    if name == "+error.svelte":
        return Wrapper(name, only_when="is shown only when a page fails")
    return None


def _remix(root: str, rest: str) -> Wrapper | None:
    """A route module is the layout of those whose names go on after its own."""
    folder, _, name = rest.rpartition("/")
    stem = split_extension(name, SCRIPTS)
    if stem is None:
        return None
    if stem == "route" and folder and "/" not in folder:
        return Wrapper("a layout", (f"{root}{folder}.",))
    if stem.endswith(("_index", "index")):
        return None
    own = f"{root}{folder + '/' if folder else ''}{stem}"
    return Wrapper("a layout", (f"{own}.", f"{own}/"))


def _nuxt(project: str, inside: str) -> Wrapper:
    place = inside.partition("/")[0] if inside.startswith(("app/", "src/")) else ""
    root = f"{project}{place}/pages/" if place else f"{project}pages/"
    kind = inside.removeprefix(f"{place}/").partition("/")[0]
    return Wrapper({"app.vue": "the root", "layouts": "a layout"}.get(kind, kind.rstrip("s")), (root,))

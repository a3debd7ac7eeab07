"""Nuxt `pages/`, SvelteKit `src/routes/` and Astro `src/pages/`: one file, or one folder, a page."""

from __future__ import annotations

import re

from codevetter_verify.domain.routes.match import Match, bracketed, dynamic, page, split_extension

_VUE = frozenset({"vue"})
_ASTRO = frozenset({"astro", "md", "mdx", "html", "markdown"})
_ENDPOINT = frozenset({"ts", "js", "mjs"})
_SVELTE_PAGE = re.compile(r"\+page(@[^.]*)?(\.svelte|\.svx|\.md|(\.server)?\.(ts|js))")


def nuxt(parts: list[str]) -> Match | None:
    """A file below Nuxt's `pages/`.

    `_id.vue` is a parameter of Nuxt 2, `(group)` a folder without segment of Nuxt 3.
    """
    *folders, name = parts
    stem = split_extension(name, _VUE)
    if stem is None:
        return None
    kept = [f for f in folders if not (f.startswith("(") and f.endswith(")"))]
    segments = kept if stem == "index" else [*kept, stem]
    for segment in segments:
        if bracketed(segment) or segment.startswith("_"):
            return dynamic("Nuxt", segments, f"the value of {segment}")
    return page("Nuxt", segments)


def sveltekit(parts: list[str]) -> Match | None:
    """A file below `src/routes/`: `+page` and its load functions are the page, `+server` is an endpoint."""
    *folders, name = parts
    if re.fullmatch(r"\+server\.(ts|js)", name):
        return Match("api", "SvelteKit")
    if not _SVELTE_PAGE.fullmatch(name):
        return None
    segments = [f for f in folders if not (f.startswith("(") and f.endswith(")"))]
    for segment in segments:
        if bracketed(segment):
            return dynamic("SvelteKit", segments, f"the value of {segment}")
    return page("SvelteKit", segments)


def astro(parts: list[str]) -> Match | None:
    """A file below `src/pages/`: what begins with `_` is not built, scripts are endpoints."""
    *folders, name = parts
    if any(part.startswith("_") for part in parts):
        return None
    if split_extension(name, _ENDPOINT) is not None:
        return Match("api", "Astro")
    stem = split_extension(name, _ASTRO)
    if stem is None or (not folders and stem in {"404", "500"}):
        return None
    segments = folders if stem == "index" else [*folders, stem]
    for segment in segments:
        if bracketed(segment):
            return dynamic("Astro", segments, f"the value of {segment}")
    return page("Astro", segments)

"""Next.js: the `app/` router and the `pages/` router (nextjs.org, "Project structure")."""

from __future__ import annotations

from codevetter_verify.domain.routes.match import Match, bracketed, dynamic, page, split_extension

SCRIPTS = frozenset({"tsx", "jsx", "ts", "js", "mdx", "md"})
_SPECIAL = frozenset({"_app", "_document", "_error", "404", "500"})


def app_router(parts: list[str]) -> Match | None:
    """A file below `app/`; `parts` are its path segments there."""
    *folders, name = parts
    stem = split_extension(name, SCRIPTS)
    if stem == "route":
        return Match("api", "Next.js app router")
    if stem != "page" or any(folder.startswith("_") for folder in folders):
        return None
    return _app_page([f for f in folders if not _is_group(f)])


def _is_group(folder: str) -> bool:
    return folder.startswith("(") and folder.endswith(")")


def _app_page(segments: list[str]) -> Match:
    name = "Next.js app router"
    for segment in segments:
        if segment.startswith("@"):
            return dynamic(name, segments, f"the parallel route {segment}")
        if segment.startswith("("):
            return dynamic(name, segments, f"the intercepting route {segment}")
        if bracketed(segment):
            return dynamic(name, segments, f"the value of {segment}")
    return page(name, segments)


def pages_router(parts: list[str]) -> Match | None:
    """A file below `pages/`."""
    *folders, name = parts
    stem = split_extension(name, SCRIPTS - {"md"})
    if stem is None or stem.endswith(".d"):
        return None
    if folders[:1] == ["api"]:
        return Match("api", "Next.js pages router")
    if not folders and stem in _SPECIAL:
        return None
    segments = folders if stem == "index" else [*folders, stem]
    for segment in segments:
        if bracketed(segment):
            return dynamic("Next.js pages router", segments, f"the value of {segment}")
    return page("Next.js pages router", segments)

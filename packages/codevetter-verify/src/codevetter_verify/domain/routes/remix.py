"""Remix and React Router `app/routes/`: flat files with dots, or nested folders.

See reactrouter.com, "File route conventions".
"""

from __future__ import annotations

import re

from codevetter_verify.domain.routes.match import Match, dynamic, page, split_extension

NAME = "Remix/React Router"
_SCRIPTS = frozenset({"tsx", "jsx", "ts", "js", "mdx", "md"})
_SEGMENT = re.compile(r"(?:\[[^\]]*\]|[^.\[])+")


def routes(parts: list[str], *, folder_has_route: bool) -> Match | None:
    """A file below `app/routes/`; `folder_has_route` says that its first folder holds a `route.*` module."""
    *folders, name = parts
    stem = split_extension(name, _SCRIPTS)
    if stem is None or stem.endswith((".server", ".client", ".d", ".test", ".spec")):
        return None
    if folders and folder_has_route:
        return _flat(folders[0]) if len(folders) == 1 and stem == "route" else None
    if folders:
        return _nested(folders, stem)
    return _flat(stem)


def _nested(folders: list[str], stem: str) -> Match:
    """The older convention: folders are segments, `index` is the folder's own page."""
    tail = [] if stem in {"index", "_index", "route"} else _SEGMENT.findall(stem)
    return _resolve([*folders, *tail])


def _flat(stem: str) -> Match:
    return _resolve(_SEGMENT.findall(stem))


def _resolve(raw: list[str]) -> Match:
    segments: list[str] = []
    for position, part in enumerate(raw):
        last = position == len(raw) - 1
        if last and part in {"_index", "index"}:
            continue
        if part.startswith("_"):  # a layout without a segment of its own
            if last:
                return Match("not_page", NAME, None, "a layout without a route of its own")
            continue
        if part.startswith(("$", "(")):
            return dynamic(NAME, raw, f"the value of {part}")
        segments.append(re.sub(r"[\[\]]", "", part.removesuffix("_")))
    return page(NAME, segments)

"""What kind of project a repository is, judged by the manifests it has."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prview.domain.coverage import language

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

MANIFESTS: Mapping[str, str] = {
    "pyproject.toml": "python",
    "setup.py": "python",
    "setup.cfg": "python",
    "requirements.txt": "python",
    "package.json": "js",
    "Cargo.toml": "rust",
    "go.mod": "go",
}
_LANGUAGES = {"Python": "python", "JavaScript": "js", "TypeScript": "js", "Rust": "rust", "Go": "go"}

TOOLS: Mapping[str, tuple[str, ...]] = {
    "python": ("python", "ruff", "pytest"),
    "js": ("node", "npm"),
    "rust": ("cargo", "cargo-clippy", "rustfmt"),
    "go": ("go",),
}
"""The programs that matter to each profile."""


def parts(paths: Iterable[str]) -> frozenset[str]:
    """The single profiles a tree is made of.

    Manifests count wherever they are (a monorepo may have none at its root); without any, source files do.
    """
    names = {path.rpartition("/")[2] for path in paths}  # as text: a tree may have 100,000 of them
    found = {MANIFESTS[name] for name in MANIFESTS.keys() & names}
    return frozenset(found or _parts_of_sources(names))


def _parts_of_sources(names: Iterable[str]) -> Iterator[str]:
    endings = {ending for name in names for stem, _, ending in (name.rpartition("."),) if stem}
    for ending in endings:
        known = language(f"x.{ending}")
        if known in _LANGUAGES:
            yield _LANGUAGES[known]


def detect_profile(paths: Sequence[str]) -> str | None:
    """python, js, rust, go, mixed (more than one), generic (other files), or None for an empty tree."""
    if not paths:
        return None
    found = parts(paths)
    return "mixed" if len(found) > 1 else next(iter(found), "generic")


def profile_tools(paths: Sequence[str]) -> tuple[str, ...]:
    """The programs relevant to every part of a tree."""
    return tuple(tool for part in sorted(parts(paths)) for tool in TOOLS[part])

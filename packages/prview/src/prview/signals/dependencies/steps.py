"""Whether a lock file was written for the manifests beside it (pure)."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from prview.signals.dependencies.model import GO, PYTHON, RUST

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from prview.signals.dependencies.model import Lock, Manifest, Requirement

_LOCAL = re.compile(r"^(?:workspace:|link:|file:|portal:|patch:|path)")


@dataclass(frozen=True)
class Mismatch:
    """A requirement that the lock file does not answer; `line` is the requirement's in its manifest."""

    name: str
    line: int
    what: str


def mismatches(lock: Lock, manifest: Manifest, *, folder: str) -> list[Mismatch]:
    """What `manifest` asks for and `lock` was not written for.

    `folder` is the manifest's folder relative to the lock's, `""` when they lie together.
    """
    asked = [item for item in manifest.requirements if _is_locked(lock, item)]
    if lock.wants is None:
        return list(_absent(lock, asked))
    if "descriptors" in lock.wants:
        return list(_unanswered(lock.wants["descriptors"], asked))
    wants = lock.wants.get(folder)
    return [] if wants is None else list(_differing(wants, asked))


def _is_locked(lock: Lock, item: Requirement) -> bool:
    """Whether a lock file of this kind holds such a requirement at all."""
    if lock.ecosystem == PYTHON:
        return item.group != "build"
    if lock.ecosystem == GO:
        return not item.transitive and item.source is None
    if lock.ecosystem == RUST:
        return item.group != "workspace"
    return item.group != "peer" and not _LOCAL.match(item.wanted)


def _absent(lock: Lock, asked: list[Requirement]) -> Iterator[Mismatch]:
    versions = lock.versions
    own = {package.name for package in lock.packages if package.local}
    for item in asked:
        held = versions.get(item.name)
        if item.name in own:
            continue
        if held is None or (lock.ecosystem == GO and item.wanted not in held):
            yield Mismatch(item.name, item.line, f"{item.wanted or 'it'} is not in the lock file".strip())


def _unanswered(descriptors: Mapping[str, str], asked: list[Requirement]) -> Iterator[Mismatch]:
    for item in asked:
        wanted = item.wanted.removeprefix("npm:")
        if f"{item.name}@{wanted}" not in descriptors:
            yield Mismatch(item.name, item.line, f"{item.wanted} is not in the lock file")


def _differing(wants: Mapping[str, str], asked: list[Requirement]) -> Iterator[Mismatch]:
    """A name that is asked for twice (for two systems) has two ranges, of which one is kept: not compared."""
    times = Counter(item.name for item in asked)
    for item in asked:
        if item.name not in wants:
            yield Mismatch(item.name, item.line, "is not in the lock file")
        elif times[item.name] == 1 and not item.source and _ranges(item.wanted) != _ranges(wants[item.name]):
            yield Mismatch(
                item.name,
                item.line,
                f"is asked for as {item.wanted or 'any version'}, and the lock file was written for "
                f"{wants[item.name] or 'any version'}",
            )


def _ranges(wanted: str) -> frozenset[str]:
    return frozenset(part.replace(" ", "") for part in wanted.split(",") if part.strip())

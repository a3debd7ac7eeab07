"""What changed between two manifests, or two lock files (pure)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from prview.signals.dependencies.versions import is_major, is_newer

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from prview.signals.dependencies.model import Lock, Manifest, Package, Requirement


class Kind(StrEnum):
    """How a dependency changed. CHANGED: neither newer nor older can be told (ranges, several versions)."""

    ADDED = "added"
    REMOVED = "removed"
    UPGRADED = "upgraded"
    DOWNGRADED = "downgraded"
    CHANGED = "changed"
    MOVED = "moved"


@dataclass(frozen=True)
class DependencyChange:
    """One dependency of one file. `line` is in the reviewed file (1 for what is gone from it)."""

    kind: Kind
    name: str
    old: str
    new: str
    line: int
    group: str = ""
    direct: bool = True
    major: bool = False


def manifest_changes(old: Manifest | None, new: Manifest | None) -> list[DependencyChange]:
    """What a manifest asks for now and did not, and the other way round."""
    before = _by_key(old.requirements if old else ())
    after = _by_key(new.requirements if new else ())
    added = {name for name, group in after if (name, group) not in before}
    removed = {name for name, group in before if (name, group) not in after}
    moved = added & removed
    found = []
    for key in sorted(before.keys() | after.keys()):
        was, now = before.get(key), after.get(key)
        if was and now:
            found += _changed(was, now)
        elif now:
            kind = Kind.MOVED if now.name in moved else Kind.ADDED
            found.append(
                DependencyChange(
                    kind, now.name, "", _wanted(now), now.line, now.group, direct=not now.transitive
                )
            )
        elif was and was.name not in moved:
            found.append(
                DependencyChange(
                    Kind.REMOVED, was.name, _wanted(was), "", 1, was.group, direct=not was.transitive
                )
            )
    return found


def lock_changes(old: Lock | None, new: Lock | None, *, direct: frozenset[str]) -> list[DependencyChange]:
    """What a lock file holds now and did not, and the other way round."""
    before = old.versions if old else {}
    after = new.versions if new else {}
    lines = {package.name: package.line for package in reversed(new.packages if new else ())}
    found = []
    for name in sorted(before.keys() | after.keys()):
        was, now = before.get(name, frozenset()), after.get(name, frozenset())
        if was != now:
            kind, major = _direction(was, now)
            texts = ", ".join(sorted(was)), ", ".join(sorted(now))
            line = lines.get(name, 1)
            found.append(DependencyChange(kind, name, *texts, line, direct=name in direct, major=major))
    return found


def new_sources(
    old: Iterable[Requirement | Package], new: Iterable[Requirement | Package]
) -> list[Requirement | Package]:
    """Those of `new` that come from a git repository, a URL or a path which they did not come from before."""
    known = {_origin(item) for item in old}
    found = {_origin(item): item for item in new if item.source and _origin(item) not in known}
    return list(found.values())


def new_install_scripts(old: Lock | None, new: Lock | None) -> list[Package]:
    """Packages that run a script when they are installed and did not, or were not there, before."""
    known = {package.name for package in (old.packages if old else ()) if package.install_script}
    found = {
        package.name: package
        for package in (new.packages if new else ())
        if package.install_script and package.name not in known
    }
    return list(found.values())


def new_hosts(old: Lock | None, new: Lock | None) -> list[Package]:
    """One package of every host that nothing came from before; none for a new lock file."""
    known = {package.host for package in (old.packages if old else ())}
    if not known - {None}:
        return []
    found: dict[str, Package] = {}
    for package in new.packages if new else ():
        if package.host and package.host not in known and not package.source:
            found.setdefault(package.host, package)
    return list(found.values())


def new_scripts(old: Manifest | None, new: Manifest | None) -> list[tuple[str, str, int]]:
    """Scripts of the project itself that run at installation and are new or changed: name, text, line."""
    before: Mapping[str, tuple[str, int]] = old.scripts if old else {}
    return [
        (name, text, line)
        for name, (text, line) in (new.scripts if new else {}).items()
        if before.get(name, ("", 0))[0] != text
    ]


def _origin(item: Requirement | Package) -> tuple[str, str | None]:
    """A dependency and where it comes from, whichever commit of it."""
    return item.name, re.split(r"[#?]", item.source, maxsplit=1)[0] if item.source else None


def _by_key(items: Iterable[Requirement]) -> dict[tuple[str, str], Requirement]:
    return {(item.name, item.group): item for item in items}


def _wanted(item: Requirement) -> str:
    return item.wanted or item.source or "any version"


def _changed(was: Requirement, now: Requirement) -> list[DependencyChange]:
    if (was.wanted, was.source, was.transitive) == (now.wanted, now.source, now.transitive):
        return []
    newer = is_newer(now.wanted, was.wanted)
    kind = Kind.CHANGED if newer is None else Kind.UPGRADED if newer else Kind.DOWNGRADED
    major = is_major(now.wanted, was.wanted)
    return [
        DependencyChange(
            kind,
            now.name,
            _wanted(was),
            _wanted(now),
            now.line,
            now.group,
            direct=not now.transitive,
            major=major,
        )
    ]


def _direction(was: frozenset[str], now: frozenset[str]) -> tuple[Kind, bool]:
    if not was or not now:
        return (Kind.ADDED if now else Kind.REMOVED), False
    if len(was) > 1 or len(now) > 1:
        return Kind.CHANGED, False
    (old,), (new,) = was, now
    newer = is_newer(new, old)
    if newer is None:
        return Kind.CHANGED, False
    return (Kind.UPGRADED if newer else Kind.DOWNGRADED), is_major(new, old)

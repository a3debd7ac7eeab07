"""Sentences about changed dependencies (pure)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prview.domain.findings import Finding, Level
from prview.domain.signals import check_id
from prview.signals.dependencies.compare import (
    DependencyChange,
    Kind,
    new_hosts,
    new_install_scripts,
    new_scripts,
    new_sources,
)
from prview.signals.words import plain

if TYPE_CHECKING:
    from prview.signals.dependencies.model import Lock, Manifest

KIND = "dependencies"
_VERBS = {
    Kind.ADDED: "new dependency {name} ({new})",
    Kind.REMOVED: "{name} ({old}) is no longer a dependency",
    Kind.MOVED: "{name} is asked for in another group now ({group})",
    Kind.DOWNGRADED: "{name} goes back from {old} to {new}",
    Kind.UPGRADED: "{name} goes from {old} to {new}",
    Kind.CHANGED: "{name} changes from {old} to {new}",
}


def sentence(change: DependencyChange) -> str:
    """What happened to one dependency."""
    group = change.group or "main"
    text = _VERBS[change.kind].format(name=change.name, old=change.old, new=change.new, group=group)
    where = f" [{change.group}]" if change.group and change.kind is not Kind.MOVED else ""
    return plain(text + where + (": incompatible by its number" if change.major else ""))


def about_change(path: str, change: DependencyChange, *, locked: bool) -> list[Finding]:
    """A finding for what a reader should look at.

    A lock file repeats what manifests say: from it, only steps back and incompatible steps of direct ones.
    """
    told = change.kind is Kind.DOWNGRADED or change.major
    if (locked and not (told and change.direct)) or (not locked and not change.direct):
        return []
    if not locked and change.kind in {Kind.CHANGED, Kind.UPGRADED} and not change.major:
        return []
    rule = "major-upgrade" if change.major and change.kind is not Kind.DOWNGRADED else change.kind.value
    return [_finding(rule, Level.NOTE, path, change.line, sentence(change), change.name)]


def about_manifest(path: str, old: Manifest | None, new: Manifest | None) -> list[Finding]:
    """Sources outside of registries, and scripts that run at installation."""
    found = [
        _finding(
            "foreign-source",
            Level.WARNING,
            path,
            item.line,
            f"{item.name} comes from {item.source}: no registry vouches for what it will be tomorrow",
            item.name,
        )
        for item in new_sources(old.requirements if old else (), new.requirements if new else ())
        if not _is_local(item.source or "")
    ]
    return found + [
        _finding(
            "install-script",
            Level.WARNING,
            path,
            line,
            f"the script {name} runs when the project is installed or built: {text}",
            f"script {name}",
        )
        for name, text, line in new_scripts(old, new)
    ]


def about_lock(path: str, old: Lock | None, new: Lock | None) -> list[Finding]:
    """What a lock file lets in that nobody reads in it."""
    found = [
        _finding(
            "foreign-source",
            Level.WARNING,
            path,
            item.line,
            f"{item.name} comes from {item.source}: no registry vouches for it",
            item.name,
        )
        for item in new_sources(old.packages if old else (), new.packages if new else ())
        if not _is_local(item.source or "")
    ]
    found += [
        _finding(
            "install-script",
            Level.WARNING,
            path,
            item.line,
            f"{item.name} {item.version} runs a script when it is installed",
            item.name,
        )
        for item in new_install_scripts(old, new)
    ]
    return found + [
        _finding(
            "new-host",
            Level.WARNING,
            path,
            item.line,
            f"{item.name} is fetched from {item.host}, where nothing came from before",
            str(item.host),
        )
        for item in new_hosts(old, new)
    ]


def out_of_step(path: str, line: int, lock: str, name: str, what: str) -> Finding:
    """A manifest and its lock file disagree: an installation that trusts the lock fails or differs."""
    message = f"{name} {what}: {lock} is out of step with {path}; write it again"
    return _finding("lock-out-of-step", Level.WARNING, path, line, message, f"{lock} {name}")


def _is_local(source: str) -> bool:
    return source.startswith(("path:", "file:", "link:", "workspace:", ".", "/"))


def _finding(rule: str, level: Level, path: str, line: int, message: str, anchor: str) -> Finding:
    return Finding(check_id(KIND), rule, level, path, line, plain(message, width=400), anchor)

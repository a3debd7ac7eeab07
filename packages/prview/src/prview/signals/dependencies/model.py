"""What manifests ask for and what lock files hold, whatever their format."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

PYTHON, NODE, RUST, GO = "Python", "Node", "Rust", "Go"
_SEPARATORS = re.compile(r"[-_.]+")


class UnreadableError(Exception):
    """The text is not of its format; the message ends a sentence about the file."""


@dataclass(frozen=True)
class Requirement:
    """One line of a manifest.

    `wanted` is the version as the project writes it, `group` where it is asked for (`""` for the main ones,
    else `dev`, an extra, `build` …), `source` the git address, URL or path when it is not a registry's.
    """

    name: str
    wanted: str
    line: int
    group: str = ""
    source: str | None = None
    transitive: bool = False


@dataclass(frozen=True)
class Manifest:
    """What one manifest asks for. `scripts` run when the project itself is installed, with their lines."""

    ecosystem: str
    requirements: tuple[Requirement, ...]
    scripts: Mapping[str, tuple[str, int]] = field(default_factory=dict)

    @property
    def names(self) -> frozenset[str]:
        """The packages that are asked for directly."""
        return frozenset(item.name for item in self.requirements if not item.transitive)


@dataclass(frozen=True)
class Package:
    """One package of a lock file.

    `source` as in a requirement; `host` is where its archive comes from; `local` marks the project's own.
    """

    name: str
    version: str
    line: int
    source: str | None = None
    host: str | None = None
    install_script: bool = False
    local: bool = False


@dataclass(frozen=True)
class Lock:
    """What one lock file holds.

    `wants` is what it says the manifests asked for when it was written: name to version text, by manifest
    folder relative to the lock's (`""` for its own); None where the format does not say.
    """

    ecosystem: str
    packages: tuple[Package, ...]
    wants: Mapping[str, Mapping[str, str]] | None = None

    @property
    def versions(self) -> dict[str, frozenset[str]]:
        """The versions of every package that is not the project's own."""
        found: dict[str, set[str]] = {}
        for package in self.packages:
            if not package.local:
                found.setdefault(package.name, set()).add(package.version)
        return {name: frozenset(versions) for name, versions in found.items()}


def python_name(name: str) -> str:
    """The normalized name of a Python distribution (PEP 503)."""
    return _SEPARATORS.sub("-", name).lower()


def as_table(value: object) -> dict[str, object]:
    """A table of parsed TOML or JSON; an empty one for anything else, which then asks for nothing."""
    return {str(key): item for key, item in value.items()} if isinstance(value, dict) else {}


def as_list(value: object) -> list[object]:
    """A list of parsed TOML or JSON; an empty one for anything else."""
    return list(value) if isinstance(value, list) else []


def as_text(value: object) -> str:
    """A string of parsed TOML or JSON; empty for anything else."""
    return value if isinstance(value, str) else ""

"""Node: `package.json` and npm's own lock files."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from prview.signals.dependencies.lines import Lines
from prview.signals.dependencies.model import (
    NODE,
    Lock,
    Manifest,
    Package,
    Requirement,
    UnreadableError,
    as_table,
    as_text,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

_GROUPS = {
    "dependencies": "",
    "devDependencies": "dev",
    "optionalDependencies": "optional",
    "peerDependencies": "peer",
}
_INSTALL_SCRIPTS = ("preinstall", "install", "postinstall", "prepare")
_FOREIGN = re.compile(
    r"^(?:git[+:@]|git\+|https?:|file:|link:|github:|gitlab:|bitbucket:|[\w.-]+/[\w.-]+(?:#|$))"
)
_MODULES = "node_modules/"


def package_json(text: str) -> Manifest:
    """Everything a `package.json` asks for. Raises UnreadableError."""
    data, lines = load_json(text), Lines(text)
    found = []
    for key, group in _GROUPS.items():
        header = lines.first(rf'"{key}"\s*:')
        for name, value in as_table(data.get(key)).items():
            line = lines.first(rf'"{re.escape(name)}"\s*:', after=header - 1)
            wanted = as_text(value)
            found.append(Requirement(name, wanted, line, group, wanted if _FOREIGN.match(wanted) else None))
    scripts = {
        name: (as_text(value), lines.first(rf'"{name}"\s*:', after=lines.first(r'"scripts"\s*:') - 1))
        for name, value in as_table(data.get("scripts")).items()
        if name in _INSTALL_SCRIPTS
    }
    return Manifest(NODE, tuple(found), scripts)


def package_lock(text: str) -> Lock:
    """`package-lock.json` and `npm-shrinkwrap.json` of any version. Raises UnreadableError."""
    data = load_json(text)
    if "packages" not in data:
        names = Lines(text).numbered(r'^\s*"([^"]+)": \{')
        return Lock(NODE, tuple(_first_version(as_table(data.get("dependencies")), names)))
    lines = Lines(text).numbered(r'^\s*"((?:[^"]*/)?node_modules/[^"]+)": \{')
    tables = {path: as_table(value) for path, value in as_table(data["packages"]).items()}
    found = [
        _package(path.rpartition(_MODULES)[2], table, lines.get(path, 1))
        for path, table in tables.items()
        if _MODULES in path and not table.get("link")
    ]
    wants = {path: _wanted(table) for path, table in tables.items() if _MODULES not in path}
    return Lock(NODE, tuple(found), wants)


def load_json(text: str) -> dict[str, object]:
    """The document. Raises UnreadableError."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as exc:
        raise UnreadableError(f"is not JSON: {exc}") from exc
    return as_table(data)


def _package(name: str, table: dict[str, object], line: int) -> Package:
    resolved = as_text(table.get("resolved"))
    foreign = resolved if resolved.startswith(("git", "file:")) else None
    return Package(
        as_text(table.get("name")) or name,
        as_text(table.get("version")),
        line,
        source=foreign,
        host=urlsplit(resolved).hostname if resolved.startswith("http") else None,
        install_script=table.get("hasInstallScript") is True,
    )


def _first_version(tables: dict[str, object], lines: dict[str, int]) -> Iterator[Package]:
    """Lock files of npm before 7 nest packages in each other."""
    for name, value in tables.items():
        table = as_table(value)
        yield _package(name, table, lines.get(name, 1))
        yield from _first_version(as_table(table.get("dependencies")), lines)


def _wanted(table: dict[str, object]) -> dict[str, str]:
    return {name: as_text(value) for key in _GROUPS for name, value in as_table(table.get(key)).items()}

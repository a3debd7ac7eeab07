"""Rust: `Cargo.toml`."""

from __future__ import annotations

import re

from prview.signals.dependencies.lines import Lines
from prview.signals.dependencies.model import RUST, Manifest, Requirement, as_table, as_text
from prview.signals.dependencies.python import load_toml

_GROUPS = {"dependencies": "", "dev-dependencies": "dev", "build-dependencies": "build"}


def cargo_toml(text: str) -> Manifest:
    """Everything a `Cargo.toml` asks for, targets and the workspace included. Raises UnreadableError."""
    data, lines = load_toml(text), Lines(text)
    targets = map(as_table, as_table(data.get("target")).values())
    found = [
        _one(lines, key, group, name, value)
        for table in (data, *targets)
        for key, group in _GROUPS.items()
        for name, value in as_table(table.get(key)).items()
    ]
    shared = as_table(as_table(data.get("workspace")).get("dependencies"))
    found += [_one(lines, "dependencies", "workspace", name, value) for name, value in shared.items()]
    build = as_table(data.get("package")).get("build")
    line = lines.first(r"^\s*build\s*=")
    scripts = {"build": (as_text(build), line)} if as_text(build) else {}
    return Manifest(RUST, tuple(found), scripts)


def _one(lines: Lines, key: str, group: str, name: str, value: object) -> Requirement:
    table = as_table(value)
    header = lines.first(rf"^\s*\[(?:.*\.)?{key}(?:\.{re.escape(name)})?\]")
    line = lines.first(rf"^\s*\"?{re.escape(name)}\"?\s*[.=]|\.{re.escape(name)}\]", after=header - 1)
    source = next((f"{kind}: {as_text(table[kind])}" for kind in ("git", "path") if table.get(kind)), None)
    wanted = (
        as_text(value) or as_text(table.get("version")) or ("workspace" if table.get("workspace") else "")
    )
    return Requirement(as_text(table.get("package")) or name, wanted, line, group, source)

"""Which versions of packages a project pins: requirement files and lock files, each with its line."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from prview.checks.configured import read_toml

if TYPE_CHECKING:
    from collections.abc import Iterator

_REQUIREMENTS = re.compile(r"^(?:.*[-_.])?(?:requirements|constraints)(?:[-_.].*)?\.(?:txt|in)$")
_LOCK = re.compile(r"^(?:uv|poetry|pdm)\.lock$|^pylock(?:\..+)?\.toml$")
_PINNED = re.compile(
    r"^\s*([A-Za-z0-9][A-Za-z0-9._-]*)\s*(?:\[[^\]]*\])?\s*===?\s*([^\s;#\\,]+)\s*(?:[;#\\].*)?$"
)
_NAME = re.compile(r'^name = "([^"]+)"')
_LOCAL = frozenset({"editable", "virtual", "directory", "path", "git", "vcs", "url", "archive", "file"})


@dataclass(frozen=True)
class Pin:
    """A package in one version. `name` is normalized as PEP 503 has it; `line` counts from 1."""

    name: str
    version: str
    line: int


def pins_versions(path: str) -> bool:
    """Whether a file of this name may pin versions."""
    name = PurePosixPath(path).name
    return _REQUIREMENTS.match(name) is not None or _LOCK.match(name) is not None


def read_pins(path: str, text: str) -> tuple[Pin, ...]:
    """The packages that a file pins and an index has; what lies in a folder or in git has no advisories."""
    if _LOCK.match(PurePosixPath(path).name):
        return tuple(_of_lock(text))
    return tuple(
        Pin(normalized(found[1]), found[2], number)
        for number, line in enumerate(text.splitlines(), start=1)
        if (found := _PINNED.match(line)) and "*" not in found[2]
    )


def normalized(name: str) -> str:
    """A package's name as PEP 503 compares it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def _of_lock(text: str) -> Iterator[Pin]:
    document = read_toml(text) or {}
    packages = document.get("package") or document.get("packages") or []
    lines = _name_lines(text)
    for package in packages if isinstance(packages, list) else []:
        if not isinstance(package, dict) or _is_local(package):
            continue
        name, version = package.get("name"), package.get("version")
        if isinstance(name, str) and isinstance(version, str):
            places = lines.get(name, [])
            yield Pin(normalized(name), version, places.pop(0) if places else 1)


def _is_local(package: dict[str, Any]) -> bool:
    """Uv and poetry say it in `source`, pylock and pdm in a key of the package."""
    source = package.get("source")
    if isinstance(source, dict):
        return not _LOCAL.isdisjoint({*source, source.get("type")})
    return not _LOCAL.isdisjoint(package.keys() - {"file", "archive"})


def _name_lines(text: str) -> dict[str, list[int]]:
    lines: dict[str, list[int]] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        found = _NAME.match(line)
        if found:
            lines.setdefault(found[1], []).append(number)
    return lines

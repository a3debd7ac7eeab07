"""Projects that configure a tool: one that does not is not judged by it."""

from __future__ import annotations

import configparser
import json
import posixpath
import re
import tomllib
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from prview.checks.jobs import Project

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from prview.checks.base import CheckContext
    from prview.checks.trees import Side, Trees
    from prview.domain.change import ChangedFile

_COMMENTS = re.compile(r'("(?:[^"\\]|\\.)*")|//[^\n]*|/\*.*?\*/', re.DOTALL)
_TRAILING = re.compile(r",(\s*[}\]])")


class Configurations:
    """Looks for the nearest file that configures a tool, on one side.

    `markers` are names of files, in the tool's order of preference, each with whether a file of that name and
    text configures it.
    """

    def __init__(self, trees: Trees, side: Side, markers: Mapping[str, Callable[[str], bool]]) -> None:
        self._trees = trees
        self._side = side
        self._markers = markers
        self._known: dict[str, str | None] = {}

    async def above(self, path: str) -> str | None:
        """The configuration of the nearest folder above `path` that has one, or None."""
        for folder in PurePosixPath(path).parents:
            found = await self.of("" if str(folder) == "." else str(folder))
            if found is not None:
                return found
        return None

    async def of(self, folder: str) -> str | None:
        """The configuration in a folder itself, or None."""
        if folder not in self._known:
            self._known[folder] = await self._search(folder)
        return self._known[folder]

    async def _search(self, folder: str) -> str | None:
        listing = await self._trees.listing(self._side)
        for name, configures in self._markers.items():
            path = posixpath.join(folder, name)
            if path in listing:
                content = await self._trees.read(self._side, path)
                if content is not None and configures(content.decode("utf-8", "replace")):
                    return path
        return None


async def configured_projects(
    context: CheckContext,
    markers: Mapping[str, Callable[[str], bool]],
    touches: Callable[[str], bool],
) -> list[Project]:
    """The folders of the nearest configurations above the changed files; none where nothing configures.

    Either side is read under its own configuration: the base's is the nearest above the same folder.
    """
    head = Configurations(context.trees, "head", markers)
    base = Configurations(context.trees, "base", markers)
    old_names = {new: old for old, new in context.change.renames.items()}
    folders: dict[str, list[ChangedFile]] = {}
    configs: dict[str, str] = {}
    for file in context.change.files:
        config = await head.above(file.path) if touches(file.path) else None
        if config is not None:
            folder = posixpath.dirname(config)
            folders.setdefault(folder, []).append(file)
            configs[folder] = config
    projects = []
    for folder, files in sorted(folders.items()):
        before = await base.above(old_names.get(configs[folder], configs[folder]))
        projects.append(Project(folder, tuple(files), None if before is None else posixpath.dirname(before)))
    return projects


def always(text: str) -> bool:
    """For files whose presence is enough."""
    del text
    return True


def toml_section(*keys: str) -> Callable[[str], bool]:
    """For TOML files that configure a tool with a table, `tool.ruff` as ("tool", "ruff")."""

    def found(text: str) -> bool:
        table: Any = read_toml(text)
        if table is None:
            return any(
                f"[{'.'.join(keys)}" in line for line in text.splitlines()
            )  # the tool says what is wrong
        for key in keys:
            table = table.get(key) if isinstance(table, dict) else None
        return table is not None

    return found


def ini_section(*names: str) -> Callable[[str], bool]:
    """For INI files that configure a tool with one of some sections."""

    def found(text: str) -> bool:
        return any(line.strip() in {f"[{name}]" for name in names} for line in text.splitlines())

    return found


def read_toml(text: str) -> dict[str, Any] | None:
    """A TOML document, or None when it is none."""
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError):
        return None


def read_ini(text: str) -> configparser.RawConfigParser | None:
    """An INI file, or None when it is none."""
    parser = configparser.RawConfigParser(strict=False)
    try:
        parser.read_string(text)
    except configparser.Error:
        return None
    return parser


def read_jsonc(text: str) -> dict[str, Any] | None:
    """A JSON object with comments and trailing commas, or None when it is none."""
    try:
        found = json.loads(_TRAILING.sub(r"\1", _COMMENTS.sub(lambda match: match[1] or " ", text)))
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def table(text: str, *keys: str) -> dict[str, Any]:
    """A table of a TOML document, empty when there is none."""
    found: Any = read_toml(text)
    for key in keys:
        found = found.get(key) if isinstance(found, dict) else None
    return found if isinstance(found, dict) else {}


def strings(value: object) -> tuple[str, ...]:
    """The texts of a list, or the one text."""
    if isinstance(value, str):
        return (value,)
    return tuple(part for part in value if isinstance(part, str)) if isinstance(value, list) else ()


def below(pattern: str, path: str) -> bool:
    """Whether a path is matched by a glob (`**/` any folders, `*` and `?` within one), or lies in a match."""
    wanted = posixpath.normpath(pattern)
    if wanted == ".":
        return True
    expression = (
        re.escape(wanted).replace(r"\*\*/", "(?:.*/)?").replace(r"\*", "[^/]*").replace(r"\?", "[^/]")
    )
    return re.fullmatch(f"{expression}(?:/.*)?", path) is not None

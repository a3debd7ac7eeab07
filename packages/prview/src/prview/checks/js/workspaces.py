"""Which parts of a repository use a changed one: packages by name, TypeScript projects by reference."""

from __future__ import annotations

import posixpath
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from prview.checks.configured import read_jsonc, strings
from prview.checks.js.locks import MANIFEST, asked_for, folders_above
from prview.checks.js.tool import package

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from prview.checks.base import CheckContext

TSCONFIG = "tsconfig.json"
CONFIG_NAME = re.compile(r"^tsconfig.*\.json$")
"""Names under which configurations that others extend or refer to are found."""


@dataclass(frozen=True)
class Parts:
    """Folders with a `package.json` or a `tsconfig.json`, each with the folders that it uses."""

    packages: frozenset[str] = frozenset()
    uses: Mapping[str, frozenset[str]] = field(default_factory=dict)
    builds: Mapping[str, frozenset[str]] = field(default_factory=dict)

    def package_of(self, folder: str) -> str:
        """The folder of the package that a folder belongs to, "" for the root."""
        return next((above for above in folders_above(folder) if above in self.packages), "")

    def users(self, folders: Iterable[str]) -> frozenset[str]:
        """The folders that use one of these, directly or through others; without these themselves."""
        start = set(folders)
        found, new = set(start), set(start)
        while new:
            new = {
                user for user, used in self._edges().items() if user not in found and self._uses(used, new)
            }
            found |= new
        return frozenset(found - start)

    def built_by(self, folders: Collection[str]) -> frozenset[str]:
        """Those of some TypeScript projects that a build of another one of them takes in."""
        covered: set[str] = set()
        for folder in folders:
            todo = set(self.builds.get(folder, ()))
            while todo:
                covered |= todo
                todo = {more for used in todo for more in self.builds.get(used, ())} - covered
        return frozenset(covered & set(folders))

    def _edges(self) -> dict[str, frozenset[str]]:
        keys = self.uses.keys() | self.builds.keys()
        return {
            key: self.uses.get(self.package_of(key), frozenset()) | self.builds.get(key, frozenset())
            for key in keys
        }

    def _uses(self, used: frozenset[str], changed: Collection[str]) -> bool:
        return any(folder in used or self.package_of(folder) in used for folder in changed)


async def parts(context: CheckContext) -> Parts:
    """Read the manifests and configurations of the head."""
    named = [path for path in context.paths if posixpath.basename(path) in {MANIFEST, TSCONFIG}]
    texts = {
        path: content.decode("utf-8", "replace")
        for path, (_, content) in (await context.trees.contents("head", named)).items()
    }
    manifests = {posixpath.dirname(path): text for path, text in texts.items() if path.endswith(MANIFEST)}
    names = {str(package(text).get("name")): folder for folder, text in manifests.items()}
    builds = {
        posixpath.dirname(path): _references(posixpath.dirname(path), text)
        for path, text in texts.items()
        if path.endswith(TSCONFIG)
    }
    uses = {folder: _packages(text, names) - {folder} for folder, text in manifests.items()}
    return Parts(frozenset(manifests), uses, builds)


async def extending(context: CheckContext, changed: Collection[str]) -> frozenset[str]:
    """The folders of TypeScript projects whose configuration builds on one of the `changed` files.

    `extends` names a file, without `.json` perhaps, or one in a package, which may be the repository's own.
    """
    named = [path for path in context.paths if CONFIG_NAME.match(posixpath.basename(path))]
    manifests = [path for path in context.paths if posixpath.basename(path) == MANIFEST]
    texts = {
        path: content.decode("utf-8", "replace")
        for path, (_, content) in (await context.trees.contents("head", [*named, *manifests])).items()
    }
    names = {
        str(package(texts[path]).get("name")): posixpath.dirname(path) for path in manifests if path in texts
    }
    parents = {path: _extended(path, texts.get(path, ""), names) for path in named}
    found = set(changed)
    while more := {path for path, above in parents.items() if path not in found and above & found}:
        found |= more
    projects = found - set(changed)
    return frozenset(posixpath.dirname(path) for path in projects if posixpath.basename(path) == TSCONFIG)


def _extended(path: str, text: str, names: Mapping[str, str]) -> frozenset[str]:
    """The paths that a configuration may mean by what it extends."""
    found: set[str] = set()
    for value in strings((read_jsonc(text) or {}).get("extends")):
        place = posixpath.join(posixpath.dirname(path), value)
        if not value.startswith("."):
            owner = next((name for name in names if value == name or value.startswith(f"{name}/")), None)
            if owner is None:
                continue  # an installed package
            place = posixpath.join(names[owner], value.removeprefix(owner).lstrip("/"))
        place = posixpath.normpath(place)
        found |= {place, f"{place}.json", posixpath.join(place, TSCONFIG)}
    return frozenset(found)


def _packages(text: str, names: Mapping[str, str]) -> frozenset[str]:
    """The folders of the repository's own packages that a manifest asks for."""
    tables = [
        table for table in asked_for(text.encode("utf-8", "replace")).values() if isinstance(table, dict)
    ]
    return frozenset(names[name] for table in tables for name in table if name in names)


def _references(folder: str, text: str) -> frozenset[str]:
    """The folders that a configuration refers to, by folder or by file."""
    listed = (read_jsonc(text) or {}).get("references")
    found = set()
    for item in listed if isinstance(listed, list) else ():
        path = item.get("path") if isinstance(item, dict) else None
        if isinstance(path, str):
            place = posixpath.normpath(posixpath.join(folder, path))
            place = posixpath.dirname(place) if place.endswith(".json") else place
            found.add("" if place == "." else place)
    return frozenset(found - {folder})

"""Who can import a file: everybody who installs its package, or only the package itself."""

from __future__ import annotations

import json
import posixpath
from dataclasses import dataclass
from typing import TYPE_CHECKING

from prview.domain.source_paths import nearest
from prview.signals.breaking.typescript_modules import EXTENSIONS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from prview.signals.breaking.work import Side

_MANIFEST = frozenset({"package.json"})
_ENTRY_FIELDS = ("main", "module", "types", "typings", "exports", "browser")
_BUILD_FOLDERS = ("dist", "lib", "build", "out", "esm", "cjs")


@dataclass(frozen=True)
class Package:
    """The package around a file. `entries` are the source files that its users import."""

    root: str
    entries: tuple[str, ...]
    private: bool
    closed: bool
    named: bool
    """Whether the manifest names an entry at all."""

    @property
    def inside(self) -> str | None:
        """Why what no entry exports is nobody else's, or None when it may be."""
        if self.private and not self.named:
            return "The package is private and has no entry: only code of this repository is affected."
        if self.entries:
            return f"Not exported by {self.entries[0]}: only code of this package is affected."
        return None


def package_of(path: str, side: Side) -> Package | None:
    """The package of a file, read from the nearest package.json; None without one."""
    root = nearest(path, _MANIFEST, side.paths)
    if root is None:
        return None
    try:
        manifest = json.loads(side.text(posixpath.join(root, "package.json")) or "{}")
    except ValueError:
        manifest = {}
    if not isinstance(manifest, dict):
        manifest = {}
    fields = {key: manifest[key] for key in _ENTRY_FIELDS if key in manifest}
    targets = [target for value in fields.values() for target in _targets(value)]
    entries = dict.fromkeys(found for target in targets if (found := _source(root, target, side)))
    if not entries and (fields or not manifest.get("private")):
        entries.update(dict.fromkeys(_indexes(root, side)))
    wildcard = any("*" in target for target in targets)
    return Package(
        root=root,
        entries=() if wildcard else tuple(entries),
        private=manifest.get("private") is True,
        closed="exports" in manifest and not wildcard,
        named=bool(fields),
    )


def _targets(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from _targets(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _targets(inner)


def _source(root: str, target: str, side: Side) -> str | None:
    """The file in the repository that an entry is built from: `dist/index.js` from `src/index.ts`."""
    path = posixpath.normpath(target)
    if path in side.paths and not root:
        return path
    base = path
    for end in sorted(EXTENSIONS, key=len, reverse=True):
        if base.endswith(end):
            base = base.removesuffix(end)
            break
    bases = [base]
    folder, _, rest = base.partition("/")
    while folder in _BUILD_FOLDERS and rest:
        bases += [f"src/{rest}", rest]
        folder, _, rest = rest.partition("/")
    candidates = (posixpath.join(root, one + end) for one in bases for end in EXTENSIONS)
    return next((found for found in candidates if found in side.paths), None)


def _indexes(root: str, side: Side) -> list[str]:
    found = (posixpath.join(root, base + end) for base in ("src/index", "index") for end in EXTENSIONS)
    return [path for path in found if path in side.paths]


def barrels(path: str, package: Package | None, side: Side) -> list[str]:
    """Files that may pass on what `path` exports: entries, and the index files of the folders above it."""
    found = list(package.entries) if package else []
    folder = posixpath.dirname(path)
    root = package.root if package else ""
    while True:
        found += [one for end in EXTENSIONS if (one := posixpath.join(folder, f"index{end}")) in side.paths]
        if folder in {"", root} or not folder:
            break
        folder = posixpath.dirname(folder)
    return [one for one in dict.fromkeys(found) if one != path]

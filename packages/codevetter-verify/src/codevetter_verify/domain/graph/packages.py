"""Packages of the repository itself, by the names that others import them by."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from codevetter_verify.domain.graph.jsonc import read_object
from codevetter_verify.domain.graph.paths import complete, folder_of, join

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

_CONDITIONS = (
    "source",
    "development",
    "svelte",
    "import",
    "module",
    "browser",
    "default",
    "require",
    "types",
)
_BUILT = frozenset({"dist", "build", "lib", "out", "es", "esm", "cjs"})
_MAX_DEPTH = 6


@dataclass(frozen=True, slots=True)
class Package:
    """One `package.json` and the folder it lies in."""

    folder: str
    manifest: Mapping[str, Any]


class Packages:
    """Every package that the repository holds."""

    def __init__(self, tree: Collection[str], manifests: Mapping[str, bytes]) -> None:
        self._tree = tree
        self._by_folder = {folder_of(path): read_object(content) for path, content in manifests.items()}
        self._by_name = {
            manifest["name"]: Package(folder, manifest)
            for folder, manifest in sorted(self._by_folder.items(), reverse=True)
            if isinstance(manifest.get("name"), str)
        }

    def names(self, specifier: str) -> bool:
        """Whether an address begins with the name of a package of the repository."""
        return self._split(specifier) is not None

    def resolve(self, specifier: str) -> str | None:
        """The file that `name` or `name/below` means."""
        found = self._split(specifier)
        if found is None:
            return None
        package, below = found
        targets = [*_exported(package.manifest, below), *_usual(package.manifest, below)]
        for target in targets:
            if (path := self._built_from(package.folder, target)) is not None:
                return path
        return None

    def resolve_private(self, importer: str, specifier: str) -> str | None:
        """A `#name` of the importer's own package, as its `imports` field says."""
        folder = folder_of(importer)
        while True:
            manifest = self._by_folder.get(folder)
            if manifest is not None and isinstance(manifest.get("imports"), dict):
                for target in _entries(manifest["imports"], specifier):
                    if (path := self._built_from(folder, target)) is not None:
                        return path
            if not folder:
                return None
            folder = folder_of(folder)

    def _split(self, specifier: str) -> tuple[Package, str] | None:
        parts = specifier.split("/")
        count = 2 if specifier.startswith("@") else 1
        package = self._by_name.get("/".join(parts[:count]))
        return (package, "/".join(parts[count:])) if package else None

    def _built_from(self, folder: str, target: str) -> str | None:
        """The file itself, or the source that a file of a build folder is made from."""
        path = join(folder, target)
        if path is None:
            return None
        if found := complete(path, self._tree):
            return found
        first, _, rest = target.removeprefix("./").partition("/")
        if first not in _BUILT:
            return None
        stem = rest.removesuffix(".d.ts").rpartition(".")[0] or rest.removesuffix(".d.ts")
        for source in (f"src/{stem}", stem):
            if (path := join(folder, source)) and (found := complete(path, self._tree)):
                return found
        return None


def _exported(manifest: Mapping[str, Any], below: str) -> Iterator[str]:
    exports = manifest.get("exports")
    wanted = f"./{below}" if below else "."
    if isinstance(exports, str | list) or (
        isinstance(exports, dict) and not any(k.startswith(".") for k in exports)
    ):
        exports = {".": exports}
    if isinstance(exports, dict):
        yield from _entries(exports, wanted)


def _usual(manifest: Mapping[str, Any], below: str) -> Iterator[str]:
    if below:
        yield from (below, f"src/{below}")
        return
    for field in ("source", "svelte", "module", "main", "types"):
        if isinstance(manifest.get(field), str):
            yield manifest[field]
    yield from ("src/index", "index", "lib/index")


def _entries(table: Mapping[str, Any], wanted: str) -> Iterator[str]:
    if wanted in table:
        yield from _targets(table[wanted], "")
    for key, value in table.items():
        head, star, tail = key.partition("*")
        if star and wanted.startswith(head) and wanted.endswith(tail) and len(wanted) >= len(head + tail):
            yield from _targets(value, wanted[len(head) : len(wanted) - len(tail)])


def _targets(value: object, star: str, depth: int = 0) -> Iterator[str]:
    """The files of an entry, whatever its conditions, the likeliest source first."""
    if depth > _MAX_DEPTH:
        return
    if isinstance(value, str):
        yield value.replace("*", star)
    elif isinstance(value, list):
        for one in value:
            yield from _targets(one, star, depth + 1)
    elif isinstance(value, dict):
        for condition in (*_CONDITIONS, *(key for key in value if key not in _CONDITIONS)):
            if condition in value:
                yield from _targets(value[condition], star, depth + 1)

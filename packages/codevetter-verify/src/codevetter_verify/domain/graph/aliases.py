"""Path aliases: TypeScript's `paths` and `baseUrl`, a bundler's `alias`, those that frameworks bring."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from codevetter_verify.domain.graph.jsonc import read_object
from codevetter_verify.domain.graph.paths import folder_of, join
from codevetter_verify.domain.graph.syntax import mask

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from codevetter_verify.domain.graph.packages import Packages

CONFIGURATION = re.compile(
    r"(?:.*/)?(?:(?:ts|js)config(?:\.[\w.-]+)?\.json|package\.json"
    r"|(?:vite|svelte|nuxt|astro|webpack)\.config\.[cm]?[jt]s)"
)
"""Files that say how addresses are resolved."""

_BUNDLER = re.compile(r"(vite|svelte|nuxt|astro|webpack)\.config\.[cm]?[jt]s")
_ALIAS = re.compile(r"\balias\s*:\s*\{")
_ENTRY = re.compile(r"(?:\x00(\d+)\x00|([\w$@~#/-]+))\s*:\s*([^\n]*)")
_MAX_EXTENDS = 8


@dataclass(frozen=True, slots=True)
class Alias:
    """`pattern` (one `*` at most) means the first of `targets`, paths in the repository, that exists."""

    pattern: str
    targets: tuple[str, ...]

    def apply(self, specifier: str) -> Iterator[str]:
        """What the specifier becomes; nothing when the pattern is another."""
        head, star, tail = self.pattern.partition("*")
        if not star:
            if specifier == self.pattern:
                yield from self.targets
            return
        if specifier.startswith(head) and specifier.endswith(tail) and len(specifier) >= len(head + tail):
            middle = specifier[len(head) : len(specifier) - len(tail)]
            yield from (target.replace("*", middle, 1) for target in self.targets)


class Aliases:
    """The aliases that hold for each importer, by the nearest configuration above it."""

    def __init__(self, configurations: Mapping[str, bytes], packages: Packages) -> None:
        self._texts = configurations
        self._packages = packages
        self._bundlers: dict[str, list[Alias]] = {}
        for path in sorted(configurations):
            name = path.rpartition("/")[2]
            if found := _BUNDLER.fullmatch(name):
                bundled = _bundled(found[1], folder_of(path), configurations[path])
                self._bundlers.setdefault(folder_of(path), []).extend(bundled)
        self.of_folder = lru_cache(maxsize=None)(self._of_folder)

    def _of_folder(self, folder: str) -> tuple[Alias, ...]:
        own = [*self._bundlers.get(folder, ()), *self._configured(folder)]
        above = self.of_folder(folder_of(folder)) if folder else ()
        if not own:
            return (
                above  # the same object for all folders below a configuration, so that others can cache by it
            )
        return (*sorted(own, key=lambda alias: -len(alias.pattern.partition("*")[0])), *above)

    def _configured(self, folder: str) -> Iterator[Alias]:
        for name in ("tsconfig.json", "jsconfig.json", "tsconfig.base.json"):
            path = f"{folder}/{name}" if folder else name
            if path in self._texts:
                yield from self._paths(path, 0)
                return

    def _paths(self, path: str, depth: int) -> Iterator[Alias]:
        """The aliases of one configuration, of what it refers to, else of what it extends."""
        if depth > _MAX_EXTENDS or path not in self._texts:
            return
        configuration = read_object(self._texts[path])
        own = list(_own_paths(configuration, folder_of(path)))
        yield from own
        for reference in _listed(configuration.get("references")):
            if isinstance(reference, dict) and isinstance(reference.get("path"), str):
                yield from self._referred(folder_of(path), reference["path"], depth)
        if not own:
            for parent in _listed(configuration.get("extends")):
                yield from self._referred(folder_of(path), str(parent), depth)

    def _referred(self, folder: str, address: str, depth: int) -> Iterator[Alias]:
        target = join(folder, address) if address.startswith(".") else self._packages.resolve(address)
        if target is None:
            return
        for path in (target, f"{target}.json", f"{target}/tsconfig.json"):
            if path in self._texts:
                yield from self._paths(path, depth + 1)
                return


def _own_paths(configuration: Mapping[str, Any], folder: str) -> Iterator[Alias]:
    options = configuration.get("compilerOptions")
    options = options if isinstance(options, dict) else {}
    base_url = options.get("baseUrl")
    base = join(folder, base_url) if isinstance(base_url, str) else folder
    if base is None:
        return
    paths = options.get("paths")
    for pattern, targets in (paths if isinstance(paths, dict) else {}).items():
        below = [join(base, target) for target in _listed(targets) if isinstance(target, str)]
        yield Alias(pattern, tuple(path for path in below if path is not None))
    if isinstance(base_url, str):
        yield Alias("*", (f"{base}/*" if base else "*",))


def _bundled(bundler: str, folder: str, content: bytes) -> Iterator[Alias]:
    """What a bundler's configuration says in plain strings, and what its framework always has."""
    yield from _framework(bundler, folder)
    masked = mask(content.decode("utf-8", "replace"))
    for opening in _ALIAS.finditer(masked.code):
        block = masked.code[opening.end() :].partition("}")[0]
        for number, name, value in _ENTRY.findall(block.replace(",", ",\n")):
            strings = [masked.strings[int(n)] for n in re.findall(r"\x00(\d+)\x00", value)]
            target = join(folder, strings[-1].lstrip("/")) if strings else None
            if target is not None:
                yield from _alias_of(masked.strings[int(number)] if number else name, target)


def _framework(bundler: str, folder: str) -> Iterator[Alias]:
    inside = f"{folder}/" if folder else ""
    if bundler == "svelte":
        yield from _alias_of("$lib", f"{inside}src/lib")
    if bundler == "nuxt":
        for root in ("~~", "@@"):
            yield Alias(f"{root}/*", (f"{inside}*",))
        for source in ("~", "@"):
            yield Alias(f"{source}/*", (f"{inside}app/*", f"{inside}src/*", f"{inside}*"))


def _alias_of(name: str, target: str) -> Iterator[Alias]:
    name, target = name.removesuffix("/*").removesuffix("/"), target.removesuffix("/*")
    yield Alias(name, (target,))
    yield Alias(f"{name}/*", (f"{target}/*",))


def _listed(value: object) -> list[Any]:
    return value if isinstance(value, list) else [] if value is None else [value]

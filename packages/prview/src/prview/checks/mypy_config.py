"""What a project tells mypy to look at, and whether mypy would run code of the project for it."""

from __future__ import annotations

import posixpath
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from prview.checks.configured import below, ini_section, read_ini, read_toml, toml_section
from prview.domain.source_paths import is_shipped

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping

MARKERS: Mapping[str, Callable[[str], bool]] = {
    "mypy.ini": ini_section("mypy"),
    ".mypy.ini": ini_section("mypy"),
    "pyproject.toml": toml_section("tool", "mypy"),
    "setup.cfg": ini_section("mypy"),
}
"""In mypy's order of preference (mypy's documentation, "The mypy configuration file")."""


@dataclass(frozen=True)
class MypyConfig:
    """The global options that decide what is looked at; names as mypy has them, relative to its folder."""

    files: tuple[str, ...] = ()
    packages: tuple[str, ...] = ()
    modules: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    plugins: tuple[str, ...] = ()

    @property
    def chooses(self) -> bool:
        """Whether it says what to look at, so that mypy needs no arguments."""
        return bool(self.files or self.packages or self.modules)

    def covers(self, path: str) -> bool:
        """Whether a file (relative to the configuration's folder) is one of those it chooses."""
        if any(_excludes(pattern, path) for pattern in self.exclude):
            return False
        if not self.chooses:
            return True
        names = [name.replace(".", "/") for name in (*self.packages, *self.modules)]
        return any(below(pattern, path) for pattern in self.files) or any(
            f"/{name}/" in f"/{path}" or f"/{path}".endswith((f"/{name}.py", f"/{name}.pyi"))
            for name in names
        )


def read_mypy_config(name: str, text: str) -> MypyConfig:
    """Read a file of `MARKERS`; what cannot be read states nothing (mypy itself says what is wrong)."""
    options = _toml_options(text) if name.endswith(".toml") else _ini_options(text)
    return MypyConfig(
        files=_listed(options.get("files")),
        packages=_listed(options.get("packages")),
        modules=_listed(options.get("modules")),
        exclude=_patterns(options.get("exclude")),
        plugins=_listed(options.get("plugins")),
    )


def usual_targets(paths: Iterable[str]) -> tuple[str, ...]:
    """What to look at when nothing says so: `src`, or the packages beside the configuration, or everything.

    Tests are left out of that guess: a project that has them checked says so.
    """
    known = set(paths)
    if any(path.startswith("src/") for path in known):
        return ("src",)
    packages = {posixpath.dirname(path) for path in known if path.endswith(("/__init__.py", "/__init__.pyi"))}
    top = sorted(name for name in packages if "/" not in name and is_shipped(f"{name}/x.py"))
    return tuple(top) or (".",)


def own_plugin(config: MypyConfig, paths: Collection[str]) -> str | None:
    """A plugin that lies in the tree: mypy imports it, which runs it."""
    for plugin in config.plugins:
        name = plugin.partition(":")[0]
        if name.endswith(".py"):
            return name
        module = name.replace(".", "/")
        files = (f"{prefix}{module}{end}" for prefix in ("", "src/") for end in (".py", "/__init__.py"))
        found = next((file for file in files if file in paths), None)
        if found:
            return found
    return None


def _toml_options(text: str) -> Mapping[str, Any]:
    table = (read_toml(text) or {}).get("tool")
    options = table.get("mypy") if isinstance(table, dict) else None
    return options if isinstance(options, dict) else {}


def _ini_options(text: str) -> Mapping[str, Any]:
    parser = read_ini(text)
    return dict(parser["mypy"]) if parser and parser.has_section("mypy") else {}


def _listed(value: object) -> tuple[str, ...]:
    if isinstance(value, str):
        return tuple(part.strip() for part in re.split(r"[,\n]", value) if part.strip())
    return tuple(str(part) for part in value) if isinstance(value, list) else ()


def _patterns(value: object) -> tuple[str, ...]:
    """`exclude` is one regular expression in an INI file, and may be a list of them in TOML."""
    if isinstance(value, str):
        return (value.strip(),) if value.strip() else ()
    return tuple(str(part) for part in value) if isinstance(value, list) else ()


def _excludes(pattern: str, path: str) -> bool:
    """Mypy searches in the file's path and in that of each folder above it, which ends in a slash."""
    folders = [f"{'/'.join(path.split('/')[:end])}/" for end in range(1, path.count("/") + 1)]
    try:
        return any(re.search(pattern, name) for name in (*folders, path))
    except re.error:
        return False

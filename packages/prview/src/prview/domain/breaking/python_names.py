"""How Python code is imported: from paths to module names, and which names are for others."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePosixPath

from prview.domain.source_paths import nearest

SUFFIXES = (".py", ".pyi")
_MANIFESTS = frozenset({"pyproject.toml", "setup.py", "setup.cfg"})
_SOURCE_FOLDERS = frozenset({"src", "lib"})
_NOT_IMPORTED = frozenset({"migrations", "alembic", "scripts"})

PROTOCOLS = frozenset(
    f"__{name}__"
    for name in (
        *("call", "enter", "exit", "aenter", "aexit", "iter", "aiter", "next", "anext", "await"),
        *("len", "getitem", "setitem", "delitem", "contains", "bool", "index", "int", "float", "bytes"),
        *("add", "sub", "mul", "truediv", "or", "and", "lt", "le", "gt", "ge"),
    )
)
"""Special methods whose removal takes an operation from callers."""


@dataclass(frozen=True)
class ModuleName:
    """A module: its dotted name, and the folder it is imported from (`""` for the root of the repository)."""

    dotted: str
    root: str

    @property
    def public(self) -> bool:
        """Whether no part of the name begins with an underscore."""
        return not any(part.startswith("_") for part in self.dotted.split("."))

    @property
    def packages(self) -> tuple[str, ...]:
        """The names of the packages around it, the nearest first."""
        parts = self.dotted.split(".")
        return tuple(".".join(parts[:count]) for count in range(len(parts) - 1, 0, -1))


def is_module(path: str) -> bool:
    """Whether a path is Python source that can be imported as part of a package or on its own."""
    pure = PurePosixPath(path)
    return (
        pure.suffix in SUFFIXES
        and pure.stem not in {"__main__", "manage"}
        and _NOT_IMPORTED.isdisjoint(pure.parts[:-1])
        and not any(part.startswith(".") for part in pure.parts)
        and all(part.isidentifier() for part in (pure.stem, *_package_parts(pure)))
    )


def _package_parts(pure: PurePosixPath) -> tuple[str, ...]:
    """Only the last folder must be importable: those above may be where the package lies."""
    return pure.parts[-2:-1] if pure.name.startswith("__init__.") else ()


def module_name(path: str, paths: frozenset[str]) -> ModuleName:
    """The module of a Python file among all `paths` of its tree.

    The import root is the folder above the outermost package (folders with an `__init__`); without packages
    it is the last `src` or `lib` folder, else the folder of the nearest manifest, else the repository.
    """
    pure = PurePosixPath(path)
    parts = [*pure.parts[:-1], pure.stem]
    start = _root_length(pure, paths)
    inner = parts[start:]
    if inner[-1] == "__init__" and len(inner) > 1:
        inner.pop()
    return ModuleName(".".join(inner), "/".join(parts[:start]))


def _root_length(pure: PurePosixPath, paths: frozenset[str]) -> int:
    folders = list(pure.parts[:-1])
    depth = len(folders)
    while depth and _is_package(folders[:depth], paths):
        depth -= 1
    if depth < len(folders):
        return _namespace(folders, depth, pure, paths)
    return _conventional(folders, pure, paths)


def _namespace(folders: list[str], depth: int, pure: PurePosixPath, paths: frozenset[str]) -> int:
    """A package below `src/company/` without `__init__` is part of the namespace package `company`."""
    sources = [index for index, name in enumerate(folders[:depth]) if name == "src"]
    if not sources:
        return depth
    manifest = nearest(str(pure), _MANIFESTS, paths)
    below = folders[sources[-1] + 1 : depth]
    inside = manifest is None or len(PurePosixPath(manifest).parts) <= sources[-1] + 1
    return sources[-1] + 1 if inside and all(part.isidentifier() for part in below) else depth


def _conventional(folders: list[str], pure: PurePosixPath, paths: frozenset[str]) -> int:
    sources = [index + 1 for index, name in enumerate(folders) if name in _SOURCE_FOLDERS]
    manifest = nearest(str(pure), _MANIFESTS, paths)
    return max(len(PurePosixPath(manifest).parts) if manifest else 0, sources[-1] if sources else 0)


def _is_package(folders: list[str], paths: frozenset[str]) -> bool:
    prefix = "/".join(folders)
    return any(f"{prefix}/__init__{suffix}" in paths for suffix in SUFFIXES)


def module_files(name: str, root: str) -> tuple[str, ...]:
    """Where a module can lie below its root, as Python looks for it."""
    base = "/".join(part for part in (root, *name.split(".")) if part)
    return (f"{base}/__init__.py", f"{base}.py", f"{base}.pyi", f"{base}/__init__.pyi")

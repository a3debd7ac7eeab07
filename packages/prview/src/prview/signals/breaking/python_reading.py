"""Reads a Python file through griffe, statically, one object at a time."""

from __future__ import annotations

import logging
import warnings
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import griffe

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(frozen=True)
class Imported:
    """A name that a module has from somewhere else; `target` is dotted."""

    target: str
    line: int


Member = griffe.Object | Imported

# what griffe gives up on is counted by us; without a handler Python would print it to stderr
logging.getLogger("griffe").addHandler(logging.NullHandler())


@dataclass(frozen=True)
class PyModule:
    """One module file of one side.

    `exported` is its `__all__` where that can be told without running it, else None. `wildcards` are modules
    whose names it takes over (`from x import *`).
    """

    name: str
    path: str
    members: dict[str, Member] = field(default_factory=dict)
    exported: frozenset[str] | None = None
    wildcards: tuple[str, ...] = ()

    @property
    def is_package(self) -> bool:
        """Whether it is the `__init__` of a package."""
        return Path(self.path).stem == "__init__"


class PythonSyntaxError(Exception):
    """The file is not Python, or nested deeper than can be read."""


def read_module(name: str, path: str, text: str) -> tuple[PyModule, int]:
    """Read one file; the number counts declarations that could not be read. Raises PythonSyntaxError."""
    module = _visit(name, path, text)
    members: dict[str, Member] = {}
    wildcards: list[str] = []
    failed = 0
    for key, member in module.members.items():
        try:
            if not isinstance(member, griffe.Alias):
                members[key] = member
            elif member.wildcard:
                wildcards.append(member.target_path)
            else:
                members[key] = Imported(member.target_path, member.alias_lineno or 1)
        except (griffe.GriffeError, AttributeError, ValueError):  # one odd import must not cost the module
            failed += 1
    return PyModule(name, path, members, _exported(module), tuple(wildcards)), failed


def _visit(name: str, path: str, text: str) -> griffe.Module:
    """Parse without compiling; a file's own warnings (odd escapes) are not about this run."""
    *packages, last = name.split(".")
    parent: griffe.Module | None = None
    for package in packages:
        parent = griffe.Module(package, filepath=Path("__init__.py"), parent=parent)
    is_package = Path(path).stem == "__init__"
    filepath = Path(last, "__init__.py") if is_package else Path(path)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return griffe.visit(last, filepath, text, parent=parent)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as exc:
        raise PythonSyntaxError(_where(exc)) from exc


def _where(exc: BaseException) -> str:
    if isinstance(exc, SyntaxError):
        return f"has a syntax error in line {exc.lineno}"
    return f"cannot be parsed ({type(exc).__name__})"


def _exported(module: griffe.Module) -> frozenset[str] | None:
    """The names of `__all__`; None when there is none or a part of it is computed."""
    names = module.exports
    if names is None or not all(isinstance(name, str) for name in names):
        return None
    return frozenset(str(name) for name in names)


def class_members(owner: griffe.Class) -> Iterator[tuple[str, griffe.Object]]:
    """What a class itself defines, in order."""
    for name, member in owner.members.items():
        if not isinstance(member, griffe.Alias):
            yield name, member

"""Which modules a Python text may import, read from its lines: tells cheaply which files need no parsing."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

_GAP = r"[ \t\\\r\n]"
_STATEMENT = re.compile(
    rf"(?:^|[;:])[ \t]*(?:from{_GAP}*(\.[\w.]*|{_GAP}[\w.]+){_GAP}+import\b"
    rf"|import{_GAP}+((?:[^\n;#\\]|\\\r?\n)+))",
    re.MULTILINE,
)
_NAME = re.compile(r"[\w.]+")


def modules_named(text: str, *, package: str) -> frozenset[str]:
    """Absolute names of every module that an import of the text can be from, those in strings included.

    `package` is what relative imports start from. Never too few: a module that is not here is not imported,
    nor is a name taken from it.
    """
    found: set[str] = set()
    for match in _STATEMENT.finditer(text):
        if match[1] is None:
            found.update(_NAME.findall(match[2]))
        else:
            found.add(_absolute(match[1].strip(" \t\\\r\n"), package))
    return frozenset(found)


def may_need(modules: Iterable[str], wanted: frozenset[str]) -> bool:
    """Whether one of the imported modules is a wanted one, lies in one, or is the package around one."""
    around = {dotted.rpartition(".")[0] for dotted in wanted}
    return any(module in around or not wanted.isdisjoint(_upwards(module)) for module in modules)


def _upwards(dotted: str) -> list[str]:
    parts = dotted.split(".")
    return [".".join(parts[:count]) for count in range(len(parts), 0, -1)]


def _absolute(written: str, package: str) -> str:
    name = written.lstrip(".")
    level = len(written) - len(name)
    if not level:
        return name
    parts = package.split(".") if package else []
    above = parts[: len(parts) - (level - 1)] if level > 1 else parts
    return ".".join([*above, *([name] if name else [])])

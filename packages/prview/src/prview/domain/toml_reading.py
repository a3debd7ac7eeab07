"""TOML with the line of every key: the standard library reads the values, the lines are looked up."""

from __future__ import annotations

import re
import tomllib
from typing import TYPE_CHECKING

from prview.domain.located import ConfigError, Located

if TYPE_CHECKING:
    from collections.abc import Mapping

_HEADER = re.compile(r"^\s*\[+\s*([^\]]+?)\s*\]+")
_KEY = re.compile(r"""^\s*((?:[\w-]+|"[^"]*"|'[^']*')(?:\s*\.\s*(?:[\w-]+|"[^"]*"|'[^']*'))*)\s*=""")
_AT_LINE = re.compile(r"\(at line (\d+)")


def read_toml(text: str, *, path: str) -> Located:
    """Return the document. Raises ConfigError."""
    try:
        values = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as exc:
        found = _AT_LINE.search(str(exc))
        raise ConfigError(f"is no TOML: {exc}", path=path, line=int(found[1]) if found else 1) from exc
    lines = _lines(text)

    def located(value: object, key: str, line: int) -> Located:
        line = lines.get(key, line)
        if isinstance(value, dict):
            below = {
                name: located(item, f"{key}.{name}" if key else name, line) for name, item in value.items()
            }
            return Located(below, path, line, key)
        if isinstance(value, list):
            items = tuple(located(item, f"{key}[{index}]", line) for index, item in enumerate(value))
            return Located(items, path, line, key)
        if isinstance(value, str | int | float | bool):
            return Located(value, path, line, key)
        raise ConfigError("dates have no meaning here", path=path, line=line, key=key)

    return located(values, "", 1)


def _lines(text: str) -> Mapping[str, int]:
    """Where each dotted key begins; keys inside of other values are not among them."""
    found: dict[str, int] = {}
    table = ""
    for number, line in enumerate(text.splitlines(), 1):
        if header := _HEADER.match(line):
            table = _plain(header[1])
            found.setdefault(table, number)
        elif match := _KEY.match(line):
            name = _plain(match[1])
            found.setdefault(f"{table}.{name}" if table else name, number)
    return found


def _plain(dotted: str) -> str:
    return ".".join(part.strip().strip("\"'") for part in dotted.split("."))

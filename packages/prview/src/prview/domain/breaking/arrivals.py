"""Where a name that is gone may be now: found by text, a hint for readers and nothing that is decided on."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

PYTHON = re.compile(r"^(?:async[ \t]+def|def|class)[ \t]+(\w+)", re.MULTILINE)
SCRIPT = re.compile(
    r"^export\s+(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?"
    r"(?:function\*?|class|interface|type|enum|const|let|var|namespace)\s+(\w+)",
    re.MULTILINE,
)


def arrivals(sides: Iterable[tuple[str, str, str]], declared: re.Pattern[str]) -> dict[str, list[str]]:
    """Names by the units that have them newly. `sides`: a unit's name, its text before and its text now."""
    found: dict[str, list[str]] = {}
    for unit, before, after in sides:
        for name in sorted({*declared.findall(after)} - {*declared.findall(before)}):
            found.setdefault(name, []).append(unit)
    return found

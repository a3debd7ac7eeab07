"""Tools that a declaration offers to reviewers: `[views.agent_tools.<name>]`, `[views.human_tools.<name>]`.

```toml
[views.agent_tools.search]
description = "Finds entries of the index by word."       # required: what a model reads to choose it
protocol = "json"                                          # or "plain"
command = "python3"                                        # as in a runtime profile
args = ["tools/search.py"]                                 # plain: may hold {input.NAME}
input = { type = "object", properties = { word = { type = "string" } }, required = ["word"] }
example = { word = "guide" }                               # what `tools check --execute` calls it with
timeout_ms = 10000
max_output_bytes = 65536
pin.sha256 = { "tools/search.py" = "…64 hex digits…" }
pin.version = { args = ["--version"], equals = "Python 3.11.2" }
```
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from artifactize.domain.declarations import Json

BUILT_INS = ("read", "list", "glob", "grep", "view_image", "section", "help", "open")
"""The tools that every toolbox has; a declared tool cannot take one of these names."""

TOOL_NAME_RULE = "1 to 40 of a-z, 0-9 and '_', starting with a letter"
_TOOL_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")
PLACEHOLDER = re.compile(r"\{input\.([A-Za-z_][A-Za-z0-9_]{0,63})\}")
"""Where a `plain` tool's argument takes a value of the call; no Artifact reference looks like this."""

SHA256 = re.compile(r"[0-9a-f]{64}")
DEFAULT_TOOL_TIMEOUT_MS = 60_000
MAX_TOOL_TIMEOUT_MS = 600_000
DEFAULT_OUTPUT_BYTES = 64 * 1024
MAX_OUTPUT_BYTES = 1024 * 1024
MAX_TOOLS = 64
"""Of one view; hosts and models cope with few more."""


class Protocol(StrEnum):
    """How a declared tool is called: `json` gets the arguments on stdin, `plain` as parts of its argv."""

    JSON = "json"
    PLAIN = "plain"


@dataclass(frozen=True, slots=True)
class VersionPin:
    """The tool's program, called with `args`, must print exactly `equals` (outer white space aside)."""

    args: tuple[str, ...]
    equals: str


@dataclass(frozen=True, slots=True)
class ToolPin:
    """What must hold before each Run uses the tool. `sha256` maps files of the Artifact to their digests."""

    sha256: Mapping[str, str] = field(default_factory=dict)
    version: VersionPin | None = None


@dataclass(frozen=True, slots=True)
class ToolDeclaration:
    """One declared tool.

    `input_schema` is a JSON Schema of one object; `example` are arguments that it allows, or None when none
    are declared. Times are milliseconds, sizes bytes.
    """

    name: str
    description: str
    protocol: Protocol
    command: str
    args: tuple[str, ...] = ()
    input_schema: Mapping[str, Json] = field(default_factory=lambda: {"type": "object"})
    example: Mapping[str, Json] | None = None
    timeout_ms: int = DEFAULT_TOOL_TIMEOUT_MS
    max_output_bytes: int = DEFAULT_OUTPUT_BYTES
    pin: ToolPin = field(default_factory=ToolPin)


def tool_name_fault(name: str) -> str | None:
    """Return what is wrong with the name of a declared tool, or None."""
    if _TOOL_NAME.fullmatch(name) is None:
        return f"{name!r} names no tool: {TOOL_NAME_RULE}"
    return f"{name!r} is a built-in tool; choose another name" if name in BUILT_INS else None


def placeholders(args: tuple[str, ...]) -> tuple[str, ...]:
    """Return the values that a `plain` tool's arguments take, in order, each once."""
    return tuple(dict.fromkeys(name for argument in args for name in PLACEHOLDER.findall(argument)))


def placeholder_fault(args: tuple[str, ...], schema: Mapping[str, Json]) -> str | None:
    """Return which placeholder the input schema gives no scalar property for, or None."""
    properties = schema.get("properties")
    known = properties if isinstance(properties, dict) else {}
    for name in placeholders(args):
        if name not in known:
            return f"{{input.{name}}} has no property in the tool's input schema"
        declared = known[name]
        if not isinstance(declared, dict) or declared.get("type") not in _SCALARS:
            return f"input.{name} stands in an argument, so its type is one of {', '.join(sorted(_SCALARS))}"
    return None


_SCALARS = frozenset({"string", "integer", "number", "boolean"})

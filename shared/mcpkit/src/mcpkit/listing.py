"""What a server answers `tools/list` with, as a file in its package: the handshake needs no model of ours.

`python -m mcpkit schemas` writes the file from the operations, and a test holds the two together. The
operations themselves are opened when a tool is called for the first time (`mcpkit.server`).
"""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from mcpkit.operation import Operation

FILE_NAME = "tools.json"


class Listing(NamedTuple):
    """The tools of a server as JSON objects, the way they go over the wire."""

    tools: tuple[Mapping[str, Any], ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The tools' names, in the order of the list."""
        return tuple(tool["name"] for tool in self.tools)

    @property
    def text(self) -> str:
        """The file's content."""
        return json.dumps({"tools": self.tools}, ensure_ascii=False, indent=2) + "\n"


def listing_of(operations: Iterable[Operation]) -> Listing:
    """The listing of `operations`. Raises ValueError when two of them have one name."""
    listing = Listing(tuple(_tool(operation) for operation in operations))
    for position, name in enumerate(listing.names):
        if name in listing.names[:position]:
            raise ValueError(f"two tools are named {name!r}")
    return listing


def packaged_listing(package: str) -> Listing:
    """The listing that an installed package brings. Raises what opening and reading the file raise."""
    document = json.loads(listing_file(package).read_text(encoding="utf-8"))
    return Listing(tuple(document["tools"]))


def listing_file(package: str) -> Path:
    """Where the listing of a package lies: beside its modules."""
    return Path(str(import_module(package).__file__)).with_name(FILE_NAME)


def _tool(operation: Operation) -> Mapping[str, Any]:
    hints = operation.hints
    return {
        "name": operation.name,
        "title": operation.title,
        "description": operation.description,
        "inputSchema": operation.input_schema(),
        "outputSchema": operation.output_schema(),
        "annotations": {
            "title": operation.title,
            "readOnlyHint": hints.read_only,
            "destructiveHint": hints.destructive,
            "idempotentHint": hints.idempotent,
            "openWorldHint": hints.open_world,
        },
    }

"""Writes `docs/reference/<server>.md` before Sphinx reads its pages: a page a server, from what it publishes.

The descriptions, arguments and results are those that `tools/list` answers with, so the pages cannot drift.
"""

from __future__ import annotations

from importlib.metadata import entry_points
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from sphinx.application import Sphinx

    from mcpkit.operation import Operation, PublishedServer

FOLDER = Path(__file__).resolve().parent.parent / "reference"
HINTS = ("read_only", "destructive", "idempotent", "open_world")


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.connect("builder-inited", write_reference)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def write_reference(_app: Sphinx) -> None:
    """One page for each installed server, and an index of them."""
    FOLDER.mkdir(exist_ok=True)
    servers = sorted(
        (entry.load() for entry in entry_points(group="mcpkit.servers")), key=lambda s: str(s.name)
    )
    for server in servers:
        _write(FOLDER / f"{server.name}.md", "\n".join(server_page(server)))
    pages = "\n".join(f"{server.name}" for server in servers)
    _write(FOLDER / "index.md", f"# MCP reference\n\n```{{toctree}}\n:maxdepth: 2\n\n{pages}\n```\n")


def _write(path: Path, text: str) -> None:
    """Leave an unchanged page alone, so that an incremental build stays one."""
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def server_page(server: PublishedServer) -> Iterator[str]:
    """Markdown of one server."""
    yield f"# `{server.name}`\n"
    yield f"Written from the server's own operations ({len(server.operations)} tools)."
    yield "The JSON Schemas lie in `docs/schemas/`.\n"
    for operation in server.operations:
        yield from _tool(operation)


def _tool(operation: Operation) -> Iterator[str]:
    yield f"## `{operation.name}`\n"
    yield f"**{operation.title}.** {_hints(operation)}\n"
    yield f"{operation.description}\n"
    yield from _table("Argument", operation.input_schema())
    yield from _table("Result field", operation.output_schema())


def _hints(operation: Operation) -> str:
    told = (name.replace("_", "-") for name in HINTS if getattr(operation.hints, name))
    return f"Hints: {', '.join(told) or 'none'}."


def _table(heading: str, schema: Mapping[str, Any]) -> Iterator[str]:
    """The fields of an object schema; nothing for an empty one."""
    properties: Mapping[str, Mapping[str, Any]] = schema.get("properties", {})
    if not properties:
        return
    required = set(schema.get("required", ()))
    yield f"| {heading} | Type | Always | Meaning |"
    yield "| --- | --- | --- | --- |"
    for name, field in properties.items():
        always = "yes" if name in required else "no"
        yield f"| `{name}` | {_type(field)} | {always} | {_cell(field.get('description', ''))} |"
    yield ""


def _type(field: Mapping[str, Any]) -> str:
    if "enum" in field:
        return " or ".join(f"`{value}`" for value in field["enum"] if value is not None)
    kind = field.get("type", "any")
    kinds = kind if isinstance(kind, list) else [kind]
    if "array" in kinds:
        return f"array of {_type(field.get('items', {}))}"
    return " or ".join(str(each) for each in kinds)


def _cell(text: str) -> str:
    """One line that cannot end the table's cell."""
    return " ".join(text.split()).replace("|", "\\|")

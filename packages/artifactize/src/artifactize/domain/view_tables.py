"""Reading the `[views.agent_tools.<name>]` and `[views.human_tools.<name>]` tables of a declaration."""

from __future__ import annotations

from typing import TYPE_CHECKING

from artifactize.domain.eval_tables import MAX_ARGS, command_fault
from artifactize.domain.logical_paths import path_fault
from artifactize.domain.schema_faults import read_schema
from artifactize.domain.tool_declarations import (
    DEFAULT_OUTPUT_BYTES,
    DEFAULT_TOOL_TIMEOUT_MS,
    MAX_OUTPUT_BYTES,
    MAX_TOOL_TIMEOUT_MS,
    MAX_TOOLS,
    SHA256,
    Protocol,
    ToolDeclaration,
    ToolPin,
    VersionPin,
    placeholder_fault,
    tool_name_fault,
)

if TYPE_CHECKING:
    from artifactize.domain.declarations import Json
    from artifactize.domain.fields import Table

_ANYTHING: dict[str, Json] = {"type": "object"}
Tools = tuple[ToolDeclaration, ...]


def read_views(artifact: Table) -> tuple[Tools, Tools]:
    """Return the tools declared for agents and for people; mistakes are noted in the tables."""
    views = artifact.table("views")
    if views is None:
        return (), ()
    found = _view(views, "agent_tools"), _view(views, "human_tools")
    views.close()
    return found


def _view(views: Table, key: str) -> Tools:
    view = views.table(key)
    if view is None:
        return ()
    tables = view.tables()
    if len(tables) > MAX_TOOLS:
        views.add(key, f"a view has at most {MAX_TOOLS} tools, not {len(tables)}")
    found = []
    for name, table in tables:
        if (fault := tool_name_fault(name)) is not None:
            view.add(name, fault)
        if (tool := _tool(name, table)) is not None:
            found.append(tool)
    return tuple(found)


def _tool(name: str, table: Table) -> ToolDeclaration | None:
    description = table.text("description", required=True)
    protocol = table.text("protocol", required=True, fault=_protocol_fault)
    command = table.text("command", required=True, fault=command_fault)
    args = table.texts("args", most=MAX_ARGS, unique=False) or ()
    schema = read_schema(table, "input") or _ANYTHING
    example = table.table("example")
    timeout_ms = table.whole("timeout_ms", default=DEFAULT_TOOL_TIMEOUT_MS, least=1, most=MAX_TOOL_TIMEOUT_MS)
    most = table.whole("max_output_bytes", default=DEFAULT_OUTPUT_BYTES, least=1, most=MAX_OUTPUT_BYTES)
    pin = _pin(table.table("pin"))
    if protocol == Protocol.PLAIN and (fault := placeholder_fault(args, schema)) is not None:
        table.add("args", fault)
    shown = None if example is None else example.json()
    table.close()
    if description is None or protocol is None or command is None:
        return None
    return ToolDeclaration(
        name, description, Protocol(protocol), command, args, schema, shown, timeout_ms, most, pin
    )


def _pin(table: Table | None) -> ToolPin:
    if table is None:
        return ToolPin()
    files, version = table.table("sha256"), table.table("version")
    digests: dict[str, str] = {}
    if files is not None:
        for path in files.entries():
            if (fault := path_fault(path)) is not None:
                files.add(path, fault)
            if (digest := files.text(path, fault=_digest_fault)) is not None:
                digests[path] = digest
    table.close()
    return ToolPin(digests, None if version is None else _version(version))


def _version(table: Table) -> VersionPin | None:
    args = table.texts("args", least=1, most=MAX_ARGS, unique=False)
    equals = table.text("equals", required=True)
    table.close()
    return None if args is None or equals is None else VersionPin(args, equals)


def _protocol_fault(text: str) -> str | None:
    return None if text in set(Protocol) else f"expected 'json' or 'plain', not {text!r}"


def _digest_fault(text: str) -> str | None:
    return None if SHA256.fullmatch(text) else "expected the SHA-256 of the file: 64 of 0-9 and a-f"

"""One question put to both edges of a tool: `--json` of the command and the result of the MCP tool are the same.

A tool's developer adds `tests/support/parity_<tool>.py` with two names, which are found here:

    PAIRS: list[Pair]                          one for each operation, and for each way it can answer or fail
    ONLY_MCP: dict[tuple[str, str], str]       (server, operation) without a command, and the reason
"""

from __future__ import annotations

import importlib
import json
import os
import pkgutil
import subprocess
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from mcpkit.canonical import compact_json
from mcpkit.testing import check_failure, check_success, connect

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path

    from mcp import Client

_DETAIL_PAGE = {"encoding", "entries", "next_cursor"}


@dataclass(frozen=True)
class Call:
    """The question. `argv` is the whole command with `--json`, `server` the command that serves the tool.

    `env` is added to our environment. `volatile` are names of fields, at any depth, that differ between any
    two calls (a clock); their presence and type are still compared.
    """

    argv: Sequence[str]
    server: Sequence[str]
    arguments: Mapping[str, object]
    exit_code: int = 0
    volatile: frozenset[str] = frozenset()
    env: Mapping[str, str] = field(default_factory=dict)
    cwd: Path | None = None


@dataclass(frozen=True)
class Pair:
    """An operation of a published server in a situation that `prepare` makes below an empty folder."""

    server: str
    operation: str
    situation: str
    prepare: Callable[[Path], Call]

    def __str__(self) -> str:
        return f"{self.server}-{self.operation}-{self.situation}"


def _tables() -> list[Any]:
    import support

    names = [module.name for module in pkgutil.iter_modules(support.__path__)]
    return [importlib.import_module(f"support.{name}") for name in names if name.startswith("parity_")]


def all_pairs() -> list[Pair]:
    """The pairs of every table."""
    return [pair for table in _tables() for pair in table.PAIRS]


def without_command() -> dict[tuple[str, str], str]:
    """Operations that have no command, with the reason."""
    return {key: reason for table in _tables() for key, reason in table.ONLY_MCP.items()}


async def check_parity(call: Call, operation: str) -> None:
    """Assert that both edges answer alike. Raises AssertionError with both answers."""
    environment = {**os.environ, **call.env}
    printed = _from_command(call, environment)
    async with connect(call.server, env=environment, cwd=call.cwd) as client:
        answered = await _from_server(client, operation, call.arguments)
    assert _blurred(printed, call.volatile) == _blurred(answered, call.volatile)


def _from_command(call: Call, environment: Mapping[str, str]) -> object:
    done = subprocess.run(
        list(call.argv),
        env=dict(environment),
        cwd=call.cwd,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=90,
        check=False,
    )
    said = f"exit code {done.returncode}\n{done.stdout.decode()}\n{done.stderr.decode()}"
    assert done.returncode == call.exit_code, said
    document: object = json.loads(done.stdout)
    if isinstance(document, dict) and document.keys() == {"error"}:
        return document["error"]
    return document


async def _from_server(client: Client, operation: str, arguments: Mapping[str, object]) -> object:
    tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    assert operation in tools, f"the server has no tool {operation}: {sorted(tools)}"
    result: Any = await client.call_tool(operation, dict(arguments))
    if result.is_error:
        return check_failure(result)
    structured = check_success(result, tools[operation])
    if structured.keys() != _DETAIL_PAGE:
        return structured
    fragments = [entry["text"] for entry in structured["entries"]]
    while structured["next_cursor"] is not None:
        following = {**arguments, "cursor": structured["next_cursor"]}
        structured = check_success(await client.call_tool(operation, following), tools[operation])
        fragments += [entry["text"] for entry in structured["entries"]]
    joined = json.loads("".join(fragments))
    assert "".join(fragments) == compact_json(joined), "the joined pages are not the compact JSON"
    return joined


def _blurred(value: object, volatile: Iterable[str]) -> object:
    if isinstance(value, dict):
        return {
            key: f"<{type(item).__name__}>" if key in volatile else _blurred(item, volatile)
            for key, item in value.items()
        }
    if isinstance(value, list):
        return [_blurred(item, volatile) for item in value]
    return value

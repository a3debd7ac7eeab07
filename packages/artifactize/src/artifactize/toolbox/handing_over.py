"""Handing one eval's toolbox to a server process of its own, and getting its records back.

A coding agent's command line calls tools over MCP, so it starts `artifactize-tools serve FILE`. The file,
which nobody else can read, says all that the server may see and run: it opens neither state nor
declarations.
"""

from __future__ import annotations

import json
import os
import stat
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from artifactize.domain.tool_declarations import Protocol, ToolDeclaration, ToolPin, VersionPin
from artifactize.toolbox.commands import DeclaredTool
from artifactize.toolbox.contract import ToolRecord
from artifactize.toolbox.scope import Scope
from artifactize.toolbox.toolbox import EvalToolbox
from artifactize.tree.operands import OperandError, Prepared
from oskit.files import StorageError, atomic_write, read_bounded

if TYPE_CHECKING:
    from collections.abc import Mapping

_MAX_BYTES = 64 * 1024 * 1024
_SCHEMA = 1
_OTHERS = stat.S_IRWXG | stat.S_IRWXO


class HandOverError(Exception):
    """A file of arguments that is missing, damaged, or not ours alone."""


@dataclass(frozen=True, slots=True)
class HandedOver:
    """A toolbox in a file: how to serve it, and where its calls are recorded."""

    file: Path
    records_file: Path

    @property
    def command(self) -> tuple[str, ...]:
        """The command line of its MCP server, for a host's configuration."""
        return (sys.executable, "-P", "-m", "artifactize.tools_cli", "serve", str(self.file))

    def records(self) -> tuple[ToolRecord, ...]:
        """Return the calls so far. A line that a killed server left unfinished is left out."""
        try:
            lines = read_bounded(self.records_file, _MAX_BYTES).split(b"\n")
        except StorageError:
            return ()
        return tuple(ToolRecord(**json.loads(line)) for line in lines[:-1])


def hand_over(toolbox: EvalToolbox, folder: Path) -> HandedOver:
    """Write a toolbox into a private folder of ours. Raises ToolFault when its scope cannot be found.

    Calls that this toolbox has answered count for the budget of the one that is served.
    """
    scope = toolbox.scope()
    written = HandedOver(folder / "toolbox.json", folder / "tool-calls.jsonl")
    data = {
        "schema_version": _SCHEMA,
        "base": str(scope.base),
        "files": dict(scope.files),
        "about": dict(scope.about),
        "single": dict(scope.single),
        "tools": [_tool_data(each) for each in toolbox.declared],
        "calls_left": toolbox.calls_left,
        "records": str(written.records_file),
    }
    # ASCII: a path that is no UTF-8 stands there as the surrogates that Python makes of it
    atomic_write(written.file, json.dumps(data), mode=0o600)
    return written


def taken_over(file: Path) -> EvalToolbox:
    """Return the toolbox that a file holds; its calls are recorded where the file says. HandOverError."""
    data = _data(file)
    scope = Scope(Path(data["base"]), data["files"], data["about"], data["single"])
    records = Path(data["records"])
    return EvalToolbox(
        lambda: scope,
        [_tool(each) for each in data["tools"]],
        most_calls=data["calls_left"],
        on_record=lambda record: _append(records, record),
    )


def _data(file: Path) -> dict[str, Any]:
    try:
        found = file.lstat()
        if not stat.S_ISREG(found.st_mode) or found.st_mode & _OTHERS or found.st_uid != os.getuid():
            raise HandOverError(f"{file} is not a file that only this user can read and write")
        data: Any = json.loads(read_bounded(file, _MAX_BYTES))
    except OSError as failure:
        raise HandOverError(f"{file} cannot be read: {failure.strerror}") from failure
    except (StorageError, ValueError) as failure:
        raise HandOverError(f"{file} holds no toolbox: {failure}") from failure
    if not isinstance(data, dict) or data.get("schema_version") != _SCHEMA:
        raise HandOverError(f"{file} holds no toolbox of this version")
    return cast("dict[str, Any]", data)


def _append(file: Path, record: ToolRecord) -> None:
    descriptor = os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    with os.fdopen(descriptor, "wb") as records:
        records.write(json.dumps(asdict(record)).encode() + b"\n")


def _tool_data(tool: DeclaredTool) -> dict[str, Any]:
    prepared = tool.prepared
    return {
        "declared": asdict(tool.declared),
        "argv": None if isinstance(prepared, OperandError) else list(prepared.argv),
        "cwd": str(prepared) if isinstance(prepared, OperandError) else str(prepared.cwd),
        "private": str(tool.private),
        "environment": dict(tool.environment),
    }


def _tool(data: Mapping[str, Any]) -> DeclaredTool:
    argv = data["argv"]
    prepared = OperandError(data["cwd"]) if argv is None else Prepared(tuple(argv), Path(data["cwd"]))
    return DeclaredTool(_declared(data["declared"]), prepared, Path(data["private"]), data["environment"])


def _declared(data: Mapping[str, Any]) -> ToolDeclaration:
    pin, version = data["pin"], data["pin"]["version"]
    pinned = None if version is None else VersionPin(tuple(version["args"]), version["equals"])
    fields = {
        **data,
        "protocol": Protocol(data["protocol"]),
        "args": tuple(data["args"]),
        "pin": ToolPin(pin["sha256"], pinned),
    }
    return ToolDeclaration(**fields)

"""Try a server as a host would: start its command, shake hands, list its tools, make one cheap call.

The client is the official SDK's. Everything is bounded: after `timeout` seconds the server is stopped, which
takes at most seven more (its stdin is closed, then SIGTERM, then SIGKILL to its process group).
"""

from __future__ import annotations

import logging
import os
import tempfile
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from time import perf_counter
from typing import IO, TYPE_CHECKING, Any

import anyio
from mcp import Client, MCPError, StdioServerParameters, stdio_client

from mcpkit.text import escape_untrusted

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

_SHOWN = 2000
"""Characters of the server's stderr, and of a message, that a report shows."""


@dataclass(frozen=True)
class ProbeReport:
    """What a host would have seen. `problem` and `hint` are None exactly when `ok`.

    `call_ok` is None when no call was asked for or reached. `stderr` is the end of what the server wrote.
    """

    ok: bool
    protocol_version: str | None = None
    server_name: str | None = None
    server_version: str | None = None
    tools: tuple[str, ...] = ()
    call_ok: bool | None = None
    elapsed_ms: int = 0
    problem: str | None = None
    hint: str | None = None
    stderr: str = ""

    def as_dict(self) -> dict[str, object]:
        """Return the report as JSON types."""
        return {**asdict(self), "tools": list(self.tools)}


@dataclass
class _Seen:
    """How far the probe came; read when it is cut short."""

    stage: str = "handshake"
    garbage: list[str] = field(default_factory=list)
    report: ProbeReport = ProbeReport(ok=False)


class _CallFailed(Exception):  # noqa: N818 - an outcome of the probe, not a fault of it
    """The tool answered with `isError`."""


async def probe(
    command: Sequence[str],
    *,
    call: tuple[str, Mapping[str, object]] | None,
    timeout: float = 10,  # noqa: ASYNC109 - part of the report's words, and stopping needs a scope of its own
    env: Mapping[str, str] | None = None,
) -> ProbeReport:
    """Run the command and report; never raises for what the server does.

    `call` is a tool's name and arguments. `env` is the server's whole environment, by default ours.
    """
    seen, began = _Seen(), perf_counter()
    problem: str | None = None
    with tempfile.TemporaryFile("w+", errors="replace") as errors, _quiet_sdk():
        try:
            with anyio.move_on_after(timeout) as scope:
                await _talk(_parameters(command, env), errors, seen, call=call)
            if scope.cancelled_caught:
                problem = f"{_STAGES[seen.stage]} got no answer within {timeout:g} s"
        except Exception as exc:  # noqa: BLE001 - whatever a foreign program causes is the result
            problem = _described(exc, seen, command)
        errors.seek(0)
        stderr = escape_untrusted(errors.read()[-_SHOWN:]).strip()
    return _finished(seen, problem, stderr, elapsed_ms=round((perf_counter() - began) * 1000))


def render(report: ProbeReport) -> str:
    """Return the report for a person."""
    lines = [
        f"{'ok' if report.ok else 'FAILED'}: server started, asked and stopped in {report.elapsed_ms} ms"
    ]
    if report.protocol_version:
        name = escape_untrusted(f"{report.server_name} {report.server_version}")
        lines.append(f"server: {name}, protocol {escape_untrusted(report.protocol_version)}")
    if report.tools:
        lines.append(f"tools ({len(report.tools)}): {escape_untrusted(', '.join(report.tools))}")
    if report.call_ok is not None:
        lines.append(f"call: {'answered' if report.call_ok else 'failed'}")
    if report.problem:
        lines += [f"problem: {report.problem}", f"next: {report.hint}"]
    if report.problem and report.stderr:
        lines += [
            "the server's stderr ended with:",
            *(f"  {line}" for line in report.stderr.splitlines()[-10:]),
        ]
    return "\n".join(lines)


_STAGES = {
    "handshake": "the handshake",
    "tools": "`tools/list`",
    "call": "the tool call",
}
_HINTS = {
    "start": "check that the command exists and may be executed",
    "garbage": "the server must write nothing but the protocol to stdout: send logs and prints to stderr",
    "handshake": "run the command by hand: it must wait for input; its stderr says why it does not",
    "tools": "see the server's stderr; the schemas of its tools may be broken",
    "call": "see the message and the server's stderr; the other tools may work",
}


async def _talk(
    parameters: StdioServerParameters,
    errors: IO[str],
    seen: _Seen,
    *,
    call: tuple[str, Mapping[str, object]] | None,
) -> None:
    async def note(message: object) -> None:
        if isinstance(message, Exception):
            seen.garbage.append(_garbage_of(message))

    async with Client(stdio_client(parameters, errlog=errors), message_handler=note) as client:  # type: ignore[arg-type]
        info = client.server_info
        seen.report = replace(
            seen.report,
            protocol_version=str(client.protocol_version),
            server_name=info.name if info else None,
            server_version=info.version if info else None,
        )
        seen.stage = "tools"
        listed = await client.list_tools()
        seen.report = replace(seen.report, tools=tuple(tool.name for tool in listed.tools))
        if call is not None:
            seen.stage = "call"
            seen.report = replace(seen.report, call_ok=False)
            await _call(client, *call)
            seen.report = replace(seen.report, call_ok=True)
        seen.report = replace(seen.report, ok=True)


async def _call(client: Client, name: str, arguments: Mapping[str, object]) -> None:
    result: Any = await client.call_tool(name, dict(arguments))
    if result.is_error:
        raise _CallFailed(" ".join(getattr(part, "text", "") for part in result.content))


def _parameters(command: Sequence[str], env: Mapping[str, str] | None) -> StdioServerParameters:
    return StdioServerParameters(
        command=command[0],
        args=list(command[1:]),
        env=dict(os.environ if env is None else env),
        encoding_error_handler="replace",  # bytes that are no UTF-8 are one more kind of garbage, not a crash
    )


def _finished(seen: _Seen, problem: str | None, stderr: str, *, elapsed_ms: int) -> ProbeReport:
    if problem is None and seen.garbage:
        problem = "the server answered, but its stdout is not kept for the protocol"
    if problem is None:
        return replace(seen.report, elapsed_ms=elapsed_ms, stderr=stderr)
    if seen.garbage:
        problem += f"; {len(seen.garbage)} line(s) on stdout are no JSON-RPC, the first: {seen.garbage[0]}"
    hint = _HINTS["garbage" if seen.garbage else seen.stage]
    text = escape_untrusted(problem[:_SHOWN])
    return replace(seen.report, ok=False, elapsed_ms=elapsed_ms, problem=text, hint=hint, stderr=stderr)


def _described(error: BaseException, seen: _Seen, command: Sequence[str]) -> str:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    if isinstance(error, OSError) and not isinstance(error, ConnectionError):
        seen.stage = "start"
        return f"cannot start {command[0]}: {error.strerror or error}"
    if isinstance(error, _CallFailed):
        return f"the tool call was refused: {error}"
    if isinstance(error, MCPError):
        return f"{_STAGES[seen.stage]} failed: {error}"
    return f"{_STAGES[seen.stage]} failed: {type(error).__name__}: {error}"


def _garbage_of(message: Exception) -> str:
    # pydantic's error about a line holds the line: `input_value='…'`
    errors = getattr(message, "errors", None)
    first: Any = errors(include_url=False)[0] if callable(errors) else {}
    return str(first.get("input", message))[:200]


@contextmanager
def _quiet_sdk() -> Iterator[None]:
    """Keep the SDK from logging a traceback for every line that is no JSON-RPC: the report says it in one."""
    log = logging.getLogger("mcp.client.stdio")
    before = log.level
    log.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        log.setLevel(before)

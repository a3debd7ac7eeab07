"""prview's server, driven with the official client."""

from __future__ import annotations

import os
import signal
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import anyio

from mcpkit.testing import check_failure, check_success, connect
from oskit.process import ProcessIdentity
from support.prview_project import PRVIEW, environment

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
    from pathlib import Path

    from support.repos import GitRepo

SCHEMA_VERSION = "prview.mcp.v1"
GATE = "00_summary/MERGE_GATE.json"


class Tools:
    """The tools of one running server."""

    def __init__(self, client: Any, tools: dict[str, Any]) -> None:
        self.client = client
        self.tools = tools

    async def ask(self, name: str, **arguments: object) -> Any:
        """A call that must succeed."""
        return check_success(await self.client.call_tool(name, arguments), self.tools[name])

    async def fail(self, name: str, **arguments: object) -> Any:
        """A call that must fail; gives the error object."""
        error = check_failure(await self.client.call_tool(name, arguments))
        assert error["schema_version"] == SCHEMA_VERSION
        return error


@asynccontextmanager
async def serving(home: Path, *, env: Mapping[str, str] | None = None) -> AsyncIterator[Tools]:
    """A server, and its tools."""
    async with connect([*PRVIEW, "mcp"], env=environment(home, env=env), cwd=home) as client:
        listed = (await client.list_tools()).tools
        yield Tools(client, {tool.name: tool for tool in listed})


async def until_done(prview: Tools, repo: GitRepo, run_id: str | None = None) -> Any:
    """The verdict of a run that is not in progress any more."""

    async def over() -> Any:
        verdict = await prview.ask("verdict", repo=str(repo.path), run_id=run_id)
        return verdict if verdict["status"] != "in_progress" else None

    return await seen(over)


async def seen(look: Callable[[], Awaitable[Any]]) -> Any:
    """What `look` gives once it is true; other processes do not tell us when."""
    with anyio.fail_after(60):
        while not (found := await look()):  # noqa: ASYNC110 - nothing to wait on in another process
            await anyio.sleep(0.02)
    return found


async def pid_in(mark: Path) -> int:
    """The number that another process writes there."""

    async def written() -> str:
        path = anyio.Path(mark)
        return await path.read_text() if await path.exists() else ""

    return int(await seen(written))


async def gone(pid: int) -> None:
    """Return when the process has ended."""

    async def over() -> bool:
        return ProcessIdentity.of(pid) is None

    await seen(over)


def kill(pid: int) -> None:
    """End a process the hard way, if it is there."""
    if ProcessIdentity.of(pid):
        os.kill(pid, signal.SIGKILL)


def kept_runs(home: Path) -> list[str]:
    """Every run on disk, whatever became of it."""
    folders = (home / "prview/runs").glob("*/[!.]*/2*")
    return sorted(folder.name.removesuffix(".partial") for folder in folders)

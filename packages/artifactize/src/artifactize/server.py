"""The MCP server. The handshake is answered from `tools.json`; the first call loads the tools."""

from __future__ import annotations

from contextlib import asynccontextmanager
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from artifactize.envelope import ENVELOPE
from artifactize.wiring import open_workspace

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from mcp.server.lowlevel import Server

    from artifactize.service.workspace import Workspace
    from mcpkit.operation import Operation

INSTRUCTIONS = (
    "Verifies declared Artifacts and reuses every verdict whose inputs are unchanged. verify_start submits a "
    "Run, verify_wait waits for it, verify_result gives the outcome: only GREEN approves. status says "
    "beforehand what would run and why."
)


@asynccontextmanager
async def open_server(repo: Path | None, state_dir: Path | None) -> AsyncIterator[Server[Any]]:
    """Bind repository and state, and give the server. Runs go on after it is closed."""
    from mcpkit.listing import packaged_listing  # deferred, both: the SDK costs more than all else here
    from mcpkit.server import build_server

    workspace = open_workspace(repo, state_dir)
    try:
        yield build_server(
            name="artifactize",
            version=version("artifactize"),
            listing=packaged_listing("artifactize"),
            operations=lambda: _operations(workspace),
            envelope=ENVELOPE,
            title="artifactize",
            instructions=INSTRUCTIONS,
        )
    finally:
        workspace.close()


def _operations(workspace: Workspace) -> tuple[Operation, ...]:
    from artifactize.tools import operations  # deferred: every model, and the store's library

    return operations(lambda: workspace)

"""The MCP server: its tools, one line each."""

from __future__ import annotations

from contextlib import asynccontextmanager
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from artifactize.envelope import ENVELOPE
from artifactize.models.verification import WatchEvent
from artifactize.service.inspection import Inspection
from artifactize.service.paging import Pages
from artifactize.service.verification import Verification
from artifactize.wiring import open_workspace
from mcpkit.operation import Hints, Operation, PublishedServer

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from pathlib import Path

    from mcp.server.lowlevel import Server

    from artifactize.service.workspace import Workspace

NAME = "artifactize"
INSTRUCTIONS = (
    "Verifies declared Artifacts and reuses every verdict whose inputs are unchanged. verify_start submits a "
    "Run, verify_wait waits for it, verify_result gives the outcome: only GREEN approves. status says "
    "beforehand what would run and why."
)

_READS = Hints(read_only=True, destructive=False, idempotent=True, open_world=False)
_STARTS = Hints(read_only=False, destructive=False, idempotent=False, open_world=True)
_CANCELS = Hints(read_only=False, destructive=True, idempotent=True, open_world=False)
# a fingerprint script or tool of the repository may run
_LOOKS = Hints(read_only=True, destructive=False, idempotent=True, open_world=True)


def operations(workspace: Callable[[], Workspace]) -> tuple[Operation, ...]:
    """Return every tool; `workspace` is asked for when one is called."""
    verification = Verification(workspace)
    pages = Pages(Inspection(workspace))
    return (
        Operation.of(verification.verify_start, title="Start a verification", hints=_STARTS),
        Operation.of(verification.verify_wait, title="Wait for a Run", hints=_READS),
        Operation.of(verification.verify_result, title="Outcome of a Run", hints=_READS),
        Operation.of(verification.verify_cancel, title="Cancel a Run", hints=_CANCELS),
        Operation.of(pages.status, title="What verify would do, and why", hints=_LOOKS),
        Operation.of(pages.config_check, title="Check the declarations", hints=_READS),
        Operation.of(pages.run_list, title="List Runs", hints=_READS),
        Operation.of(pages.run_show, title="Show a Run", hints=_READS),
        Operation.of(pages.request_logs, title="What an eval printed", hints=_READS),
        Operation.of(pages.cache_list, title="List reusable verdicts", hints=_READS),
        Operation.of(pages.doctor, title="Check that artifactize can work", hints=_READS),
    )


def _unbound() -> Workspace:
    raise RuntimeError("published for its schemas only: no repository is bound")


published = PublishedServer(NAME, operations(_unbound), {"watch_event": WatchEvent})


@asynccontextmanager
async def open_server(repo: Path | None, state_dir: Path | None) -> AsyncIterator[Server[Any]]:
    """Bind repository and state, and give the server. Runs go on after it is closed."""
    from mcpkit.server import build_server  # deferred: the schemas of `published` do not need the SDK

    workspace = open_workspace(repo, state_dir)
    try:
        yield build_server(
            name=NAME,
            version=version("artifactize"),
            operations=operations(lambda: workspace),
            envelope=ENVELOPE,
            title="artifactize",
            instructions=INSTRUCTIONS,
        )
    finally:
        workspace.close()

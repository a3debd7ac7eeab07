"""`codevetter-verify-mcp` as MCP: one tool, one envelope."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, cast

from codevetter_verify import __version__
from codevetter_verify.envelopes import envelope
from codevetter_verify.models import TrexPreviewReceipt
from codevetter_verify.projection import Projection
from mcpkit.operation import Hints, Operation, PublishedServer

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from mcpkit.operation import Service

NAME = "codevetter-verify-mcp"


def _tool(service: Service) -> Operation:
    hints = Hints(read_only=False, destructive=False, idempotent=False, open_world=True)
    return Operation.of(service, title="Verify a change's preview (local execution)", hints=hints)


published = PublishedServer(
    name=NAME,
    operations=(_tool(cast("Service", Projection.verify_change_preview)),),  # unbound: schemas only
    models={"trex_preview_receipt": TrexPreviewReceipt},
)


@asynccontextmanager
async def open_server(repo_id: str) -> AsyncIterator[Any]:
    """The server of one enabled repository; raises the `ToolError` that says why it may not start."""
    from codevetter_verify.wiring import open_projection
    from mcpkit.server import build_server  # deferred: the SDK, which publishing schemas does not need

    projection = await open_projection(repo_id)
    yield build_server(
        name=NAME,
        version=__version__,
        title="CodeVetter T-Rex",
        operations=[_tool(projection.verify_change_preview)],
        envelope=envelope,
        instructions="Verifies one change of one repository by visiting its deployed preview, read-only.",
    )

"""`codevetter-verify-mcp` as MCP: one tool, one envelope."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, cast

from mcpkit.envelope import ClassEnvelope
from mcpkit.operation import Hints, Operation, PublishedServer

from codevetter_verify import __version__
from codevetter_verify.errors import SERVER_CLASSES
from codevetter_verify.models import TrexPreviewReceipt
from codevetter_verify.service.projection import Projection

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from mcpkit.operation import Service

NAME = "codevetter-verify-mcp"

envelope = ClassEnvelope(SERVER_CLASSES, "codevetter.verify.v1", invalid="invalid_input")
command_line_envelope = ClassEnvelope(
    SERVER_CLASSES | {"receipt_not_found"}, "codevetter.verify.v1", invalid="invalid_input"
)
"""The same words for `--json`, with the one class that only a command can meet."""


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
    from mcpkit.server import build_server  # deferred: the SDK, which publishing schemas does not need

    from codevetter_verify.wiring import open_projection

    projection = await open_projection(repo_id)
    yield build_server(
        name=NAME,
        version=__version__,
        title="CodeVetter T-Rex",
        operations=[_tool(projection.verify_change_preview)],
        envelope=envelope,
        instructions="Verifies one change of one repository by visiting its deployed preview, read-only.",
    )

"""The execution server's tool: what `tools.json` is written from, and what the first call opens."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from codevetter_verify.models import TrexPreviewReceipt
from codevetter_verify.projection import Projection
from codevetter_verify.wiring import open_projection
from mcpkit.operation import Hints, Operation, PublishedServer

if TYPE_CHECKING:
    from codevetter_verify.domain.records import Scope
    from mcpkit.operation import Refused, Service


def open_operations(scope: Scope) -> tuple[Operation, ...]:
    """The tool for one repository. Blocks; raises `StorageFailedError`."""
    projection = open_projection(scope)
    return (_tool(projection.verify_change_preview, refused=projection.refused),)


def _tool(service: Service, *, refused: Refused | None = None) -> Operation:
    hints = Hints(read_only=False, destructive=False, idempotent=False, open_world=True)
    title = "Verify a change's preview (local execution)"
    return Operation.of(service, title=title, hints=hints, refused=refused)


published = PublishedServer(
    name="codevetter-verify-mcp",
    operations=(_tool(cast("Service", Projection.verify_change_preview)),),  # unbound: schemas only
    models={"trex_preview_receipt": TrexPreviewReceipt},
    package="codevetter_verify",
)

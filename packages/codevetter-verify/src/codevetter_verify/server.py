"""`codevetter-verify-mcp` as MCP: one tool, one envelope. The first call loads what it needs."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from codevetter_verify import __version__
from codevetter_verify.envelopes import envelope
from codevetter_verify.service.starting import permitted_scope
from codevetter_verify.store.places import receipts_home

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from codevetter_verify.domain.records import Scope
    from codevetter_verify.store.store import Store
    from mcpkit.operation import Operation


@asynccontextmanager
async def open_server(repo_id: str) -> AsyncIterator[Any]:
    """The server of one enabled repository; raises the `ToolError` that says why it may not start."""
    from mcpkit.listing import packaged_listing  # deferred, both: the SDK costs more than all else here
    from mcpkit.server import build_server

    scope = await permitted_scope(repo_id, home=receipts_home(), open_store=_open_store)
    yield build_server(
        name="codevetter-verify-mcp",
        version=__version__,
        title="CodeVetter T-Rex",
        listing=packaged_listing("codevetter_verify"),
        operations=lambda: _operations(scope),
        envelope=envelope,
        instructions="Verifies one change of one repository by visiting its deployed preview, read-only.",
    )


async def _open_store() -> Store:
    from codevetter_verify.wiring import open_store  # deferred: the database library, mostly not needed

    return await open_store()


def _operations(scope: Scope) -> tuple[Operation, ...]:
    from codevetter_verify.tools import open_operations  # deferred: every model, the store, the browser

    return open_operations(scope)

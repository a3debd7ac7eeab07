"""`codevetter-mcp` as MCP: four tools that read, one envelope. The first call loads what it needs."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from codevetter_verify import __version__
from codevetter_verify.domain.records import Scope
from codevetter_verify.envelopes import history_envelope
from codevetter_verify.errors import NotEnabledError
from codevetter_verify.service.permit import check_place, refuse_ended
from codevetter_verify.store.glance import glanced_history
from codevetter_verify.store.places import receipts_home

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from mcpkit.operation import Operation


@asynccontextmanager
async def open_server(repo_id: str) -> AsyncIterator[Any]:
    """The server of one repository whose history may be read; raises the `ToolError` that says why not."""
    from mcpkit.listing import packaged_listing  # deferred, both: the SDK costs more than all else here
    from mcpkit.server import build_server

    scope = await _permitted(repo_id)
    yield build_server(
        name="codevetter-mcp",
        version=__version__,
        title="CodeVetter history",
        listing=packaged_listing("codevetter_verify.history"),
        operations=lambda: _operations(scope),
        envelope=history_envelope,
        instructions="Reads one repository's verification receipts and history. It runs and changes nothing.",
    )


async def _permitted(repo_id: str) -> Scope:
    enablement = glanced_history(receipts_home(), repo_id)
    if enablement is None:
        raise NotEnabledError(repo_id, permission="history")
    refuse_ended(enablement, permission="history")
    scope = Scope(enablement.repo_key, enablement.repo_path)
    await check_place(scope, permission="history")
    return scope


def _operations(scope: Scope) -> tuple[Operation, ...]:
    from codevetter_verify.history.tools import open_operations  # deferred: every model, and the store

    return open_operations(scope)

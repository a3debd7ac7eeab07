"""Whether the execution server may start, and for which repository: asked before a host gets an answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codevetter_verify.domain.records import Scope
from codevetter_verify.service.permit import check_place, current_enablement, refuse_ended
from codevetter_verify.service.reaping import reap
from codevetter_verify.store.glance import glanced_enablement

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

    from codevetter_verify.domain.records import Enablement
    from codevetter_verify.store.store import Store


async def permitted_scope(repo_id: str, *, home: Path, open_store: Callable[[], Awaitable[Store]]) -> Scope:
    """The scope of an enabled repository, where it was when it was enabled.

    The store is opened only where a glance at it is not enough. Raises `NotEnabledError`, `RevokedError` and
    `StorageFailedError`: the server starts for no other.
    """
    enablement = glanced_enablement(home, repo_id) or await _enablement(repo_id, await open_store())
    refuse_ended(enablement)
    scope = Scope(enablement.repo_key, enablement.repo_path)
    await check_place(scope)
    return scope


async def _enablement(repo_id: str, store: Store) -> Enablement:
    enablement = await current_enablement(store, repo_id)
    await reap(store)
    return enablement

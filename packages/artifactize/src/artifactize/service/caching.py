"""Looking at the records of one reuse key, and removing its verdict."""

from __future__ import annotations

from typing import TYPE_CHECKING

from artifactize.errors import KeyInUseError, UnknownSelectionError
from artifactize.models.caching import (
    CacheHistory,
    CacheRecord,
    CacheRemoved,
    CacheRemoveRequest,
    CacheShown,
    CacheShowRequest,
)
from artifactize.service.workspace import off_loop
from artifactize.store import key_history, owners
from oskit.clock import now, rfc3339
from oskit.process import ProcessIdentity

if TYPE_CHECKING:
    from collections.abc import Callable

    import sqlalchemy as sa

    from artifactize.models.stored import Record
    from artifactize.service.workspace import Workspace

_SHOWN = 5


class Caching:
    """Records by key. `workspace` is asked for when an operation needs it."""

    def __init__(self, workspace: Callable[[], Workspace]) -> None:
        self._workspace = workspace

    async def cache_show(self, request: CacheShowRequest) -> CacheShown:
        """Show the verdict of a reuse key and the fingerprints it answers for; null when there is none."""
        found = await off_loop(lambda: self._history(request.key))
        return CacheShown(_record(found[0]) if found and found[0].verdict != key_history.TOMBSTONE else None)

    async def cache_history(self, request: CacheShowRequest) -> CacheHistory:
        """Show every record of a reuse key, newest first; only the first one counts."""
        found = await off_loop(lambda: self._history(request.key))
        return CacheHistory(tuple(_record(each) for each in found))

    async def cache_remove(self, request: CacheRemoveRequest) -> CacheRemoved:
        """Remove the verdict of a reuse key, so that its eval runs again; no older one comes back."""
        return await off_loop(lambda: self._remove(request.key))

    def _history(self, beginning: str) -> list[Record]:
        store = self._workspace().existing_store()
        if store is None:
            return []
        with store.read() as connection:
            key = _whole_key(connection, beginning)
            return [] if key is None else key_history.history(connection, key)

    def _remove(self, beginning: str) -> CacheRemoved:
        if self._workspace().existing_store() is None:
            return CacheRemoved(key=beginning, eval=None, removed=False)
        with self._workspace().store().write() as connection:
            key = _whole_key(connection, beginning)
            found = [] if key is None else key_history.history(connection, key)
            if key is None or found[0].verdict == key_history.TOMBSTONE:
                return CacheRemoved(key=key or beginning, eval=None, removed=False)
            held = owners.claims_of(connection, [key]).get(key)
            if held is not None and ProcessIdentity.parse(held.owner).is_alive():
                raise KeyInUseError(key, held.run_id)
            key_history.bury(connection, found[0], moment=rfc3339(now()))
        return CacheRemoved(key=key, eval=found[0].eval, removed=True)


def _whole_key(connection: sa.Connection, beginning: str) -> str | None:
    keys = key_history.keys_like(connection, beginning, most=_SHOWN)
    if len(keys) > 1:
        raise UnknownSelectionError(
            f"{len(keys)} keys or more begin with {beginning}", hint=f"write more digits: {', '.join(keys)}"
        )
    return keys[0] if keys else None


def _record(found: Record) -> CacheRecord:
    values = {name: getattr(found, name) for name in CacheRecord.model_fields}
    return CacheRecord(**{**values, "fingerprints": dict(found.fingerprints)})

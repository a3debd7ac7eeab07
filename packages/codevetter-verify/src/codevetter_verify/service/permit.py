"""Whether a run may begin, and go on: asked before it, between its stages, and while it waits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import anyio

from codevetter_verify.errors import NotEnabledError, RevokedError, ScopeUnavailableError
from codevetter_verify.service.scope import open_scope
from oskit.clock import SteadyClock

if TYPE_CHECKING:
    from codevetter_verify.domain.records import Enablement, Face, Permission, Scope
    from codevetter_verify.store.store import Store


_CLOCK = SteadyClock()
"""A permission that has ended does not begin again because somebody set the clock back under a server."""


class Enablements(Protocol):
    """Where permissions are read: the store, or the history server's view of it."""

    async def enablement(self, repo_id: str, *, permission: Permission) -> Enablement | None:
        """The permission as it is now."""
        ...


class Permit(Protocol):
    """The owner's say. `face` is the way that the run was asked for."""

    @property
    def face(self) -> Face:
        """For the audit."""
        ...

    async def check(self) -> None:
        """Return while the run may go on; raise `NotEnabledError` or `RevokedError` when it may not."""
        ...

    async def glance(self) -> None:
        """Do the cheap part of `check`, for every second."""
        ...


class OwnersRun:
    """The owner runs it from a terminal: nobody else has to allow that."""

    face: Face = "command"

    async def check(self) -> None:
        """Allow."""

    async def glance(self) -> None:
        """Allow."""


class EnabledRun:
    """Reads the enablement at every check, and whether the repository is still the one it was given for."""

    face: Face = "mcp"

    def __init__(self, store: Store, scope: Scope) -> None:
        self._store = store
        self._scope = scope
        self._folder: tuple[int, int] | None = None

    async def check(self) -> None:
        """Raise when the permission is gone, or the repository is another one."""
        await self.glance()
        await check_place(self._scope)

    async def glance(self) -> None:
        """Raise when the permission is gone, or the repository's folder, or another one lies in its place."""
        await current_enablement(self._store, self._scope.repo_id)
        path = self._scope.path
        try:
            found = await anyio.Path(path).stat()
        except OSError as exc:
            raise RevokedError(f"the repository is not at {path} any more") from exc
        folder = (found.st_dev, found.st_ino)
        if folder != (self._folder or folder):
            raise RevokedError(f"another folder lies at {path} now")
        self._folder = folder


async def current_enablement(
    store: Enablements, repo_id: str, *, permission: Permission = "verification"
) -> Enablement:
    """The enablement that holds now; raises `NotEnabledError` or `RevokedError`."""
    enablement = await store.enablement(repo_id, permission=permission)
    if enablement is None:
        raise NotEnabledError(repo_id, permission=permission)
    refuse_ended(enablement, permission=permission)
    return enablement


def refuse_ended(enablement: Enablement, *, permission: Permission = "verification") -> None:
    """Raise `RevokedError` when the permission does not hold any more."""
    ended = enablement.ended(_CLOCK.now())
    if ended is not None:
        raise RevokedError(ended, permission=permission)


async def check_place(scope: Scope, *, permission: Permission = "verification") -> None:
    """Raise `RevokedError` when the repository is gone, or another one lies in its place."""
    try:
        found = await open_scope(scope.path)
    except ScopeUnavailableError as exc:
        gone = f"the repository is not at {scope.path} any more ({exc.message})"
        raise RevokedError(gone, permission=permission) from exc
    if found.key != scope.key:
        raise RevokedError(f"another repository lies at {scope.path} now", permission=permission)

"""Choosing a review store, leaving it, and saying how it stands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from artifactize.models.team import (
    RemoteLoggedOut,
    RemotePushed,
    RemotePushRequest,
    RemoteStatus,
    RemoteStatusRequest,
)
from artifactize.remote.config import Remote, forget_remote, origin_of, read_remote, save_pushed, write_remote
from artifactize.service.sharing import newest_sequence, push, waiting
from artifactize.service.workspace import off_loop

if TYPE_CHECKING:
    from collections.abc import Callable

    from artifactize.models.review_store import WhoAmI
    from artifactize.service.workspace import Workspace


@dataclass(frozen=True, slots=True, kw_only=True)
class Login:
    """A store's address and token; the keys are explained at `Remote`."""

    url: str
    token: str
    trusted: tuple[str, ...] = ()
    sign_with: str | None = None


class Remotes:
    """The review store of a workspace. `workspace` is asked for when an operation needs it."""

    def __init__(self, workspace: Callable[[], Workspace]) -> None:
        self._workspace = workspace

    async def login(self, request: Login) -> RemoteStatus:
        """Ask the store who the token is, and use it from now on. Verdicts of before are not put there.

        Raises ReviewStoreError, and changes nothing then.
        """
        await off_loop(lambda: self._login(request))
        return await self.status(RemoteStatusRequest())

    async def logout(self) -> RemoteLoggedOut:
        """Forget the store and its token."""
        return await off_loop(lambda: RemoteLoggedOut(configured=forget_remote(self._workspace().state_dir)))

    async def status(self, request: RemoteStatusRequest) -> RemoteStatus:
        """Say which review store is used, whether it answers, and how many verdicts wait to be put there."""
        del request
        return await off_loop(self._status)

    async def push(self, request: RemotePushRequest) -> RemotePushed:
        """Put the verdicts that wait, or all there are, into the store. Raises ReviewStoreError."""
        found = await push(self._workspace(), everything=request.everything)
        if found is None:
            from artifactize.errors import ReviewStoreError  # deferred: rare

            raise ReviewStoreError(
                "this state has no review store", hint="`artifactize remote login URL` names one"
            )
        return found

    def _login(self, request: Login) -> None:
        from artifactize.errors import ReviewStoreError  # deferred: --help stays light
        from artifactize.remote.client import StoreClient, UnreachableError
        from artifactize.remote.signing import raw_key

        for key in request.trusted:
            raw_key(key)
        origin = origin_of(request.url)
        workspace = self._workspace()
        try:
            with StoreClient(origin, request.token) as client:
                known = client.whoami()
        except UnreachableError as failure:
            raise ReviewStoreError(
                str(failure), hint="check the address, and that the store runs"
            ) from failure
        remote = Remote(
            origin=origin,
            token=request.token,
            name=known.name,
            scopes=known.scopes,
            trusted=request.trusted,
            sign_with=request.sign_with,
        )
        write_remote(workspace.state_dir, remote)
        save_pushed(workspace.state_dir, origin, newest_sequence(workspace))

    def _status(self) -> RemoteStatus:
        workspace = self._workspace()
        remote = read_remote(workspace.state_dir)
        if remote is None:
            return RemoteStatus(configured=False)
        from artifactize.remote.client import StoreClient, UnreachableError  # deferred: --help stays light
        from mcpkit.errors import ToolError

        known: WhoAmI | None = None
        problem: str | None = None
        try:
            with StoreClient(remote.origin, remote.token) as client:
                known = client.whoami()
        except UnreachableError as failure:
            problem = str(failure)
        except ToolError as failure:
            problem = failure.message
        return RemoteStatus(
            configured=True,
            url=remote.origin,
            name=remote.name if known is None else known.name,
            scopes=() if known is None else known.scopes,
            reachable=known is not None,
            problem=problem,
            waiting=waiting(workspace, remote),
        )

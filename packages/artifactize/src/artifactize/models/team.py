"""Results of the commands about a review store, on the server's side and on the client's."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from artifactize.models.verification import Cursor
from mcpkit.models import Request, Response, Wire


class TokenShown(Wire):
    """A token without its secret."""

    name: str
    scopes: tuple[str, ...]
    created_at: str
    expires_at: str | None
    revoked_at: str | None


class TokenCreated(Response):
    """A new token; `token` is the secret, which is kept nowhere."""

    name: str
    scopes: tuple[str, ...]
    expires_at: str | None
    token: str


class TokenList(Response):
    """All tokens by name, revoked ones among them."""

    tokens: tuple[TokenShown, ...]


class TokenRevoked(Response):
    """The token as it is now, and of how many keys the verdict was taken back."""

    token: TokenShown
    removed: int


class RemovedVerdicts(Response):
    """Of how many keys the verdict was taken back."""

    removed: int


class RemoteStatusRequest(Request):
    """Nothing needs to be said."""


class RemoteStatusPageRequest(RemoteStatusRequest):
    """Which page."""

    cursor: Cursor = None


class RemotePushRequest(Request):
    """What to put."""

    everything: Annotated[bool, Field(description="Also what was put before.")] = False


class RemoteLoggedOut(Response):
    """Whether there was a review store to forget."""

    configured: bool


class RemoteStatus(Response):
    """The review store of this state. `reachable` and what follows are only known where it was asked."""

    configured: bool
    url: str | None = None
    name: str | None = None
    scopes: tuple[str, ...] = ()
    reachable: bool | None = None
    problem: str | None = None
    waiting: int = 0


class RemotePushed(Response):
    """What a push did: entries put, those that the store had, those it does not take, and what is left."""

    put: int
    known: int
    refused: int
    left: int
    problem: str | None = None

"""What the review screen needs from the rest of artifactize, and nothing more."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping

    from artifactize.domain.declarations import Json
    from artifactize.service.waiting_signoffs import SignOff, Verdict


class SignOffs(Protocol):
    """The sign-offs of a state. Every method may raise ToolError, whose message is shown."""

    async def waiting(self) -> tuple[SignOff, ...]:
        """Return all that wait, oldest first."""

    async def claim(self, found: SignOff) -> None:
        """Take a sign-off, so that nobody else does."""

    async def unclaim(self, found: SignOff) -> None:
        """Give it back."""

    async def call(self, found: SignOff, tool: str, arguments: Mapping[str, Json]) -> str:
        """Call one of its tools and return what it said."""

    async def submit(self, found: SignOff, verdict: Verdict, fields: Mapping[str, Json]) -> str:
        """Submit the verdict and return what came of it; what it covers is looked at again first."""

"""Routes of one run that take turns at loading and keep watching their pages until all are done.

Loading is work, watching is not: a page that has settled goes on being watched while others load, which finds
later errors for nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import anyio

if TYPE_CHECKING:
    from types import TracebackType
    from typing import Self

COMPANY_S = 2.0
"""How long a settled page is watched on for the sake of the others."""


class Together:
    """What the routes of one run share."""

    def __init__(self, *, routes: int, at_once: int) -> None:
        self._turns = anyio.CapacityLimiter(at_once)
        self._settling = routes
        self._all_settled = anyio.Event()

    def turn(self) -> Turn:
        """A turn at loading."""
        return Turn(self._turns)

    def settled(self) -> None:
        """Note that one more route needs no more waiting, or never will."""
        self._settling -= 1
        if self._settling <= 0:
            self._all_settled.set()

    async def others(self) -> None:
        """Return when every route has settled, or after `COMPANY_S`."""
        with anyio.move_on_after(COMPANY_S):
            await self._all_settled.wait()


class Turn:
    """Held from its block's beginning until `give_up` or the block's end."""

    def __init__(self, turns: anyio.CapacityLimiter) -> None:
        self._turns = turns
        self._held = False

    async def __aenter__(self) -> Self:
        await self._turns.acquire()
        self._held = True
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.give_up()

    def give_up(self) -> None:
        """Let another route load."""
        if self._held:
            self._held = False
            self._turns.release()

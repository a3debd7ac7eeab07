"""Doing together what several tasks want done at about the same time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

import anyio

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

Item = TypeVar("Item")
Result = TypeVar("Result")

MOST_TOGETHER = 256


class _Ticket(Generic[Item, Result]):
    """One item that waits to be done, and what came of it."""

    def __init__(self, item: Item) -> None:
        self.item = item
        self.done = anyio.Event()
        self.result: Result | None = None
        self.failure: Exception | None = None


class Batches(Generic[Item, Result]):
    """Gathers items while a batch is being done, and does those in the next one.

    A lone item is done at once; under load one look or one transaction serves many. `work` gets the items in
    the order they came and returns a result for each; its failure is the failure of every one of them.
    """

    def __init__(self, work: Callable[[list[Item]], Awaitable[Sequence[Result]]]) -> None:
        self._work = work
        self._waiting: list[_Ticket[Item, Result]] = []
        self._wake = anyio.Event()

    async def do(self, item: Item) -> Result:
        """Have an item done, and return what came of it; `run` has to be running."""
        ticket = _Ticket[Item, Result](item)
        self._waiting.append(ticket)
        self._wake.set()
        await ticket.done.wait()
        if ticket.failure is not None:
            raise ticket.failure
        return ticket.result  # type: ignore[return-value] # of the very type that `work` gives

    async def run(self) -> None:
        """Do batches until cancelled."""
        while True:
            await self._wake.wait()
            batch, self._waiting = self._waiting[:MOST_TOGETHER], self._waiting[MOST_TOGETHER:]
            if not self._waiting:
                self._wake = anyio.Event()
            await self._do(batch)

    async def _do(self, batch: list[_Ticket[Item, Result]]) -> None:
        try:
            results = await self._work([ticket.item for ticket in batch])
        except Exception as failure:  # noqa: BLE001 - raised where the items came from
            for ticket in batch:
                ticket.failure = failure
                ticket.done.set()
            return
        for ticket, result in zip(batch, results, strict=True):
            ticket.result = result
            ticket.done.set()

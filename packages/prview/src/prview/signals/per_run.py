"""What several analyzers of one run need is computed once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar
from weakref import WeakKeyDictionary

import anyio

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from prview.checks.trees import Trees
    from prview.signals.base import SignalContext

T = TypeVar("T")


class PerRun(Generic[T]):
    """Remembers an answer for as long as the run's trees are in use. The answer must not hold the trees.

    Analyzers run side by side: the second one waits for the first. A failure is not remembered.
    """

    def __init__(self, compute: Callable[[SignalContext], Awaitable[T]]) -> None:
        self._compute = compute
        self._answers: WeakKeyDictionary[Trees, T] = WeakKeyDictionary()
        self._locks: WeakKeyDictionary[Trees, anyio.Lock] = WeakKeyDictionary()

    async def __call__(self, context: SignalContext) -> T:
        """The answer for the run of `context`."""
        run = context.trees
        async with self._locks.setdefault(run, anyio.Lock()):
            if run not in self._answers:
                self._answers[run] = await self._compute(context)
            return self._answers[run]

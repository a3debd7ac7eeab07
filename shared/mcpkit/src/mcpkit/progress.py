"""How far a running operation is, told to whoever listens: an MCP client, a terminal, nobody."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

Listener = Callable[[float, "float | None", str], Awaitable[None]]
"""Gets the amount done, the total when it is known, and a message for people (may be empty)."""

_listener: ContextVar[Listener | None] = ContextVar("mcpkit_progress_listener", default=None)


async def report(done: float, total: float | None = None, message: str = "") -> None:
    """Tell the listener of the current task, if there is one, that `done` of `total` is done.

    Costs nothing when nobody listens, so a service reports without asking.
    """
    listener = _listener.get()
    if listener is not None:
        await listener(done, total, message)


@contextmanager
def listening(callback: Listener) -> Iterator[None]:
    """Send the reports of this block, and of the tasks started in it, to `callback`."""
    token = _listener.set(callback)
    try:
        yield
    finally:
        _listener.reset(token)

"""Let a signal end a command as Ctrl-C does: what runs is cancelled and cleans up, the exit code is 128+n."""

from __future__ import annotations

import signal
import sys
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import FrameType


class Running:
    """The service that runs now, if any, and how to cancel it.

    Raising SIGINT for asyncio to see would do nothing in a job that a script started with `&`: there it is
    ignored.
    """

    _cancel: Callable[[], object] | None = None

    @classmethod
    @contextmanager
    def cancelled_by(cls, cancel: Callable[[], object]) -> Iterator[None]:
        """Let `cancel` stop what runs in the block."""
        cls._cancel = staticmethod(cancel)
        try:
            yield
        finally:
            cls._cancel = None

    @classmethod
    def cancel(cls) -> bool:
        """Cancel what runs; False when nothing does."""
        if cls._cancel is None:
            return False
        cls._cancel()
        return True


@contextmanager
def stoppable() -> Iterator[None]:
    """Let SIGTERM and SIGHUP do what Ctrl-C does, and turn any of the three into exit code 128+n."""
    received: list[int] = []

    def interrupt(number: int, _frame: FrameType | None) -> None:
        received.append(number)
        if not Running.cancel():
            raise KeyboardInterrupt

    try:
        with _handling(interrupt):
            yield
    except KeyboardInterrupt:
        number = received[0] if received else signal.SIGINT
        click.echo(f"interrupted ({signal.Signals(number).name})", err=True)
        sys.exit(128 + number)


@contextmanager
def _handling(handler: Callable[[int, FrameType | None], None]) -> Iterator[None]:
    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread may set handlers
        return
    # a signal that the parent told us to ignore (nohup) stays ignored
    numbers = [n for n in (signal.SIGTERM, signal.SIGHUP) if signal.getsignal(n) is not signal.SIG_IGN]
    before = {number: signal.signal(number, handler) for number in numbers}
    try:
        yield
    finally:
        for number, previous in before.items():
            signal.signal(number, previous)

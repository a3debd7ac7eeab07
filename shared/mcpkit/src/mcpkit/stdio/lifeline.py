"""The end of the process: within two seconds of a signal or of the end of stdin, whatever else is going on.

The SDK's defaults do neither: SIGTERM skips every cleanup, SIGINT hangs behind the thread that reads stdin,
and a tool thread in a blocking call holds the interpreter for as long as it likes. Hence one thread of our
own that waits for a reason to leave, asks for an orderly end and, if that takes too long, ends the process
itself.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import sys
import threading
import time
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from collections.abc import Callable

LIMIT_S = 1.6
"""From the reason to leave to the end of the process; hosts send SIGKILL two seconds after closing stdin."""

_SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
_STOP = b"s"
_ENDED = b"e"


class Lifeline:
    """Owns the signals and the last two seconds. `drain` gets its seconds, and saves what is in flight."""

    def __init__(self, drain: Callable[[float], None]) -> None:
        self._drain = drain
        self._causes, self._cause = os.pipe()
        os.set_blocking(self._cause, False)  # written to by signal handlers, which must not wait
        self._phase = threading.Lock()
        self._on_stop: Callable[[], None] | None = None

    def start(self) -> None:
        """Own SIGTERM, SIGINT and SIGHUP from now on; a signal before `serving` ends the process at once."""
        for number in _SIGNALS:
            signal.signal(number, lambda *_: self.stop())
        # the handler above runs in the main thread when that gets to it; this works even while it is stuck
        signal.set_wakeup_fd(self._cause, warn_on_full_buffer=False)
        threading.Thread(target=self._watch, name="lifeline", daemon=True).start()

    def serving(self, on_stop: Callable[[], None]) -> None:
        """From now on there is something to clean up: `on_stop` (thread-safe, quick) asks for it."""
        with self._phase:
            self._on_stop = on_stop

    def stop(self) -> None:
        """Ask for the end of the process, from any thread or signal handler, any number of times."""
        self._tell(_STOP)

    def ended(self) -> None:
        """Say that nothing more will come on stdin: what has come may still be answered, within the limit."""
        with self._phase:
            if self._on_stop is not None:
                self._tell(_ENDED)

    def finish(self, status: int) -> NoReturn:
        """End the process now: no exit handlers, no waiting for threads, but nothing written is lost."""
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(Exception):
                stream.flush()
        self._leave(status)

    def _leave(self, status: int) -> NoReturn:
        self._drain(0.1)
        os._exit(status)

    def _tell(self, cause: bytes) -> None:
        with contextlib.suppress(OSError):  # full: then there are causes enough
            os.write(self._cause, cause)

    def _watch(self) -> None:
        deadline: float | None = None
        while True:
            left = None if deadline is None else max(0.0, deadline - time.monotonic())
            if not select.select([self._causes], [], [], left)[0]:
                self._leave(0)
            cause = os.read(self._causes, 1)
            deadline = deadline or time.monotonic() + LIMIT_S
            if cause != _ENDED:  # our own word, or the number of a signal
                self._stop_in_order()

    def _stop_in_order(self) -> None:
        with self._phase:
            if self._on_stop is None:
                self._leave(0)
            with contextlib.suppress(RuntimeError):  # the loop is closed already: the end is near
                self._on_stop()

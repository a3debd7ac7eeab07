"""Lines from a descriptor, read by a thread of our own from the first moment on.

The thread starts before the SDK is imported, so that a host's first frames are at hand when the SDK is. It
sees the end of stdin even while the event loop is busy. A line may be long; a client that never ends one is
cut off.
"""

from __future__ import annotations

import logging
import os
import threading
from collections import deque
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

logger = logging.getLogger(__name__)

MAX_LINE_BYTES = 32 * 1024 * 1024
"""A longer line is dropped: no request of ours comes near, and memory is not the client's to fill."""

_MAX_HELD_BYTES = 64 * 1024 * 1024
_CHUNK = 256 * 1024


class LineReader:
    """The lines of `fd`, without their ends, in order. `on_end` hears, in the thread, whether any came."""

    def __init__(self, fd: int, *, on_end: Callable[[bool], None]) -> None:
        self._fd = fd
        self._on_end = on_end
        self._changed = threading.Condition()
        self._lines: deque[bytes] = deque()
        self._held = 0
        self._has_ended = False
        self._wake: Callable[[], None] | None = None

    def start(self) -> None:
        """Begin to read, whether or not anybody takes the lines yet."""
        threading.Thread(target=self._read, name="stdin-reader", daemon=True).start()

    async def lines(self) -> AsyncIterator[bytes]:
        """The lines as they come, until the end of file. For one consumer."""
        import asyncio  # deferred: `start` runs before anything is imported

        arrived = asyncio.Event()
        loop = asyncio.get_running_loop()
        with self._changed:
            self._wake = lambda: _wake(loop, arrived)
        while True:
            arrived.clear()
            line = self._taken()
            if line is not None:
                yield line
            elif self._is_over():
                return
            else:
                await arrived.wait()

    def _taken(self) -> bytes | None:
        with self._changed:
            if not self._lines:
                return None
            line = self._lines.popleft()
            self._held -= len(line)
            self._changed.notify_all()
            return line

    def _is_over(self) -> bool:
        with self._changed:
            return self._has_ended and not self._lines

    def _read(self) -> None:
        splitter = LineSplitter()
        any_came = False
        while data := self._chunk():
            any_came = True
            for line in splitter.feed(data):
                self._put(line)
        if rest := splitter.rest():
            self._put(rest)
        with self._changed:
            self._has_ended = True
            self._notify()
        self._on_end(any_came)

    def _chunk(self) -> bytes:
        try:
            return os.read(self._fd, _CHUNK)
        except OSError:  # a terminal that went away reads as an error
            return b""

    def _put(self, line: bytes) -> None:
        with self._changed:
            while self._held > _MAX_HELD_BYTES:
                self._changed.wait()
            self._lines.append(line)
            self._held += len(line)
            self._notify()

    def _notify(self) -> None:
        if self._wake is not None:
            self._wake()


class LineSplitter:
    """Cuts a stream of chunks into lines; looks at every byte once, however long the line."""

    def __init__(self, max_line_bytes: int = MAX_LINE_BYTES) -> None:
        self._max = max_line_bytes
        self._partial = bytearray()
        self._is_dropping = False

    def feed(self, data: bytes) -> list[bytes]:
        """The lines that `data` completes."""
        *complete, rest = data.split(b"\n")
        lines = [line for piece in complete if (line := self._completed(piece)) is not None]
        self._extend(rest)
        return lines

    def rest(self) -> bytes:
        """The line that the end of the stream completes; empty when there is none."""
        return self._completed(b"") or b""

    def _completed(self, piece: bytes) -> bytes | None:
        self._extend(piece)
        line = None if self._is_dropping else bytes(self._partial)
        self._partial.clear()
        self._is_dropping = False
        return line

    def _extend(self, piece: bytes) -> None:
        if not self._is_dropping and len(self._partial) + len(piece) > self._max:
            logger.warning("dropped a line of more than %d bytes from the client", self._max)
            self._is_dropping = True
            self._partial.clear()
        if not self._is_dropping:
            self._partial += piece


def _wake(loop: object, event: object) -> None:
    import asyncio
    import contextlib

    assert isinstance(loop, asyncio.AbstractEventLoop)
    assert isinstance(event, asyncio.Event)
    with contextlib.suppress(RuntimeError):  # the loop has closed: nobody waits for lines any more
        loop.call_soon_threadsafe(event.set)

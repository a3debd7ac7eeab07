"""Frames to a descriptor: whole, in order, and not on the event loop's time when the client is slow."""

from __future__ import annotations

import asyncio
import os
import select
from typing import TYPE_CHECKING

from anyio import to_thread

if TYPE_CHECKING:
    from collections.abc import Callable


class FrameWriter:
    """What the SDK's stdio transport writes to. `on_broken` is called once, when the client has gone."""

    def __init__(self, fd: int, *, on_broken: Callable[[], None]) -> None:
        self._fd = fd
        self._on_broken = on_broken
        self._is_broken = False
        self._turn = asyncio.Lock()
        self._poll = select.poll()
        self._poll.register(fd, select.POLLOUT)

    async def write(self, text: str) -> None:
        """Write `text`; after the client has gone, nothing."""
        data = text.encode()
        async with self._turn:
            if self._is_broken:
                return
            try:
                await self._send(data)
            except OSError:
                self._is_broken = True
                self._on_broken()

    async def flush(self) -> None:
        """Nothing is held back."""

    async def _send(self, data: bytes) -> None:
        # a pipe that polls writable takes PIPE_BUF bytes without blocking: most frames need no thread
        if len(data) <= select.PIPE_BUF and self._poll.poll(0):
            os.write(self._fd, data)
        else:
            await to_thread.run_sync(self._write_all, data)

    def _write_all(self, data: bytes) -> None:
        view = memoryview(data)
        while view:
            view = view[os.write(self._fd, view) :]

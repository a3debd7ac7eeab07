"""Taking in what a program prints without ever holding more than was asked for."""

from __future__ import annotations

import fcntl
import os

import anyio
import anyio.lowlevel

_READ_BYTES = 256 * 1024
_PIPE_BYTES = 1024 * 1024
_READS_IN_A_ROW = 8


class Capture:
    """The first `limit` bytes of a stream, and how many there were."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._kept = bytearray()
        self.total = 0

    def add(self, data: bytes) -> None:
        """Take the next piece of the stream: keep what fits, count all."""
        self.total += len(data)
        self._kept += data[: max(0, self._limit - len(self._kept))]

    def __bytes__(self) -> bytes:
        return bytes(self._kept)


def widen(descriptor: int) -> None:
    """Let a pipe hold more, where the kernel lets us: fewer switches between the program and us."""
    number = getattr(fcntl, "F_SETPIPE_SZ", None)
    if number is not None:
        try:
            fcntl.fcntl(descriptor, number, _PIPE_BYTES)
        except OSError:
            return  # the user's share of pipe memory is used up (pipe(7)); the default size works as well


async def drain(descriptor: int, capture: Capture) -> None:
    """Read the non-blocking `descriptor` to its end, however much comes, letting others run in between."""
    reads = 0
    while True:
        try:
            data = os.read(descriptor, _READ_BYTES)
        except BlockingIOError:
            await anyio.wait_readable(descriptor)
            continue
        if not data:
            return
        capture.add(data)
        reads += 1
        if reads % _READS_IN_A_ROW == 0:
            await anyio.lowlevel.checkpoint()


async def feed(descriptor: int, data: bytes) -> None:
    """Write `data` to the non-blocking `descriptor`; a reader that stops early is no error."""
    remaining = memoryview(data)
    while remaining:
        try:
            remaining = remaining[os.write(descriptor, remaining) :]
        except BlockingIOError:
            await anyio.wait_writable(descriptor)
        except BrokenPipeError:
            return

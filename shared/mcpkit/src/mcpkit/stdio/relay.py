"""A stderr that never blocks: hosts often leave it unread, and a full pipe would stop the server."""

from __future__ import annotations

import os
import select
import stat
import struct
import termios
import threading
import time
from collections import deque
from fcntl import ioctl

_HELD_BYTES = 256 * 1024
_CHUNK = 64 * 1024


class StderrRelay:
    """Stands between fd 2 and the real stderr. What nobody reads is dropped, beyond 256 KiB, and counted.

    `start` does nothing where fd 2 is no pipe or socket: files and terminals take what they are given.
    """

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._held: deque[bytes] = deque()
        self._held_bytes = 0
        self._dropped = 0
        self._writing = False
        self._broken = False
        self._source = -1
        self._real = -1

    def start(self) -> None:
        """Put the relay on fd 2; whoever copied fd 2 before keeps the real one."""
        mode = os.fstat(2).st_mode
        if not (stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)):
            return
        self._real = os.dup(2)
        self._source, entry = os.pipe()
        os.dup2(entry, 2)
        os.close(entry)
        for work in (self._take, self._give):
            threading.Thread(target=work, name=f"stderr-relay{work.__name__}", daemon=True).start()

    def drain(self, timeout_s: float) -> None:
        """Wait until everything written so far has reached the real stderr, at most `timeout_s`."""
        end = time.monotonic() + timeout_s
        with self._changed:
            while self._source >= 0 and not self._is_idle() and time.monotonic() < end:
                self._changed.wait(0.005)

    def _is_idle(self) -> bool:
        return self._broken or not (self._held or self._writing or _unread(self._source))

    def _take(self) -> None:
        """Move bytes from the pipe into memory; never waits for the reader of stderr."""
        while True:
            select.select([self._source], [], [])
            with self._changed:
                data = os.read(self._source, _CHUNK)
                if not data:  # nobody is left who could write
                    return
                self._keep(data)
                self._changed.notify_all()

    def _keep(self, data: bytes) -> None:
        if self._broken or self._held_bytes + len(data) > _HELD_BYTES:
            self._dropped += len(data)
            return
        self._held.append(data)
        self._held_bytes += len(data)

    def _give(self) -> None:
        """Move bytes from memory to the real stderr; may wait there for ever, alone."""
        while not self._broken:
            data = self._next()
            try:
                while data:
                    data = data[os.write(self._real, data) :]
            except OSError:  # the host has closed its end
                self._broken = True

    def _next(self) -> bytes:
        with self._changed:
            self._writing = False
            self._changed.notify_all()
            while not self._held:
                self._changed.wait()
            self._writing = True
            data = self._held.popleft()
            self._held_bytes -= len(data)
            if self._dropped and not self._held:
                data += b"[%d bytes of log were dropped: nobody read stderr]\n" % self._dropped
                self._dropped = 0
            return data


def _unread(fd: int) -> int:
    (count,) = struct.unpack("i", ioctl(fd, termios.FIONREAD, b"\0\0\0\0"))
    return int(count)

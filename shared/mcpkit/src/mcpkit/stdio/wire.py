"""Taking stdin and stdout for the protocol, so that nothing else can read or write the wire."""

from __future__ import annotations

import contextlib
import fcntl
import os
import sys
from dataclasses import dataclass

_ABOVE_STANDARD = 3


@dataclass(frozen=True)
class Wire:
    """Private descriptors of the wire; neither is inherited by children."""

    incoming: int
    outgoing: int


def prepare() -> bool:
    """Whether there is a wire at all: stdin and stdout are open. Comes before anything else is opened.

    A closed stderr becomes the null device, lest a file of ours should get its number.
    """
    if not (_is_open(0) and _is_open(1)):
        return False
    if not _is_open(2):
        _point(2, os.open(os.devnull, os.O_WRONLY))
    return True


def claim() -> Wire:
    """Move the wire to private descriptors; fd 0 becomes the null device and fd 1 another stderr.

    From then on a `print`, a C library and a child that inherits fd 1 write to stderr, and a child that
    reads fd 0 gets end of file.
    """
    wire = Wire(_moved(0), _moved(1))
    _point(0, os.open(os.devnull, os.O_RDONLY))
    follow_stderr()
    _loosen_prints()
    return wire


def follow_stderr() -> None:
    """Point fd 1 at what fd 2 is now."""
    os.dup2(2, 1)


def _moved(fd: int) -> int:
    return fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, _ABOVE_STANDARD)


def _point(fd: int, at: int) -> None:
    if at != fd:
        os.dup2(at, fd)
        os.close(at)


def _is_open(fd: int) -> bool:
    try:
        os.fstat(fd)
    except OSError:
        return False
    return True


def _loosen_prints() -> None:
    """Let no stray print fail: it is only a log line now."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(AttributeError, ValueError, OSError):
            stream.reconfigure(errors="backslashreplace", line_buffering=True)  # type: ignore[union-attr]

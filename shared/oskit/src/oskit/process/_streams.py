"""The standard streams of a program: the ends that it gets, and ours."""

from __future__ import annotations

import contextlib
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from oskit.files import StorageError, translated
from oskit.process._capture import Capture, drain, feed, widen
from oskit.process._errors import StartError

if TYPE_CHECKING:
    from pathlib import Path

    from anyio.abc import TaskGroup

_NEW_FILE = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND | os.O_CLOEXEC | os.O_NOFOLLOW


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What the program reads (None: nothing) and where its output goes: a file, or us, up to a limit."""

    data: bytes | None
    stdout_to: Path | None
    stderr_to: Path | None
    capture_limit: int


class Streams:
    """Both ends of the standard streams. Leaving the context closes every descriptor that is still open."""

    def __init__(self, plan: Plan) -> None:
        self.stdout = Capture(plan.capture_limit)
        self.stderr = Capture(plan.capture_limit)
        self._plan = plan
        self._theirs = contextlib.ExitStack()
        self._ours = contextlib.ExitStack()
        self._readers: list[tuple[int, Capture]] = []
        self._files: list[tuple[int, Capture]] = []
        self._writer: tuple[int, contextlib.ExitStack] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._theirs.close()
        self._ours.close()

    def open(self) -> tuple[int, int, int]:
        """Return what becomes 0, 1 and 2 of the program. Raises StartError."""
        plan = self._plan
        try:
            stdin = self._open_input()
            stdout = self._open_output(plan.stdout_to, self.stdout)
            if plan.stdout_to and plan.stderr_to == plan.stdout_to:
                return stdin, stdout, stdout  # one file, in the order of writing
            return stdin, stdout, self._open_output(plan.stderr_to, self.stderr)
        except OSError as exc:
            raise StartError(f"cannot open a pipe: {exc.strerror}") from exc
        except StorageError as exc:
            raise StartError(f"no place for the output: {exc.message}", hint=exc.hint) from exc

    def release(self) -> None:
        """Close the program's ends here, now that it has them; otherwise its pipes would never end."""
        self._theirs.close()

    def connect(self, tasks: TaskGroup) -> None:
        """Start to move bytes, in tasks that end with the pipes."""
        for descriptor, capture in self._readers:
            tasks.start_soon(drain, descriptor, capture)
        if self._writer is not None:
            tasks.start_soon(self._feed, *self._writer)

    def measure(self) -> None:
        """Count what went to files."""
        for descriptor, capture in self._files:
            capture.total = os.fstat(descriptor).st_size

    async def _feed(self, descriptor: int, until_fed: contextlib.ExitStack) -> None:
        with until_fed:
            await feed(descriptor, self._plan.data or b"")

    def _open_input(self) -> int:
        if self._plan.data is None:
            return _closed_by(self._theirs, os.open(os.devnull, os.O_RDONLY | os.O_CLOEXEC))
        theirs, ours = os.pipe()
        until_fed = self._ours.enter_context(contextlib.ExitStack())
        self._writer = _closed_by(until_fed, ours), until_fed
        os.set_blocking(ours, False)
        return _closed_by(self._theirs, theirs)

    def _open_output(self, path: Path | None, capture: Capture) -> int:
        if path is not None:
            with translated(path, "write"):
                descriptor = _closed_by(self._ours, os.open(path, _NEW_FILE, 0o600))
            self._files.append((descriptor, capture))
            return descriptor
        ours, theirs = os.pipe()
        self._readers.append((_closed_by(self._ours, ours), capture))
        _closed_by(self._theirs, theirs)
        widen(ours)
        os.set_blocking(ours, False)
        return theirs


def _closed_by(stack: contextlib.ExitStack, descriptor: int) -> int:
    stack.callback(os.close, descriptor)
    return descriptor

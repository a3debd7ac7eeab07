"""Whether to colour and to redraw, and one way to show progress to people."""

from __future__ import annotations

import os
import shutil
import time
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Protocol, TextIO, cast

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_PLAIN_WIDTH = 80
_LINE_EVERY_S = 5.0


@dataclass(frozen=True, kw_only=True)
class Terminal:
    """What a stream can show: `color` (escape sequences), `live` (redrawing) and `width` in columns."""

    color: bool
    live: bool
    width: int

    @classmethod
    def detect(cls, stream: TextIO, *, env: Mapping[str, str] | None = None) -> Terminal:
        """Look at `stream` and at the environment (default: ours).

        Only a terminal is coloured or redrawn; NO_COLOR (https://no-color.org, when not empty) takes the
        colour, TERM=dumb both, and CI, whose log keeps every frame, the redrawing.
        """
        environment = os.environ if env is None else env
        capable = _is_tty(stream) and environment.get("TERM", "") not in {"", "dumb"}
        return cls(
            color=capable and not environment.get("NO_COLOR"),
            live=capable and environment.get("CI", "").lower() in {"", "0", "false"},
            width=shutil.get_terminal_size((_PLAIN_WIDTH, 24)).columns if capable else _PLAIN_WIDTH,
        )


class Progress(Protocol):
    """Takes progress as it comes; fits as a listener of progress reports."""

    async def __call__(self, done: float, total: float | None, message: str) -> None:
        """Show that `done` of `total` (None: unknown) is reached, and what happens now."""


@contextmanager
def progress(stream: TextIO, title: str, *, terminal: Terminal | None = None) -> Iterator[Progress]:
    """Show the progress of one piece of work on `stream` while the block runs.

    A bar where the terminal can be redrawn; else plain lines, at most one in five seconds for the same
    message. A reader that is gone is no reason to fail.
    """
    shown = Terminal.detect(stream) if terminal is None else terminal
    quiet = _Quiet(stream)
    if not shown.live:
        yield _Lines(quiet, title)
        return
    with _bar(quiet, title, shown) as bar:
        yield bar


def forgiving(stream: TextIO) -> TextIO:
    """Return a stream to draw on that drops what nobody can read any more."""
    return cast("TextIO", _Quiet(stream))


class _Quiet:
    """A stream that drops what nobody can read any more; rich would exit (Console.on_broken_pipe)."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        with suppress(OSError, ValueError):  # ValueError: the stream was closed
            self._stream.write(text)
        return len(text)

    def flush(self) -> None:
        with suppress(OSError, ValueError):
            self._stream.flush()


class _Lines:
    def __init__(self, stream: _Quiet, title: str) -> None:
        self._stream = stream
        self._title = title
        self._last = ("", float("-inf"))

    async def __call__(self, done: float, total: float | None, message: str) -> None:
        now = time.monotonic()
        if message == self._last[0] and now - self._last[1] < _LINE_EVERY_S:
            return
        self._last = (message, now)
        words = (self._title, _fraction(done, total), message)
        self._stream.write(": ".join(word for word in words if word) + "\n")
        self._stream.flush()


@contextmanager
def _bar(stream: _Quiet, title: str, terminal: Terminal) -> Iterator[Progress]:
    from rich.console import Console  # 60 ms, only for a person who watches
    from rich.progress import BarColumn, SpinnerColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as RichProgress

    console = Console(
        file=cast("IO[str]", stream), force_terminal=True, no_color=not terminal.color, width=terminal.width
    )
    text = TextColumn("{task.description}", markup=False)
    message = TextColumn("{task.fields[message]}", markup=False)
    with RichProgress(
        SpinnerColumn(), text, BarColumn(), message, TimeElapsedColumn(), console=console, transient=True
    ) as display:
        task = display.add_task(title, total=None, message="")

        async def show(done: float, total: float | None, message: str) -> None:
            display.update(task, completed=done, total=total, message=message)

        yield show


def _fraction(done: float, total: float | None) -> str:
    return "" if total is None else f"{done:g}/{total:g}"


def _is_tty(stream: TextIO) -> bool:
    try:
        return stream.isatty()
    except ValueError:  # it was closed
        return False

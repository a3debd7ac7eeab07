"""Run one service from a command: request in, result out, exit code."""

from __future__ import annotations

import signal
import sys
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, NoReturn, TypeVar

import click

from mcpkit.cli.failing import failing
from mcpkit.cli.output import write_model, write_text

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator
    from types import FrameType

    from pydantic import BaseModel

    from mcpkit.cli.bodies import ErrorBodies

_Request = TypeVar("_Request")
_Result = TypeVar("_Result", bound="BaseModel")


def _zero(_result: object) -> int:
    return 0


def run(
    service: Callable[[_Request], Awaitable[_Result]],
    make_request: Callable[[], _Request],
    render: Callable[[_Result], str],
    *,
    as_json: bool,
    quiet: bool = False,
    exit_code: Callable[[_Result], int] = _zero,
    envelope: ErrorBodies | None = None,
) -> NoReturn:
    """Call the service and leave the process with `exit_code(result)`.

    stdout gets `render(result)`, or with `as_json` the result as one JSON document, equal to the MCP tool's
    structured content. `quiet` prints no text (the exit code speaks) and, with `as_json`, nothing on stderr.
    Failures end as `failing` says; a pydantic error of `make_request` reads like wrong tool arguments.
    Ctrl-C, SIGTERM and SIGHUP cancel the service, so that it ends its children, and exit with 128+n.
    """
    with failing(as_json=as_json, quiet=quiet, envelope=envelope), stoppable():
        result = _call(service, _requested(make_request))
        code = exit_code(result)
        if as_json:
            write_model(result)
        elif not quiet:
            write_text(render(result))
    raise SystemExit(code)


@contextmanager
def stoppable() -> Iterator[None]:
    """Let SIGTERM and SIGHUP do what Ctrl-C does, and turn any of the three into exit code 128+n."""
    received: list[int] = []

    def interrupt(number: int, _frame: FrameType | None) -> None:
        received.append(number)
        if not _Running.cancel():
            raise KeyboardInterrupt

    try:
        with _handling(interrupt):
            yield
    except KeyboardInterrupt:
        number = received[0] if received else signal.SIGINT
        click.echo(f"interrupted ({signal.Signals(number).name})", err=True)
        sys.exit(128 + number)


def _requested(make_request: Callable[[], _Request]) -> _Request:
    from pydantic import ValidationError  # deferred, both: requests are models, --help has none

    from mcpkit.arguments import invalid_arguments

    try:
        return make_request()
    except ValidationError as exc:
        raise invalid_arguments(exc) from exc


class _Running:
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


def _call(service: Callable[[_Request], Awaitable[_Result]], request: _Request) -> _Result:
    import asyncio  # deferred, both: not needed for --help

    import anyio

    stopped: list[bool] = []

    async def cancellable() -> _Result:
        task = asyncio.current_task()
        loop = asyncio.get_running_loop()

        def cancel() -> None:
            stopped.append(True)
            if task is not None:
                loop.call_soon_threadsafe(task.cancel)  # wakes the loop, too

        with _Running.cancelled_by(cancel):
            return await service(request)

    try:
        return anyio.run(cancellable)
    except asyncio.CancelledError:
        if not stopped:
            raise
        raise KeyboardInterrupt from None


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

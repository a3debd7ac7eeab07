"""Run one service from a command: request in, result out, exit code."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn, TypeVar

from mcpkit.cli.failures import failing
from mcpkit.cli.stopping import Running, stoppable

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

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
    from mcpkit.cli.output import write_model, write_text  # deferred: not needed for --help

    with failing(as_json=as_json, quiet=quiet, envelope=envelope), stoppable():
        result = _call(service, _requested(make_request))
        code = exit_code(result)
        if as_json:
            write_model(result)
        elif not quiet:
            write_text(render(result))
    raise SystemExit(code)


def _requested(make_request: Callable[[], _Request]) -> _Request:
    try:
        return make_request()
    except ValueError as exc:
        _explain(exc)
        raise


def _explain(error: ValueError) -> None:
    """Raise for a model that refuses what it was given what wrong arguments of a tool raise."""
    from pydantic import ValidationError  # deferred, both: most requests are good, and --help has none

    from mcpkit.arguments import invalid_arguments

    if isinstance(error, ValidationError):
        raise invalid_arguments(error) from error


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

        with Running.cancelled_by(cancel):
            return await service(request)

    try:
        return anyio.run(cancellable)
    except asyncio.CancelledError:
        if not stopped:
            raise
        raise KeyboardInterrupt from None

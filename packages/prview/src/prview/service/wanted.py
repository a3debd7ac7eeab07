"""A review that is of use only while the process that asked for it lives."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import anyio

from oskit.process import ProcessIdentity
from prview.errors import RunFailedError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

WATCH_S = 0.5
"""Seconds between two looks at the process that asked."""

_Result = TypeVar("_Result")


async def while_wanted(work: Callable[[], Awaitable[_Result]], *, asked_by: str | None) -> _Result:
    """Return what `work` gives; RunFailedError, and the work is cancelled, once the asking process is gone.

    `asked_by` is a process identity; None is wanted for ever. A server that was killed cannot end the quick
    review that it waits for: the review would go on without its budget and hold the branch.
    """
    if asked_by is None:
        return await work()
    done: list[_Result] = []
    failure: Exception | None = None
    async with anyio.create_task_group() as group:
        group.start_soon(_cancel_when_gone, asked_by, group.cancel_scope)
        try:
            done.append(await work())
        except Exception as exc:  # noqa: BLE001 - raised below; here the task group would wrap it
            failure = exc
        group.cancel_scope.cancel()
    if failure is not None:
        raise failure
    if not done:
        raise RunFailedError("the process that asked for this review is gone, so the review was ended")
    return done[0]


async def _cancel_when_gone(asked_by: str, scope: anyio.CancelScope) -> None:
    while _lives(asked_by):  # noqa: ASYNC110 - another process tells nobody when it ends
        await anyio.sleep(WATCH_S)
    scope.cancel()


def _lives(identity: str) -> bool:
    try:
        return ProcessIdentity.parse(identity).is_alive()
    except ValueError:
        return False

"""A quick review ends with the process that asked for it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import anyio
import anyio.lowlevel
import pytest

from oskit.process import ProcessIdentity
from prview.errors import RunFailedError, StorageCorruptError
from prview.service.wanted import while_wanted

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.anyio
OURS = str(ProcessIdentity.current())


async def forty_two() -> int:
    await anyio.lowlevel.checkpoint()
    return 42


@pytest.mark.parametrize("asked_by", [None, OURS], ids=["nobody", "us"])
async def test_work_that_is_wanted_gives_its_result(asked_by: str | None) -> None:
    assert await while_wanted(forty_two, asked_by=asked_by) == 42


@pytest.mark.parametrize("asked_by", [None, OURS], ids=["nobody", "us"])
async def test_a_failure_comes_out_as_it_is(asked_by: str | None) -> None:
    async def fail() -> int:
        raise StorageCorruptError("x")

    with pytest.raises(StorageCorruptError):
        await while_wanted(fail, asked_by=asked_by)


@pytest.mark.parametrize("asked_by", ["1@no-such-boot:1", "no identity"])
async def test_work_for_a_process_that_is_gone_ends_at_once(asked_by: str) -> None:
    with anyio.fail_after(30), pytest.raises(RunFailedError, match="is gone"):
        await while_wanted(anyio.sleep_forever, asked_by=asked_by)


@pytest.fixture
def asking() -> Iterator[tuple[str, int]]:
    """Another process, and the descriptor that it ends with."""
    read, write = os.pipe()
    pid = os.posix_spawn("/bin/cat", ["cat"], {}, file_actions=[(os.POSIX_SPAWN_DUP2, read, 0)])
    os.close(read)
    yield str(ProcessIdentity.of(pid)), write
    os.waitpid(pid, 0)


async def test_work_is_cancelled_when_the_process_ends(asking: tuple[str, int]) -> None:
    asked_by, write = asking
    cancelled = anyio.Event()

    async def work() -> None:
        os.close(write)
        try:
            await anyio.sleep_forever()
        finally:
            cancelled.set()

    with anyio.fail_after(30), pytest.raises(RunFailedError, match="is gone"):
        await while_wanted(work, asked_by=asked_by)
    assert cancelled.is_set()


async def test_a_caller_that_gives_up_is_no_process_that_is_gone() -> None:
    with anyio.move_on_after(0.01) as scope:
        await while_wanted(anyio.sleep_forever, asked_by=OURS)
    assert scope.cancelled_caught

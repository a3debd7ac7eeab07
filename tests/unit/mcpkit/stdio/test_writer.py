from __future__ import annotations

import os
from typing import TYPE_CHECKING

import anyio
import pytest

from mcpkit.stdio.writer import FrameWriter

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.anyio
FULL = 1 << 20


@pytest.fixture
def pipe() -> Iterator[list[int]]:
    ends = list(os.pipe())
    yield ends
    for fd in ends:
        os.close(fd)


def read_exactly(fd: int, count: int) -> bytes:
    data = b""
    while len(data) < count and (chunk := os.read(fd, count - len(data))):
        data += chunk
    return data


async def test_frames_small_and_large_arrive_whole_and_in_order(pipe: list[int]) -> None:
    writer = FrameWriter(pipe[1], on_broken=lambda: None)
    frames = [f"{number}:" + "ż" * (number * 7919) + "\n" for number in range(30)]
    total = sum(len(frame.encode()) for frame in frames)
    with anyio.fail_after(10):
        async with anyio.create_task_group() as tasks:
            for frame in frames:
                tasks.start_soon(writer.write, frame)
            read = await anyio.to_thread.run_sync(read_exactly, pipe[0], total)
    assert read.decode() == "".join(frames)


async def test_a_client_that_does_not_read_does_not_hold_the_loop(pipe: list[int]) -> None:
    writer = FrameWriter(pipe[1], on_broken=lambda: None)
    with anyio.fail_after(10):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(writer.write, "x" * FULL)
            tasks.start_soon(writer.write, "small")
            for _turn in range(100):
                await anyio.lowlevel.checkpoint()  # it gets here only because the writer waits elsewhere
            read = await anyio.to_thread.run_sync(read_exactly, pipe[0], FULL + 5)
    assert read.endswith(b"xsmall")


async def test_a_client_that_is_gone_is_told_once_and_later_frames_are_dropped() -> None:
    broken: list[str] = []
    read_end, write_end = os.pipe()
    os.close(read_end)
    writer = FrameWriter(write_end, on_broken=lambda: broken.append("gone"))
    await writer.write("small")
    await writer.write("x" * FULL)
    await writer.flush()
    os.close(write_end)
    assert broken == ["gone"]

"""What the demo's tools do: good manners, bad manners, and every way to get stuck."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import anyio

from mcpkit import progress
from mcpkit.errors import ToolError
from support.demo_server.models import (
    AddRequest,
    FailRequest,
    Nothing,
    Number,
    Path_,
    PlainSizeRequest,
    Selection,
    SelectRequest,
    SizeRequest,
    StepsRequest,
    Sum,
    Text,
)

_SLEEPER = "import time; time.sleep(120)"


async def add(request: AddRequest) -> Sum:
    """Add two numbers."""
    return Sum(sum=request.a + request.b)


async def select(request: SelectRequest) -> Selection:
    """Select things, and say what was understood."""
    return Selection(scope=request.scope, tags=request.tags, mode=request.mode, data=request.data)


async def fail(request: FailRequest) -> Text:
    """Fail in the way that was asked for."""
    failures = {
        "declared": ToolError("not_found", "no such thing", hint="name another", thing="x", retry_after_ms=5),
        "undeclared": ToolError("surprise", "nobody declared this"),
        "unknown": KeyError("secret detail"),
        "exit": SystemExit(3),
        "grouped": ExceptionGroup("tasks", [ToolError("not_found", "inside a task group")]),
        "control": ToolError("not_found", "red \x1b[31m and \u202edetrever", path="\udcff"),
    }
    if request.how == "wrong_type":
        return Sum(sum=1)  # type: ignore[return-value] # the defect that is wanted
    if request.how == "not_a_number":
        return Number(value=float("nan"))  # type: ignore[return-value] # the defect that is wanted
    raise failures[request.how]


async def big(request: SizeRequest) -> Text:
    """Give a text of the size that was asked for."""
    return Text(text="x" * min(request.size, request.limit or request.size))


async def big_whole(request: PlainSizeRequest) -> Text:
    """Give a text of the size that was asked for, all of it."""
    return Text(text="x" * request.size)


async def big_failure(request: PlainSizeRequest) -> Text:
    """Fail with a message and details of the size that was asked for."""
    raise ToolError("not_found", '"' * request.size, detail='"' * request.size, more=['"'] * request.size)


async def count(request: StepsRequest) -> Sum:
    """Report steps, some of them twice or backwards, as careless code does."""
    for step in range(1, request.steps + 1):
        await progress.report(step, request.steps, f"step {step}")
        await progress.report(step, request.steps, "again")
        await progress.report(step - 1, request.steps, "backwards")
    return Sum(sum=request.steps)


async def hang(request: Path_) -> Text:
    """Start a child, report its process id, wait for ever; end the child and leave a mark when cancelled."""
    process = await anyio.open_process([sys.executable, "-c", _SLEEPER])
    try:
        await progress.report(process.pid, None, str(process.pid))
        await anyio.sleep_forever()
    finally:
        process.kill()
        with anyio.CancelScope(shield=True):
            await process.wait()
        Path(request.path).write_text("cleaned up")  # noqa: ASYNC240 - an instant, in a test
    raise AssertionError


async def stick(_request: Nothing) -> Text:
    """Sit in a thread that nothing can interrupt, for a minute."""
    await progress.report(1, None, "stuck")
    await anyio.to_thread.run_sync(time.sleep, 60)
    return Text(text="never")


async def freeze(_request: Nothing) -> Text:
    """Block the event loop itself, for a minute."""
    await progress.report(1, None, "frozen")
    for _turn in range(50):  # until the report has left through the tasks that write it
        await anyio.lowlevel.checkpoint()
    time.sleep(60)  # noqa: ASYNC251 - the defect that is wanted
    return Text(text="never")


async def chatter(_request: Nothing) -> Text:
    """Print, warn, and let a child print to what it inherits and read what it inherits."""
    import warnings

    print("printed by the tool")
    warnings.warn("warned by the tool", stacklevel=1)
    done = await anyio.to_thread.run_sync(_run_chatty_child)
    return Text(text=f"the child ended with {done}")


async def shout(request: PlainSizeRequest) -> Text:
    """Write much to stderr, directly and from a child."""
    sys.stderr.write("e" * request.size + "\n")
    code = f"import sys; sys.stderr.write('c' * {request.size})"
    await anyio.to_thread.run_sync(lambda: subprocess.run([sys.executable, "-c", code], check=True))
    return Text(text="shouted")


def _run_chatty_child() -> int:
    code = "import sys, os; os.write(1, b'printed by the child\\n'); sys.exit(len(sys.stdin.buffer.read()))"
    return subprocess.run([sys.executable, "-c", code], check=False).returncode

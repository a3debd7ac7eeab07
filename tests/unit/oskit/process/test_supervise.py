from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

import anyio
import pytest

from oskit.process import ProcessError, ProgramMissingError, StartError, run, supervise
from support.processes import children, daemon_command, is_running, open_descriptors, read_pid, wait_until

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.anyio

SH = "/bin/sh"


async def test_a_program_gives_its_status_and_both_outputs() -> None:
    done = await run([SH, "-c", "echo out; echo err >&2; exit 3"], deadline_s=10)
    assert (done.returncode, done.stdout, done.stderr) == (3, b"out\n", b"err\n")
    assert (done.stdout_total, done.stderr_total, done.timed_out, done.ok) == (4, 4, False, False)
    assert done.argv == (SH, "-c", "echo out; echo err >&2; exit 3")


async def test_only_status_zero_in_time_is_ok() -> None:
    assert (await run(["true"], deadline_s=10)).ok
    assert not (await run(["false"], deadline_s=10)).ok
    late = await run(
        [SH, "-c", "trap 'exit 0' TERM; echo ready; while :; do sleep 0.01; done"], deadline_s=0.3
    )
    assert (late.timed_out, late.ok) == (True, False)
    assert late.returncode == 0


async def test_a_signal_is_a_negative_status() -> None:
    done = await run([SH, "-c", "kill -KILL $$"], deadline_s=10)
    assert (done.returncode, done.timed_out) == (-signal.SIGKILL, False)


async def test_a_status_that_somebody_else_took_is_unknown_not_zero() -> None:
    async with supervise(["true"]) as process:
        os.waitpid(process.identity.pid, 0)  # noqa: ASYNC222 - `true` is over in a moment
        await process.wait()
    assert (process.exited, process.returncode) == (True, None)


async def test_standard_input_is_at_its_end() -> None:
    done = await run(["cat"], deadline_s=10)
    assert (done.ok, done.stdout) == (True, b"")


async def test_input_larger_than_a_pipe_goes_through_whole() -> None:
    data = os.urandom(3_000_000)
    done = await run(["cat"], input=data, deadline_s=20)
    assert done.ok
    assert done.stdout == data


async def test_a_program_that_reads_no_input_does_not_block_or_fail() -> None:
    done = await run(["true"], input=b"x" * 3_000_000, deadline_s=20)
    assert done.ok


async def test_output_stays_bytes_also_when_it_is_no_text() -> None:
    done = await run(["printf", r"\377\000\376"], deadline_s=10)
    assert done.stdout == b"\xff\x00\xfe"


async def test_beyond_the_limit_output_is_counted_and_dropped() -> None:
    done = await run(["head", "-c", "5000000", "/dev/zero"], capture_limit=1000, deadline_s=20)
    assert (done.ok, done.stdout, done.stdout_total) == (True, bytes(1000), 5_000_000)


async def test_output_goes_to_private_files_when_asked(tmp_path: Path) -> None:
    out, err = tmp_path / "out", tmp_path / "err"
    done = await run([SH, "-c", "echo out; echo err >&2"], stdout_to=out, stderr_to=err, deadline_s=10)
    assert (out.read_bytes(), err.read_bytes(), done.stdout, done.stderr) == (b"out\n", b"err\n", b"", b"")
    assert (done.stdout_total, done.stderr_total) == (4, 4)
    assert out.stat().st_mode & 0o777 == 0o600


async def test_both_outputs_in_one_file_keep_their_order(tmp_path: Path) -> None:
    log = tmp_path / "log"
    await run([SH, "-c", "echo 1; echo 2 >&2; echo 3"], stdout_to=log, stderr_to=log, deadline_s=10)
    assert log.read_bytes() == b"1\n2\n3\n"


async def test_an_output_file_that_cannot_be_made_is_a_start_error(tmp_path: Path) -> None:
    with pytest.raises(StartError, match="no place for the output"):
        await run(["true"], stdout_to=tmp_path / "missing" / "log", deadline_s=10)


async def test_the_program_leads_a_session_of_its_own() -> None:
    done = await run([sys.executable, "-ISc", "import os; print(os.getsid(0) == os.getpid())"], deadline_s=20)
    assert done.stdout == b"True\n"


async def test_the_program_has_no_descriptor_of_ours_but_its_three() -> None:
    read_end, write_end = os.pipe()
    os.set_inheritable(write_end, True)
    try:
        done = await run(["ls", "/proc/self/fd"], deadline_s=10)
    finally:
        os.close(read_end)
        os.close(write_end)
    assert done.stdout.split() == [b"0", b"1", b"2", b"3"]  # 3 is the folder that ls reads


async def test_at_its_deadline_a_program_that_ignores_sigterm_is_killed() -> None:
    with anyio.fail_after(10):
        done = await run([SH, "-c", "trap '' TERM; echo ready; sleep 300"], deadline_s=1, grace_s=0.1)
    assert (done.timed_out, done.returncode, done.stdout) == (True, -signal.SIGKILL, b"ready\n")


async def test_a_stopped_program_is_killed_too() -> None:
    with anyio.fail_after(10):
        done = await run([SH, "-c", "kill -STOP $$"], deadline_s=0.2, grace_s=0.1)
    assert (done.timed_out, done.returncode) == (True, -signal.SIGKILL)


async def test_a_program_that_closed_its_pipes_is_still_waited_for() -> None:
    done = await run([SH, "-c", "exec >&- 2>&-; sleep 0.2; exit 7"], deadline_s=10)
    assert (done.returncode, done.timed_out) == (7, False)


async def test_a_child_that_holds_the_pipes_is_ended_and_holds_nothing_up() -> None:
    with anyio.fail_after(10):
        done = await run([SH, "-c", "sleep 300 & echo $!"], deadline_s=60)
    assert done.ok
    assert not is_running(int(done.stdout))


async def test_what_a_program_leaves_in_another_session_is_ended() -> None:
    done = await run(
        [SH, "-c", f"setsid {SH} -c 'sleep 300 & echo $$ $!; exec sleep 300' & wait"], deadline_s=0.5
    )
    assert done.timed_out
    assert len(done.stdout.split()) == 2
    assert [pid for pid in map(int, done.stdout.split()) if is_running(pid)] == []


@pytest.mark.parametrize("wipe", [False, True], ids=["same environment", "empty environment"])
async def test_a_daemon_does_not_survive_the_program_that_left_it(tmp_path: Path, wipe: bool) -> None:
    before = children()
    done = await run(daemon_command(tmp_path / "pid", wipe=wipe), deadline_s=30)
    assert done.ok
    assert not is_running(read_pid(tmp_path / "pid"))
    assert children() <= before


async def test_a_daemon_does_not_survive_the_end_of_a_running_program(tmp_path: Path) -> None:
    command = daemon_command(tmp_path / "pid")
    command[2] += "\ntime.sleep(300)"
    async with supervise(command) as process:
        daemon = await anyio.to_thread.run_sync(read_pid, tmp_path / "pid")
        assert is_running(daemon)
    assert process.returncode == -signal.SIGTERM
    assert not is_running(daemon)


async def test_an_orphan_that_died_before_the_program_leaves_no_zombie() -> None:
    """It was its own session, nobody collected it, and a zombie has no environment left: only the limit tells it."""
    script = (
        "import os, subprocess; child = subprocess.Popen(['true'], start_new_session=True);"
        "os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT); os._exit(0)"
    )
    before = children()
    done = await run([sys.executable, "-ISc", script], deadline_s=20)
    assert done.ok
    assert children() <= before


async def test_children_of_the_event_loop_keep_their_status() -> None:
    """The supervisor adopts and collects orphans; what other libraries started is not its own."""
    async with await anyio.open_process(["sh", "-c", "read line; exit 9"], start_new_session=True) as other:
        for _ in range(5):
            await run([SH, "-c", "sleep 300 & exit 0"], deadline_s=10)
        assert other.returncode is None
        assert other.stdin is not None
        await other.stdin.send(b"go\n")
        for _ in range(20):
            await run(["true"], deadline_s=10)
        assert await other.wait() == 9


async def test_who_holds_the_pipes_from_outside_the_tree_is_not_waited_for() -> None:
    with anyio.fail_after(10):
        async with supervise([SH, "-c", "echo up; sleep 300"]) as server:
            holder = os.open(f"/proc/{server.identity.pid}/fd/1", os.O_WRONLY)
    os.close(holder)
    assert server.stdout in {b"", b"up\n"}
    assert server.returncode == -signal.SIGTERM


async def test_everyone_is_asked_politely_exactly_once(tmp_path: Path) -> None:
    """A second SIGTERM means "at once" to many programs, and would cut short the cleaning that the first one began."""
    ready = tmp_path / "ready"
    script = (
        "import os, signal, sys, time\n"
        "signal.signal(signal.SIGTERM, lambda *_: print('asked', flush=True))\n"
        "os.rename(sys.argv[1] + '.new', sys.argv[1])\n"
        "time.sleep(0.4); time.sleep(300)"
    )
    ready.with_suffix(".new").touch()
    async with supervise([sys.executable, "-ISc", script, str(ready)], grace_s=0.2) as server:
        await anyio.to_thread.run_sync(lambda: wait_until(ready.exists))
    assert (server.returncode, server.stdout) == (-signal.SIGKILL, b"asked\n")


async def test_cancelling_ends_the_whole_tree_and_returns_soon(tmp_path: Path) -> None:
    log = tmp_path / "pids"
    script = f"trap '' TERM; sleep 300 & echo $$ $! > {log}.new; mv {log}.new {log}; wait; sleep 300"
    with anyio.fail_after(10):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(lambda: run([SH, "-c", script], deadline_s=None, grace_s=0.1))
            await anyio.to_thread.run_sync(lambda: read_words(log))
            tasks.cancel_scope.cancel()
    assert [pid for pid in read_words(log) if is_running(pid)] == []


async def test_a_second_cancellation_does_not_stop_the_cleaning(tmp_path: Path) -> None:
    log = tmp_path / "pids"
    script = f"trap '' TERM; echo $$ > {log}.new; mv {log}.new {log}; while :; do sleep 0.01; done"
    with anyio.fail_after(10):
        async with anyio.create_task_group() as outer, anyio.create_task_group() as inner:
            inner.start_soon(lambda: run([SH, "-c", script], deadline_s=None, grace_s=0.3))
            await anyio.to_thread.run_sync(lambda: read_words(log))
            inner.cancel_scope.cancel()
            outer.cancel_scope.cancel()
    assert not is_running(read_words(log)[0])


async def test_many_at_once_each_give_their_own_result() -> None:
    before = children()
    results: dict[int, tuple[int | None, bytes]] = {}

    async def one(number: int) -> None:
        done = await run([SH, "-c", f"sleep 300 & echo {number}; exit {number}"], deadline_s=60)
        results[number] = (done.returncode, done.stdout)

    async with anyio.create_task_group() as tasks:
        for number in range(40):
            tasks.start_soon(one, number)
    assert results == {number: (number, b"%d\n" % number) for number in range(40)}
    assert children() <= before


async def test_runs_leave_no_descriptor_open() -> None:
    await run(["true"], deadline_s=10)
    before = open_descriptors()
    for argv in (["true"], ["cat"], ["/nonexistent"], [SH, "-c", "sleep 300 & exit 1"]):
        with suppress(ProcessError):
            await run(argv, input=b"x", deadline_s=10)
    with anyio.move_on_after(0.1):
        await run(["sleep", "300"], deadline_s=None)
    assert open_descriptors() == before


async def test_a_missing_program_names_itself_and_where_it_was_searched() -> None:
    with pytest.raises(ProgramMissingError) as caught:
        await run(["no-such-program"], env={"PATH": "/usr/bin:bin::/bin"}, deadline_s=10)
    assert (caught.value.program, caught.value.searched) == ("no-such-program", ("/usr/bin", "/bin"))
    assert "no-such-program" in caught.value.message


async def test_a_program_is_searched_on_the_path_that_it_will_get(tmp_path: Path) -> None:
    program = tmp_path / "own-program"
    program.write_text("#!/bin/sh\necho found\n")
    program.chmod(0o755)
    assert (await run(["own-program"], env={"PATH": str(tmp_path)}, deadline_s=10)).stdout == b"found\n"


async def test_a_relative_path_starts_in_the_working_directory(tmp_path: Path) -> None:
    program = tmp_path / "own-program"
    program.write_text("#!/bin/sh\npwd\n")
    program.chmod(0o755)
    done = await run(["./own-program"], cwd=tmp_path, deadline_s=10)
    assert done.stdout == bytes(tmp_path) + b"\n"
    with pytest.raises(ProgramMissingError):
        await run(["./own-program"], deadline_s=10)


@pytest.mark.parametrize(
    ("content", "mode", "reason"),
    [
        (b"#!/bin/sh\n", 0o644, "permission denied"),
        (b"neither\n", 0o755, "neither a program of this machine nor a script"),
        (b"#!/no/such/interpreter\n", 0o755, "the interpreter"),
    ],
)
async def test_a_program_that_does_not_start_says_why(
    tmp_path: Path, content: bytes, mode: int, reason: str
) -> None:
    program = tmp_path / "program"
    program.write_bytes(content)
    program.chmod(mode)
    with pytest.raises(StartError, match=reason):
        await run([program], deadline_s=10)


async def test_a_directory_is_no_program(tmp_path: Path) -> None:
    with pytest.raises(StartError, match="permission denied"):
        await run([tmp_path], deadline_s=10)


@pytest.mark.parametrize(
    ("argv", "reason"),
    [
        ([], "argument list is empty"),
        (["true", "a\0b"], "null byte"),
        (["true", "x" * 3_000_000], "too long"),
        (["true", "\ud800"], "surrogates"),
    ],
)
async def test_impossible_arguments_are_start_errors(argv: list[str], reason: str) -> None:
    with pytest.raises(StartError, match=reason):
        await run(argv, deadline_s=10)


async def test_an_impossible_environment_is_a_start_error() -> None:
    with pytest.raises(StartError, match="illegal environment variable name"):
        await run(["/bin/true"], env={"A=B": "c"}, deadline_s=10)


async def test_a_missing_working_directory_is_named(tmp_path: Path) -> None:
    with pytest.raises(StartError, match=r"working directory .*/gone is not a directory"):
        await run(["true"], cwd=tmp_path / "gone", deadline_s=10)


async def test_a_served_program_runs_as_long_as_the_block(tmp_path: Path) -> None:
    ready = tmp_path / "ready"
    async with supervise(
        [SH, "-c", f"echo up; echo $$ > {ready}.new; mv {ready}.new {ready}; sleep 300"]
    ) as server:
        await anyio.to_thread.run_sync(lambda: read_words(ready))
        assert (server.exited, server.returncode) == (False, None)
        assert server.identity.is_alive()
        assert server.identity.pid == read_words(ready)[0]
    assert server.exited
    assert not server.identity.is_alive()
    assert (server.returncode, server.stdout, server.totals) == (-signal.SIGTERM, b"up\n", (3, 0))


async def test_an_error_in_the_block_ends_the_program_and_comes_out_as_it_is() -> None:
    error = ValueError("mine")
    with pytest.raises(ValueError, match="mine") as caught:
        async with supervise(["sleep", "300"]) as server:
            raise error
    assert caught.value is error
    assert not server.identity.is_alive()


async def test_waiting_for_a_served_program_can_be_given_up() -> None:
    async with supervise(["sleep", "300"]) as server:
        with anyio.move_on_after(0.05) as scope:
            await server.wait()
        assert scope.cancelled_caught
        assert server.identity.is_alive()


def read_words(path: Path) -> list[int]:
    wait_until(path.exists)
    return [int(word) for word in path.read_text().split()]

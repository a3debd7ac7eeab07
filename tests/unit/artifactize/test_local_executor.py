"""Commands that misbehave: each has an outcome, nothing of it stays, and its output is kept."""

from __future__ import annotations

import stat
from typing import TYPE_CHECKING

import anyio
import pytest

from artifactize.domain.cleaning import AUDIT_BYTES
from artifactize.domain.declarations import RuntimeProfile
from artifactize.execution.executor import Job, output_file
from artifactize.execution.local import LocalExecutor
from artifactize.models.states import RequestState as S
from support.artifacts import is_running, wait_for

if TYPE_CHECKING:
    from pathlib import Path

    from artifactize.execution.executor import Execution

pytestmark = pytest.mark.anyio
PATH = {"PATH": "/usr/bin:/bin"}


def job(tmp_path: Path, script: str, *, timeout_ms: int = 60_000, argv: tuple[str, ...] = ()) -> Job:
    folder = tmp_path / "run"
    folder.mkdir(mode=0o700, exist_ok=True)
    return Job(
        profile=RuntimeProfile("sh", timeout_ms=timeout_ms),
        argv=argv or ("sh", "-c", script),
        cwd=tmp_path,
        environment=PATH,
        declared_env=(),
        folder=folder,
        name="q-1",
    )


async def executed(wanted: Job) -> Execution:
    executor = LocalExecutor()
    found = await executor.execute(wanted)
    await executor.tidy(wanted.folder)
    return found


async def test_a_daemon_that_left_its_session_does_not_outlive_its_command(tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    script = f"setsid sh -c 'echo $$ > {pid}; exec sleep 60' </dev/null >/dev/null 2>&1 & while ! test -s {pid}; do sleep 0.01; done"

    found = await executed(job(tmp_path, script))

    assert (found.verdict.state, found.exit_code) == (S.GREEN, 0)
    assert not is_running(int(pid.read_text()))


async def test_a_deadline_ends_a_command_that_ignores_sigterm(tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    script = f"trap '' TERM; echo $$ > {pid}; while :; do sleep 0.1; done"

    found = await executed(job(tmp_path, script, timeout_ms=300))

    assert (found.verdict.state, found.verdict.code) == (S.ERROR, "TIMEOUT")
    assert not is_running(int(pid.read_text()))


async def test_cancelling_ends_the_whole_tree(tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    script = f"(trap '' TERM; sh -c 'echo $$ > {pid}; exec sleep 60') & wait"
    executor = LocalExecutor()

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(executor.execute, job(tmp_path, script))
        await anyio.to_thread.run_sync(lambda: wait_for(lambda: pid.exists() and pid.read_text()))
        tasks.cancel_scope.cancel()

    assert not is_running(int(pid.read_text()))


async def test_a_flood_is_whole_on_disk_and_bounded_in_what_is_saved(tmp_path: Path) -> None:
    size = 64 * 1024 * 1024
    found = await executed(job(tmp_path, f"head -c {size} /dev/zero | tr '\\0' 'x'; echo end >&2"))

    file = output_file(tmp_path / "run", "q-1", "stdout")
    assert (found.stdout.total_bytes, file.stat().st_size) == (size, size)
    assert found.stdout.text == "x" * AUDIT_BYTES
    assert found.stderr.text == "end\n"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


async def test_bytes_that_are_no_text_are_kept_and_shown_safely(tmp_path: Path) -> None:
    found = await executed(job(tmp_path, r"printf '\377\033[31mred\033]0;title\007\000end'"))

    assert found.stdout.text == "\ufffdredend"
    assert output_file(tmp_path / "run", "q-1", "stdout").read_bytes().startswith(b"\xff\x1b[31m")


async def test_who_reads_standard_input_finds_its_end(tmp_path: Path) -> None:
    found = await executed(job(tmp_path, "cat; read answer || exit 3"))

    assert (found.verdict.state, found.exit_code) == (S.RED, 3)


async def test_a_command_that_cannot_start_is_an_error_and_costs_nothing(tmp_path: Path) -> None:
    found = await executed(job(tmp_path, "", argv=("no-such-program-here",)))

    assert (found.verdict.code, found.started) == ("PROGRAM_MISSING", False)


async def test_what_a_command_left_in_its_home_is_not_there_for_the_next(tmp_path: Path) -> None:
    executor = LocalExecutor()
    writes = job(tmp_path, 'echo secret > "$HOME/.netrc"; touch "$TMPDIR/t" "$XDG_CACHE_HOME/c"')
    looks = job(tmp_path, 'test -z "$(ls -A "$HOME" "$TMPDIR" "$XDG_CACHE_HOME" | grep -v :)"')

    assert (await executor.execute(writes)).verdict.state is S.GREEN
    assert (await executor.execute(looks)).verdict.state is S.GREEN
    assert (await executor.execute(looks)).verdict.state is S.GREEN
    await executor.tidy(tmp_path / "run")

    assert sorted(file.name for file in (tmp_path / "run").iterdir()) == ["q-1.stderr", "q-1.stdout"]

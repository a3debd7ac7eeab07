from __future__ import annotations

import asyncio
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import anyio
import pytest

from oskit.process import StartError, run, run_blocking
from support.processes import children


def test_without_an_event_loop_a_program_runs_just_as_well() -> None:
    done = run_blocking(["sh", "-c", "cat; exit 4"], input=b"data", deadline_s=10)
    assert (done.returncode, done.stdout, done.timed_out) == (4, b"data", False)


def test_many_threads_at_once_each_get_their_own_result() -> None:
    before = children()
    with ThreadPoolExecutor(8) as pool:
        codes = pool.map(
            lambda n: run_blocking(["sh", "-c", f"sleep 300 & exit {n}"], deadline_s=30).returncode, range(40)
        )
        assert list(codes) == list(range(40))
    assert children() <= before


@pytest.mark.anyio
async def test_it_works_in_the_threads_of_an_event_loop_beside_async_runs() -> None:
    def blocking() -> int | None:
        return run_blocking(["sh", "-c", "exit 5"], deadline_s=10).returncode

    codes = [await anyio.to_thread.run_sync(blocking), await asyncio.to_thread(blocking)]
    done = await run(["sh", "-c", "exit 6"], deadline_s=10)
    assert [*codes, done.returncode] == [5, 5, 6]


@pytest.mark.anyio
async def test_in_the_thread_of_a_running_loop_it_is_refused() -> None:
    with pytest.raises(RuntimeError, match="Already running asyncio"):
        run_blocking(["true"], deadline_s=10)


IGNORING = """
import signal, sys, threading
from oskit.process import run_blocking
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
def go():
    try:
        print(run_blocking(["sh", "-c", "exit 7"], deadline_s=10).returncode)
    except Exception as exc:
        print(type(exc).__name__)
thread = threading.Thread(target=go); thread.start(); thread.join()
go()
"""


def test_where_statuses_are_thrown_away_none_is_invented() -> None:
    """An ignored SIGCHLD survives exec; Popen would report 0 for a program that failed."""
    done = subprocess.run([sys.executable, "-c", IGNORING], capture_output=True, check=True, timeout=30)
    assert done.stdout.split() == [StartError.__name__.encode(), b"7"]


def test_interrupting_ends_the_program(tmp_path: object) -> None:
    script = (
        "import os, signal, threading\n"
        "from oskit.process import run_blocking\n"
        f"fifo = '{tmp_path}/fifo'; os.mkfifo(fifo)\n"
        "def interrupt():\n"
        "    print(open(fifo).readline().strip(), flush=True); os.kill(os.getpid(), signal.SIGINT)\n"
        "threading.Thread(target=interrupt).start()\n"
        "try: run_blocking(['sh', '-c', f'echo $$ > {fifo}; sleep 300'], deadline_s=None)\n"
        "except KeyboardInterrupt: print('interrupted')\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True, timeout=30)
    pid, word = done.stdout.split()
    assert word == b"interrupted"
    assert subprocess.run(["kill", "-0", pid], capture_output=True, check=False).returncode == 1

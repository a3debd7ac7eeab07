from __future__ import annotations

import os
import resource
import subprocess
import sys
import threading
from typing import TYPE_CHECKING

import pytest

from oskit.process import ProcessIdentity
from oskit.process._mark import VARIABLE, Mark, without_token
from support.processes import wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator


NONE = range(0)


@pytest.fixture
def sleeper() -> Iterator[subprocess.Popen[bytes]]:
    """A program whose environment carries the token "7.8.11." within that of another."""
    with subprocess.Popen(["sleep", "300"], env={VARIABLE: "1.2.3.:7.8.11."}) as child:
        wait_until(lambda: Mark("1.2.", NONE).is_on(child.pid))
        yield child
        child.kill()


@pytest.mark.parametrize(
    ("prefix", "carried"),
    [
        ("7.8.11.", True),
        ("1.2.3.", True),
        ("7.8.", True),
        ("7.8.1.", False),
        ("8.11.", False),
        ("17.8.11.", False),
    ],
)
def test_a_token_is_a_whole_word_not_a_part(
    sleeper: subprocess.Popen[bytes], prefix: str, carried: bool
) -> None:
    assert Mark(prefix, NONE).is_on(sleeper.pid) is carried


def test_what_is_started_meanwhile_inherits_the_limit_and_keeps_it_in_death() -> None:
    mark = Mark.new()
    with mark.inherited():
        child = subprocess.Popen(["sh", "-c", "exit 0"], env={})
    with child:
        os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
        assert mark.is_on(child.pid)
        assert not mark.has_token(child.pid)
        assert not Mark.new().is_on(child.pid)
        assert Mark.of_supervisor(ProcessIdentity.current()).is_on(child.pid)


def test_our_own_limit_is_the_same_before_and_after() -> None:
    before = resource.getrlimit(resource.RLIMIT_RTTIME)
    with Mark.new().inherited():
        assert resource.getrlimit(resource.RLIMIT_RTTIME) != before
    with pytest.raises(ValueError, match="mine"), Mark.new().inherited():
        raise ValueError("mine")
    assert resource.getrlimit(resource.RLIMIT_RTTIME) == before


def test_what_another_thread_starts_meanwhile_is_relieved_of_the_mark() -> None:
    mark = Mark.new()
    parked = threading.Event()
    thread = threading.Thread(target=parked.wait)
    thread.start()
    with mark.inherited():
        innocent = subprocess.Popen(["sleep", "300"])
    parked.set()
    thread.join()
    with innocent:
        assert not mark.is_on(innocent.pid)
        innocent.kill()


def test_under_a_mark_something_can_be_started_without_it() -> None:
    mark = Mark.new()
    script = (
        "import subprocess, sys; from oskit.process._mark import inherited_limit\n"
        "with inherited_limit(None): free = subprocess.Popen(['cat'], stdin=subprocess.PIPE)\n"
        "print(free.pid, flush=True); sys.stdin.read(); free.communicate()"
    )
    with mark.inherited():
        child = subprocess.Popen(
            [sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
    with child:
        assert child.stdout is not None
        free = int(child.stdout.readline())
        assert (mark.is_on(child.pid), mark.is_on(free)) == (True, False)
        child.communicate()


def test_marks_are_different_and_name_the_process_that_made_them() -> None:
    marks = [Mark.new() for _ in range(100)]
    assert len({mark.prefix for mark in marks}) == len({mark.limits for mark in marks}) == 100
    supervisor = Mark.of_supervisor(ProcessIdentity.current())
    assert all(
        mark.prefix.startswith(supervisor.prefix) and mark.prefix != supervisor.prefix for mark in marks
    )
    assert (marks[0].made_here, supervisor.made_here) == (True, False)


def test_tokens_are_added_to_those_that_we_carry(monkeypatch: pytest.MonkeyPatch) -> None:
    mark = Mark("7.8.9.", NONE)
    monkeypatch.delenv(VARIABLE, raising=False)
    assert mark.in_environment({"A": "1"}) == {"A": "1", VARIABLE: "7.8.9."}
    monkeypatch.setenv(VARIABLE, "1.2.3.")
    assert mark.in_environment({"A": "1"}) == {"A": "1", VARIABLE: "1.2.3.:7.8.9."}
    assert without_token({"A": "1", VARIABLE: "x"}) == {"A": "1"}


def test_a_forked_child_makes_marks_of_its_own() -> None:
    parent = Mark.new()
    read_end, write_end = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.write(write_end, Mark.new().prefix.encode())
        os._exit(0)
    os.close(write_end)
    child = os.read(read_end, 100).decode()
    os.close(read_end)
    os.waitpid(pid, 0)
    assert child.partition(".")[0] == str(pid)
    assert parent.prefix.partition(".")[0] == str(os.getpid())

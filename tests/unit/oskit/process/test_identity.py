from __future__ import annotations

import os
import signal
import subprocess
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oskit.process import ProcessIdentity

START_TIMES = st.text(st.characters(codec="utf-8"), min_size=1, max_size=60)


@given(st.integers(min_value=1), START_TIMES)
def test_what_is_written_is_read_back(pid: int, start_time: str) -> None:
    identity = ProcessIdentity(pid, start_time)
    assert ProcessIdentity.parse(str(identity)) == identity


@given(st.text(max_size=20))
def test_text_is_an_identity_or_a_value_error(text: str) -> None:
    try:
        identity = ProcessIdentity.parse(text)
    except ValueError:
        return
    assert str(identity) == text


@pytest.mark.parametrize("text", ["", "12", "@x", "12@", "-1@x", "0@x", "012@x", "1_0@x", " 1@x", "\u0661@x"])
def test_what_is_no_identity_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="not a process identity"):
        ProcessIdentity.parse(text)


def test_we_are_alive_and_the_same_each_time() -> None:
    identity = ProcessIdentity.current()
    assert identity.pid == os.getpid()
    assert identity == ProcessIdentity.current() == ProcessIdentity.of(os.getpid())
    assert identity.is_alive()


def test_a_number_given_out_again_is_not_the_process_that_had_it() -> None:
    before = replace(ProcessIdentity.current(), start_time="an earlier moment")
    assert not before.is_alive()


@pytest.mark.parametrize("pid", [0, -1, 2**22 + 1])
def test_where_no_process_can_be_there_is_none(pid: int) -> None:
    assert ProcessIdentity.of(pid) is None


def test_a_zombie_is_dead() -> None:
    with subprocess.Popen(["sleep", "300"]) as child:
        identity = ProcessIdentity.of(child.pid)
        assert identity is not None
        assert identity.is_alive()
        child.kill()
        os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
        assert not identity.is_alive()
        assert ProcessIdentity.of(child.pid) is None
    assert child.returncode == -signal.SIGKILL
    assert not identity.is_alive()

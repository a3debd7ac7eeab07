"""Calls that hang, get stuck, print and are cancelled: on the demo, which does all that on demand."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from mcpkit.testing import PROTOCOLS, RawServer, check_failure
from mcpkit.testing.raw import call_params
from support.processes import descriptors
from support.servers import DEMO

if TYPE_CHECKING:
    from collections.abc import Iterator

LIMIT_S = 10.0  # of a busy machine; what hangs has no end at all
PROMPT_S = 10.0  # what is held up waits for calls that have no end


@pytest.fixture
def closing_mark(tmp_path: Path) -> Path:
    return tmp_path / "closed"


@pytest.fixture(params=["2025-11-25", "2026-07-28"])
def raw(request: pytest.FixtureRequest, closing_mark: Path) -> Iterator[RawServer]:
    with RawServer(DEMO.command, env={**DEMO.environment(), "DEMO_MARK": str(closing_mark)}) as server:
        server.handshake(request.param)
        yield server


def begin(raw: RawServer, tool: str, arguments: dict[str, Any] | None = None) -> tuple[int, dict[str, Any]]:
    """Start a call that reports once it is under way; its id and that report."""
    request_id = raw.begin("tools/call", call_params(tool, arguments, token=tool))
    raw.wait_for(
        lambda frame: (
            frame.get("method") == "notifications/progress" and frame["params"]["progressToken"] == tool
        )
    )
    return request_id, raw.notifications("notifications/progress")[-1]


def is_alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def ends_soon(pid: int) -> bool:
    end = time.monotonic() + LIMIT_S
    while is_alive(pid) and time.monotonic() < end:
        os.sched_yield()
    return not is_alive(pid)


def end_it(raw: RawServer, way: str) -> None:
    if way == "eof":
        raw.close_stdin()
    else:
        raw.process.send_signal(signal.Signals[way])


def assert_left_in_time(raw: RawServer) -> None:
    code, seconds = raw.wait()
    assert code == 0, raw.log
    assert seconds < LIMIT_S


WAYS = pytest.mark.parametrize("way", ["eof", "SIGTERM", "SIGINT"])


@WAYS
def test_a_call_in_flight_is_cancelled_and_its_child_ends(
    raw: RawServer, way: str, tmp_path: Path, closing_mark: Path
) -> None:
    mark = tmp_path / "cleaned"
    _, report = begin(raw, "hang", {"path": str(mark)})
    assert is_alive(int(report["message"]))
    end_it(raw, way)
    assert_left_in_time(raw)
    assert not is_alive(int(report["message"]))
    assert mark.read_text() == "cleaned up"
    assert closing_mark.read_text() == "closed"


@WAYS
def test_a_thread_stuck_for_a_minute_holds_neither_the_end_nor_the_cleanup(
    raw: RawServer, way: str, tmp_path: Path, closing_mark: Path
) -> None:
    begin(raw, "stick")
    _, report = begin(raw, "hang", {"path": str(tmp_path / "cleaned")})
    end_it(raw, way)
    assert_left_in_time(raw)
    assert ends_soon(int(report["message"]))
    assert closing_mark.read_text() == "closed"


@WAYS
def test_even_a_blocked_event_loop_does_not_hold_the_end(raw: RawServer, way: str) -> None:
    begin(raw, "freeze")
    end_it(raw, way)
    assert_left_in_time(raw)


def test_a_cancelled_call_ends_its_child_and_is_never_answered(raw: RawServer, tmp_path: Path) -> None:
    mark = tmp_path / "cleaned"
    request_id, report = begin(raw, "hang", {"path": str(mark)})
    raw.cancel(request_id)
    assert ends_soon(int(report["message"]))
    for _turn in range(3):
        assert raw.call("add", {"a": 1})["structuredContent"]["sum"] == 2
    assert mark.read_text() == "cleaned up"
    raw.close()
    assert request_id not in {frame.get("id") for frame in raw.frames}


def test_cancelling_what_is_unknown_finished_or_cancelled_already_is_ignored(
    raw: RawServer, tmp_path: Path
) -> None:
    done = raw.begin("tools/call", call_params("add", {"a": 1}))
    raw.answer(done)
    running, _ = begin(raw, "hang", {"path": str(tmp_path / "cleaned")})
    for request_id in (done, running, running, 999, "no such id"):
        raw.cancel(request_id)
    raw.notify("notifications/cancelled", {})
    raw.notify("notifications/cancelled")
    assert raw.call("add", {"a": 1})["structuredContent"]["sum"] == 2


def test_a_slow_call_does_not_hold_other_requests(raw: RawServer, tmp_path: Path) -> None:
    begin(raw, "stick")
    begin(raw, "hang", {"path": str(tmp_path / "cleaned")})
    began = time.monotonic()
    assert raw.result("tools/list")["tools"]
    assert raw.call("add", {"a": 1})["structuredContent"]["sum"] == 2
    if "2025" in str(raw.frames[0]):
        assert raw.result("ping") == {}
    assert time.monotonic() - began < PROMPT_S


def test_progress_comes_only_with_a_token_strictly_increasing_and_before_the_answer(raw: RawServer) -> None:
    assert raw.call("count", {"steps": 50})["structuredContent"]["sum"] == 50
    assert raw.notifications("notifications/progress") == []
    request_id = raw.begin("tools/call", call_params("count", {"steps": 50}, token="mine"))
    raw.answer(request_id)
    assert raw.result("tools/list")["tools"]
    frames = raw.frames
    reported = [n for n, frame in enumerate(frames) if frame.get("method") == "notifications/progress"]
    answered = next(n for n, frame in enumerate(frames) if frame.get("id") == request_id)
    assert [frames[n]["params"]["progress"] for n in reported] == list(range(1, 51))
    assert {frames[n]["params"]["progressToken"] for n in reported} == {"mine"}
    assert max(reported) < answered


def test_prints_of_imports_tools_warnings_and_children_go_to_stderr(raw: RawServer) -> None:
    """The child also finds the end of its stdin at once, instead of the wire."""
    assert raw.call("chatter")["structuredContent"]["text"] == "the child ended with 0"
    raw.close()
    assert len(raw.frames) == 2
    for words in (
        "printed by an import",
        "printed by the tool",
        "warned by the tool",
        "printed by the child",
        "closed",
    ):
        assert words in raw.log


def test_a_defect_is_in_the_log_under_its_id_and_not_on_the_wire(raw: RawServer) -> None:
    body = check_failure(raw.call("fail", {"how": "unknown"}))
    raw.close()
    error_id = body["message"].split()[2].rstrip(":")
    assert f"internal error {error_id} in fail" in raw.log
    assert "KeyError: 'secret detail'" in raw.log
    assert not any(b"secret" in line for line in raw.lines)


def test_nothing_on_the_wire_is_over_64_kib(raw: RawServer) -> None:
    raw.call("big_whole", {"size": 31_500})
    raw.call("big_whole", {"size": 1_000_000})
    raw.call("big", {"size": 1_000_000})
    raw.call("big_failure", {"size": 100_000})
    assert max(map(len, raw.lines)) <= 64 * 1024


@pytest.mark.parametrize("size", [300_000, 3_000_000])
def test_shouting_to_a_stderr_that_nobody_reads_stops_no_tool(size: int) -> None:
    with RawServer(DEMO.command, env=DEMO.environment(), reads_stderr=False) as raw:
        raw.handshake()
        assert raw.call("shout", {"size": size})["structuredContent"]["text"] == "shouted"
        code, seconds = raw.close()
    assert code == 0
    assert seconds < LIMIT_S


def test_a_stderr_that_is_read_late_holds_the_first_part_and_says_what_is_missing() -> None:
    with RawServer(DEMO.command, env=DEMO.environment(), reads_stderr=False) as raw:
        raw.handshake()
        raw.call("shout", {"size": 1_000_000})
        assert raw.process.stderr is not None
        log = b""
        while b"bytes of log were dropped: nobody read stderr" not in log:
            log += os.read(raw.process.stderr.fileno(), 1 << 16)
        raw.close()
    assert b"printed by an import" in log


def test_a_server_that_cannot_open_says_why_and_exits_with_its_code() -> None:
    with RawServer(DEMO.command, env={**DEMO.environment(), "DEMO_REFUSES": "1"}) as raw:
        code, _ = raw.wait()
    assert code == 4
    assert raw.lines == []
    assert "error: the demo does not want to\nhint: unset DEMO_REFUSES\n" in raw.log


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_what_the_wire_inherits_is_hidden_from_children(protocol: str) -> None:
    """A worker that outlives the server must not keep the host's pipes open."""
    with RawServer(DEMO.command, env=DEMO.environment()) as raw:
        raw.handshake(protocol)
        request_id = raw.begin("tools/call", call_params("hang", {"path": "/dev/null"}, token="t"))
        raw.wait_for(lambda frame: frame.get("method") == "notifications/progress")
        child = int(raw.notifications("notifications/progress")[0]["message"])
        ends = [end.fileno() for end in (raw.process.stdin, raw.process.stdout) if end]
        wire = {descriptors("self")[str(fd)] for fd in ends}
        held = set(descriptors(child).values())
        raw.cancel(request_id)
    assert wire.isdisjoint(held)

"""Servers leave in time, whichever way their host goes."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from typing import TYPE_CHECKING

import pytest

from mcpkit.testing import RawServer

if TYPE_CHECKING:
    from support.servers import ServerUnderTest

LIMIT_S = 10.0  # of a busy machine; what hangs has no end at all


def started(server: ServerUnderTest) -> RawServer:
    return RawServer(server.command, env=server.environment())


def assert_left_in_time(raw: RawServer) -> None:
    code, seconds = raw.wait()
    assert code == 0, raw.log
    assert seconds < LIMIT_S


def test_the_end_of_stdin_ends_an_idle_server(server: ServerUnderTest) -> None:
    with started(server) as raw:
        raw.handshake()
        raw.close_stdin()
        assert_left_in_time(raw)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_ends_an_idle_server_whose_stdin_stays_open(
    server: ServerUnderTest, number: signal.Signals
) -> None:
    with started(server) as raw:
        raw.handshake()
        raw.process.send_signal(number)
        assert_left_in_time(raw)


def test_claude_code_sends_two_signals_and_no_end_of_stdin(server: ServerUnderTest) -> None:
    with started(server) as raw:
        raw.handshake()
        raw.process.send_signal(signal.SIGINT)
        raw.process.send_signal(signal.SIGTERM)
        assert_left_in_time(raw)


def test_a_server_without_input_ends(server: ServerUnderTest) -> None:
    began = time.monotonic()
    done = subprocess.run(
        server.command,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        env=server.environment(),
        check=False,
        timeout=30,
    )
    assert (done.returncode, done.stdout) == (0, b""), done.stderr
    assert time.monotonic() - began < LIMIT_S


def test_a_signal_during_the_start_ends_the_server(server: ServerUnderTest) -> None:
    with started(server) as raw:
        _wait_until_wire_is_taken(raw)
        raw.process.send_signal(signal.SIGTERM)
        assert_left_in_time(raw)


def test_a_client_that_stops_reading_for_good_ends_the_server_quietly(server: ServerUnderTest) -> None:
    read_end, write_end = os.pipe()
    process = subprocess.Popen(
        server.command,
        stdin=subprocess.PIPE,
        stdout=write_end,
        stderr=subprocess.PIPE,
        env=server.environment(),
    )
    os.close(write_end)
    os.close(read_end)
    try:
        assert process.stdin is not None
        process.stdin.write(b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
        process.stdin.flush()
        assert process.wait(30) == 0
        assert process.stderr is not None
        assert b"Traceback" not in process.stderr.read()
    finally:
        process.kill()
        process.communicate()


@pytest.mark.parametrize("closed", ["<&-", ">&-", "<&- >&-"])
def test_a_server_without_a_wire_says_so(server: ServerUnderTest, closed: str) -> None:
    closing = ["/bin/sh", "-c", f'exec "$@" {closed}', "sh", *server.command]
    done = subprocess.run(closing, capture_output=True, env=server.environment(), check=False, timeout=30)
    assert done.returncode == 1
    assert done.stderr.startswith(b"error: stdin or stdout is closed")


def test_a_server_without_stderr_serves(server: ServerUnderTest) -> None:
    with RawServer(
        ["/bin/sh", "-c", 'exec "$@" 2>&-', "sh", *server.command], env=server.environment()
    ) as raw:
        raw.handshake()
        assert raw.result("tools/list")["tools"]
        raw.close_stdin()
        assert_left_in_time(raw)


def _wait_until_wire_is_taken(raw: RawServer) -> None:
    end = time.monotonic() + 20
    while os.path.realpath(f"/proc/{raw.process.pid}/fd/0") != "/dev/null":
        assert time.monotonic() < end, "the server did not take its stdin"
        assert raw.process.poll() is None, raw.log

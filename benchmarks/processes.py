"""Start programs and measure them: CPU and wall time of a whole run, and the answers of a stdio server."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

PROTOCOL = "2025-06-18"


@dataclass(frozen=True)
class Cost:
    """Milliseconds of one run of a program."""

    cpu_ms: float
    wall_ms: float


def cost(argv: Sequence[str], *, env: Mapping[str, str]) -> Cost:
    """Run to the end, output thrown away."""
    null = [(os.POSIX_SPAWN_OPEN, fd, os.devnull, os.O_RDWR, 0) for fd in (0, 1, 2)]
    started = time.perf_counter()
    pid = os.posix_spawn(argv[0], list(argv), dict(env), file_actions=null)
    _, status, used = os.wait4(pid, 0)
    wall = time.perf_counter() - started
    if status:
        raise RuntimeError(f"{' '.join(argv)} ended with wait status {status}")
    return Cost((used.ru_utime + used.ru_stime) * 1000, wall * 1000)


@dataclass(frozen=True)
class Handshake:
    """Milliseconds from process start to the two answers, CPU time until then, and the tools."""

    initialize_ms: float
    tools_list_ms: float
    cpu_ms: float
    tools: list[dict[str, Any]]


class Wire:
    """A stdio server under the stopwatch: line JSON-RPC, one request at a time."""

    def __init__(self, argv: Sequence[str], *, env: Mapping[str, str], cwd: str) -> None:
        self._next_id = 0
        self.started = time.perf_counter()
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(
            argv, stdin=pipe, stdout=pipe, stderr=sys.stderr, env=dict(env), cwd=cwd
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate(timeout=10)

    def _send(self, message: Mapping[str, Any]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        self._process.stdin.flush()

    def request(self, method: str, params: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Result of a request; what is not its answer is passed over."""
        self._next_id += 1
        self._send({"id": self._next_id, "method": method, "params": dict(params or {})})
        assert self._process.stdout is not None
        for line in self._process.stdout:
            message = json.loads(line)
            if message.get("id") == self._next_id:
                result: dict[str, Any] = message["result"]
                return result
        raise RuntimeError(f"the server closed its output before it answered {method}")

    def notify(self, method: str) -> None:
        """Send a notification."""
        self._send({"method": method})

    def elapsed_ms(self) -> float:
        """Since the process was started."""
        return (time.perf_counter() - self.started) * 1000

    def cpu_ms(self) -> float:
        """CPU time of the server so far, all threads, where Linux tells it; else 0.

        Unlike wall time it hardly changes when other programs keep the machine busy.
        """
        tasks = Path(f"/proc/{self._process.pid}/task").glob("*/schedstat")
        return sum(int(task.read_text().split()[0]) for task in tasks) / 1e6

    def memory_mb(self) -> float:
        """Resident memory of the server, where Linux tells it; else 0."""
        lines = Path(f"/proc/{self._process.pid}/status").read_text().splitlines()
        return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS:")), 0.0)

    def handshake(self) -> Handshake:
        """Initialize, list the tools, and take the times."""
        client = {
            "protocolVersion": PROTOCOL,
            "capabilities": {},
            "clientInfo": {"name": "bench", "version": "0"},
        }
        self.request("initialize", client)
        initialized = self.elapsed_ms()
        self.notify("notifications/initialized")
        tools = self.request("tools/list")["tools"]
        return Handshake(initialized, self.elapsed_ms(), self.cpu_ms(), tools)

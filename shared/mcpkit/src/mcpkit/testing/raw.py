"""A server driven by raw frames over a subprocess: what the wire really carries."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import tempfile
import threading
import time
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path
    from types import TracebackType


PROTOCOLS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28")
"""Every protocol revision that the SDK speaks."""

_GRACE_S = 3.0
_MODERN = "2026-07-28"
_CLIENT = {"name": "raw", "version": "0"}
_ENVELOPE = {
    "io.modelcontextprotocol/protocolVersion": _MODERN,
    "io.modelcontextprotocol/clientInfo": _CLIENT,
    "io.modelcontextprotocol/clientCapabilities": {},
}
Frame = dict[str, Any]


class RawServer:
    """A running server. As a context manager, it ends the server, by force if need be.

    `env` is the whole environment, by default ours. With `reads_stderr=False` nobody reads the server's
    stderr, as some hosts do not; else it can be read in `log`. Every wait is bounded by `timeout` seconds
    and raises AssertionError.
    """

    def __init__(
        self,
        command: Sequence[str],
        *,
        env: Mapping[str, str] | None = None,
        cwd: Path | None = None,
        reads_stderr: bool = True,
        timeout: float = 30,
    ) -> None:
        self.timeout = timeout
        self.lines: list[bytes] = []
        """What the server has written to stdout so far, line by line."""
        self._log = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the server
        self._whole_log: bytes | None = None
        self.process = subprocess.Popen(
            list(command),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log if reads_stderr else subprocess.PIPE,
            env=dict(os.environ if env is None else env),
            cwd=cwd,
            bufsize=0,
        )
        self._changed = threading.Condition()
        self._is_over = False
        self._last_id = 0
        self._meta: dict[str, Any] = {}
        self._reading = threading.Thread(target=self._read, daemon=True)
        self._reading.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end()
        self._reading.join(self.timeout)
        self._whole_log = self._written()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr, self._log):
            if stream is not None:
                stream.close()

    @property
    def log(self) -> str:
        """What the server has written to stderr so far."""
        return self._written().decode(errors="replace")

    @property
    def frames(self) -> list[Frame]:
        """What the server has written to stdout so far; AssertionError where that is no JSON-RPC."""
        with self._changed:
            return [_frame(line) for line in self.lines]

    def notifications(self, method: str) -> list[Frame]:
        """The parameters of the notifications of this method so far."""
        return [frame["params"] for frame in self.frames if frame.get("method") == method]

    def handshake(self, protocol: str = "2025-11-25") -> Frame:
        """Open the connection at this protocol revision; the result of `initialize` or `server/discover`."""
        if protocol == _MODERN:
            self._meta = dict(_ENVELOPE)
            return self.result("server/discover")
        params = {"protocolVersion": protocol, "capabilities": {}, "clientInfo": _CLIENT}
        result = self.result("initialize", params)
        self.notify("notifications/initialized")
        return result

    def result(self, method: str, params: Frame | None = None) -> Frame:
        """The result of a request that must succeed."""
        answer = self.request(method, params)
        assert "result" in answer, f"{method} was refused: {answer}"
        result: Frame = answer["result"]
        return result

    def call(self, tool: str, arguments: object = None, *, token: str | None = None) -> Frame:
        """The result of a tool call, an error result too; `token` asks for progress."""
        return self.result("tools/call", call_params(tool, arguments, token=token))

    def request(self, method: str, params: Frame | None = None) -> Frame:
        """The whole response to a request."""
        return self.answer(self.begin(method, params))

    def begin(self, method: str, params: Frame | None = None) -> int:
        """Send a request and return its id."""
        self._last_id += 1
        message: Frame = {"jsonrpc": "2.0", "id": self._last_id, "method": method}
        if self._meta:
            own = (params or {}).get("_meta", {})
            params = {**(params or {}), "_meta": {**self._meta, **own}}
        self.send(message if params is None else {**message, "params": params})
        return self._last_id

    def answer(self, request_id: int | str) -> Frame:
        """The response to the request of this id, when it comes."""
        return self.wait_for(lambda frame: frame.get("id") == request_id and "method" not in frame)

    def notify(self, method: str, params: Frame | None = None) -> None:
        """Send a notification."""
        self.send({"jsonrpc": "2.0", "method": method, **({} if params is None else {"params": params})})

    def cancel(self, request_id: int | str) -> None:
        """Tell the server that nobody waits for this request any more."""
        self.notify("notifications/cancelled", {"requestId": request_id, "reason": "test"})

    def send(self, message: object) -> None:
        """Send one JSON line."""
        self.send_bytes(json.dumps(message).encode() + b"\n")

    def send_bytes(self, data: bytes) -> None:
        """Send bytes as they are, all of them."""
        assert self.process.stdin is not None
        view = memoryview(data)
        while view:
            view = view[self.process.stdin.write(view) or 0 :]

    def wait_for(self, matches: Callable[[Frame], bool]) -> Frame:
        """The first frame, of those that came or will come, that `matches`."""
        end = time.monotonic() + self.timeout
        seen = 0
        while True:
            fresh = self._fresh(seen, end)
            for line in fresh:
                if matches(frame := _frame(line)):
                    return frame
            seen += len(fresh)
            assert fresh, f"no such frame in {self.timeout} s; stderr: {self.log[-2000:]}"

    def _fresh(self, seen: int, end: float) -> list[bytes]:
        """The lines after the first `seen`, as soon as there are any; none at the end of time or stdout."""
        with self._changed:
            left = end - time.monotonic()
            self._changed.wait_for(lambda: len(self.lines) > seen or self._is_over, left)
            return self.lines[seen:]

    def close_stdin(self) -> None:
        """End the server's input, as a host that goes away does."""
        assert self.process.stdin is not None
        self.process.stdin.close()

    def wait(self) -> tuple[int, float]:
        """The exit code, and the seconds it took from now on."""
        began = time.monotonic()
        code = self.process.wait(self.timeout)
        self._reading.join(self.timeout)
        return code, time.monotonic() - began

    def at_end(self) -> bool:
        """Whether stdout has come to its end, for which every process that holds it must be gone."""
        with self._changed:
            return self._changed.wait_for(lambda: self._is_over, self.timeout)

    def close(self) -> tuple[int, float]:
        """Close stdin and wait: the exit code and the seconds it took."""
        self.close_stdin()
        return self.wait()

    def _end(self) -> None:
        """Let the server go in order, so that its children go with it; kill it when it does not."""
        with contextlib.suppress(OSError):
            self.close_stdin()
        try:
            self.process.wait(_GRACE_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def _written(self) -> bytes:
        if self._whole_log is not None:
            return self._whole_log
        return os.pread(self._log.fileno(), os.fstat(self._log.fileno()).st_size, 0)

    def _read(self) -> None:
        assert self.process.stdout is not None
        pending = b""
        while data := self.process.stdout.read(1 << 16):
            *complete, pending = (pending + data).split(b"\n")
            with self._changed:
                self.lines += complete
                self._changed.notify_all()
        with self._changed:
            self.lines += [pending] if pending else []
            self._is_over = True
            self._changed.notify_all()


def call_params(tool: str, arguments: object = None, *, token: str | None = None) -> Frame:
    """The parameters of a `tools/call`; `token` asks for progress."""
    params: Frame = {"name": tool}
    if arguments is not None:
        params["arguments"] = arguments
    if token is not None:
        params["_meta"] = {"progressToken": token}
    return params


def _frame(line: bytes) -> Frame:
    try:
        frame = json.loads(line)
    except ValueError:
        frame = None
    assert isinstance(frame, dict), f"stdout carries a line that is no JSON-RPC message: {line[:200]!r}"
    assert frame.get("jsonrpc") == "2.0", f"stdout carries a line that is no JSON-RPC message: {line[:200]!r}"
    return frame

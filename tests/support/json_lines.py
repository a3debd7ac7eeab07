"""A program that speaks JSON-RPC in lines on its stdio: request, answer, close.

`mcpkit.testing.RawServer` is stricter than hosts are: Codex leaves out the `jsonrpc` field.
"""

from __future__ import annotations

import json
import subprocess
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


class JsonLines:
    """One request at a time; notifications of the program are passed over. `timeout` bounds only the end."""

    def __init__(self, argv: Sequence[str], *, env: Mapping[str, str], cwd: str) -> None:
        self._next_id = 0
        self._process = subprocess.Popen(
            argv,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=dict(env),
            cwd=cwd,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self._process.communicate(timeout=10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.communicate()

    def notify(self, method: str) -> None:
        """Send a notification."""
        self._send({"method": method})

    def request(self, method: str, params: Mapping[str, Any]) -> Any:
        """Result of a request; raises RuntimeError with the error that came instead, or when output ended."""
        self._next_id += 1
        self._send({"id": self._next_id, "method": method, "params": dict(params)})
        assert self._process.stdout is not None
        for line in self._process.stdout:
            message = json.loads(line)
            if message.get("id") == self._next_id and "method" not in message:
                if "result" in message:
                    return message["result"]
                raise RuntimeError(f"{method}: {message}")
        raise RuntimeError(f"the program ended before it answered {method}")

    def _send(self, message: Mapping[str, Any]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        self._process.stdin.flush()

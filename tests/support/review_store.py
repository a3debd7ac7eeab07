"""Review stores for tests: entries, one in this process, and one that runs as a user runs it."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from pathlib import Path

BOUND_S = 30.0


def key_of(text: str) -> str:
    """A reuse key."""
    return hashlib.sha256(text.encode()).hexdigest()


def entry(name: str = "one", **fields: Any) -> dict[str, Any]:
    """The JSON of an entry, as a client puts it."""
    return {
        "key": key_of(name),
        "verdict": "GREEN",
        "kind": "runtime",
        "eval": "guide/terms",
        "artifact": "guide",
        "definition": key_of("definition"),
        "fingerprints": {"guide": "artifactsum:1"},
        "exit_code": 0,
        "message": None,
        "execution": f"execution-{name}",
        "run": "run-1",
        "recorded_at": "2026-12-01T00:00:00.000Z",
        "model": None,
        "profile": None,
        "reviewer": None,
        "signature": None,
        **fields,
    }


class ServedStore:
    """`artifactize server run` on a free port, until the block is left."""

    def __init__(self, folder: Path, *words: str, port: int = 0, url: str | None = None) -> None:
        self.place = ("--store-dir", str(folder)) if url is None else ("--store-url", url)
        command = self.command("run", "--port", str(port), *words)
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=dict(os.environ)
        )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line.startswith("listening at "), self.process.communicate(timeout=BOUND_S)
        self.url = line.removeprefix("listening at ").strip()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.terminate()
        self.process.communicate(timeout=BOUND_S)

    @property
    def port(self) -> int:
        """Where it listens."""
        return int(self.url.rpartition(":")[2])

    def command(self, *words: str) -> list[str]:
        """A command about this store."""
        return [sys.executable, "-m", "artifactize", "server", *words, *self.place]

    def run(self, *words: str) -> str:
        """Run a command about this store and return what it printed."""
        done = subprocess.run(
            self.command(*words), capture_output=True, text=True, timeout=BOUND_S, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def token(self, name: str, *scopes: str) -> str:
        """A new token."""
        return self.run("token", "create", name, *(word for scope in scopes for word in ("--scope", scope)))

"""The installed `codevetter`, as a user starts it: its own state, its own temporary folder, everything observable."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from support.processes import wait_until
from support.trex import widget

if TYPE_CHECKING:
    from support.repos import GitRepo

SCRIPTS = Path(sys.executable).parent


@dataclass(frozen=True)
class Bench:
    """A repository with a change, and a machine of its own for everything that codevetter starts."""

    repo: GitRepo
    folder: Path

    @property
    def env(self) -> dict[str, str]:
        """The environment of every command. Chromium keeps its profile below TMPDIR, which is how it is found."""
        return {**os.environ, "CODEVETTER_HOME": str(self.folder / "home"), "TMPDIR": str(self.temporary)}

    @property
    def temporary(self) -> Path:
        return self.folder / "tmp"

    def trex(self, preview: str, *options: str) -> list[str]:
        """The command line of a verification."""
        where = ["--range", "main..feature", "--repo", str(self.repo.path)]
        return [str(SCRIPTS / "codevetter"), "trex", *where, "--preview", preview, *options]

    def run(self, *words: str, **env: str) -> subprocess.CompletedProcess[str]:
        """Run `codevetter` to its end."""
        return subprocess.run(
            [str(SCRIPTS / "codevetter"), *words],
            env={**self.env, **env},
            cwd=self.folder,
            capture_output=True,
            text=True,
            timeout=110,
            check=False,
        )

    def start(self, command: list[str]) -> subprocess.Popen[str]:
        """Start a command and leave it running."""
        return subprocess.Popen(
            command,
            env=self.env,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def json(self, *words: str) -> Any:
        """What a command prints with `--json`."""
        return json.loads(self.run(*words, "--json").stdout)

    def enable(self) -> str:
        """Allow agents to verify the repository; its id."""
        return str(self.json("verify", "enable", "--repo", str(self.repo.path))["repo_id"])

    def server(self, repo_id: str) -> list[str]:
        """The command of the execution server."""
        return [str(SCRIPTS / "codevetter-verify-mcp"), "--repo-id", repo_id]

    def browsers(self) -> list[int]:
        """Every living process of a browser that was started from here."""
        return [pid for pid in _processes() if str(self.temporary).encode() in _command_line(pid)]

    def assert_no_browser(self) -> None:
        """Fail when one is left, after the kernel had a moment to bury it."""
        wait_until(lambda: self.browsers() == [], bound_s=5)


def bench(folder: Path) -> Bench:
    """A fresh one below `folder`."""
    (folder / "tmp").mkdir()
    return Bench(widget(folder / "widget"), folder)


def _processes() -> list[int]:
    return [int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdecimal()]


def _command_line(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""

"""Real MCP hosts in tests: a home of their own, their programs, and the registrations that our tools print."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

SCRIPTS = Path(sys.executable).parent


@dataclass(frozen=True)
class Registered:
    """A server: its name in hosts, the command that prints its registration, and a tool that it has."""

    name: str
    command: tuple[str, ...]
    tool: str

    def __str__(self) -> str:
        return self.name


SERVERS = (
    Registered("prview", ("prview", "mcp", "--register"), "run_review"),
    Registered("artifactize", ("artifactize", "mcp", "--register"), "verify_start"),
    Registered("codevetter-verify", ("codevetter", "verify", "config", "--host"), "verify_change_preview"),
    Registered("codevetter-history", ("codevetter", "history", "config", "--host"), "receipts_list"),
)


def server_named(name: str) -> Registered:
    """One of SERVERS."""
    return next(server for server in SERVERS if server.name == name)


def host_env(tmp_path: Path) -> dict[str, str]:
    """A home of the host's own, and a PATH with Node and the system, without our scripts."""
    node = Path(shutil.which("node") or "/usr/bin/node").parent
    home = str(tmp_path / "home")
    quiet = {"DISABLE_AUTOUPDATER": "1", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "TERM": "dumb"}
    homes = {
        "HOME": home,
        "CODEX_HOME": f"{home}/codex",
    }
    return {
        "PATH": f"{node}{os.pathsep}/usr/bin{os.pathsep}/bin",
        "ANTHROPIC_API_KEY": "none",
        **quiet,
        **homes,
    }


def host(name: str) -> str:
    """The host's program; the session has put it on the PATH."""
    found = shutil.which(name)
    assert found is not None, f"{name} is not on the PATH: uv run nox -s hosts installs it"
    return found


def registration(server: Registered, kind: str, project: Path, env: Mapping[str, str]) -> str:
    """What the tool prints for a host."""
    argv = (str(SCRIPTS / server.command[0]), *server.command[1:], kind)
    return subprocess.run(argv, cwd=project, env=dict(env), check=True, capture_output=True, text=True).stdout

"""The registration that each tool prints, pasted into a real host: the host starts the server and lists its tools.

Offline and without a login: Claude Code checks its servers' health, Codex's app server reports their status.
`uv run nox -s hosts` installs both hosts and runs this.
"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from support.hosting import SCRIPTS, SERVERS, Registered, host, host_env, registration
from support.json_lines import JsonLines

pytestmark = [pytest.mark.hosts, pytest.mark.timeout(180)]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A repository that its owner has enabled for verification and for its history."""
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "index.artf").write_text('name = "project"\nbasis = true\n')
    enable = [[str(SCRIPTS / "codevetter"), kind, "enable", "--repo", "."] for kind in ("verify", "history")]
    for command in (["git", "init", "-q"], *enable):
        subprocess.run(command, cwd=folder, env=host_env(tmp_path), check=True, capture_output=True)
    return folder


@pytest.mark.parametrize("server", SERVERS, ids=str)
def test_claude_code_connects_to_the_registered_server(
    server: Registered, project: Path, tmp_path: Path
) -> None:
    """`claude mcp list` starts every server and says how it went; its exit code does not."""
    env = host_env(tmp_path)
    text = registration(server, "claude", project, env)
    (project / ".mcp.json").write_text(text)
    name = next(iter(json.loads(text)["mcpServers"]))
    settings = Path(env["HOME"], ".claude/settings.json")
    settings.parent.mkdir(parents=True)
    settings.write_text(json.dumps({"enabledMcpjsonServers": [name]}))
    done = subprocess.run(
        (host("claude"), "mcp", "list"),
        cwd=project,
        env=env,
        capture_output=True,
        text=True,
        timeout=90,
        check=False,
    )
    line = next(
        (line for line in done.stdout.splitlines() if line.startswith(f"{name}:")), done.stdout + done.stderr
    )
    assert "Connected" in line
    assert "failed" not in line.lower()


@pytest.mark.parametrize("server", SERVERS, ids=str)
def test_codex_lists_the_tools_of_the_registered_server(
    server: Registered, project: Path, tmp_path: Path
) -> None:
    """Codex's own client: started from its configuration, handshake, tools."""
    env = host_env(tmp_path)
    config = Path(env["CODEX_HOME"], "config.toml")
    config.parent.mkdir(parents=True, exist_ok=True)
    config.write_text(registration(server, "codex", project, env))
    with JsonLines((host("codex"), "app-server"), env=env, cwd=str(project)) as app:
        app.request("initialize", {"clientInfo": {"name": "test", "version": "0"}})
        app.notify("initialized")
        (status,) = app.request("mcpServerStatus/list", {})["data"]
    assert not status.get("toolsError")
    assert server.tool in status["tools"]

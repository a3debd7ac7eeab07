"""The MCP Inspector's command line, a third client implementation, lists and calls tools of every server."""

from __future__ import annotations

import json
import subprocess
from typing import TYPE_CHECKING, Any

import pytest

from support.hosting import host, host_env, registration, server_named
from support.repos import GitRepo

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [pytest.mark.hosts, pytest.mark.timeout(180)]
CALLS = {
    "prview": ("health", "schema_version", "prview.mcp.v1"),
    "artifactize": ("run_list", "encoding", "json"),
}


def inspect(name: str, repo: Path, tmp_path: Path, *words: str) -> Any:
    """What the Inspector prints."""
    env = host_env(tmp_path)
    entries = json.loads(registration(server_named(name), "claude", repo, env))["mcpServers"]
    entry = next(iter(entries.values()))
    command = [host("mcp-inspector"), "--cli", entry["command"], *entry["args"], *words]
    done = subprocess.run(command, cwd=repo, env=env, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


@pytest.mark.parametrize("name", CALLS)
def test_the_inspector_lists_and_calls_tools(name: str, tmp_path: Path) -> None:
    repo = GitRepo.create(tmp_path / "project")
    repo.write("index.artf", 'name = "project"\nbasis = true\n').commit("first")
    tool, field, value = CALLS[name]
    listed = inspect(name, repo.path, tmp_path, "--method", "tools/list")
    assert tool in {one["name"] for one in listed["tools"]}
    answer = inspect(name, repo.path, tmp_path, "--method", "tools/call", "--tool-name", tool)
    assert answer["structuredContent"][field] == value

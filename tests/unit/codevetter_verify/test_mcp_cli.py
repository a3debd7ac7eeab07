"""`codevetter-verify-mcp` before there is anybody to talk to."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

from codevetter_verify import __version__
from support.trex import widget

if TYPE_CHECKING:
    from pathlib import Path

SERVER = [sys.executable, "-m", "codevetter_verify.mcp_cli"]


def run(tmp_path: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """A command with nothing on its stdin."""
    env = {"CODEVETTER_HOME": str(tmp_path / "home"), "PATH": "/usr/bin:/bin", "HOME": str(tmp_path)}
    return subprocess.run(
        words, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, check=False
    )


def test_a_repository_that_is_not_enabled_is_refused_even_when_stdin_has_ended(tmp_path: Path) -> None:
    """A host that starts it with the wrong id must not see a success."""
    done = run(tmp_path, *SERVER, "--repo-id", "bogus")
    assert (done.returncode, done.stdout) == (2, "")
    assert "not enabled for repository id 'bogus'" in done.stderr
    assert "codevetter verify enable" in done.stderr


def test_an_enabled_repository_can_be_probed_and_registered(tmp_path: Path) -> None:
    repo = widget(tmp_path / "widget")
    enable = [sys.executable, "-m", "codevetter_verify", "verify", "enable", "--json"]
    repo_id = json.loads(run(tmp_path, *enable, "--repo", str(repo.path)).stdout)["repo_id"]
    probed = run(tmp_path, *SERVER, "--repo-id", repo_id, "--probe", "--json")
    assert (probed.returncode, json.loads(probed.stdout)["tools"]) == (0, ["verify_change_preview"])
    entry = json.loads(run(tmp_path, *SERVER, "--repo-id", repo_id, "--register", "claude").stdout)
    registered = entry["mcpServers"]["codevetter-verify"]
    assert registered["args"][-2:] == ["--repo-id", repo_id]
    assert registered["env"] == {"CODEVETTER_HOME": str(tmp_path / "home")}
    config = [sys.executable, "-m", "codevetter_verify", "verify", "config", "--host", "claude"]
    printed = run(tmp_path, *config, "--repo", str(repo.path))
    assert json.loads(printed.stdout)["mcpServers"]["codevetter-verify"]["env"] == registered["env"]
    assert f"CODEVETTER_HOME={tmp_path / 'home'}" in printed.stderr  # in the one-line command, too


def test_it_says_its_version(tmp_path: Path) -> None:
    assert run(tmp_path, *SERVER, "--version").stdout == f"codevetter-verify-mcp, version {__version__}\n"

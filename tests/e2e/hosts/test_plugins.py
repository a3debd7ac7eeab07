"""The plugins of this repository, installed by real hosts: they find them valid, and start their servers."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from support.hosting import SCRIPTS, host, host_env

pytestmark = [pytest.mark.hosts, pytest.mark.timeout(180)]
ROOT = Path(__file__).resolve().parents[3]
PLUGINS = ("artifactize", "prview")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "index.artf").write_text('name = "project"\nbasis = true\n')
    subprocess.run(("git", "init", "-q"), cwd=folder, env=host_env(tmp_path), check=True)
    return folder


def said(env: dict[str, str], project: Path, *command: str) -> str:
    """What a host's command prints; it has to succeed."""
    # the entry of a plugin names the command alone: the host finds it where its user would
    path = f"{SCRIPTS}{os.pathsep}{env['PATH']}"
    done = subprocess.run(
        command,
        cwd=project,
        env={**env, "PATH": path},
        capture_output=True,
        text=True,
        timeout=90,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_claude_code_installs_the_plugins_and_connects(project: Path, tmp_path: Path) -> None:
    env, claude = host_env(tmp_path), host("claude")
    for place in (ROOT, *(ROOT / "integrations" / name for name in PLUGINS)):
        assert "warning" not in said(env, project, claude, "plugin", "validate", str(place)).lower()
    said(env, project, claude, "plugin", "marketplace", "add", str(ROOT))
    for name in PLUGINS:
        said(env, project, claude, "plugin", "install", f"{name}@review-tools")
    listed = said(env, project, claude, "mcp", "list").splitlines()
    for name in PLUGINS:
        (line,) = (line for line in listed if line.startswith(f"plugin:{name}:{name}:"))
        assert "Connected" in line


def test_codex_installs_the_plugins(project: Path, tmp_path: Path) -> None:
    env, codex = host_env(tmp_path), host("codex")
    Path(env["CODEX_HOME"]).mkdir(parents=True, exist_ok=True)
    said(env, project, codex, "plugin", "marketplace", "add", str(ROOT))
    for name in PLUGINS:
        said(env, project, codex, "plugin", "add", f"{name}@review-tools")
    listed = said(env, project, codex, "mcp", "list")
    for name in PLUGINS:
        assert f"{name}  " in listed

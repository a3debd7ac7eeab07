"""The one-line commands that `mcp --register` shows do in the host what its registration file says."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from mcpkit.hosts import add_command, registration

pytestmark = [pytest.mark.hosts, pytest.mark.timeout(180)]
COMMAND = (sys.executable, "-m", "support.demo_server", "--note", 'two words and "quotes"')
ENV = {"PYTHONPATH": str(Path(__file__).parents[2]), "NOTE": "a b"}


def add(host: str, project: Path, *, shared: bool = False) -> str:
    """Run the add command of a host in a project; return what it said."""
    project.mkdir()
    line = add_command(host, name="demo", command=COMMAND, env=ENV, shared=shared)
    assert line is not None
    program, *words = shlex.split(line)
    found = shutil.which(program)
    assert found is not None, f"{program} is not on the PATH: `uv run nox -s hosts` installs it"
    done = subprocess.run(
        [found, *words],
        cwd=project,
        env={**os.environ, "DISABLE_AUTOUPDATER": "1", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1"},
        capture_output=True,
        text=True,
        timeout=90,
        check=True,
    )
    return done.stdout + done.stderr


def test_claude_writes_the_file_that_we_print(tmp_path: Path) -> None:
    said = add("claude", tmp_path / "project", shared=True)
    written = tmp_path / "project/.mcp.json"
    assert written.is_file(), said
    ours = registration("claude", name="demo", command=COMMAND, env=ENV)
    assert json.loads(written.read_text()) == json.loads(ours)


def test_codex_writes_the_table_that_we_print(
    tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CODEX_HOME", str(home))
    said = add("codex", tmp_path / "project")
    written = home / "config.toml"
    assert written.is_file(), said
    ours = tomllib.loads(registration("codex", name="demo", command=COMMAND, env=ENV))
    assert tomllib.loads(written.read_text())["mcp_servers"] == ours["mcp_servers"]

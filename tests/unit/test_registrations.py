"""The entries that `mcp --register` prints start the server with the state that the user has chosen.

Hosts start servers with an environment of their own; Codex passes hardly anything on.
"""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from artifactize.commands.mcp import mcp as artifactize_mcp
from codevetter_verify.history_cli import command as codevetter_history
from codevetter_verify.mcp_cli import command as codevetter_mcp
from prview.commands.mcp import mcp as prview_mcp
from support.repos import GitRepo

if TYPE_CHECKING:
    from pathlib import Path

    import click

COMMANDS = {
    "prview": (prview_mcp, (), "PRVIEW_HOME"),
    "artifactize": (artifactize_mcp, (), "ARTIFACTIZE_STATE_HOME"),
    "codevetter-history": (codevetter_history, ("--repo-id", "repo-1"), "CODEVETTER_HOME"),
    "codevetter-verify": (codevetter_mcp, ("--repo-id", "repo-1"), "CODEVETTER_HOME"),
}
VARIABLES = ("PRVIEW_HOME", "ARTIFACTIZE_STATE_HOME", "CODEVETTER_HOME", "CODEVETTER_BROWSER")


def registered(server: str, command: click.Command, words: tuple[str, ...]) -> dict[str, object]:
    """What Codex reads in the printed entry."""
    printed = CliRunner().invoke(command, [*words, "--register", "codex"])
    assert printed.exit_code == 0, printed.output
    entry: dict[str, object] = tomllib.loads(printed.stdout)["mcp_servers"][server]
    return entry


@pytest.mark.parametrize("server", COMMANDS)
def test_an_entry_repeats_the_variable_that_says_where_state_lies(
    server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    command, words, variable = COMMANDS[server]
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    assert "env" not in registered(server, command, words)
    monkeypatch.setenv(variable, "/var/lib/the state")
    assert registered(server, command, words)["env"] == {variable: "/var/lib/the state"}


def test_a_host_with_one_configuration_for_all_projects_gets_the_project(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = GitRepo.create(tmp_path / "project").path
    (root / "deep").mkdir()
    monkeypatch.chdir(root / "deep")
    assert registered("artifactize", artifactize_mcp, ())["args"] == ["--repo", str(root)]
    given = registered("artifactize", artifactize_mcp, ("--repo", str(tmp_path)))
    assert given["args"] == ["--repo", str(tmp_path)]
    monkeypatch.chdir(tmp_path)
    assert registered("artifactize", artifactize_mcp, ())["args"] == []

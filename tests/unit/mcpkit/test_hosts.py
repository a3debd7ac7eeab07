"""Registrations that the hosts' own parsers would read back as the command we meant."""

from __future__ import annotations

import json
import os
import shlex
import sys
import sysconfig
import tomllib
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpkit.hosts import absolute_command, add_command, advice, carried, registration
from mcpkit.known_hosts import HOSTS

if TYPE_CHECKING:
    from pathlib import Path

COMMAND = ["/opt/my tools/prview", "mcp", "--repo", '/home/a"b\\c/é']
ENV = {"PRVIEW_HOME": "/var/lib/pr view"}


def read_back(host: str, text: str) -> dict[str, object]:
    """What the host's parser makes of its file: the entry of the server `prview`."""
    if host == "codex":
        entry: dict[str, object] = tomllib.loads(text)["mcp_servers"]["prview"]
        return entry
    servers = json.loads(text)["servers" if host == "vscode" else "mcpServers"]
    assert servers["prview"].pop("type") == "stdio"
    return dict(servers["prview"])


@pytest.mark.parametrize("host", HOSTS)
def test_every_hosts_file_reads_back_as_command_arguments_and_environment(host: str) -> None:
    expected = {"command": COMMAND[0], "args": COMMAND[1:]}
    assert read_back(host, registration(host, name="prview", command=COMMAND)) == expected
    with_env = registration(host, name="prview", command=COMMAND, env=ENV)
    assert read_back(host, with_env) == {**expected, "env": ENV}


def test_only_variables_that_are_set_are_carried_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOOL_HOME", "/var/lib/tool")
    monkeypatch.setenv("TOOL_EMPTY", "")
    monkeypatch.delenv("TOOL_UNSET", raising=False)
    assert carried(("TOOL_HOME", "TOOL_EMPTY", "TOOL_UNSET")) == {"TOOL_HOME": "/var/lib/tool"}


@given(st.lists(st.text().filter(str.isprintable), max_size=4))
def test_any_printable_argument_survives_every_file_format(args: list[str]) -> None:
    for host in HOSTS:
        entry = read_back(host, registration(host, name="prview", command=["/bin/x", *args]))
        assert entry["args"] == args


def test_the_claude_and_codex_texts_are_what_their_manuals_show() -> None:
    command = ["/usr/bin/prview", "mcp"]
    assert registration("codex", name="prview", command=command) == (
        '[mcp_servers.prview]\ncommand = "/usr/bin/prview"\nargs = ["mcp"]\n'
    )
    assert json.loads(registration("claude", name="prview", command=command)) == {
        "mcpServers": {"prview": {"type": "stdio", "command": "/usr/bin/prview", "args": ["mcp"]}}
    }


def test_the_add_commands_split_into_the_words_that_the_hosts_expect() -> None:
    claude = shlex.split(add_command("claude", name="prview", command=COMMAND, env=ENV) or "")
    before = ["claude", "mcp", "add", "--scope", "local", "--env"]
    assert claude == [
        *before,
        "PRVIEW_HOME=/var/lib/pr view",
        "--transport",
        "stdio",
        "prview",
        "--",
        *COMMAND,
    ]
    codex = shlex.split(add_command("codex", name="prview", command=COMMAND, env=ENV) or "")
    assert codex == ["codex", "mcp", "add", "prview", "--env", "PRVIEW_HOME=/var/lib/pr view", "--", *COMMAND]
    code = shlex.split(add_command("vscode", name="prview", command=COMMAND) or "")
    assert code[:2] == ["code", "--add-mcp"]
    entry = {"name": "prview", "type": "stdio", "command": COMMAND[0], "args": COMMAND[1:]}
    assert json.loads(code[2]) == entry
    assert add_command("cursor", name="prview", command=COMMAND) is None


def test_the_advice_names_the_file_and_the_command_that_does_the_same() -> None:
    text = advice("codex", name="prview", command=["/usr/bin/prview", "mcp"])
    assert "~/.codex/config.toml" in text
    assert "codex mcp add prview -- /usr/bin/prview mcp" in text
    assert "warning" not in text
    assert all(line.startswith("#") for line in text.splitlines())


def test_an_entry_for_a_team_names_the_command_alone() -> None:
    command = ["prview", "mcp"]
    entry = json.loads(registration("claude", name="prview", command=command, shared=True))
    assert entry["mcpServers"]["prview"]["command"] == "prview"
    text = advice("claude", name="prview", command=command, shared=True)
    assert "claude mcp add --scope project --transport stdio prview -- prview mcp" in text
    assert "on everybody's PATH" in text
    assert "paths of this machine" in advice("claude", name="prview", command=COMMAND)
    with pytest.raises(ValueError, match="could share"):
        registration("codex", name="prview", command=command, shared=True)


def test_a_command_in_uvs_cache_is_warned_about() -> None:
    command = ["/home/a/.cache/uv/archive-v0/Xy/bin/prview", "mcp"]
    assert "uv tool install" in advice("claude", name="prview", command=command)


@pytest.mark.parametrize(
    ("host", "name", "command", "named"),
    [
        ("emacs", "prview", ["/bin/x"], "emacs"),
        ("claude", "pr.view", ["/bin/x"], "pr.view"),
        ("claude", "", ["/bin/x"], "server name"),
        ("claude", "prview", ["prview", "mcp"], "absolute path"),
        ("claude", "prview", [], "absolute path"),
        ("codex", "prview", ["/bin/x", "a\nb"], "printable"),
        ("codex", "prview", ["/bin/\udc80"], "printable"),
    ],
)
def test_what_no_host_could_start_is_refused_by_name(
    host: str, name: str, command: list[str], named: str
) -> None:
    with pytest.raises(ValueError, match=named):
        registration(host, name=name, command=command)
    with pytest.raises(ValueError, match=named):
        add_command(host, name=name, command=command)


# --- the command --------------------------------------------------------------------------------------------


def script(folder: Path, name: str = "prview") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return path


@pytest.fixture
def no_scripts(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A machine on which the script is nowhere yet."""
    monkeypatch.setattr(sys, "argv", ["/somewhere/pytest"])
    monkeypatch.setattr(sys, "executable", str(tmp_path / "venv" / "python"))
    monkeypatch.setattr(sysconfig, "get_path", lambda _name: str(tmp_path / "scripts"))
    monkeypatch.setenv("PATH", str(tmp_path / "path"))
    return tmp_path


def test_the_script_we_were_started_as_is_registered(
    no_scripts: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script(no_scripts / "scripts")
    started = script(no_scripts / "bin")
    monkeypatch.setattr(sys, "argv", [str(started)])
    assert absolute_command("prview", module="prview") == [str(started)]


def test_a_relative_start_becomes_absolute_and_links_are_kept(
    no_scripts: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A link in ~/.local/bin outlives the upgrade that replaces what it points to."""
    target = script(no_scripts / "version-1")
    (no_scripts / "bin").mkdir()
    (no_scripts / "bin" / "prview").symlink_to(target)
    monkeypatch.chdir(no_scripts)
    monkeypatch.setattr(sys, "argv", ["bin/prview"])
    assert absolute_command("prview", module="prview") == [str(no_scripts / "bin" / "prview")]


def test_without_it_the_script_of_this_installation_comes_before_another_on_path(no_scripts: Path) -> None:
    script(no_scripts / "path")
    own = script(no_scripts / "scripts")
    assert absolute_command("prview", module="prview") == [str(own)]


def test_the_script_beside_the_interpreter_is_found(no_scripts: Path) -> None:
    assert absolute_command("prview", module="prview") == [sys.executable, "-m", "prview"]
    beside = script(no_scripts / "venv")
    assert absolute_command("prview", module="prview") == [str(beside)]


def test_a_script_on_path_is_better_than_none(no_scripts: Path) -> None:
    found = script(no_scripts / "path")
    assert absolute_command("prview", module="prview") == [str(found)]


def test_a_file_that_may_not_be_executed_is_passed_over(no_scripts: Path) -> None:
    script(no_scripts / "scripts").chmod(0o644)
    assert not os.access(no_scripts / "scripts" / "prview", os.X_OK)
    assert absolute_command("prview", module="prview.cli") == [sys.executable, "-m", "prview.cli"]

"""`--help` of every command of every console script starts without what only the work needs."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.metadata import entry_points
from typing import TYPE_CHECKING

import pytest

from support import light_start

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint
    from pathlib import Path

OURS = {"mcpkit", "prview", "codevetter-verify", "artifactize"}
SCRIPTS = [
    script
    for script in entry_points(group="console_scripts")
    if script.dist is not None and script.dist.name in OURS
]


def helps(entry: str, prog: str) -> dict[str, light_start.Answer]:
    """The help of every command of a console script, with what it imported."""
    done = subprocess.run(
        [sys.executable, light_start.__file__, entry, prog],
        capture_output=True,
        timeout=100,
        check=True,
        text=True,
    )
    answers: dict[str, light_start.Answer] = json.loads(done.stdout)
    return answers


def test_the_tools_have_console_scripts() -> None:
    assert SCRIPTS


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: str(script.name))
def test_help_of_every_command_imports_nothing_heavy(script: EntryPoint) -> None:
    answers = helps(script.value, script.name)
    failed = {command: answer["help"] for command, answer in answers.items() if answer["code"] != 0}
    assert failed == {}
    heavy = {command: answer["heavy"] for command, answer in answers.items() if answer["heavy"]}
    assert heavy == {}
    untold = [
        command for command, answer in answers.items() if not answer["help"].startswith(f"Usage: {command}")
    ]
    assert untold == []


def test_the_walk_sees_subcommands_of_subcommands_and_what_they_import(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A walk that found nothing would pass for ever."""
    (tmp_path / "walked.py").write_text(
        "import click\n"
        "from mcpkit.cli import LazyGroup, run_command_line\n"
        "inner = LazyGroup(name='inner', help='I.', lazy={'heavy': ('walked_heavy:heavy', 'H.')})\n"
        "cli = LazyGroup(name='cli', help='C.', lazy={'inner': ('walked:inner', 'I.')})\n"
        "def main(): run_command_line(cli, prog='walked')\n"
    )
    (tmp_path / "walked_heavy.py").write_text(
        "import anyio, click\n@click.command()\ndef heavy():\n    'H.'\n"
    )
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    answers = helps("walked:main", "walked")
    assert {command: answer["heavy"] for command, answer in answers.items()} == {
        "walked": [],
        "walked inner": [],
        "walked inner heavy": ["anyio"],
    }


def test_mcpkits_own_command_starts_light() -> None:
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "mcpkit", "schemas", "--help"],
        capture_output=True,
        timeout=60,
        check=True,
        text=True,
    )
    imported = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert "click" in imported
    assert imported & set(light_start.HEAVY) == set()
    assert done.stdout.startswith("Usage:")

"""docs/prview.md names all there is: commands, options, keys of settings, parts, files of a pack."""

from __future__ import annotations

from pathlib import Path

import click
import pytest

from prview.cli import cli
from prview.domain.policy import Mode, Severity
from prview.domain.policy_reading import _KEYS
from prview.domain.project import Project, read_project
from prview.service.initializing import PARTS
from prview.store import paths

MANUAL = (Path(__file__).parents[3] / "docs/prview.md").read_text(encoding="utf-8")


def options(command: click.Command) -> set[str]:
    """The spellings that a help shows."""
    found = {
        spelling
        for param in command.params
        if isinstance(param, click.Option) and not param.hidden
        for spelling in (*param.opts, *param.secondary_opts)
    }
    inner = command.commands.values() if isinstance(command, click.Group) else ()
    return found.union(*map(options, inner))


@pytest.mark.parametrize("name", cli.list_commands(click.Context(cli)))
def test_every_command_is_shown_once_in_the_table_with_its_options(name: str) -> None:
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    rows = [line for line in MANUAL.splitlines() if line.startswith(f"| `prview {name}")]
    inner = command.commands if isinstance(command, click.Group) else {}
    assert len(rows) == (1 if name != "review" else 0) * max(len(inner), 1), rows
    missing = [option for option in options(command) if f"`{option}" not in MANUAL]
    assert missing == []


def test_every_key_with_its_words_and_default_is_named() -> None:
    for key in _KEYS:
        assert f"| `{key}` |" in MANUAL
    for word in (*Mode, *Severity):
        assert f"`{word}`" in MANUAL
    example = MANUAL.partition("```toml\n")[2].partition("```")[0]
    assert read_project(example, path="p") != Project()
    for key in ("paths", "ignores", "gate.breaking_escalation"):
        assert f"| `{key}` |" in MANUAL


def test_every_part_and_every_file_of_a_pack_is_named() -> None:
    for part in PARTS:
        assert f"| `{part}` |" in MANUAL
    names = {value for name, value in vars(paths).items() if name.isupper() and isinstance(value, str)}
    inside = {name.rpartition("/")[2] for name in names if "." in name} - {paths.RUNNING, paths.FAILED}
    assert [name for name in sorted(inside) if name not in MANUAL] == []

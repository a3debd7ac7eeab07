"""The table of commands: its words are the commands' own."""

from __future__ import annotations

from prview.cli import cli
from support.lazy_help import check_lazy_help


def test_every_line_of_the_help_is_the_commands_own() -> None:
    check_lazy_help(cli)

"""Every help line of a lazy group is the one that its command has itself."""

from __future__ import annotations

import click

from mcpkit.cli import LazyGroup


def check_lazy_help(group: LazyGroup, path: str = "") -> None:
    """Import every subcommand, groups in groups too, and compare. Raises AssertionError naming the first."""
    context = click.Context(group)
    for name, (_, line) in group.lazy.items():
        command = group.get_command(context, name)
        assert command is not None
        own = command.get_short_help_str(limit=200)
        assert line == own, f"`{path}{name}`: the table says {line!r}, the command {own!r}"
        if isinstance(command, LazyGroup):
            check_lazy_help(command, f"{path}{name} ")
